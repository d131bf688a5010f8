"""Compiled loops over the expression graph: the nodes under some roots, the walk of one representative, and its leaf renaming.

The walk carries, for each node under the representative's root, a partition of the elements and one node a group: elements that
share a node are followed once. Partitions are interned, so a step costs the groups of its parent, not the elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon.partitions import FAILED, agree, ascend, intern, slot_of

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR, _UNINIT = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR), int(Node.UNINIT)
POOL_FULL = -2  # the walk met more group nodes than its arrays hold
_DEAD = 0  # node 0 stands for elements that have left the class


@entry
def gather(op: Array, a: Array, b: Array, c: Array, arity: Array, roots: Array, mark: Array, found: Array) -> int:
    """Collects the nodes under `roots` in `found` (int32 [n], in no order) and gives their number; `mark` is int32 [n] of -1
    and is set to 0 at each."""
    n = 0
    for root in roots:
        if mark[root] < 0:
            mark[root] = 0
            found[n] = root
            n += 1
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


@entry
def walk(
    op: Array, a: Array, b: Array, c: Array, bits: Array, arity: Array,
    order: Array, mark: Array, roots: Array, ok: Array, rows: Array, sizes: Array, counts: Array,
    met: Array, met_at: Array, group_of: Array, table: Array, state: Array, start: Array, pool: Array, leaves: Array,
    values: Array, merged: Array, renumber: Array, row: Array,
    merge_from: Array, merge_to: Array, merge_map: Array, merge_first: Array, likely: Array,
) -> int:  # fmt: skip
    """Follows the representative's nodes (`order`, `mark` of `Side.reachable`) from the root down in all elements at once.

    roots: int32 [R], each element's root; ok: bool [R], cleared where an element's expression has another shape, constant or
    sharing; rows: int32 [P, R], sizes: int32 [P]: interned partitions, shared by both sides; counts: int64 [1], how many.
    met, met_at, group_of: int32, int64, int32 [S] of 0, S > 2R a power of two: hash table of the nodes of one step (node, step,
    group). table: int32 [4P] of -1 (hash table of partitions). state, start: int32 of -1, int64 [N], per place in `order` its
    partition and where its group nodes start in pool; leaves: int32 [N], set to the places of leaves. The rest is scratch:
    values, merged, renumber, row: int32 [R] (group nodes of an operand before and after groups that coincide are merged, and
    the merge), merge_from, merge_to: int32 [M], merge_map, merge_first: int32 [M, R], merges seen, with the first group of each
    merged one; likely: int32 [P, 4] of -1, the merge that each operand of a partition was last met with. Result: how many
    leaves; FAILED, POOL_FULL where partitions or pool are too small."""
    n = len(order)
    elements = len(roots)
    for k in range(counts[0]):
        slot: Any = slot_of(rows[k], sizes[k], table)
        table[slot] = k
    turn = 0
    last = len(met) - 1
    used = 0
    merges = 0
    met_merges = 0
    leaf_count = 0
    for e in range(elements):
        row[e] = e

    first = intern(row, elements, rows, sizes, counts[0], table)
    if first < 0:
        return int(FAILED)
    counts[0] = max(counts[0], first + 1)

    for i in range(n, -1, -1):
        operands = 1
        if i < n:
            v = order[i]
            o = op[v]
            p: Any = np.uint32(state[i])
            groups = sizes[p]
            own = pool[start[i] : start[i] + groups]
            lost = False
            for g in range(groups):
                w: Any = np.uint32(own[g])
                if w == _DEAD:
                    continue
                same = op[w] == o
                if same and o == _CONST:
                    same = bits[np.uint32(a[w])] == bits[np.uint32(a[v])]
                elif same and (o == _LEAF or o == _SCALAR):
                    same = a[w] == a[v]
                elif o == _UNINIT:
                    same = False
                if not same:
                    own[g] = _DEAD
                    lost = True
            if lost:
                for e in range(elements):
                    if own[np.uint32(rows[p, e])] == _DEAD:
                        ok[e] = False
            if o == _LEAF:
                leaves[leaf_count] = i
                leaf_count += 1
                continue
            operands = arity[o]
        for place in range(operands):
            if i == n:  # a virtual node above the root
                child = n - 1
                p = np.uint32(first)
                groups = elements
                for g in range(groups):
                    values[g] = roots[g]
            else:
                column = a if place == 0 else b if place == 1 else c
                child = mark[column[v]]
                for g in range(groups):
                    w = np.uint32(own[g])
                    values[g] = column[w] if w != _DEAD else _DEAD
            source: Any = p
            for attempt in range(2):
                # Merge groups of `source` whose nodes coincide.
                total = groups if attempt == 0 else elements
                hint = place if attempt == 0 else 3
                size = total
                target = -1
                if ascend(values, total):  # all of them differ
                    target = source
                    for g in range(total):
                        merged[g] = values[g]
                elif likely[source, hint] >= 0 and merge_from[likely[source, hint]] == source:
                    k = likely[source, hint]
                    size = sizes[merge_to[k]]
                    begins, into = merge_first[k], merge_map[k]
                    for g in range(size):
                        merged[g] = values[np.uint32(begins[g])]
                    if ascend(merged, size):
                        wrong = 0
                        for g in range(total):
                            wrong += values[g] != merged[np.uint32(into[g])]
                        if wrong == 0:
                            target = merge_to[k]
                if target < 0:
                    turn += 1
                    size = 0
                    for g in range(total):
                        w = values[g]
                        h = np.uint64(w) * np.uint64(0x9E3779B97F4A7C15)
                        slot = (h >> np.uint64(32)) & np.uint64(last)
                        while met_at[slot] == turn and met[slot] != w:
                            slot = (slot + np.uint64(1)) & np.uint64(last)
                        if met_at[slot] != turn:
                            met_at[slot] = turn
                            met[slot] = w
                            group_of[slot] = size
                            merged[size] = w
                            renumber[g] = size
                            size += 1
                        else:
                            renumber[g] = group_of[slot]
                    if size == total:
                        target = source
                    else:
                        for k in range(merges - 1, -1, -1):
                            if merge_from[k] == source and sizes[merge_to[k]] == size and agree(merge_map[k], renumber, total):
                                target = merge_to[k]
                                likely[source, hint] = k
                                break
                if target < 0:
                    for e in range(elements):
                        row[e] = renumber[np.uint32(rows[source, e])]
                    target = intern(row, size, rows, sizes, counts[0], table)
                    if target < 0:
                        return int(FAILED)
                    counts[0] = max(counts[0], target + 1)
                    k = met_merges % len(merge_map)
                    met_merges += 1
                    merges = min(met_merges, len(merge_map))
                    merge_from[k] = source
                    merge_to[k] = target
                    likely[source, hint] = k
                    for g in range(total - 1, -1, -1):
                        merge_map[k, g] = renumber[g]
                        merge_first[k, renumber[g]] = g
                known = state[child]
                if known >= 0 and attempt == 0:
                    at = start[child]
                    if known == target and agree(pool[at:], merged, size):
                        break
                    # Elements whose two paths lead to different nodes leave; then the partition is made anew.
                    for e in range(elements):
                        w = merged[np.uint32(rows[target, e])]
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
                place_of = pool[used : used + size]
                for g in range(size):
                    place_of[g] = merged[g]
                used += size
                break
    return leaf_count
