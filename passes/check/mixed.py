"""Happens-before in memory that atomics or asynchronous copies touch: as clocks.py, with a pair of stamps a sort.

A cell holds a pair for each sort; how many asynchronous copies that are under way write it, and how many read it; and, where
CTAs can meet, the last stamp of an earlier CTA for each sort. What conflicts with what is a table (sorts.py).

An asynchronous copy reads and writes some time between its issue and the wait of its thread. So it conflicts with all that is
not ordered before the issue, which is tested there as for an access of the thread; with everything from then to the wait, which
is what the counts are for, as no later row can be ordered before the issue and none before the wait's row after it; and with
what is not ordered behind the wait, for which the wait puts stamps of its own row as if its thread did the work there."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating, inner
from volta_pipe.passes.check.clocks import SPLIT, THREAD_MASK, add, conflict, conflict_clock, enter
from volta_pipe.passes.check.sorts import READ

Array = np.ndarray[Any, np.dtype[Any]]
# Columns of hits: a stamp in conflict, and what the rule says. A row for each sort of each granule.
H_STAMP, H_RULE = range(2)


@allocating
def cell_size(sorts: int, shared: bool) -> int:
    """Stamps and counts of a cell."""
    return 2 * sorts + 2 + (sorts if shared else 0)


@inner
def settle_mixed(
    cells: Array, at: int, cell: int, count: int, stamp: int, sort: int, sorts: int, floor: int, warp_shift: int,
    warp_floor: int,
) -> bool:  # fmt: skip
    """Two levels, memory of one CTA: does the work of `look` and `put` where nothing can be in conflict: no copy is under way,
    and there was nothing since the last barrier of the CTA (but loads, if this is one). False: call those."""
    for _ in range(count):
        if cells[at + 2 * sorts] or (sort != READ and cells[at + 2 * sorts + 1]):
            return False
        for s in range(sorts):
            if cells[at + 2 * s] >= floor and not (s == READ and sort == READ):
                return False
        mine = at + 2 * sort
        if cells[mine] < floor:
            cells[mine] = stamp
            cells[mine + 1] = 0
        elif cells[mine + 1] < SPLIT:
            add(cells, mine, stamp, stamp & THREAD_MASK, warp_shift, warp_floor)
        at += cell
    return True


@inner
def look(
    cells: Array,
    at: int,
    cell: int,
    count: int,
    stamp: int,
    sort: int,
    rules: Array,
    cta_floor: int,
    floor: int,
    warp_floor: int,
    warp_shift: int,
    by_clock: bool,
    clock: Array,
    vectors: Array,
    hits: Array,
) -> int:
    """Tests one access to `count` granules from the cell at `at` on. Fills hits int64 [sorts of each granule, 2] where it
    conflicts. Returns the granule, plus one, in which it meets a copy that is under way, or 0; that number's complement
    where there are hits."""
    sorts = len(rules[0])
    thread = stamp & THREAD_MASK
    shared = cell > 2 * sorts + 2
    under_way = 0
    found = False
    for granule in range(count):
        for s in range(sorts):
            first = cells[at + 2 * s]
            other = 0
            rule = rules[0, sort, s]
            if rule and first >= floor:
                if by_clock:
                    other = conflict_clock(first, cells[at + 2 * s + 1], thread, clock, vectors)
                else:
                    other = conflict(first, cells[at + 2 * s + 1], thread, warp_shift, floor, warp_floor)
            if shared and other == 0:
                rule = rules[1, sort, s]
                if rule:
                    other = first if 0 < first < cta_floor else cells[at + 2 * sorts + 2 + s]
            if other:
                found = True
                hits[granule * sorts + s, H_STAMP] = other
                hits[granule * sorts + s, H_RULE] = rule
        if under_way == 0 and (cells[at + 2 * sorts] or (sort != READ and cells[at + 2 * sorts + 1])):
            under_way = granule + 1
        at += cell
    return ~under_way if found else under_way


@inner
def put(
    cells: Array,
    at: int,
    cell: int,
    count: int,
    stamp: int,
    knower: int,
    sort: int,
    sorts: int,
    cta_floor: int,
    floor: int,
    warp_floor: int,
    warp_shift: int,
    by_clock: bool,
    clock: Array,
    vectors: Array,
    taken: Array,
) -> None:
    """Keeps one access, which what the thread `knower` did or knows of is ordered before. With vector clocks `count` more
    vectors must be there."""
    thread = stamp & THREAD_MASK
    for _ in range(count):
        mine = at + 2 * sort
        first = cells[mine]
        if first < floor:
            enter(cells, mine, at + 2 * sorts + 2 + sort if cell > 2 * sorts + 2 else 0, stamp, cta_floor)
        elif not by_clock:
            add(cells, mine, stamp, thread, warp_shift, warp_floor)
        elif cells[mine + 1]:
            vectors[cells[mine + 1], thread] = stamp
            cells[mine] = stamp
        else:
            other = first & THREAD_MASK
            if other != thread and other != knower and first >= clock[knower, other]:
                vector = taken[0]
                taken[0] += 1
                for u in range(clock.shape[1]):
                    vectors[vector, u] = 0
                vectors[vector, other] = first
                vectors[vector, thread] = stamp
                cells[mine + 1] = vector
            cells[mine] = stamp
        at += cell
