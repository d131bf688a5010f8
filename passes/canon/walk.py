"""Compiled loops over the expression graph: signatures, the walk of one representative, and its leaf renaming.

The walk carries, for each node under the representative's root, a partition of the elements and one node a group: elements that
share a node are followed once. Partitions are interned, so a step costs the groups of its parent, not the elements."""

# ruff: noqa: SIM110 (compiled loops: columns as arguments, plain comparisons)
from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR, _UNINIT = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR), int(Node.UNINIT)
UNDEFINED, NOT_FINITE = 1, 2  # taints of a node
FAILED = -1  # the walk met more partitions than its table holds
_DEAD = 0  # node 0 stands for elements that have left the class


@njit(cache=True, nogil=True)
def signatures(op: Array, a: Array, b: Array, c: Array, constants: Array, arity: Array) -> tuple[Array, Array]:
    """Per node a 64-bit signature of its shape (operators, constants, tensors of leaves, not their elements) and its taints
    (UNDEFINED: an UNINIT is reachable; NOT_FINITE: NaN or ±inf is). Equal shapes have equal signatures; not the other way."""
    n = len(op)
    sign = np.zeros(n, np.uint64)
    taint = np.zeros(n, np.uint8)
    bits = constants.view(np.uint64)
    k1 = np.uint64(0x9E3779B97F4A7C15)
    k2 = np.uint64(0xBF58476D1CE4E5B9)
    for v in range(n):
        o = op[v]
        h = np.uint64(o) * k1 + k2
        t = 0
        count = arity[o]
        if o == _CONST:
            h ^= bits[a[v]]
            if not np.isfinite(constants[a[v]]):
                t = NOT_FINITE
        elif o == _LEAF or o == _SCALAR:
            h += np.uint64(a[v]) * k2
        elif o == _UNINIT:
            t = UNDEFINED
        if count > 0:
            h = (h ^ sign[a[v]]) * k1
            h ^= h >> np.uint64(31)
            t |= taint[a[v]]
        if count > 1:
            h = (h + sign[b[v]]) * k2
            h ^= h >> np.uint64(29)
            t |= taint[b[v]]
        if count > 2:
            h = (h ^ sign[c[v]]) * k1
            t |= taint[c[v]]
        h ^= h >> np.uint64(32)
        sign[v] = h * k2
        taint[v] = t
    return sign, taint


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def walk(
    op: Array, a: Array, b: Array, c: Array, constants: Array, arity: Array,
    order: Array, mark: Array, roots: Array, ok: Array, rows: Array, sizes: Array, counts: Array,
    stamp: Array, group_of: Array,
) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """Follows the representative's nodes (`order`, `mark` of `Side.reachable`) from the root down in all elements at once.

    roots: int32 [R], each element's root; ok: bool [R], cleared where an element's expression has another shape, constant or
    sharing; rows: int32 [P, R], sizes: int32 [P]: interned partitions, shared by both sides; counts: int64 [2], how many
    (FAILED when they do not fit) and the last stamp; stamp, group_of: int64, int32 [n] of scratch, kept over calls.
    Result, per leaf of the representative: its node, its partition, where its group nodes start, and the pool of these."""
    n = len(order)
    elements = len(roots)
    bits = constants.view(np.uint64)
    table = np.full(4 * len(rows), -1, np.int32)
    for k in range(counts[0]):
        slot = _slot_of(rows[k], sizes[k], table)
        table[slot] = k
    turn = counts[1]
    state = np.full(n, -1, np.int32)
    start = np.zeros(n, np.int64)
    pool = np.empty(max(4 * elements, 1 << 16), np.int32)
    used = 0
    values = np.empty(elements, np.int32)  # group nodes of an operand, before groups that coincide are merged
    merged = np.empty(elements, np.int32)
    renumber = np.empty(elements, np.int32)
    identity = np.arange(elements, dtype=np.int32)
    row = np.empty(elements, np.int32)
    # Merges already seen: (partition, renumbering) → partition.
    merges = 0
    merge_from = np.empty(256, np.int32)
    merge_to = np.empty(256, np.int32)
    merge_map = np.empty((256 if elements <= 1 << 16 else 16, elements), np.int32)
    leaves = np.empty(n, np.int32)
    leaf_count = 0

    first = _intern(identity, elements, rows, sizes, counts[0], table)
    if first < 0:
        counts[0] = FAILED
        return leaves[:0], leaves[:0], start[:0], pool[:0]
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
                            counts[0] = FAILED
                            return leaves[:0], leaves[:0], start[:0], pool[:0]
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
                    larger = np.empty(2 * len(pool) + size, np.int32)
                    for g in range(used):
                        larger[g] = pool[g]
                    pool = larger
                state[child] = target
                start[child] = used
                for g in range(size):
                    pool[used + g] = merged[g]
                used += size
                break
    counts[1] = turn
    found = np.empty(leaf_count, np.int32)
    at = np.empty(leaf_count, np.int64)
    part = np.empty(leaf_count, np.int32)
    for k in range(leaf_count):
        i = leaves[k]
        at[k] = start[i]
        part[k] = state[i]
        found[k] = order[i]
    return found, part, at, pool


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def agree(x: Array, y: Array, size: int) -> bool:
    for k in range(size):
        if x[k] != y[k]:
            return False
    return True
