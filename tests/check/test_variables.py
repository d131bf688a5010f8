"""An access has to lie in the variable that its address is computed from; what that is follows data, not layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

PTX = """.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b8 a[64];
.shared .align 4 .b8 b[64];
.visible .entry k(.param .u64 py, .param .u32 pn) {
  .reg .pred %p, %q; .reg .b32 %t, %n, %i, %j, %r, %s; .reg .b64 %y, %o, %g, %h, %d;
  .local .align 8 .b8 mine[16];
  ld.param.u64 %y, [py];
  ld.param.u32 %n, [pn];
  mov.u32 %t, %tid.x;
  shl.b32 %i, %t, 2;
  mov.u32 %s, a;  // what is not used is not there
  mov.u32 %s, b;
  BODY
  mul.wide.u32 %o, %t, 4;
  add.s64 %y, %y, %o;
  st.global.u32 [%y], %t;
  ret;
}
"""
TOML = """[tensors.y]
dtype = "u32"
shape = [32]
role = "out"
[candidate]
source = "k.ptx"
entry = "k"
grid = [1]
block = [32]
args = ["y", "NUMBER"]
"""
RISING = "mov.u32 %r, a; add.s32 %r, %r, %i;"


def run(folder: Path, body: str, number: int = 16) -> dict[str, Any]:
    (folder / "k.ptx").write_text(PTX.replace("BODY", body))
    (folder / "volta.toml").write_text(TOML.replace('"NUMBER"', str(number)))
    with Store(folder / "store") as store:
        return verify(folder / "volta.toml", store).document


@pytest.mark.parametrize(
    ("body", "name", "offset"),
    [
        (f"{RISING} st.shared.u32 [%r], %t;", "a", 64),
        (f"{RISING} st.volatile.shared.u32 [%r-4], %t;", "a", None),  # thread 0 before all memory, 17 behind a
        ("mov.u32 %r, b; red.shared.add.u32 [%r-4], 1;", "b", -4),
        # Chosen in each thread: from a into b, or from b to before it.
        ("mov.u32 %r, a; mov.u32 %s, b; setp.lt.u32 %p, %t, 20; selp.b32 %r, %r, %s, %p; add.s32 %r, %r, %i;"
         "@%p st.shared.u32 [%r], %t;", "a", 64),
        ("mov.u32 %r, a; mov.u32 %s, b; setp.lt.u32 %p, %t, 16; selp.b32 %r, %r, %s, %p; and.b32 %i, %i, 63;"
         "sub.s32 %i, 60, %i; add.s32 %r, %r, %i;"
         "red.shared.add.u32 [%r], 1; @%p bra END; red.shared.add.u32 [%r-4], 1; END:", "b", -4),
        # By a branch.
        ("mov.u32 %r, a; setp.lt.u32 %p, %t, 20; @%p bra CHOSEN; mov.u32 %r, b; sub.s32 %r, %r, 80; CHOSEN: add.s32 %r, %r, %i;"
         "st.shared.u32 [%r], %t;", "a", 64),
        # Through a generic address.
        ("mov.u64 %g, a; cvta.shared.u64 %g, %g; cvt.u64.u32 %o, %i; add.s64 %g, %g, %o; st.u32 [%g], %t;", "a", 64),
        # Through memory.
        (f"{RISING} st.local.u32 [mine], %r; ld.local.u32 %s, [mine]; st.shared.u32 [%s], %t;", "a", 64),
        # A multiple of the address that comes out as one of the address itself.
        (f"{RISING} mul.lo.s32 %s, %r, 3; shl.b32 %r, %r, 1; sub.s32 %r, %s, %r; st.shared.u32 [%r], %t;", "a", 64),
        # An atomic, and a half of an access.
        (f"{RISING} red.shared.add.u32 [%r], 1;", "a", 64),
        ("mov.u32 %r, a; st.shared.v2.u32 [%r+60], {%t, %t};", "a", 60),
    ],
)  # fmt: skip
def test_beyond_a_variable(tmp_path: Path, body: str, name: str, offset: int | None) -> None:
    found = [f for f in run(tmp_path, body)["findings"] if f["kind"] in ("out-of-bounds", "misaligned")]
    assert found[0]["kind"] == "out-of-bounds"
    assert offset is None or (found[0]["address"]["name"], found[0]["address"]["offset"]) == (name, offset)


@pytest.mark.parametrize(
    "body",
    [
        # From a to b by the distance of both: the address comes from both.
        "mov.u32 %r, a; mov.u32 %s, b; sub.s32 %s, %s, %r; add.s32 %r, %r, %s; and.b32 %i, %i, 63; add.s32 %r, %r, %i;"
        "atom.shared.add.u32 %j, [%r], 1;",
        # Chosen in each thread.
        "mov.u32 %r, a; mov.u32 %s, b; setp.lt.u32 %p, %t, 16; selp.b32 %r, %r, %s, %p; and.b32 %i, %i, 63; add.s32 %r, %r, %i;"
        "st.shared.u32 [%r], %t;",
        # By a branch.
        "mov.u32 %r, a; setp.lt.u32 %p, %t, 16; @%p bra CHOSEN; mov.u32 %r, b; sub.s32 %r, %r, 64; CHOSEN: add.s32 %r, %r, %i;"
        "st.shared.u32 [%r], %t;",
        # Below the start for a while.
        "mov.u32 %r, a; and.b32 %i, %i, 63; add.s32 %r, %r, %i; sub.s32 %r, %r, 4096; atom.shared.add.u32 %j, [%r+4096], 1;",
        # A number of no variable: the memory is one.
        "and.b32 %i, %i, 127; st.shared.u32 [%i], %t;",
    ],
)  # fmt: skip
def test_what_may_be_meant(tmp_path: Path, body: str) -> None:
    assert run(tmp_path, body)["verdict"] == "safe"


def test_what_cannot_be_traced_is_noted(tmp_path: Path) -> None:
    # Three times a less twice b is a where a lies at 0 and b at 64 plus 128: it moves as neither of them.
    body = """mov.u32 %r, a; mov.u32 %s, b; mul.lo.s32 %r, %r, 3; shl.b32 %s, %s, 1; sub.s32 %r, %r, %s; add.s32 %r, %r, 128;
    and.b32 %i, %i, 63; add.s32 %r, %r, %i; atom.shared.add.u32 %j, [%r], 1;"""
    document = run(tmp_path, body)
    assert document["verdict"] == "safe"
    assert any("could not be told for which" in note["message"] for note in document["notes"])
    assert not any(
        "could not be told" in note["message"] for note in run(tmp_path, f"{RISING} st.shared.u32 [%r], %t;")["notes"]
    )


def test_the_arithmetic_is_told(tmp_path: Path) -> None:
    (found,) = run(tmp_path, f"{RISING} st.shared.u32 [%r], %t;")["findings"]
    assert found["count"] == 16 and found["threads"] == [16]
    assert "outside the 64 bytes of a" in found["message"] and "b+0 lies there" in found["message"]
    said = [step["message"] for step in found["explanation"]]
    assert said[0] == "the address is (a + (tid.x << 2)) = b+0"
    assert "tid.x = 16" in said and "shl.b32 16, 2 = 64" in said
    assert all(step["ptx_line"] for step in found["explanation"][1:])


def test_a_loop_variable_has_its_value(tmp_path: Path) -> None:
    body = """mov.u32 %j, 0; mov.u32 %r, a;
    LOOP: add.s32 %s, %r, %i; setp.ne.u32 %q, %t, 0; @!%q st.shared.u32 [%s], %t;
    add.s32 %r, %r, 8; add.s32 %j, %j, 1; setp.lt.u32 %p, %j, %n; @%p bra LOOP;"""
    (found,) = run(tmp_path, body, 15)["findings"]
    # Thread 0 writes at 8 j for j below 15; a has 64 bytes, so j = 8 is the first beyond it.
    assert found["kind"] == "out-of-bounds" and found["count"] == 7 and found["address"]["offset"] == 64
    said = [step["message"] for step in found["explanation"]]
    assert "a value that comes from several places = 64" in said
