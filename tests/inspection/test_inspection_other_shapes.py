"""`diff` and `inspect` where the sides have other shapes, or a side has nothing to show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

SOFTMAX, RACE, AXPY = "examples/softmax/volta.toml", "examples/broken-race/volta.toml", "examples/axpy/volta.toml"
SPEC = """[tensors.x]
dtype = "f32"
shape = [2, %d]
role = "in"
[tensors.y]
dtype = "f32"
shape = [2, %d]
role = "out"
[reference]
spec = "spec.py:spec"
[candidate]
source = "k.ptx"
entry = "k"
grid = [1]
block = [%d]
args = ["x", "y"]
"""
KERNEL = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y) {
.reg .b32 %r<2>; .reg .b64 %d<5>; .reg .f32 %f<3>;
ld.param.u64 %d1, [x]; ld.param.u64 %d2, [y]; mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4;
add.s64 %d1, %d1, %d3; add.s64 %d2, %d2, %d3; ld.global.f32 %f1, [%d1]; add.f32 %f2, %f1, %f1; st.global.f32 [%d2], %f2; ret; }
"""


def contract(folder: Path, width: int, body: str) -> str:
    folder.mkdir()
    (folder / "k.ptx").write_text(KERNEL)
    (folder / "spec.py").write_text(f"import numpy as np\n\n\ndef spec(x):\n    return {{'y': {body}}}\n")
    (folder / "volta.toml").write_text(SPEC % (width, width, 2 * width))
    return str(folder / "volta.toml")


def test_each_side_has_its_own_indices(volta: Any, tmp_path: Path) -> None:
    """Element 4 is [1,1] of rows of three, and [0,4] of rows of five."""
    three = contract(tmp_path / "a", 3, "x + x")
    five = contract(tmp_path / "b", 5, "x + x * x")
    for first, second in ((three, five), (five, three)):
        assert volta("diff", "trace", "--contract", first, "--against", second, "--json") == 1
        found = json.loads(volta.out)
        shapes = [[2, 3], [2, 5]] if first == three else [[2, 5], [2, 3]]
        assert found["reshaped"] == {"x": shapes, "y": shapes}
        (y,) = found["outputs"]
        assert (y["differ"], y["come"], y["gone"]) == ((6, 4, 0) if first == three else (6, 0, 4))
        assert (y["first_come"], y["first_gone"]) == (
            (["y[1,1]", "y[1,2]", "y[1,3]"], []) if first == three else ([], ["y[1,1]", "y[1,2]", "y[1,3]"])
        )
        assert y["first"][0]["element"] == "y[0,0]" and y["first"][0]["-"]["formula"][0].startswith("y[0,0] = ")
        assert volta("diff", "trace", "--contract", first, "--against", second) == 1
        assert re.search(r"x is 2x\d in - and 2x\d in \+: its elements are matched by number, row by row", volta.out)
    late = [
        contract(tmp_path / f"c{width}", width, body)
        for width, body in ((3, "np.where([[0, 0, 0], [0, 1, 0]], x * x, x)"), (5, "x + 0"))
    ]
    assert volta("diff", "trace", "--contract", late[0], "--against", late[1], "--json") == 1
    (first,) = json.loads(volta.out)["outputs"][0]["first"]
    assert first["element"] == "y[1,1] / y[0,4]"
    assert first["-"]["formula"] == ["y[1,1] = (x[1,1] * x[1,1])"] and first["+"]["formula"] == ["y[0,4] = x[0,4]"]


def test_classes_have_the_indices_of_their_side(volta: Any, tmp_path: Path) -> None:
    """Element 4, a class of its own on one side, is [1,1] of rows of three."""
    one = contract(tmp_path / "a", 3, "np.where([[0, 0, 0], [0, 1, 0]], x * x, x + x)")
    other = contract(tmp_path / "b", 5, "x + x")
    assert volta("diff", "canon", "--contract", one, "--against", other, "--json") == 1
    assert [each["like"] for each in json.loads(volta.out)["removed"]] == ["y[1,1]"]
    assert volta("diff", "canon", "--contract", other, "--against", one, "--json") == 1
    assert [each["like"] for each in json.loads(volta.out)["added"]] == ["y[1,1]"]


def test_a_trace_that_is_refused_says_why(volta: Any, tmp_path: Path) -> None:
    bad = contract(tmp_path / "a", 4, "np.sort(x)")
    for side in ((), ("--side", "reference")):
        assert volta("inspect", "trace", "--contract", bad, *side) == 3
        assert "np.sort" in volta.err and "no trace of the candidate" not in volta.err
    assert volta("inspect", "trace", "--contract", bad, "--side", "candidate") == 2
    assert "there is no trace of the candidate" in volta.err
    assert volta("diff", "trace", "--contract", bad, "--against", bad) == 3


@pytest.mark.parametrize("json_too", [False, True])
def test_a_side_that_does_not_reach_the_stage(json_too: bool, volta: Any) -> None:
    more = ("--json",) * json_too
    assert volta("diff", "vc", "--contract", AXPY, "--against", RACE, *more) == 3  # not 1: nothing was compared
    assert "race" in volta.err
    if json_too:
        assert json.loads(volta.out) == {"schema": "volta-pipe/error/1", "error": volta.err.strip()}
    else:
        assert volta.out == ""
    assert volta("inspect", "vc", "--contract", RACE, *more) == 1  # that of the verdict
    assert json.loads(volta.out)["error"] == volta.err.strip() if json_too else volta.out == ""


def test_certificates_that_differ(volta: Any, tmp_path: Path) -> None:
    """Both are proved in the same words, of other expressions."""
    first, second = contract(tmp_path / "a", 3, "(x + 1) * 2 - 2"), contract(tmp_path / "b", 3, "(x + 1) * x - x")
    kernel = tmp_path / "b" / "k.ptx"
    kernel.write_text(kernel.read_text().replace("add.f32 %f2", "mul.f32 %f2"))
    assert volta("diff", "decide", "--contract", first, "--against", second) == 1
    assert "of other classes or normal forms (diff canon shows them)" in volta.out
    assert volta("diff", "canon", "--contract", first, "--against", second) == 1


def test_a_picture_by_its_ending(volta: Any, tmp_path: Path) -> None:
    for name, form, start in (
        ("g.svg", (), "<svg"),
        ("g.dot", (), "digraph"),
        ("g", ("--format", "svg"), "<svg"),
        ("g.txt", (), "digraph"),
    ):
        file = tmp_path / name
        assert volta("inspect", "lower", "--contract", AXPY, "--graph", "cfg", "-o", str(file), *form) == 0
        assert file.read_text().lstrip().startswith(start)
    assert (
        volta("inspect", "lower", "--contract", AXPY, "--graph", "cfg", "-o", str(tmp_path / "h.dot"), "--format", "svg") == 2
    )
    assert not (tmp_path / "h.dot").exists()


def test_operations_stand_under_the_lines_of_their_side(volta: Any) -> None:
    assert volta("diff", "lower", "--contract", SOFTMAX) == 1
    place, seen = "", set()
    for line in volta.out.splitlines()[4:]:
        if not line.startswith(" "):
            place = line
        elif line.startswith(("  - ", "  + ")) and ".cu:" in place:
            assert ("softmax_two_pass.cu" in place) == line.startswith("  - "), (place, line)
            seen.add(line[2])
    assert seen == {"-", "+"}
