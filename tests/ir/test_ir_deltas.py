"""Columns written as steps, and roots as places: they come back as they were, and damage is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from volta_pipe.ir import columns
from volta_pipe.ir.deltas import FAR, numbers, steps
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.graph import FIXED, Conditions, Graph, rooted
from volta_pipe.ir.nodes import Node

LIMITS = np.iinfo(np.int32)


@pytest.mark.parametrize(
    "column",
    [
        [],
        [0],
        [127, 254, 126, -2],  # steps of 127 and -128, the latter of which stands for a far one
        [128, 0, -127, LIMITS.max, LIMITS.min, -1, 5],
        list(range(1000, 0, -1)),
    ],
    ids=len,
)
def test_a_column_comes_back(column: list[int]) -> None:
    whole = np.array(column, np.int32)
    near, far = steps(whole)
    assert near.dtype == np.int8 and len(near) == len(whole) and far.tolist() == whole[near == FAR].tolist()
    assert numbers(near, far).tolist() == column


def test_random_columns_come_back_and_near_ones_are_bytes() -> None:
    rng = np.random.default_rng(7)
    close = np.cumsum(rng.integers(-127, 128, 5000)).astype(np.int32)
    assert len(steps(close)[1]) == 0
    anywhere = rng.integers(LIMITS.min, LIMITS.max, 5000).astype(np.int32)
    for column in (close, anywhere):
        assert np.array_equal(numbers(*steps(column)), column)


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (np.array([1, FAR], np.int8), np.zeros(0, np.int32)),
        (np.array([1, 2], np.int8), np.zeros(1, np.int32)),
        (np.array([1, 2], np.uint8), np.zeros(0, np.int32)),
        (np.array([[1, 2]], np.int8), np.zeros(0, np.int32)),
        (np.array([FAR], np.int8), np.zeros(1, np.int64)),
    ],
)
def test_columns_that_do_not_fit_are_refused(near: Any, far: Any) -> None:
    with pytest.raises(ValueError, match="column of steps"):
        numbers(near, far)


def conditions(size: int, elements: list[int]) -> Conditions:
    """The root of each of `elements` is the same leaf."""
    op = np.array([Node.NONE, *[Node.CONST] * (FIXED - 1), Node.LEAF], np.uint8)
    column = np.array([0, *range(FIXED - 1), 0], np.int32)
    zeros = np.zeros(FIXED + 1, np.int32)
    graph = Graph(op, column, zeros, zeros, np.array([0.0, 1.0, -np.inf, np.inf, np.nan]))
    roots = np.zeros(size, np.int32)
    roots[elements] = FIXED
    return Conditions(graph, {1: roots}, ("x", "y"), ())


@pytest.mark.parametrize(("size", "elements"), [(8, range(8)), (100_000, [0, 16_383, 16_384, 99_999]), (5, []), (0, [])])
def test_roots_come_back_however_few_there_are(size: int, elements: Any) -> None:
    made = conditions(size, list(elements))
    data = b"".join(bytes(chunk) for chunk in made.encode())
    again = Conditions.decode(data)
    assert np.array_equal(again.outputs[1], made.outputs[1]) and np.array_equal(again.graph.a, made.graph.a)
    assert rooted(made.outputs[1]).tolist() == list(elements)
    if size > 1000:
        assert len(data) < size  # a column of all roots would take four times as much


@pytest.mark.parametrize(
    "change",
    [
        {"at1": np.array([3, 3], np.int64)},
        {"at1": np.array([4, 3], np.int64)},
        {"at1": np.array([-1, 3], np.int64)},
        {"at1": np.array([3, 100_000], np.int64)},
        {"at1": np.array([3], np.int64)},
        {"at1": np.array([3, 4], np.int32)},
        {"out1": np.array([FIXED, FIXED + 1], np.int32)},
        {"out1": np.array([FIXED, -1], np.int32)},
        {"a_far": np.array([1], np.int32)},
        {"op": np.array(8, np.uint8)},
        {"op": np.zeros((3, 3), np.uint8)},
        {"constants": np.zeros((2, 3))},
        {"constants": np.array(1.0)},
        {"at1": np.array(3, np.int64)},
    ],
    ids=str,
)
def test_damaged_columns_are_artifact_errors(change: dict[str, Any]) -> None:
    data = b"".join(bytes(chunk) for chunk in conditions(100_000, [3, 4]).encode())
    meta, found = columns.decode(data, Conditions.KIND, Conditions.VERSION)
    assert change.keys() <= found.keys()
    damaged = columns.encode(Conditions.KIND, Conditions.VERSION, meta, found | change)
    with pytest.raises(ArtifactError):
        Conditions.decode(b"".join(bytes(chunk) for chunk in damaged))


@pytest.mark.parametrize("size", [-1, 1 << 60, 4, "many", None, float("inf"), float("nan")])
def test_a_size_that_makes_no_sense_is_an_artifact_error(size: object) -> None:
    data = b"".join(bytes(chunk) for chunk in conditions(100_000, [3, 4]).encode())
    meta, found = columns.decode(data, Conditions.KIND, Conditions.VERSION)
    damaged = columns.encode(Conditions.KIND, Conditions.VERSION, meta | {"outputs": [[1, size]]}, found)
    with pytest.raises(ArtifactError):
        Conditions.decode(b"".join(bytes(chunk) for chunk in damaged))
