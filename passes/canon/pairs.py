"""Compiled loops for classes of few elements: the representative followed in one element at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry, int64
from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR, _UNINIT = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR), int(Node.UNINIT)


@entry
def gather(op: Array, order: Array, leaf: Array, place: Array, found: Array, count: int) -> int:
    """Appends to `found` (int32, `count` so far) the inputs under `order` for which `place` (int32, one an input) is negative,
    from the root down, and sets it to 0; gives how many there are. leaf: int32, per LEAF node the number of its input."""
    for i in range(len(order) - 1, -1, -1):
        v = order[i]
        if op[v] == _LEAF and place[leaf[v]] < 0:
            place[leaf[v]] = 0
            found[count] = leaf[v]
            count += 1
    return count


@entry
def follow(
    op: Array, a: Array, b: Array, c: Array, bits: Array, arity: Array, order: Array, mark: Array,
    leaf: Array, place: Array, roots: Array, partner: Array, to: Array, ok: Array,
) -> None:  # fmt: skip
    """Clears `ok` where an element's expression has another shape, constant or sharing than the representative's (`order`,
    `mark` of `Side.reachable`), or another input in two places of one of its inputs.

    roots: int32 [R]; to: int32 [R, L], -1 or the input that stands for input number `place` of the representative; it is filled
    in. partner: int32 [N], scratch."""
    n = len(order)
    for r in range(len(roots)):
        if not ok[r]:
            continue
        for i in range(n):
            partner[i] = -1
        partner[n - 1] = roots[r]
        fits = True
        for i in range(n - 1, -1, -1):
            v: Any = np.uint32(order[i])
            w: Any = np.uint32(partner[i])
            o = op[v]
            fits = op[w] == o and o != _UNINIT
            if not fits:
                break
            if o == _CONST:
                fits = bits[np.uint32(a[v])] == bits[np.uint32(a[w])]
            elif o == _SCALAR:
                fits = a[v] == a[w]
            elif o == _LEAF:
                k = place[leaf[v]]
                fits = a[v] == a[w] and (to[r, k] < 0 or to[r, k] == leaf[w])
                to[r, k] = leaf[w]
            for operand in range(arity[o]):
                column = a if operand == 0 else b if operand == 1 else c
                i2: Any = np.uint32(mark[column[v]])
                fits = fits and (partner[i2] < 0 or partner[i2] == column[w])
                partner[i2] = column[w]
            if not fits:
                break
        ok[r] = fits


@entry
def distinct(to: Array, seen: Array, turn: int, ok: Array) -> None:
    """Clears `ok` where two inputs of the representative stand for one. seen: int64, one an input, below `turn`."""
    for r in range(len(to)):
        if not ok[r]:
            continue
        for k in range(to.shape[1]):
            x = to[r, k]
            if seen[x] == turn + r:
                ok[r] = False
            seen[x] = turn + r


@entry
def number_rows(rows: Array, order: Array, table: Array, number: Array, first: Array) -> int:
    """Numbers equal rows alike, by where each is met first in `order`, and gives how many differ. rows: int32 [L, R];
    order, number, first: int32 [L], the last two set: each row's number, a row of each number; table: int32 [a power of two
    above L] of -1."""
    count = 0
    for at in order:
        h = np.uint64(0)
        for x in rows[at]:
            h = (h ^ np.uint64(np.uint32(x))) * np.uint64(0x9E3779B97F4A7C15)
            h ^= h >> np.uint64(32)
        slot = int64(h & np.uint64(len(table) - 1))
        while table[slot] >= 0:
            wrong = 0
            for r in range(rows.shape[1]):
                wrong += rows[first[table[slot]], r] != rows[at, r]
            if wrong == 0:
                break
            slot = (slot + 1) & (len(table) - 1)
        if table[slot] < 0:
            table[slot] = count
            first[count] = at
            count += 1
        number[at] = table[slot]
    return count
