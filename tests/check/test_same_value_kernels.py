"""Kernels in which several threads store to one place with nothing between: a remark, a race, or not decided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

PTX = """.version 8.0
.target sm_80
.address_size 64
.shared .align 8 .b8 s[16];
.shared .align 4 .b8 never[4];
.visible .entry k(.param .u64 px, .param .u64 py) {
  .reg .pred %p, %q; .reg .f32 %a, %b, %v, %w; .reg .b32 %t, %i, %j; .reg .b64 %x, %y, %o;
  ld.param.u64 %x, [px];
  ld.param.u64 %y, [py];
  mov.u32 %t, %tid.x;
  ld.global.f32 %a, [%x];
  ld.global.f32 %b, [%x+4];
  ld.global.u32 %j, [%x+8];
  setp.eq.u32 %p, %t, 0;
  BODY
  LAST
  mul.wide.u32 %o, %t, 4;
  add.s64 %y, %y, %o;
  st.global.f32 [%y], %v;
  ret;
}
"""
READ = "bar.sync 0; ld.shared.f32 %v, [s];"
TOML = """[tensors.x]
dtype = "f32"
shape = [64]
role = "in"
[tensors.y]
dtype = "f32"
shape = [64]
role = "out"
[reference]
spec = "spec.py:spec"
[candidate]
source = "k.ptx"
entry = "k"
grid = [1]
block = [64]
args = ["x", "y"]
"""


def run(folder: Path, body: str, result: str, last: str = READ) -> dict[str, Any]:
    (folder / "k.ptx").write_text(PTX.replace("BODY", body).replace("LAST", last))
    (folder / "volta.toml").write_text(TOML)
    (folder / "spec.py").write_text(f"import numpy as np\ndef spec(x):\n    return {{'y': np.zeros_like(x) + ({result})}}\n")
    options = Options(skip=frozenset({"dynamic"}))  # so that what a proof cannot decide is reached
    return verify(folder / "volta.toml", Store(folder / "store"), options).document


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("st.shared.f32 [s], %a;", "x[0]"),
        ("mov.f32 %v, 0f3F000000; st.shared.f32 [s], %v;", "0.5"),
        # Equal only as polynomials: a (a + b) by thread 0, a a + a b by the others.
        ("add.f32 %v, %a, %b; mul.f32 %v, %a, %v; mul.f32 %w, %a, %a; fma.rn.f32 %w, %a, %b, %w; selp.f32 %v, %v, %w, %p;"
         "st.shared.f32 [s], %v;", "x[0] * x[0] + x[0] * x[1]"),
        # The same beside stores of integers, which are no reals.
        ("mov.u32 %i, 7; st.shared.u32 [s+4], %i; st.shared.u32 [s+8], %j; add.f32 %v, %a, %b; add.f32 %v, %v, %a; "
         "fma.rn.f32 %w, %a, 0f40000000, %b; selp.f32 %v, %v, %w, %p; st.shared.f32 [s], %v;", "2 * x[0] + x[1]"),
        ("@%p st.shared.f32 [s], %a; @!%p st.shared.f32 [s], %a;", "x[0]"),
        ("st.shared.v2.f32 [s], {%a, %b}; @%p st.shared.f32 [s+4], %b;", "x[0]"),
        ("bar.sync 1, 64; st.shared.f32 [s], %a; bar.warp.sync 0xffffffff; st.shared.f32 [s], %a;", "x[0]"),
        ("@%p st.shared.f32 [s], %b; bar.sync 0; st.shared.f32 [s], %a;", "x[0]"),
        ("st.shared.f32 [s], %a; atom.shared.add.f32 %w, [s+4], %b;", "x[0]"),
    ],
)  # fmt: skip
def test_the_same_value_is_a_remark(tmp_path: Path, body: str, result: str) -> None:
    verdict = run(tmp_path, body, result)
    assert verdict["verdict"] == "equivalent", verdict["findings"]
    notes = [note for note in verdict["notes"] if note.get("kind") == "same-value"]
    assert notes
    for note in notes:
        assert note["accesses"][0]["ptx_line"] > 6
        assert "no race" in note["message"]


@pytest.mark.parametrize(
    "body",
    [
        "st.shared.u32 [s], %t;",
        "selp.f32 %v, %a, %b, %p; st.shared.f32 [s], %v;",
        # a (a + b) against a a + b b.
        "add.f32 %v, %a, %b; mul.f32 %v, %a, %v; mul.f32 %w, %a, %a; fma.rn.f32 %w, %b, %b, %w; selp.f32 %v, %v, %w, %p;"
        "st.shared.f32 [s], %v;",
        "st.shared.v2.f32 [s], {%a, %b}; @%p st.shared.f32 [s+4], %a;",
        "st.shared.f32 [s], %a; @%p st.shared.u16 [s], %t;",  # the bytes differ
        "st.shared.v2.f32 [s], {%a, %a}; @%p st.shared.v2.f32 [s], {%a, %b};",
        "ld.shared.f32 %v, [never]; st.shared.f32 [s], %v;",
        # One real number, but the bits of two formats; and the same halves in words of two widths.
        ".reg .b16 %h, %g; cvt.rn.f16.f32 %h, %a; cvt.rn.bf16.f32 %g, %a; selp.b16 %h, %h, %g, %p; st.shared.b16 [s], %h;",
        ".reg .b16 %h, %g; cvt.u16.u32 %h, %j; and.b16 %h, %h, 255; shl.b16 %g, %h, 8; or.b16 %g, %g, %h; cvt.u32.u16 %i, %g;"
        ".reg .b32 %l; mov.b32 %l, {%h, %h}; selp.b32 %i, %i, %l, %p; st.shared.u32 [s], %i;",
        # The first barrier orders nothing between the warps.
        "bar.warp.sync 0xffffffff; @%p st.shared.f32 [s], %b; @!%p st.shared.f32 [s], %a;",
        "@%p st.shared.f32 [s], %b; setp.lt.u32 %q, %t, 32; @%q bar.sync 1, 32; st.shared.f32 [s], %a;",
        "setp.eq.u32 %q, %t, 63; @%q st.shared.f32 [s], %b; @!%q st.shared.f32 [s], %a; atom.shared.add.f32 %w, [s+4], %b;",
    ],
)
def test_other_values_race(tmp_path: Path, body: str) -> None:
    verdict = run(tmp_path, body, "x[0]")
    assert verdict["verdict"] == "unsafe"
    (race, *_) = (f for f in verdict["findings"] if f["kind"] == "race")
    assert race["address"]["name"] == "s"
    assert all(access["action"] == "write" for access in race["accesses"])


def test_a_read_with_nothing_between_still_races(tmp_path: Path) -> None:
    verdict = run(tmp_path, "st.shared.f32 [s], %a;", "x[0]", "ld.shared.f32 %v, [s];")
    assert verdict["verdict"] == "unsafe"
    assert [(f["kind"], [a["action"] for a in f["accesses"]]) for f in verdict["findings"]] == [("race", ["write", "read"])]


def test_a_value_that_is_not_known_is_not_decided(tmp_path: Path) -> None:
    verdict = run(tmp_path, "mul.lo.u32 %i, %j, %j; xor.b32 %i, %i, %j; st.shared.u32 [s], %i;", "x[0]")
    assert verdict["verdict"] == "unsupported"
    assert any("a race unless both write the same value" in f["message"] for f in verdict["findings"])


def test_several_ctas_that_write_one_value_race(tmp_path: Path) -> None:
    run(tmp_path, "st.global.f32 [%y], %a; mov.f32 %v, %a;", "x[0]", "")  # writes the files
    contract = (tmp_path / "volta.toml").read_text().replace("grid = [1]", "grid = [2]")
    (tmp_path / "volta.toml").write_text(contract)
    verdict = verify(tmp_path / "volta.toml", Store(tmp_path / "store")).document
    assert verdict["verdict"] == "unsafe"
    assert any(f["kind"] == "race" and "CTAs are not ordered" in f["message"] for f in verdict["findings"])
