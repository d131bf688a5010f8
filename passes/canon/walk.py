"""Compiled loops over the expression graph: the nodes under a root, the walk of one representative, and its leaf renaming.

The walk carries, for each node under the representative's root, a partition of the elements and one node a group: elements that
share a node are followed once. Partitions are interned, so a step costs the groups of its parent, not the elements."""

# ruff: noqa: SIM110 (compiled loops: columns as arguments, plain comparisons)
from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry, inner
from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR, _UNINIT = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR), int(Node.UNINIT)
FAILED, POOL_FULL = -1, -2  # the walk met more partitions, or more group nodes, than its arrays hold
_DEAD = 0  # node 0 stands for elements that have left the class


@entry
def reachable(op: Array, a: Array, b: Array, c: Array, arity: Array, root: int, mark: Array, found: Array) -> int:
    """Collects the nodes under `root` in `found` (int32 [n], in no order) and gives their number; `mark` is int32 [n] of -1
    and is set to 0 at each."""
    found[0] = root
    mark[root] = 0
    n = 1
    k = 0
    while k < n:
        v = found[k]
        k += 1
        for place in range(arity[op[v]]):
            x = a[v] if place == 0 else b[v] if place == 1 else c[v]
            if mark[x] < 0:
                mark[x] = 0
                found[n] = x
                n += 1
    return n


@inner
def _intern(row: Array, groups: int, rows: Array, sizes: Array, count: int, table: Array) -> int:
    """Number of a partition (group of each element); appends it where it is new. FAILED when `rows` is full."""
    h = np.uint64(groups)
    for e in range(len(row)):
        h = (h ^ np.uint64(row[e])) * np.uint64(0x100000001B3)
        h ^= h >> np.uint64(27)
    slot = np.int64(h & np.uint64(len(table) - 1))
    while table[slot] >= 0:
        k = table[slot]
        if sizes[k] == groups and agree(rows[k], row, len(row)):
            return int(k)
        slot = (slot + 1) & (len(table) - 1)
    if count == len(rows):
        return int(FAILED)
    for e in range(len(row)):
        rows[count, e] = row[e]
    sizes[count] = groups
    table[slot] = count
    return int(count)


