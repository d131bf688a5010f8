"""Trying all points: what counts as a value, and what ends in no answer."""

from __future__ import annotations

from typing import Any

import pytest
from expressions import Builder

from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon.exhaust import equal_everywhere

N = Node
BYTE = {("leaf", 0): (-128, 127), ("leaf", 1): (0, 255)}


def tried(left: Any, right: Any, inputs: Any = None) -> tuple[bool, bool]:
    b = Builder()
    x, y = b.leaf(0, 0), b.leaf(1, 0)
    made = b.done({3: [left(b, x, y)], 2: [right(b, x, y)]})
    roots = int(made.outputs[3][0]), int(made.outputs[2][0])
    return equal_everywhere((made.graph, made.graph), roots, BYTE if inputs is None else inputs)


def test_all_points_count() -> None:
    """x² = 16129 holds for 127 and −127 alone, so the two differ at two points of 256."""
    special = lambda b, x, y: b.op(N.SELECT, b.op(N.EQ, b.mul(x, x), 16129.0), 1.0, 0.0)  # noqa: E731
    assert tried(special, lambda b, x, y: b.const(0.0)) == (False, False)
    other = lambda b, x, y: b.op(N.SELECT, b.op(N.EQ, b.mul(x, x), 16130.0), 1.0, 0.0)  # noqa: E731
    assert tried(other, lambda b, x, y: b.const(0.0)) == (True, False)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (lambda b, x, y: b.div(x, x), lambda b, x, y: b.const(1.0), (True, True)),  # but for 0
        (lambda b, x, y: b.op(N.RCP, b.sub(x, x)), lambda b, x, y: x, (False, True)),  # nowhere: nothing is proved
        # the arm that divides by 0 is taken there, or is not
        (lambda b, x, y: b.op(N.SELECT, b.op(N.EQ, x, 0.0), b.div(x, x), 1.0), lambda b, x, y: b.const(1.0), (True, True)),
        (lambda b, x, y: b.op(N.SELECT, b.op(N.EQ, x, 0.0), 2.0, b.div(x, x)), lambda b, x, y: b.const(1.0), (False, False)),
        # comparisons and maxima of what has no value are not followed
        (lambda b, x, y: b.max(b.div(x, x), 1.0), lambda b, x, y: b.const(1.0), (False, False)),
        (lambda b, x, y: b.op(N.SELECT, b.op(N.LT, b.div(x, x), 2.0), 1.0, 1.0), lambda b, x, y: b.const(1.0), (False, False)),
        # no rationals
        (lambda b, x, y: b.op(N.SQRT, b.mul(x, x)), lambda b, x, y: b.op(N.ABS, x), (False, False)),
    ],
)
def test_points_without_a_value(left: Any, right: Any, expected: tuple[bool, bool]) -> None:
    assert tried(left, right) == expected


def test_only_few_integers_are_tried() -> None:
    same = lambda b, x, y: b.op(N.FLOOR, b.add(x, y))  # noqa: E731
    assert tried(same, lambda b, x, y: b.add(x, y)) == (True, False)
    for inputs in ({}, {("leaf", 0): (-128, 127)}, BYTE | {("leaf", 1): (0, 65535)}):
        assert tried(same, lambda b, x, y: b.add(x, y), inputs) == (False, False)
    assert tried(lambda b, x, y: b.scalar(0), lambda b, x, y: b.scalar(0)) == (False, False)
