"""The walk that finds, for the nodes that a run made, their counterparts in a graph that is there (recognise.py).

It goes from later nodes to earlier ones, through a range of them at a time, and looks at each that has a counterpart: operator,
constants and inputs have to be the same, and the operands get the counterpart's operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating, inner, int64
from volta_pipe.ir.fold import Array
from volta_pipe.ir.graph import FIXED
from volta_pipe.ir.nodes import Node

COLUMNS = tuple[Array, Array, Array, Array]
OTHER = int64(-1)  # in the place of a number of nodes: something has no counterpart
# What kind of pairs there are: none, terms, or such as stand in the order in which they were made (two scalars, say).
NONE, BY_INPUTS, AS_MADE = int64(0), int64(1), int64(2)
_CONST, _LEAF, _ROUND, _FIXED = int64(Node.CONST), int64(Node.LEAF), int64(Node.ROUND), int64(FIXED)
_STRAIGHT, _EXCHANGED = int64(0), int64(1)
# Nodes whose counterparts are fetched before they are looked at: those lie in many places, and a processor waits for several
# at a time (measured on a product of 128³: 15 ms in place of 20).
_WINDOW = 256


@allocating
def pairs(columns: COLUMNS, arity: Array, commutes: Array) -> int:
    """Which kind of two different operands of one kind that may be exchanged there are, inputs (leaves) aside."""
    op, a, b, _ = columns
    found = NONE
    for node in range(np.uint64(FIXED), np.uint64(len(op))):
        if commutes[op[node]] == 0:
            continue
        x, y = np.uint32(a[node]), np.uint32(b[node])
        if op[x] != op[y] or x == y or op[x] == _LEAF:
            continue
        if arity[op[x]] == 0:
            return AS_MADE
        found = BY_INPUTS
    return found


@allocating
def given(image: Array, roots: Array, known: Array, begin: int, late: Array) -> bool:
    """Gives the roots their counterparts; False where one has another already, or is the root of nothing. begin, late: as of
    `met`."""
    for i in range(len(roots)):
        if roots[i] == 0 or known[i] == 0:
            if roots[i] != known[i]:
                return False
        elif not _give(image, np.uint32(roots[i]), known[i], begin, late):
            return False
    return True


@inner
def _give(image: Array, node: Any, counterpart: int, begin: int, late: Array) -> bool:
    """Gives a node its counterpart; False where it has another one."""
    if node < FIXED:
        return bool(node == counterpart)
    if image[node] == 0:
        image[node] = counterpart
        if node < begin:
            late[0] = max(late[0], node)
        return True
    return bool(image[node] == counterpart)


@allocating
def met(
    new: COLUMNS,
    old: COLUMNS,
    begin: int,
    end: int,
    image: Array,
    seen: Array,
    late: Array,
    values: tuple[Array, Array],
    shape: Array,
    commutes: Array,
    low: Array,
    high: Array,
    old_low: Array,
    old_high: Array,
) -> int:
    """How many nodes of the columns `old`, fixed ones aside, are counterparts (`image`) of the nodes from `begin` to before
    `end` of `new` and were none before (`seen`, uint8 by node of `old`); OTHER where one has none that it could have. late:
    int64 [1], becomes the last node before `begin` that was given its first counterpart, if that is later. values: the bits of
    the constants of both; low to old_high: the inputs of both, empty where `old` has no exchangeable terms of one kind.

    A node that rounds has the counterpart of what it rounds, as sharing drops it. All numbers of `old` are in range: it was
    made, or read by `Conditions.decode`."""
    op, a, b, c = new
    old_op, old_a, old_b, old_c = old
    count = int64(0)
    alike = len(low) > 0
    ahead = np.zeros(_WINDOW, np.int32)
    ahead_op, ahead_a, ahead_b, ahead_c = np.zeros(_WINDOW, np.uint8), ahead.copy(), ahead.copy(), ahead.copy()
    top, floor = end, max(begin, _FIXED)
    while top > floor:
        bottom = max(top - _WINDOW, floor)
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
                if not _give(image, x, image[at], begin, late):
                    return OTHER
                continue
            if image[at] < FIXED:
                return OTHER
            if image[at] != ahead[place]:  # it got its counterpart in this window
                to = np.uint32(image[at])
                ahead_op[place] = old_op[to]
                ahead_a[place], ahead_b[place], ahead_c[place] = old_a[to], old_b[to], old_c[to]
            if code != ahead_op[place]:
                return OTHER
            if seen[np.uint32(image[at])] == 0:
                seen[np.uint32(image[at])] = 1
                count += 1
            to_x, to_y, to_z = ahead_a[place], ahead_b[place], ahead_c[place]
            if code == _CONST:
                if values[0][x] != values[1][np.uint32(to_x)]:
                    return OTHER
                continue
            operands, used = shape[0, code], shape[1, code]
            if used > operands:  # of the columns that mean something, those that are no operands
                if operands < 1 and a[at] != to_x:
                    return OTHER
                if used > 1 and operands < 2 and b[at] != to_y:
                    return OTHER
                if used > 2 and operands < 3 and c[at] != to_z:
                    return OTHER
            if operands == 0:
                continue
            if commutes[code] and (alike or image[x] != to_x or image[y] != to_y):
                order = _order(new, old, shape, (x, y), (to_x, to_y), low, high, old_low, old_high)
                if order == OTHER:
                    return OTHER
                if order == _EXCHANGED:
                    x, y = y, x
            if not _give(image, x, to_x, begin, late):
                return OTHER
            if operands > 1 and not _give(image, y, to_y, begin, late):
                return OTHER
            if operands > 2 and not _give(image, z, to_z, begin, late):
                return OTHER
        top = bottom
    return count


@inner
def _order(
    new: COLUMNS,
    old: COLUMNS,
    shape: Array,
    ours: tuple[Any, Any],
    theirs: tuple[int, int],
    low: Array,
    high: Array,
    old_low: Array,
    old_high: Array,
) -> int:
    """Whether exchangeable operands stand as their counterparts do; OTHER where they can have none."""
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
        return OTHER  # `old` has no such pairs
    elif old_low[to_x] == old_low[to_y] and old_high[to_x] == old_high[to_y]:
        return OTHER  # they stand as they were made
    else:
        exchanged = low[x] != old_low[to_x] or high[x] != old_high[to_x]
    return _EXCHANGED if exchanged else _STRAIGHT


@inner
def _plain(op: Array, a: Array, node: Any) -> Any:
    """What is rounded by a node that rounds; else the node itself."""
    while op[node] == _ROUND:
        node = np.uint32(a[node])
    return node
