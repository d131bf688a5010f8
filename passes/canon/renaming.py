"""Compiled loops: whether a class's leaves are renamed injectively, and whether two expressions are the same tree."""

# ruff: noqa: PLR0917 (compiled loops: columns as arguments, plain comparisons)
from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon.walk import agree

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR, _UNINIT = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR), int(Node.UNINIT)


@njit(cache=True, nogil=True)
def rename(keys: Array, part: Array, at: Array, value: Array, rows: Array, sizes: Array, ok: Array) -> None:
    """Checks the leaf renaming of both sides together and clears `ok` where it is no injective function.

    keys: int64 [L], leaf identity of the representative, sorted; part, at: int64 [L], its partition and where its group leaves
    start in value: int64, leaf identities (negative: dead)."""
    elements = len(ok)
    total = 0
    keep = np.zeros(len(keys), np.bool_)
    for k in range(len(keys)):
        if k and keys[k] == keys[k - 1]:  # the same leaf again: each element must map it to the same leaf
            if part[k] == part[k - 1] and agree(value[at[k] :], value[at[k - 1] :], sizes[part[k]]):
                keep[k] = False
            else:
                for e in range(elements):
                    if value[at[k] + rows[part[k], e]] != value[at[k - 1] + rows[part[k - 1], e]]:
                        ok[e] = False
        else:
            keep[k] = True
            total += sizes[part[k]]
    what = np.empty(total, np.int64)
    which = np.empty(total, np.int64)
    group = np.empty(total, np.int64)
    n = 0
    for k in range(len(keys)):
        if keep[k]:
            for g in range(sizes[part[k]]):
                if value[at[k] + g] >= 0:
                    what[n] = value[at[k] + g]
                    which[n] = k
                    group[n] = g
                    n += 1
    by = np.argsort(what[:n], kind="mergesort")
    seen = np.full(elements, -1, np.int64)
    listed = np.full(len(rows), -1, np.int64)  # partitions whose groups are listed as runs of elements
    lists = np.empty((0, elements), np.int64)
    starts = np.empty((0, elements + 1), np.int64)
    k = 0
    while k < n:
        last = k
        while last + 1 < n and what[by[last + 1]] == what[by[k]]:
            last += 1
        if last > k:  # one leaf stands for several of the representative's: never in the same element
            for j in range(k, last + 1):
                p = part[which[by[j]]]
                if listed[p] < 0:
                    listed[p] = len(lists)
                    lists = np.concatenate((lists, np.argsort(rows[p], kind="mergesort").reshape(1, elements)))
                    begin = np.zeros((1, elements + 1), np.int64)
                    for e in range(elements):
                        begin[0, rows[p, e] + 1] += 1
                    for e in range(elements):
                        begin[0, e + 1] += begin[0, e]
                    starts = np.concatenate((starts, begin))
                q = listed[p]
                g = group[by[j]]
                for r in range(starts[q, g], starts[q, g + 1]):
                    e = lists[q, r]
                    if seen[e] == k:
                        ok[e] = False
                    seen[e] = k
        k = last + 1


@njit(cache=True, nogil=True)
def same(
    op: Array, a: Array, b: Array, c: Array, constants: Array, order: Array,
    op2: Array, a2: Array, b2: Array, c2: Array, constants2: Array, root2: int, arity: Array, mark: Array,
) -> bool:  # fmt: skip
    """Whether the expression of `order`, `mark` (see `reachable`) and the one under `root2` are the same tree; one that holds
    UNINIT, NaN or ±inf is the same as none."""
    n = len(order)
    partner = np.full(n, -1, np.int32)
    partner[n - 1] = root2
    bits = constants.view(np.uint64)
    bits2 = constants2.view(np.uint64)
    for i in range(n - 1, -1, -1):
        v = order[i]
        w = partner[i]
        o = op[v]
        if op2[w] != o or o == _UNINIT:
            return False
        if o == _CONST:
            if bits[a[v]] != bits2[a2[w]] or not np.isfinite(constants[a[v]]):
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
