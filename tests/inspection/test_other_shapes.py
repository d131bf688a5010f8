"""`diff` of two contracts whose tensors have other shapes: elements correspond by index, and each side spells its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspection_edits import EXAMPLES

from volta_pipe.driver.changes.numbering import numbering


def sized(example: str, to: Path, **dims: int) -> str:
    """A copy of an example's contract with other dims."""
    text = (EXAMPLES / example / "volta.toml").read_text()
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip() in dims:
            text = text.replace(line, f"{name.strip()} = {dims[name.strip()]}")
        elif equals and name.strip() in ("source", "spec"):
            text = text.replace(value, f' "{EXAMPLES / example}/{value.strip()[1:]}')
    to.write_text(text)
    return str(to)


def both_ways(volta: Any, stage: str, small: str, large: str, *more: str) -> list[list[str]]:
    found = []
    for pair in ((small, large), (large, small)):
        assert volta("diff", stage, "--contract", pair[0], "--against", pair[1], *more) == 1, volta.err
        found.append(volta.out.splitlines())
    return found


def test_elements_that_both_have_are_equal(volta: Any, tmp_path: Path) -> None:
    """y[c,r] = x[r,c] on any shape: what only one side writes are the rows c >= 31, of 32 elements each."""
    sizes = [sized("transpose", tmp_path / f"{cols}.toml", rows=32, cols=cols) for cols in (31, 64)]
    for sign, found in zip("+-", both_ways(volta, "vc", *sizes), strict=True):
        assert f"y: all {31 * 32} elements that both write have the same expressions" in found
        assert found[-1] == f"  1,056 that only {sign} writes: y[31,0], y[31,1], y[31,2], …"
    for found in both_ways(volta, "canon", *sizes):
        assert [line for line in found if line.startswith("class")] == [
            "classes: 1 changed, of 1 in - and 1 in +",
            "class like y[0,0]: other members",
        ]


@pytest.mark.parametrize("stage", ["trace", "vc"])
def test_formulas_name_what_each_side_has(volta: Any, tmp_path: Path, stage: str) -> None:
    """y[1] is the sum of row 1, of 256 columns or of 512: no leaf of it lies in another row, whichever side is first."""
    sizes = [sized("reduce-spec", tmp_path / f"{k}.toml", ctas=2, k=k) for k in (1, 2)]
    side = ("--side", "reference") if stage == "trace" else ()
    for first, contracts in enumerate((sizes, sizes[::-1])):
        assert volta("diff", stage, "--contract", contracts[0], "--against", contracts[1], *side, "--json") == 1
        found = json.loads(volta.out)
        assert found["shapes"] == {"x": [[2, 256], [2, 512]][:: 1 if first == 0 else -1]} and not found["row_by_row"]
        row = found["outputs"][0]["first"][1]
        parts = [line for sign in "-+" for line in row[sign]["part"]]
        assert row["element"] == "y[1]" and parts and all("x[1," in line and "x[0," not in line for line in parts)


def test_numbers_by_numpy() -> None:
    found = numbering({"x": (3, 31, 2), "y": (4,), "z": (5,)}, {"x": (3, 17, 9), "y": (2, 2), "z": (5,)})
    assert found.common == {"x": (3, 31, 9)} and found.apart == ("y",)
    for which, shape in (("old", (3, 31, 2)), ("new", (3, 17, 9))):
        flat = np.arange(np.prod(shape))
        expected = np.ravel_multi_index(np.unravel_index(flat, shape), (3, 31, 9))
        assert np.array_equal(found.moved(which, "x", flat), expected)
        assert np.array_equal(found.moved(which, "z", flat), flat)


def test_what_a_decision_says_of_other_normal_forms(volta: Any, tmp_path: Path) -> None:
    """The claim is the same in words, and `canon` has other normal forms: so `decide` says that."""
    sizes = [sized("reduce-spec", tmp_path / f"{k}.toml", ctas=2, k=k) for k in (1, 2)]
    for found in both_ways(volta, "decide", *sizes):
        assert found[1] == "normal forms:" and len(found) == 4 and "what they say is the same" not in "\n".join(found)
        assert all(line.startswith(f"  {sign} like y[0]: ") for sign, line in zip("-+", found[2:], strict=True))
        assert found[2][3:] != found[3][3:]
