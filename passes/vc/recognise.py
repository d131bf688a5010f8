"""Whether the nodes that a run made are the expressions of a graph that is there, from an earlier run of another program.

To share terms and to put them in canonical order takes longer than to make them; to see that both would give a certain graph
takes one walk from the roots down, which follows the two side by side: each node that is reached gets its counterpart, the same
for all that use it. Operators, constants and inputs have to be the same, and all of the graph has to be met. The graph has each
term once, so two nodes with one counterpart are one term, and sharing would have made one node of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating, inner, int64
from volta_pipe.ir.fold import Array, Store
from volta_pipe.ir.graph import ARITY_TABLE, FIXED, Graph, Int32
from volta_pipe.ir.graph_order import MAX_ORDERED, inputs
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.share import COMMUTES, SHAPE

_CONST, _LEAF, _ROUND = int64(Node.CONST), int64(Node.LEAF), int64(Node.ROUND)
_OTHER, _STRAIGHT, _EXCHANGED = int64(-1), int64(0), int64(1)
# Nodes whose counterparts are fetched before they are looked at: those lie in many places, and a processor waits for several
# at a time (measured on a product of 128³: 15 ms in place of 20).
_WINDOW = 256
# How two different operands of one kind that may be exchanged are put in order, inputs (leaves) aside.
_NONE, _BY_INPUTS, _AS_MADE = int64(0), int64(1), int64(2)
_COLUMNS = tuple[Array, Array, Array, Array]


def recognised(store: Store, roots: Sequence[Int32], graph: Graph, known: Sequence[Int32]) -> bool:
    """Whether sharing and ordering what `roots` reach in `store` gives `graph` and, as its roots, `known` (int32 arrays of the
    same shapes, 0 where there is none). False, too, where the canonical order leaves something to the order of creation."""
    if len(graph) > MAX_ORDERED or [r.shape for r in roots] != [k.shape for k in known]:
        return False
    size = int(store.n[0])
    new = (store.op[:size], store.a[:size], store.b[:size], store.c[:size])
    old = (graph.op, graph.a, graph.b, graph.c)
    pairs = int(_pairs(old, ARITY_TABLE, COMMUTES))
    if pairs == _AS_MADE:
        return False
    alike = pairs == _BY_INPUTS
    ends = [end for columns in (new, old) for end in _ends(columns, alike=alike)]
    tops = [np.concatenate([np.zeros(0, np.int32), *(column.ravel() for column in columns)]) for columns in (roots, known)]
    values = store.values.view(np.int64), graph.constants.view(np.int64)
    image = np.zeros(size, np.int32)
    if not _given(image, tops[0].astype(np.int32), tops[1].astype(np.int32)):
        return False
    return int(_met(new, old, image, values, SHAPE, COMMUTES, *ends)) == len(graph) - FIXED


def _ends(columns: _COLUMNS, *, alike: bool) -> tuple[Array, Array]:
    """The first and the last input in each term; empty where nobody asks for them."""
    size = len(columns[0]) if alike else 0
    low, high = np.zeros(size, np.int64), np.zeros(size, np.int64)
    if alike:
        inputs(columns, ARITY_TABLE, low, high)
    return low, high


@allocating
def _pairs(columns: _COLUMNS, arity: Array, commutes: Array) -> int:
    """What kind of pairs there are: none, terms, or such as stand in the order in which they were made (two scalars, say)."""
    op, a, b, _ = columns
    found = _NONE
    for node in range(np.uint64(FIXED), np.uint64(len(op))):
        if commutes[op[node]] == 0:
            continue
        x, y = np.uint32(a[node]), np.uint32(b[node])
        if op[x] != op[y] or x == y or op[x] == _LEAF:
            continue
        if arity[op[x]] == 0:
            return _AS_MADE
        found = _BY_INPUTS
    return found


@allocating
def _given(image: Array, roots: Array, known: Array) -> bool:
    """Gives the roots their counterparts; False where one has another already, or is the root of nothing."""
    for i in range(len(roots)):
        if roots[i] == 0 or known[i] == 0:
            if roots[i] != known[i]:
                return False
        elif not _give(image, np.uint32(roots[i]), known[i]):
            return False
    return True


@inner
def _give(image: Array, node: Any, counterpart: int) -> bool:
    """Gives a node its counterpart; False where it has another one."""
    if node < FIXED:
        return bool(node == counterpart)
    if image[node] == 0:
        image[node] = counterpart
        return True
    return bool(image[node] == counterpart)


@allocating
def _met(
    new: _COLUMNS,
    old: _COLUMNS,
    image: Array,
    values: tuple[Array, Array],
    shape: Array,
    commutes: Array,
    low: Array,
    high: Array,
    old_low: Array,
    old_high: Array,
) -> int:
    """How many nodes of the columns `old`, fixed ones aside, are counterparts (`image`) of ones in `new`; -1 where a node has
    none that it could have. values: the bits of the constants of both; low to old_high: the inputs of both, empty where `old`
    has no exchangeable terms of one kind.

    A node that rounds has the counterpart of what it rounds, as sharing drops it. All numbers of `old` are in range: it was
    made, or read by `Conditions.decode`."""
    op, a, b, c = new
    old_op, old_a, old_b, old_c = old
    met = np.zeros(len(old_op), np.uint8)
    count = int64(0)
    alike = len(low) > 0
    ahead = np.zeros(_WINDOW, np.int32)
    ahead_op, ahead_a, ahead_b, ahead_c = np.zeros(_WINDOW, np.uint8), ahead.copy(), ahead.copy(), ahead.copy()
    top = len(op)
    while top > FIXED:
        bottom = max(top - _WINDOW, FIXED)
        for node in range(bottom, top):
            place, to = np.uint32(node - bottom), np.uint32(image[np.uint32(node)])
            ahead[place], ahead_op[place] = to, old_op[to]
            ahead_a[place], ahead_b[place], ahead_c[place] = old_a[to], old_b[to], old_c[to]
        for node in range(top - 1, bottom - 1, -1):
            at, place = np.uint32(node), np.uint32(node - bottom)
            if image[at] == 0:
                continue
            code = op[at]
            x, y, z = np.uint32(a[at]), np.uint32(b[at]), np.uint32(c[at])
            if code == _ROUND:
                if not _give(image, x, image[at]):
                    return _OTHER
                continue
            if image[at] < FIXED:
                return _OTHER
            if image[at] != ahead[place]:  # it got its counterpart in this window
                to = np.uint32(image[at])
                ahead_op[place] = old_op[to]
                ahead_a[place], ahead_b[place], ahead_c[place] = old_a[to], old_b[to], old_c[to]
            if code != ahead_op[place]:
                return _OTHER
            if met[np.uint32(image[at])] == 0:
                met[np.uint32(image[at])] = 1
                count += 1
            to_x, to_y, to_z = ahead_a[place], ahead_b[place], ahead_c[place]
            if code == _CONST:
                if values[0][x] != values[1][np.uint32(to_x)]:
                    return _OTHER
                continue
            operands, used = shape[0, code], shape[1, code]
            if used > operands:  # of the columns that mean something, those that are no operands
                if operands < 1 and a[at] != to_x:
                    return _OTHER
                if used > 1 and operands < 2 and b[at] != to_y:
                    return _OTHER
                if used > 2 and operands < 3 and c[at] != to_z:
                    return _OTHER
            if operands == 0:
                continue
            if commutes[code] and (alike or image[x] != to_x or image[y] != to_y):
                order = _order(new, old, shape, (x, y), (to_x, to_y), low, high, old_low, old_high)
                if order == _OTHER:
                    return _OTHER
                if order == _EXCHANGED:
                    x, y = y, x
            if not _give(image, x, to_x):
                return _OTHER
            if operands > 1 and not _give(image, y, to_y):
                return _OTHER
            if operands > 2 and not _give(image, z, to_z):
                return _OTHER
        top = bottom
    return count


@inner
def _order(
    new: _COLUMNS,
    old: _COLUMNS,
    shape: Array,
    ours: tuple[Any, Any],
    theirs: tuple[int, int],
    low: Array,
    high: Array,
    old_low: Array,
    old_high: Array,
) -> int:
    """Whether exchangeable operands stand as their counterparts do; _OTHER where they can have none."""
    op, a, b, _ = new
    old_op, old_a, old_b, _ = old
    x, y = _plain(op, a, ours[0]), _plain(op, a, ours[1])
    to_x, to_y = np.uint32(theirs[0]), np.uint32(theirs[1])
    kind = op[x]
    if x == y or to_x == to_y:  # equal terms, which may be several nodes here
        exchanged = False
    elif kind != op[y]:
        exchanged = kind != old_op[to_x]
    elif kind == _LEAF:
        exchanged = a[x] != old_a[to_x] or b[x] != old_b[to_x]
    elif shape[0, kind] == 0 or len(low) == 0:
        return _OTHER  # `old` has no such pairs
    elif old_low[to_x] == old_low[to_y] and old_high[to_x] == old_high[to_y]:
        return _OTHER  # they stand as they were made
    else:
        exchanged = low[x] != old_low[to_x] or high[x] != old_high[to_x]
    return _EXCHANGED if exchanged else _STRAIGHT


@inner
def _plain(op: Array, a: Array, node: Any) -> Any:
    """What is rounded by a node that rounds; else the node itself."""
    while op[node] == _ROUND:
        node = np.uint32(a[node])
    return node
