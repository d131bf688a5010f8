"""Which classes are compared together: a function of the graphs and the first elements of classes alone.

Classes that share expressions stay together, where taking them apart would make much anew. Those that are too small to be worth
a unit of their own are put together with neighbours: in the tree of all pairs of halves of the space of elements, what is in a
part of it is a unit as soon as it is large enough. So a class that changes in size changes what is in its own units, and mostly
no others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.graph import ARITY_TABLE, Graph
from volta_pipe.passes.canon.sides import Array
from volta_pipe.passes.canon.units import loops
from volta_pipe.passes.canon.units.unit import Below, Roots
from volta_pipe.passes.values import read_only

_loops: Any = loops  # compiled functions: mypy does not see their arguments
# Nodes with operands from which classes are a unit of their own, and from which a unit that is left over is kept. Measured on
# the paper's rows: comparing them takes 3 to 30 us a node, cutting them out and making again what units share 0.5, reading what
# is kept 1, and a record 300 us.
LEAST, KEPT = 2048, 256
_UNITS = 128  # about as many units at most
_TREE = 16  # nodes of a tree from which two classes share more than a scale or an index
_TWICE = 1.1  # how much may be made twice


def planned(
    graphs: tuple[Graph, Graph], roots: Sequence[Roots], sizes: Sequence[tuple[int, int]], firsts: Sequence[tuple[int, int]],
    *, least: int = LEAST,
) -> list[tuple[list[int], bool]]:  # fmt: skip
    """(classes, ascending, and whether their solution is worth being kept) of each unit, by first classes.

    roots, sizes: of each class the roots on both sides, and the nodes under them; firsts: (tensor, element) of its first
    member, all different. One unit where there is nothing to be gained by more."""
    whole = [(list(range(len(roots))), False)]
    if len(roots) < 2 or sum(map(sum, sizes)) < 2 * least:
        return whole
    parts, weights = _apart(graphs, roots)
    total = sum(weights)
    if len(parts) < 2 or total < 2 * least:
        return whole
    while least * 2 * _UNITS <= total:
        least *= 2
    places = [firsts[part[0]][0] << 40 | firsts[part[0]][1] for part in parts]
    order = sorted(range(len(parts)), key=places.__getitem__)
    batches = batched([places[i] for i in order], [weights[i] for i in order], least)
    found = []
    for batch in batches:
        members = [order[i] for i in batch]
        found.append((sorted(c for i in members for c in parts[i]), sum(weights[i] for i in members) >= min(least, KEPT)))
    return sorted(found) if len(found) > 1 else whole


def _apart(graphs: tuple[Graph, Graph], roots: Sequence[Roots]) -> tuple[list[list[int]], list[int]]:
    """(classes that are to stay together, by first classes; how many nodes with operands each such part has)."""
    parent = np.arange(len(roots))
    below = [Below(graph) for graph in graphs]
    labels: list[Array] = []
    for side, one in enumerate(below):
        tops = np.array([r[side] for r in roots], np.int32)
        order = one.nodes(tops)
        weight, label = np.zeros(len(one.graph), np.int32), np.full(len(one.graph), -1, np.int32)
        _loops.weigh(*one.columns, read_only(order), weight)
        _loops.share(*one.columns, read_only(order), read_only(tops), weight, _TREE, label, parent)
        labels.append(label[order[ARITY_TABLE[one.graph.op[order]] > 0]])
    for i in range(len(parent)):  # a class has a parent before it
        parent[i] = parent[parent[i]]
    made = np.bincount(parent[np.concatenate(labels)], minlength=len(roots))
    parts: dict[int, list[int]] = {}
    for i, first in enumerate(parent.tolist()):
        parts.setdefault(first, []).append(i)
    found: list[tuple[list[int], int]] = []
    for first, part in parts.items():
        alone = _alone(below, [roots[i] for i in part], int(_TWICE * made[first])) if len(part) > 1 else None
        found += [([i], size) for i, size in zip(part, alone, strict=True)] if alone else [(part, int(made[first]))]
    found.sort()
    return [part for part, _ in found], [size for _, size in found]


def _alone(below: list[Below], roots: Sequence[Roots], most: int) -> list[int] | None:
    """How many nodes with operands each class has by itself; None where these are more than `most`."""
    sizes: list[int] = []
    for pair in roots:
        size = 0
        for one, root in zip(below, pair, strict=True):
            size += int((ARITY_TABLE[one.graph.op[one.nodes(np.array([root], np.int32))]] > 0).sum())
        most -= size
        if most < 0:
            return None
        sizes.append(size)
    return sizes


def batched(places: list[int], weights: list[int], least: int) -> list[list[int]]:
    """Parts (by number; `places` ascending) in batches of at least that weight, but for the last one that is left over.

    The places are the leaves of a binary tree of their bits. From the leaves up, a node passes on what is under it and in no
    batch, or makes a batch of it where it is heavy enough."""
    batches: list[list[int]] = []
    stack: list[tuple[int, list[int]]] = []  # (the bit at which the next part leaves this one, parts in no batch)

    def closed(pending: list[int]) -> list[int]:
        if sum(weights[i] for i in pending) < least:
            return pending
        batches.append(pending)
        return []

    for i, place in enumerate(places):
        pending = closed([i])
        bit = (place ^ places[i + 1]).bit_length() if i + 1 < len(places) else 1 << 16
        while stack and stack[-1][0] < bit:
            pending = closed(stack.pop()[1] + pending)
        stack.append((bit, pending))
    left = [i for _, pending in stack for i in pending]
    return batches + ([left] if left else [])
