"""One spelling of elements, by the tensor's shape, in messages, counterexamples and formulas."""

from __future__ import annotations

import itertools
import json
import re

import pytest
from driver_commands import Commands

from volta_pipe.driver.elements import by_shape, element_name, short, tight, unravel

SHAPES = {"x": (2, 3), "y": (4,), "x1": (2, 2, 2), "_z": (3, 1)}


def test_element_numbers_are_row_major() -> None:
    shape = (2, 3, 2)
    assert [unravel(flat, shape) for flat in range(12)] == [list(index) for index in itertools.product(*map(range, shape))]
    assert element_name("x", 5, SHAPES) == "x[1,2]"
    assert element_name("a", -1, SHAPES) == "a"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x[5] is 1 in the reference", "x[1,2] is 1 in the reference"),
        ("y[3] + 2*x1[5]*_z[2]", "y[3] + 2*x1[1,0,1]*_z[2,0]"),
        ("max(x[0], x[1])/(x[2])", "max(x[0,0], x[0,1])/(x[0,2])"),
        ("fx[5], a.x[5] and x[6] stay", "fx[5], a.x[5] and x[6] stay"),  # other names, and no element of x
        ("x[0,1] stays", "x[0,1] stays"),
    ],
)
def test_numbers_become_indices(text: str, wanted: str) -> None:
    assert by_shape(text, SHAPES) == wanted


def test_spaces_and_zeros() -> None:
    assert (
        tight("hit global memory y[3, 15] of CTA (0, 0, 0) in [1, 2]") == "hit global memory y[3,15] of CTA (0, 0, 0) in [1, 2]"
    )
    numbers = ["1.7500", "0.50000000000000000000", "2.000", "100", "-3.10", "1.20e-10", "[0.330 +/- 4.10e-20]"]
    assert [short(n) for n in numbers] == ["1.75", "0.5", "2", "100", "-3.1", "1.20e-10", "[0.33 +/- 4.10e-20]"]


def test_a_counterexample_spells_an_element_in_one_way(real: Commands) -> None:
    """The wrong kernel writes x[0,1] to y[0,1] where x[1,0] belongs (a transpose; by hand)."""
    assert real("run", "examples/broken-index/volta.toml", "--json", "--quiet") == 1
    (finding,) = json.loads(real.out)["findings"]
    found = finding["counterexample"]
    assert found["element"] == "y[0,1]" and finding["address"]["index"] == [0, 1]
    assert finding["message"].startswith("y[0,1] is ")
    assert found["formulas"] == {"reference": "x[1,0]", "candidate": "x[0,1]"}
    assert set(found["inputs"]) == {"x[0,1]", "x[1,0]"}
    assert not re.search(r"\b[xy]\[\d+\]", real.out)


def test_races_have_the_same_spelling(real: Commands, tmp_path: object) -> None:
    assert real("inspect", "decide", "--contract", "examples/broken-index/volta.toml") == 0
    assert "mismatch in 1,984 elements: y[0,1] is 1 in the reference and 0 in the candidate" in real.out.splitlines()[3]
