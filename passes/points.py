"""Points at which expressions are evaluated in floating point, and which of them have a value there.

A point gives each input a number that depends on the input alone, so that the graphs of two sides are at the same one. What is
0 but for rounding counts as 0 where something is divided by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.graph import ARITY_TABLE, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.parts import Inputs
from volta_pipe.passes import values as _values
from volta_pipe.passes.values import read_only

Array = np.ndarray[Any, np.dtype[Any]]
_loops: Any = _values  # compiled functions: mypy does not see their arguments
# Operators that have no value for some operands.
PARTIAL = [int(op) for op in (Node.DIV, Node.RCP, Node.SQRT, Node.RSQRT, Node.LG2, Node.LOG, Node.POW)]
POINTS = 48
_EIGHTHS = 40  # inputs are up to so many of them
# Of the largest value on the way: what rounding leaves of sums that cancel is far less (2^-53 for each of them).
_ZERO = 1e-9
_DENOMINATORS = ((Node.DIV, 1), (Node.RCP, 0), (Node.RSQRT, 0))


def valued_somewhere(graphs: tuple[Graph, ...], roots: Array, inputs: Inputs) -> Array:
    """Whether there is a point at which the roots of a row all have values, bool [n]. roots: int [n, graphs], a root of each
    graph; inputs: those that are integers."""
    found = np.zeros(len(roots), np.bool_)
    left = np.arange(len(roots))
    for turn in range(POINTS):
        if not len(left):
            break
        fine = np.ones(len(left), np.bool_)
        for graph, own in zip(graphs, roots[left].T, strict=True):
            fine &= valued(graph, int(own.max()) + 1, inputs, turn)[own]
        found[left[fine]] = True
        left = left[~fine]
    return found


def valued(graph: Graph, size: int, inputs: Inputs, turn: int) -> Array:
    """Which of the first `size` nodes have a value at a point, and no denominator below them that is 0: bool [size]."""
    number = evaluated(graph, size, inputs, turn, lambda bits: _drawn(bits, turn), np.ceil)
    op, a, b, c = _columns(graph, size)
    zero = np.zeros(size, np.uint8)
    largest = np.max(np.abs(number), initial=1.0, where=np.isfinite(number))
    for code, place in _DENOMINATORS:
        nodes = np.flatnonzero(op == code)
        zero[nodes] = ~(np.abs(number[(b if place else a)[nodes]]) > _ZERO * largest)
    if zero.any():
        _loops.spread(op, a, b, c, read_only(ARITY_TABLE), zero)
    fine: Array = np.isfinite(number) & (zero == 0)
    return fine


def evaluated(
    graph: Graph,
    size: int,
    inputs: Inputs,
    turn: int,
    drawn: Callable[[Array], Array],
    whole: Callable[[Array], Array],
) -> Array:
    """The values of the first `size` nodes at a point, float64, NaN where there is none. drawn: the numbers of inputs by bits
    that are their own (uint64 [n]); whole: integers of such numbers, for the inputs that are integers."""
    values = np.full(size, np.nan)
    op, a, b, c = _columns(graph, size)
    for kind, code in (("leaf", Node.LEAF), ("scalar", Node.SCALAR)):
        nodes = np.flatnonzero(op == code)
        index = a[nodes]
        number = drawn(_mixed(index, b[nodes] if kind == "leaf" else np.full(len(nodes), -1), turn))
        for i in np.unique(index).tolist():
            if (kind, i) in inputs:
                own = index == i
                number[own] = np.clip(whole(number[own]), *inputs[kind, i])
        values[nodes] = number
    with np.errstate(all="ignore"):
        _loops.evaluate(op, a, b, c, read_only(graph.constants), read_only(ARITY_TABLE), values)
    return values


def warm_points(graph: Graph) -> None:
    """Compiles what `valued` calls only where something is divided by 0."""
    _loops.spread(*_columns(graph, len(graph)), read_only(ARITY_TABLE), np.zeros(len(graph), np.uint8))


def _columns(graph: Graph, size: int) -> tuple[Array, ...]:
    return tuple(read_only(column[:size]) for column in (graph.op, graph.a, graph.b, graph.c))


def _mixed(index: Array, element: Array, turn: int) -> Array:
    """64 well-mixed bits of inputs, uint64 [n], by the number of their tensor and element."""
    found = (index.astype(np.uint64) << np.uint64(40)) + element.astype(np.int64).view(np.uint64) + np.uint64(turn << 33)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # those of splitmix64
        found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
    return found


def _drawn(bits: Array, turn: int) -> Array:
    """Numbers of inputs: positive ones, negative ones, both; small ones and large ones; sometimes the same for all."""
    number = ((bits >> np.uint64(40)) % np.uint64(_EIGHTHS) + np.uint64(1)).astype(np.float64) / 8.0
    if turn % 8 == 7:
        number[:] = 1.0
    if turn % 3 == 1:
        number[(bits >> np.uint64(32)) % np.uint64(2) == 0] *= -1
    drawn: Array = number * (-1.0 if turn % 3 == 2 else 1.0) * (1.0, 1 / 16, 8.0, 512.0)[turn // 3 % 4]
    return drawn