@entry
def walk(
    op: Array, a: Array, b: Array, c: Array, bits: Array, arity: Array,
    order: Array, mark: Array, roots: Array, ok: Array, rows: Array, sizes: Array, counts: Array,
    stamp: Array, group_of: Array, table: Array, state: Array, start: Array, pool: Array, leaves: Array,
    values: Array, merged: Array, renumber: Array, row: Array, merge_from: Array, merge_to: Array, merge_map: Array,
) -> int:  # fmt: skip
    """Follows the representative's nodes (`order`, `mark` of `Side.reachable`) from the root down in all elements at once.

    roots: int32 [R], each element's root; ok: bool [R], cleared where an element's expression has another shape, constant or
    sharing; rows: int32 [P, R], sizes: int32 [P]: interned partitions, shared by both sides; counts: int64 [2], how many
    and the last stamp; stamp, group_of: int64, int32 [n] of scratch, kept over calls. table: int32 [4P] of -1 (hash table of
    partitions). state, start: int32 of -1, int64 [N], per place in `order` its partition and where its group nodes start in
    pool; leaves: int32 [N], set to the places of leaves. The rest is scratch: values, merged, renumber, row: int32 [R] (group
    nodes of an operand before and after groups that coincide are merged, and the merge), merge_from, merge_to: int32 [M],
    merge_map: int32 [M, R], merges seen. Result: how many leaves; FAILED, POOL_FULL where partitions or pool are too small."""
    n = len(order)
    elements = len(roots)
    for k in range(counts[0]):
        slot = _slot_of(rows[k], sizes[k], table)
        table[slot] = k
    turn = counts[1]
    used = 0
    merges = 0
    leaf_count = 0
    for e in range(elements):
        row[e] = e

    first = _intern(row, elements, rows, sizes, counts[0], table)
    if first < 0:
        return int(FAILED)
    counts[0] = max(counts[0], first + 1)

    for i in range(n, -1, -1):
        operands = 1
        if i < n:
            v = order[i]
            o = op[v]
            p = state[i]
            groups = sizes[p]
            base = start[i]
            lost = False
            for g in range(groups):
                w = pool[base + g]
                if w == _DEAD:
                    continue
                same = op[w] == o
                if same and o == _CONST:
                    same = bits[a[w]] == bits[a[v]]
                elif same and (o == _LEAF or o == _SCALAR):
                    same = a[w] == a[v]
                elif o == _UNINIT:
                    same = False
                if not same:
                    pool[base + g] = _DEAD
                    lost = True
            if lost:
                for e in range(elements):
                    if pool[base + rows[p, e]] == _DEAD:
                        ok[e] = False
            if o == _LEAF:
                leaves[leaf_count] = i
                leaf_count += 1
                continue
            operands = arity[o]
        for place in range(operands):
            if i == n:  # a virtual node above the root
                child = n - 1
                p = first
                groups = elements
                for g in range(groups):
                    values[g] = roots[g]
            else:
                x = a[v] if place == 0 else b[v] if place == 1 else c[v]
                child = mark[x]
                for g in range(groups):
                    w = pool[base + g]
                    values[g] = _DEAD if w == _DEAD else a[w] if place == 0 else b[w] if place == 1 else c[w]
            source = p
            for attempt in range(2):
                # Merge groups of `source` whose nodes coincide.
                turn += 1
                size = 0
                total = groups if attempt == 0 else elements
                for g in range(total):
                    w = values[g]
                    if stamp[w] != turn:
                        stamp[w] = turn
                        group_of[w] = size
                        merged[size] = w
                        renumber[g] = size
                        size += 1
                    else:
                        renumber[g] = group_of[w]
                target = source
                if size != total:
                    target = -1
                    for k in range(merges - 1, -1, -1):
                        if merge_from[k] == source and sizes[merge_to[k]] == size and agree(merge_map[k], renumber, total):
                            target = merge_to[k]
                            break
                    if target < 0:
                        for e in range(elements):
                            row[e] = renumber[rows[source, e]]
                        target = _intern(row, size, rows, sizes, counts[0], table)
                        if target < 0:
                            return int(FAILED)
                        counts[0] = max(counts[0], target + 1)
                        k = merges % len(merge_map)
                        merges = min(merges + 1, len(merge_map))
                        merge_from[k] = source
                        merge_to[k] = target
                        for g in range(total):
                            merge_map[k, g] = renumber[g]
                known = state[child]
                if known >= 0 and attempt == 0:
                    at = start[child]
                    if known == target and agree(pool[at:], merged, size):
                        break
                    # Elements whose two paths lead to different nodes leave; then the partition is made anew.
                    for e in range(elements):
                        w = merged[rows[target, e]]
                        if pool[at + rows[known, e]] != w:
                            ok[e] = False
                            w = _DEAD
                        values[e] = w
                    source = first
                    continue
                if used + size > len(pool):
                    return int(POOL_FULL)
                state[child] = target
                start[child] = used
                for g in range(size):
                    pool[used + g] = merged[g]
                used += size
                break
    counts[1] = turn
    return leaf_count


@inner
def _slot_of(row: Array, groups: int, table: Array) -> int:
    """A free slot for a partition that is known to be new."""
    h = np.uint64(groups)
    for e in range(len(row)):
        h = (h ^ np.uint64(row[e])) * np.uint64(0x100000001B3)
        h ^= h >> np.uint64(27)
    slot = np.int64(h & np.uint64(len(table) - 1))
    while table[slot] >= 0:
        slot = (slot + 1) & (len(table) - 1)
    return int(slot)


@inner
def agree(x: Array, y: Array, size: int) -> bool:
    for k in range(size):
        if x[k] != y[k]:
            return False
    return True
