"""A glance at whether the two sides of a class can be equal: both in floating point, at a few points.

It proves nothing and refutes nothing. Where somebody else says that the sides are equal, and the numbers say otherwise, it is
worth a comparison of one's own."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.graph import Graph
from volta_pipe.ir.parts import Inputs
from volta_pipe.passes.canon.sides import Array
from volta_pipe.passes.canon.units.unit import Unit
from volta_pipe.passes.points import evaluated

_POINTS = 4
# A difference that is seen: of the larger value, as literals that stand for real numbers are off by some 1e-7, and of the
# largest value on the way, as sums cancel; larger ones stand for infinity.
_OF_VALUE, _OF_LARGEST = 1e-5, 1e-10
_INFINITE = 1e12
_STEPS = 1 << 12  # kinds of values that an input has


def seem_equal(unit: Unit) -> list[bool]:
    """Of each class whether no point tells its two sides apart. One at which a side has no value says nothing."""
    fine = np.ones(len(unit.roots), np.bool_)
    tops = np.array(unit.roots, np.int64).reshape(-1, 2)
    for turn in range(_POINTS):
        found = [_values(graph, unit.inputs, turn) for graph in unit.graphs]
        largest = max(float(np.max(size, initial=0.0, where=size < _INFINITE)) for size in map(np.abs, found))
        x, y = (side[tops[:, i]] for i, side in enumerate(found))
        most = _OF_VALUE * np.maximum(np.abs(x), np.abs(y)) + _OF_LARGEST * largest
        fine &= ~(np.abs(x - y) > most)  # also where there is none
    return [bool(one) for one in fine]


def _values(graph: Graph, inputs: Inputs, turn: int) -> Array:
    """The values of a graph's nodes at a point, all inputs positive at the first one."""

    def drawn(bits: Array) -> Array:
        number: Array = ((bits >> np.uint64(40)) % np.uint64(_STEPS) + np.uint64(1)).astype(np.float64) / _STEPS
        number[(bits >> np.uint64(32)) % np.uint64(3) < (1 if turn else 0)] *= -1
        return number

    return evaluated(graph, len(graph), inputs, turn, drawn, lambda number: np.floor(number * 64))
