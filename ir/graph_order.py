"""The canonical order of an expression graph: the same expressions give the same columns, in whatever order they were made.

Nodes without operands come first (scalars, then the others by operator and by what they are). The others are numbered from the
roots down: a node's turn comes when all that use it have had theirs, first the roots, the last element first, then operands,
the last one first; the first turn gets the largest number.

Operands that may be exchanged, and are terms of one kind, stand in the order of the first input in them, then of the last one:
what renames the inputs of one element to those of another mostly keeps that order, so that the two stay one class of `canon`.
Where two terms have both in common their order is that of creation: the graph is right, only not canonical."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating, inner, int64
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
    columns = _exchanged((graph.op, graph.a, graph.b, graph.c))
    op, a, b, c = columns
    leaf = ARITY_TABLE[op] == 0
    leaf[:FIXED] = False
    leaves = np.flatnonzero(leaf)
    bits = graph.constants.view(np.int64)
    first = np.where(op[leaves] == _CONST, bits[np.where(op[leaves] == _CONST, a[leaves], 0)], a[leaves])
    kind = np.where(op[leaves] == _SCALAR, 0, op[leaves])
    leaves = leaves[np.lexsort((c[leaves], b[leaves], first, kind))]
    source = np.empty(count, np.int32)  # by new number, the old one
    source[: FIXED + len(leaves)] = np.concatenate([np.arange(FIXED), leaves])
    number = np.full(count, -1, np.int32)
    number[source[: FIXED + len(leaves)]] = np.arange(FIXED + len(leaves), dtype=np.int32)
    tops = np.concatenate([np.zeros(0, np.int32), *(column.ravel() for column in roots)]).astype(np.int32)
    if int(_from_roots(columns, ARITY_TABLE, tops, number, source)) != FIXED + len(leaves):
        raise AssertionError("a node is reached by no root")
    made = np.empty(count, np.uint8), np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.int32)
    _moved(columns, ARITY_TABLE, source, number, made)
    constants = _constants(made[0], made[1], graph.constants)
    return Graph(*made, constants), [number[column] for column in roots]


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
    if not _any_alike(columns, ARITY_TABLE, COMMUTES, FIXED):
        return columns
    low, high = np.zeros(len(op), np.int64), np.zeros(len(op), np.int64)
    inputs(columns, ARITY_TABLE, low, high)
    a, b = a.copy(), b.copy()
    _exchange((op, a, b, c), ARITY_TABLE, COMMUTES, FIXED, low, high)
    return op, a, b, c


@allocating
def _any_alike(columns: _COLUMNS, arity: Array, commutes: Array, start: int) -> bool:
    """Whether an exchangeable operator has two different terms of one kind."""
    op, a, b, _ = columns
    for node in range(np.uint64(start), np.uint64(len(op))):
        if commutes[op[node]]:
            x, y = np.uint32(a[node]), np.uint32(b[node])
            if op[x] == op[y] and arity[op[x]] > 0 and x != y:
                return True
    return False


@allocating
def _exchange(columns: _COLUMNS, arity: Array, commutes: Array, start: int, low: Array, high: Array) -> None:
    """Puts the operands of which `_any_alike` speaks in the order of their first inputs, last inputs, and numbers."""
    op, a, b, _ = columns
    for node in range(np.uint64(start), np.uint64(len(op))):
        if commutes[op[node]] == 0:
            continue
        x, y = np.uint32(a[node]), np.uint32(b[node])
        if op[x] != op[y] or arity[op[x]] == 0:
            continue
        if low[x] != low[y]:
            swap = low[y] < low[x]
        elif high[x] != high[y]:
            swap = high[y] < high[x]
        else:
            swap = y < x
        if swap:
            a[node], b[node] = y, x


@allocating
def inputs(columns: _COLUMNS, arity: Array, low: Array, high: Array) -> None:
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
def _from_roots(columns: _COLUMNS, arity: Array, roots: Array, number: Array, source: Array) -> int:
    """Fills `source` from its end with the nodes that have operands as their turns come, and `number` with theirs; where it
    stops. number: -1 of those nodes."""
    op, a, b, c = columns
    count = len(op)
    users = np.zeros(count, np.int32)
    for node in range(np.uint64(count)):
        operands = arity[op[node]]
        if operands > 0:
            users[np.uint32(a[node])] += 1
        if operands > 1:
            users[np.uint32(b[node])] += 1
        if operands > 2:
            users[np.uint32(c[node])] += 1
    end: Any = np.uint64(count)
    for root in roots[::-1]:
        top = np.uint32(root)
        if number[top] == -1 and users[top] == 0:
            number[top] = -2  # a root of several elements is one
            end -= np.uint64(1)
            source[end] = top
    at: Any = np.uint64(count)
    while at > end:
        at -= np.uint64(1)
        turn = np.uint32(source[at])
        number[turn] = at
        operands = arity[op[turn]]
        if operands > 2:
            end = _used(np.uint32(c[turn]), users, number, source, end)
        if operands > 1:
            end = _used(np.uint32(b[turn]), users, number, source, end)
        if operands > 0:
            end = _used(np.uint32(a[turn]), users, number, source, end)
    return int64(end)


@inner
def _used(node: Any, users: Array, number: Array, source: Array, end: Any) -> Any:
    """One use of a node has had its turn; after the last one the node is put behind all that wait."""
    left = users[node] - 1
    users[node] = left
    if left == 0 and number[node] == -1:
        end -= np.uint64(1)
        source[end] = node
    return end


@allocating
def _moved(columns: _COLUMNS, arity: Array, source: Array, number: Array, made: _COLUMNS) -> None:
    """Fills the columns `made` with the nodes in their new places."""
    op, a, b, c = columns
    new_op, new_a, new_b, new_c = made
    for i in range(np.uint64(len(op))):
        node = np.uint32(source[i])
        code = op[node]
        x, y, z = a[node], b[node], c[node]
        operands = arity[code]
        new_op[i] = code
        new_a[i] = number[np.uint32(x)] if operands > 0 else x
        new_b[i] = number[np.uint32(y)] if operands > 1 else y
        new_c[i] = number[np.uint32(z)] if operands > 2 else z
