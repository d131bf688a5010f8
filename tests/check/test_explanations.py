"""What findings say of how they came about: last synchronisation and remedy of a race, who waits for whom in a deadlock."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.combination import MAX_STEPS, Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

PTX = """.version 8.0
.target sm_80
.address_size 64
.shared .align 16 .b8 s[512];
.visible .entry k(.param .u64 py, .param .u64 px) {
  .reg .pred %p, %q; .reg .b32 %t, %r, %i, %v; .reg .b64 %y, %o, %x;
  ld.param.u64 %y, [py];
  ld.param.u64 %x, [px];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 4;
  add.s64 %y, %y, %o;
  mov.u32 %r, s;
  shl.b32 %i, %t, 2;
  add.s32 %i, %i, %r;
  setp.lt.u32 %p, %t, 32;
  setp.eq.u32 %q, %t, 0;
BODY
  st.global.u32 [%y], %t;
  ret;
}
"""
TOML = """[tensors.y]
dtype = "u32"
shape = [64]
role = "out"
[tensors.x]
dtype = "u32"
shape = [64]
role = "in"
[candidate]
source = "k.ptx"
entry = "k"
grid = [1]
block = [64]
args = ["y", "x"]
"""
FIRST_LINE = 1 + PTX.partition("BODY")[0].count("\n")


def document(folder: Path, *body: str, assume: str = "", steps: int = MAX_STEPS) -> dict[str, Any]:
    """The JSON of the kernel with that body. assume: a table of the contract; steps: the budget."""
    (folder / "k.ptx").write_text(PTX.replace("BODY", "\n".join(body)))
    (folder / "volta.toml").write_text(TOML + assume)
    with Store(folder / "store") as store:
        return verify(folder / "volta.toml", store, Options(max_steps=steps)).document


def found(folder: Path, *body: str) -> dict[str, Any]:
    """The one finding."""
    (finding,) = document(folder, *body)["findings"]
    assert isinstance(finding, dict)
    return finding


def told(finding: dict[str, Any]) -> list[tuple[str, int]]:
    """The lines, each with the place in the body (from 0) that it speaks of, or -1."""
    return [(step["message"], (step["ptx_line"] or FIRST_LINE - 1) - FIRST_LINE) for step in finding["explanation"]]


READ_FIRST = "ld.shared.u32 %v, [s];"


@pytest.mark.parametrize(
    ("before", "last"),
    [
        ((), ("there is no barrier that both waited at before", -1)),
        (("bar.sync 3;",), ("the last barrier that both waited at before: barrier 3 of the CTA", 0)),
        (("bar.sync 0;", "@%p bar.warp.sync -1;"), ("the last barrier that both waited at before: barrier 0 of the CTA", 0)),
        (("bar.sync 0;", "bar.sync 1;"), ("the last barrier that both waited at before: barrier 1 of the CTA", 1)),
    ],
)  # fmt: skip
def test_a_race_names_the_last_barrier_of_both(tmp_path: Path, before: tuple[str, ...], last: tuple[str, int]) -> None:
    # Threads of warp 1 read what thread 0 writes.
    finding = found(tmp_path, *before, "@%q st.shared.u32 [s], 7;", "@%p bra AFTER;", READ_FIRST, "AFTER:")
    assert finding["kind"] == "race" and {thread // 32 for thread in finding["threads"]} == {0, 1}
    lines = told(finding)
    assert lines[0] == last
    one, other = finding["accesses"]
    order = f"behind the {one['action']} by thread {one['thread']} and before the {other['action']} by thread {other['thread']}"
    assert lines[-1] == (f"__syncthreads() (bar.sync 0) {order} would order them", -1)


def test_within_a_warp_a_barrier_of_it_is_enough(tmp_path: Path) -> None:
    finding = found(tmp_path, "@!%p bra OUT;", "bar.warp.sync -1;", "st.shared.u32 [%i], %t;", "xor.b32 %i, %i, 4;",
                    "ld.shared.u32 %v, [%i];", "OUT:")  # fmt: skip
    lines = told(finding)
    assert lines[0] == ("the last barrier that both waited at before: a barrier of their warp", 1)
    assert lines[-1][0].startswith("__syncthreads() (bar.sync 0), or __syncwarp() within a warp, behind the write by thread")


def test_a_barrier_that_only_one_of_them_waited_at(tmp_path: Path) -> None:
    # Warp 0 waits for itself and reads what warp 1 writes.
    body = ("@!%p bra WRITE;", "bar.sync 1, 32;", "ld.shared.u32 %v, [%i+128];", "bra OUT;", "WRITE:",
            "st.shared.u32 [%i], %t;", "OUT:")  # fmt: skip
    lines = told(found(tmp_path, *body))
    assert lines[0][0] == "there is no barrier that both waited at before"
    assert ("in between only thread 0 waited at barrier 1 of the CTA, without thread 32", 1) in lines


def test_a_copy_wants_a_wait(tmp_path: Path) -> None:
    body = (
        "add.s64 %x, %x, %o;",
        "cp.async.ca.shared.global [%i], [%x], 4;",
        "cp.async.commit_group;",
        "ld.shared.u32 %v, [%i];",
    )
    lines = told(found(tmp_path, *body))
    assert "cp.async.wait_group" in lines[-1][0] and "between the two would order them" in lines[-1][0]


def test_one_instruction_of_many_lanes(tmp_path: Path) -> None:
    lines = told(found(tmp_path, "st.shared.u32 [s], %t;"))
    assert "let one thread do it" in lines[-1][0]


def test_a_deadlock_says_who_waits_for_whom(tmp_path: Path) -> None:
    body = ("@%p bra LOW;", "bar.sync 2, 64;", "bra OUT;", "LOW:", "bar.sync 1, 64;", "OUT:")
    finding = found(tmp_path, *body)
    assert finding["kind"] == "deadlock"
    assert told(finding) == [
        ("threads 0-31 wait at barrier 1, which opens for 64 threads: 32 have come", 4),
        ("threads 32-63 wait at barrier 2, which opens for 64 threads: 32 have come", 1),
    ]


def test_a_warp_waits_for_lanes_that_wait_elsewhere(tmp_path: Path) -> None:
    finding = found(tmp_path, "setp.lt.u32 %p, %t, 60;", "@!%p bra OUT;", "bar.warp.sync -1;", "OUT:", "bar.sync 0;")
    assert finding["kind"] == "deadlock"
    lines = told(finding)
    assert ("threads 0-31, 60-63 wait at barrier 0 for threads 32-59", 4) in lines
    missing = [
        place for text, place in lines if text.startswith("threads 32-59 wait") and text.endswith(": threads 60-63 are missing")
    ]
    assert missing == [2] and len(lines) == 2
