"""What is taken for granted where folds left operands out, and whether there are inputs of which it is true.

0 · sqrt x is 0 only where sqrt x has a value: that is an assumption (ir/dropped.py). Where an operand has a value for no
input, as in 0 · sqrt(−1 − x²), nothing would be said of any run: so each is evaluated at some points, until it has one.
Denominators that are 0 but for rounding count as 0. Each operand is looked at by itself: two that have values, but never for
the same inputs, are not told from others."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.dropped import assumptions_of
from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.graph import ARITY_TABLE, FIXED, Graph, Int32
from volta_pipe.ir.launch import DTYPES, Launch, types_of
from volta_pipe.ir.node_store import DROPPED, Store
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.share import share
from volta_pipe.passes import values

Array = np.ndarray[Any, np.dtype[Any]]
_loops: Any = values  # compiled functions: mypy does not see their arguments
POINTS = 48
_EIGHTHS = 40  # inputs are up to so many of them
# Of the largest value on the way: what rounding leaves of sums that cancel is far less (2^-53 for each of them).
_ZERO = 1e-9
_PARTIAL = (Node.DIV, Node.RCP, Node.SQRT, Node.RSQRT, Node.LG2, Node.LOG, Node.POW)
_DENOMINATORS = ((Node.DIV, 1), (Node.RCP, 0), (Node.RSQRT, 0))


def assumed(store: Store, launch: Launch) -> tuple[str, ...]:
    """The conditions under which the operands that folds left out have values; nothing where none was partial.

    Errors: UnsupportedError where one has none at any of the points."""
    said = assumptions_of(store)
    if said:
        graph, (roots,) = share(store, [_left_out(store)])
        if not _all_somewhere(graph, np.unique(roots[roots >= FIXED]), launch):
            raise UnsupportedError(
                f"an operand that a fold leaves out (as of 0 · x, or x = x) has no value at any of {POINTS} inputs that were "
                f"tried, though {' and '.join(said)} would have to be assumed"
            )
    return said


def _left_out(store: Store) -> Int32:
    """The operands, or, where there are more than the store remembers, all nodes of partial operators."""
    count = int(store.counts[2])
    if count <= DROPPED:
        return store.dropped[:count].copy()
    op = store.op[: int(store.n[0])]
    return np.flatnonzero(np.isin(op, [int(o) for o in _PARTIAL])).astype(np.int32)


def _all_somewhere(graph: Graph, roots: Array, launch: Launch) -> bool:
    """Whether each root has a value at one of the points."""
    for turn in range(POINTS):
        roots = roots[~_valued(graph, launch, turn)[roots]]
        if not len(roots):
            return True
    return False


def _valued(graph: Graph, launch: Launch, turn: int) -> Array:
    """By node whether it has a value at a point, and no denominator below it is 0."""
    found = np.full(len(graph), np.nan)
    for op, dtypes in zip((Node.LEAF, Node.SCALAR), types_of(launch), strict=True):
        nodes = np.flatnonzero(graph.op == op)
        kinds = np.array([DTYPES[dtype][1] for dtype in dtypes], "U1")[graph.a[nodes]]
        number = _drawn(len(nodes), turn)
        number = np.where(kinds == "f", number, np.ceil(number))
        found[nodes] = np.where((kinds == "u") | (kinds == "b"), np.abs(number), number)
    columns = (graph.op, graph.a, graph.b, graph.c)
    with np.errstate(all="ignore"):
        _loops.evaluate(*columns, graph.constants, ARITY_TABLE, found)
        spoiled = np.zeros(len(graph), np.uint8)
        largest = np.max(np.abs(found), initial=1.0, where=np.isfinite(found))
        for op, place in _DENOMINATORS:
            nodes = np.flatnonzero(graph.op == op)
            under = np.abs(found[(graph.b if place else graph.a)[nodes]])
            spoiled[nodes] = ~(under > _ZERO * largest)
    _loops.spread(*columns, ARITY_TABLE, spoiled)
    valued: Array = np.isfinite(found) & (spoiled == 0)
    return valued


def _drawn(count: int, turn: int) -> Array:
    """Inputs of a point: positive ones, negative ones, both; small ones and large ones; sometimes the same for all."""
    generator = np.random.default_rng(turn)
    number = generator.integers(1, _EIGHTHS + 1, count) / 8.0
    sign = (np.ones(count), np.where(generator.random(count) < 0.5, -1.0, 1.0), -np.ones(count))[turn % 3]
    size = (1.0, 1 / 16, 8.0, 512.0)[turn // 3 % 4]
    if turn % 8 == 7:
        number[:] = 1.0
    drawn: Array = number * sign * size
    return drawn
