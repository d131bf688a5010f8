"""The canonical order of an expression graph: the same expressions give the same columns, in whatever order they were made.

Nodes without operands come first (scalars, then the others by operator and by what they are). The others are numbered from the
roots down: a node's turn comes when all that use it have had theirs, first the roots, the last element first, then operands,
the last one first; the first turn gets the largest number.

Operands that may be exchanged, and are terms of one kind, stand in the order of the first input in them, then of the last one:
what renames the inputs of one element to those of another mostly keeps that order, so that the two stay one class of `canon`.
Where two terms have both in common their order is that of creation: the graph is right, only not canonical."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from volta_pipe.ir.compiled import allocating
from volta_pipe.ir.fold import Array
from volta_pipe.ir.graph import ARITY_TABLE, FIXED, Graph, Int32
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.share import COMMUTES

# Larger graphs keep the order of creation: measured on a product of 17 million nodes, to put these in order takes 1.8 s and
# 0.45 GB a side, and all of `canon` 0.6 s.
MAX_ORDERED = 1 << 22
_CONST, _LEAF, _SCALAR = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR)
_COLUMNS = tuple[Array, Array, Array, Array]


def ordered(graph: Graph, roots: Sequence[Int32]) -> tuple[Graph, list[Int32]]:
    """The graph in canonical order, and the roots (int32 arrays, 0: none) renumbered. All nodes must be reached by roots."""
    count = len(graph)
    if count > MAX_ORDERED or count <= FIXED:
        return graph, list(roots)
    columns = (graph.op, graph.a, graph.b, graph.c)
    columns = _exchanged(columns)
    op, a, b, c = columns
    leaf = ARITY_TABLE[op] == 0
    leaf[:FIXED] = False
    leaves = np.flatnonzero(leaf)
    bits = graph.constants.view(np.int64)
    first = np.where(op[leaves] == _CONST, bits[np.where(op[leaves] == _CONST, a[leaves], 0)], a[leaves])
    kind = np.where(op[leaves] == _SCALAR, 0, op[leaves])
    leaves = leaves[np.lexsort((c[leaves], b[leaves], first, kind))]
    number = np.full(count, -1, np.int32)
    number[:FIXED] = np.arange(FIXED)
    number[leaves] = np.arange(FIXED, FIXED + len(leaves), dtype=np.int32)
    tops = np.concatenate([np.zeros(0, np.int32), *(column.ravel() for column in roots)]).astype(np.int32)
    order = np.zeros(count, np.int32)
    placed = int(_from_roots(columns, ARITY_TABLE, tops, number, order))
    if placed + len(leaves) + FIXED != count:
        raise AssertionError("a node is reached by no root")
    source = np.concatenate([np.arange(FIXED), leaves, order[placed - 1 :: -1] if placed else leaves[:0]])
    new_op = op[source]
    arity = ARITY_TABLE[new_op]
    moved = [column[source] for column in (a, b, c)]
    for place, column in enumerate(moved):
        inside = arity > place
        column[inside] = number[column[inside]]
    constants = _constants(new_op, moved[0], graph.constants)
    return Graph(new_op, moved[0], moved[1], moved[2], constants), [number[column] for column in roots]


def _constants(op: Array, a: Array, constants: Array) -> Array:
    """The constants in the order of their nodes, which are renumbered in place."""
    nodes = np.flatnonzero(op == _CONST)
    kept, first, where = np.unique(a[nodes], return_index=True, return_inverse=True)
    rank = np.empty(len(kept), np.int32)
    rank[np.argsort(first)] = np.arange(len(kept), dtype=np.int32)
    a[nodes] = rank[where]
    made: Array = constants[kept[np.argsort(first)]]
    return made


def _exchanged(columns: _COLUMNS) -> _COLUMNS:
    """With the operands of exchangeable operators in their order; the columns themselves where nothing has to be exchanged."""
    op, a, b, c = columns
    pairs = COMMUTES[op].astype(bool)
    pairs[:FIXED] = False
    nodes = np.flatnonzero(pairs)
    nodes = nodes[(op[a[nodes]] == op[b[nodes]]) & (ARITY_TABLE[op[a[nodes]]] > 0) & (a[nodes] != b[nodes])]
    if not len(nodes):
        return columns
    low, high = np.zeros(len(op), np.int64), np.zeros(len(op), np.int64)
    _inputs(columns, ARITY_TABLE, low, high)
    x, y = a[nodes], b[nodes]
    same = low[y] == low[x]
    swap = (low[y] < low[x]) | (same & (high[y] < high[x])) | (same & (high[y] == high[x]) & (y < x))
    a, b = a.copy(), b.copy()
    a[nodes[swap]], b[nodes[swap]] = y[swap], x[swap]
    return op, a, b, c


@allocating
def _inputs(columns: _COLUMNS, arity: Array, low: Array, high: Array) -> None:
    """Fills `low` and `high` with the first and the last input in each term: tensor · 2^32 + element; where there is none, with
    the largest number and -1."""
    op, a, b, c = columns
    for node in range(len(op)):
        low[node], high[node] = np.int64(0x7FFFFFFFFFFFFFFF), np.int64(-1)
        operands = arity[op[node]]
        if op[node] == _LEAF:
            low[node] = high[node] = (np.int64(a[node]) << np.int64(32)) | np.int64(b[node])
        for place in range(operands):
            x = a[node] if place == 0 else b[node] if place == 1 else c[node]
            low[node], high[node] = min(low[node], low[x]), max(high[node], high[x])


@allocating
def _from_roots(columns: _COLUMNS, arity: Array, roots: Array, number: Array, order: Array) -> int:
    """Fills `order` with the nodes that have operands as their turns come, and `number` with theirs; how many they are."""
    op, a, b, c = columns
    users = np.zeros(len(op), np.int32)
    for node in range(len(op)):
        operands = arity[op[node]]
        if operands > 0:
            users[np.uint32(a[node])] += 1
        if operands > 1:
            users[np.uint32(b[node])] += 1
        if operands > 2:
            users[np.uint32(c[node])] += 1
    end = 0
    for node in roots[::-1]:
        if number[node] == -1 and users[node] == 0:
            number[node] = -2  # a root of several elements is one
            order[end] = node
            end += 1
    at = 0
    while at < end:
        node = order[at]
        number[node] = len(op) - 1 - at
        operands = arity[op[node]]
        for place in range(operands - 1, -1, -1):
            x = a[node] if place == 0 else b[node] if place == 1 else c[node]
            users[x] -= 1
            if users[x] == 0 and number[x] == -1:
                order[end] = x
                end += 1
        at += 1
    return end
