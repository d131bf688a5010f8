"""Compiled loops over partitions of the elements: interning them, and comparing the nodes of their groups."""

# ruff: noqa: SIM110 (compiled loops: plain comparisons)
from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64

Array = np.ndarray[Any, np.dtype[Any]]
FAILED = -1  # there are more partitions than their arrays hold


@inner
def intern(row: Array, groups: int, rows: Array, sizes: Array, count: int, table: Array) -> int:
    """Number of a partition (group of each element); appends it where it is new. FAILED when `rows` is full."""
    h = np.uint64(groups)
    for e in range(len(row)):
        h = (h ^ np.uint64(row[e])) * np.uint64(0x100000001B3)
        h ^= h >> np.uint64(27)
    slot = int64(h & np.uint64(len(table) - 1))
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


@inner
def slot_of(row: Array, groups: int, table: Array) -> int:
    """A free slot for a partition that is known to be new."""
    h = np.uint64(groups)
    for e in range(len(row)):
        h = (h ^ np.uint64(row[e])) * np.uint64(0x100000001B3)
        h ^= h >> np.uint64(27)
    slot = int64(h & np.uint64(len(table) - 1))
    while table[slot] >= 0:
        slot = (slot + 1) & (len(table) - 1)
    return int(slot)


@inner
def ascend(x: Array, size: int) -> bool:
    """Whether each number is larger than the one before it; without a branch, so that many are compared at once."""
    wrong = 0
    for k in range(1, size):
        wrong += x[k] <= x[k - 1]
    return wrong == 0


@inner
def agree(x: Array, y: Array, size: int) -> bool:
    for k in range(size):
        if x[k] != y[k]:
            return False
    return True
