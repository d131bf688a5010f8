"""Compiled loops over a graph: how large the trees under nodes are, and which classes share them."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry, inner, int64

Array = np.ndarray[Any, np.dtype[Any]]
_MOST = 1 << 20  # at which the size of a tree stays


@entry
def weigh(op: Array, a: Array, b: Array, c: Array, arity: Array, order: Array, weight: Array) -> None:
    """Sets `weight` (int32 [n]) of the nodes in `order` (operands first) to the size of their trees, which has a limit."""
    for v in order:
        total = 1
        for place in range(arity[op[v]]):
            total += weight[a[v] if place == 0 else b[v] if place == 1 else c[v]]
        weight[v] = min(total, _MOST)


@inner
def _first(parent: Array, i: int) -> int:
    """The first class of the tree of class i; shortens the way there."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@inner
def _meet(node: int, i: int, weight: Array, least: int, label: Array, parent: Array) -> None:
    """Class i has a node."""
    if label[node] < 0:
        label[node] = i
    elif weight[node] >= least:
        x, y = _first(parent, int64(label[node])), _first(parent, i)
        parent[max(x, y)] = min(x, y)


@entry
def share(
    op: Array, a: Array, b: Array, c: Array, arity: Array, order: Array, roots: Array, weight: Array, least: int, label: Array,
    parent: Array,
) -> None:  # fmt: skip
    """Joins classes in `parent` (int32 [classes], a forest; the first class of each tree is its root) that have a node of at
    least weight `least` in common. order: the nodes under the roots, operands first; label: int32 [n] of -1, set to the class
    that a node was first met in."""
    for i in range(len(roots)):
        _meet(roots[i], int64(i), weight, least, label, parent)
    for k in range(len(order) - 1, -1, -1):
        v = order[k]
        own = int64(label[v])
        for place in range(arity[op[v]]):
            _meet(a[v] if place == 0 else b[v] if place == 1 else c[v], own, weight, least, label, parent)
