"""The search for the inputs that matter, on conditions whose smallest sets are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from volta_pipe.passes.dynamic.minimise import listed, minimise, zeros_of

DTYPES = {"x": "f32", "y": "f32"}
Condition = Callable[[Mapping[str, Any]], bool]


def search(condition: Condition, rounds: int = 100, size: int = 500) -> tuple[tuple[tuple[str, int, str], ...], bool, int]:
    """(what is left, whether all of it is needed, trials that it took)."""
    rng = np.random.default_rng(1)
    contents = {name: rng.integers(2, 9, size).astype(np.float32) for name in DTYPES}
    zeros = zeros_of(contents, DTYPES, {})
    calls: list[int] = []

    def wrong(tried: Sequence[Mapping[str, Any]]) -> list[bool]:
        calls.append(len(tried))
        return [condition(one) for one in tried]

    assert condition(contents)
    small, complete = minimise(contents, DTYPES, zeros, wrong, rounds)
    assert condition(small) and len(calls) <= rounds and max(calls) <= 13
    return listed(small, DTYPES, zeros), complete, sum(calls)


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        (lambda c: c["x"][7] != 0, [("x", 7)]),
        (lambda c: c["x"][7] != 0 and c["y"][499] != 0, [("x", 7), ("y", 499)]),
        (lambda c: bool(c["x"][::100].all()), [("x", i) for i in range(0, 500, 100)]),
        (lambda c: True, []),
    ],
)
def test_the_smallest_set(condition: Condition, left: list[tuple[str, int]]) -> None:
    found, complete, _ = search(condition)
    assert [(name, flat) for name, flat, _ in found] == left and complete
    assert all(value == "1" for _, _, value in found)  # what is left is made simple


def test_any_of_many() -> None:
    """One pair x[k] y[k] is enough, as in a product of matrices: one is left, whichever."""
    found, complete, trials = search(lambda c: bool((c["x"] * c["y"]).any()))
    assert len(found) == 2 and found[0][1] == found[1][1] and complete and trials < 400


def test_a_number_that_must_stay_stays() -> None:
    found, _, _ = search(lambda c: c["x"][3] > 1)
    assert len(found) == 1 and float(found[0][2]) > 1


def test_a_search_that_is_cut_short_says_so() -> None:
    _, complete, _ = search(lambda c: bool(c["x"][::7].all()), rounds=3)
    assert not complete


def test_zero_is_what_the_range_has_nearest_to_it() -> None:
    contents = {"x": np.array([5, 5], np.float32), "n": np.array([5, 5], np.int32)}
    zeros = zeros_of(contents, {"x": "f32", "n": "s32"}, {"x": (2.5, 9.0), "n": (-7.5, -2.5)})
    assert zeros["x"].tolist() == [2.5, 2.5] and zeros["n"].tolist() == [-3, -3]
