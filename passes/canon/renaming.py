"""Compiled loops: whether a class's leaves are renamed injectively, and whether two expressions are the same tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon.partitions import agree
from volta_pipe.passes.canon.signatures import EXPONENT

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR, _UNINIT = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR), int(Node.UNINIT)


@entry
def function(keys: Array, part: Array, at: Array, value: Array, rows: Array, sizes: Array, ok: Array) -> None:
    """Clears `ok` where one leaf of the representative stands for two leaves.

    keys: int64 [L], leaf identity of the representative, sorted; part, at: int64 [L], its partition and where its group leaves
    start in value: int64, leaf identities (negative: dead); rows, sizes: the partitions."""
    for k in range(1, len(keys)):
        if keys[k] != keys[k - 1]:
            continue
        if part[k] == part[k - 1] and agree(value[at[k] :], value[at[k - 1] :], sizes[part[k]]):
            continue
        for e in range(len(ok)):
            if value[at[k] + rows[part[k], e]] != value[at[k - 1] + rows[part[k - 1], e]]:
                ok[e] = False


@entry
def injective(what: Array, part: Array, group: Array, lists: Array, starts: Array, ok: Array, seen: Array) -> None:
    """Clears `ok` where two leaves of the representative stand for one leaf: `what`, sorted, int64 [n], is met in element e by
    each e of the given group of the given partition; lists, starts: int64 [P, R], [P, R + 1], elements by group;
    seen: int64 [R] of -1."""
    first = 0
    for k in range(len(what)):
        if what[k] != what[first]:
            first = k
        for r in range(starts[part[k], group[k]], starts[part[k], group[k] + 1]):
            e = lists[part[k], r]
            if seen[e] == first:
                ok[e] = False
            seen[e] = first


@entry
def same(
    op: Array, a: Array, b: Array, c: Array, bits: Array, order: Array,
    op2: Array, a2: Array, b2: Array, c2: Array, bits2: Array, root2: int, arity: Array, mark: Array, partner: Array,
) -> bool:  # fmt: skip
    """Whether the expression of `order`, `mark` (see `reachable`) and the one under `root2` are the same tree; one that holds
    UNINIT, NaN or ±inf is the same as none. partner: int32 [n] of -1; bits: uint64 views of the constants."""
    n = len(order)
    partner[n - 1] = root2
    for i in range(n - 1, -1, -1):
        v = order[i]
        w = partner[i]
        o = op[v]
        if op2[w] != o or o == _UNINIT:
            return False
        if o == _CONST:
            if bits[a[v]] != bits2[a2[w]] or bits[a[v]] & EXPONENT == EXPONENT:
                return False
        elif o == _LEAF:
            if a[v] != a2[w] or b[v] != b2[w]:
                return False
        elif o == _SCALAR and a[v] != a2[w]:
            return False
        for place in range(arity[o]):
            x = a[v] if place == 0 else b[v] if place == 1 else c[v]
            y = a2[w] if place == 0 else b2[w] if place == 1 else c2[w]
            if partner[mark[x]] < 0:
                partner[mark[x]] = y
            elif partner[mark[x]] != y:
                return False
    return True
