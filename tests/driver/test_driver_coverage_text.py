"""What the line `covers …` says was compared, and how."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver_commands import Commands
from driver_html import read_html
from driver_kernels import contract, ptx, tensor

RUNS = "outputs compared on concrete inputs only, not over the reals"
SAVE = "  st.global.f32 [%y], %f1;"
DOUBLE = f"  ld.global.f32 %f0, [%x];\n  add.f32 %f1, %f0, %f0;\n{SAVE}"
# Twice x, but for elements from 64 on: of the dims below only n = 70 has them.
TAIL = (
    f"  ld.global.f32 %f0, [%x];\n  add.f32 %f1, %f0, %f0;\n  setp.lt.u32 %p1, %i, 64;\n"
    f"  @%p1 bra $save;\n  mov.f32 %f1, %f0;\n$save:\n{SAVE}"
)


def _covers(real: Commands, path: Path, *options: str) -> str:
    real("run", str(path), *options)
    (line,) = (line for line in real.out.splitlines() if line.startswith("  covers "))
    return line.split(", all CTAs, ")[1]


@pytest.mark.parametrize(
    ("options", "spec", "said"),
    [
        ((), "x: {'y': x * 2}", "64 output elements compared"),
        (("--only", "dynamic"), "x: {'y': x * 2}", RUNS),
        ((), "x: {'y': x * 3}", RUNS),  # a mismatch of runs ends it
        (("--skip", "dynamic"), "x: {'y': x * 3}", "64 output elements compared"),
        (("--only", "safety"), "x: {'y': x * 3}", "no output compared"),
        (("--skip", "proof"), "x: {'y': x * 2}", RUNS),
    ],
)
def test_each_way_to_compare(real: Commands, tmp_path: Path, options: tuple[str, ...], spec: str, said: str) -> None:
    path = contract(tmp_path, ptx("x y", DOUBLE), spec, [tensor("x"), tensor("y", "out")], args="x y")
    assert _covers(real, path, *options) == said


def test_combinations_that_went_different_ways(real: Commands, tmp_path: Path) -> None:
    path = contract(tmp_path, ptx("x y", TAIL), "x: {'y': x * 2}", [tensor("x"), tensor("y", "out")], args="x y", n="[64, 70]")
    assert _covers(real, path) == "64 output elements compared over the reals, the others on concrete inputs only"


def test_the_report_says_the_same(real: Commands, tmp_path: Path) -> None:
    path = contract(tmp_path, ptx("x y", DOUBLE), "x: {'y': x * 3}", [tensor("x"), tensor("y", "out")], args="x y")
    assert real("report", str(path), "-o", str(tmp_path / "r.html")) == 1
    text = read_html((tmp_path / "r.html").read_text()).text
    assert RUNS in text and "no output compared" not in text and "mismatch in " in text
