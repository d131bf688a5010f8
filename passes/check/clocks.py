"""Happens-before between memory accesses, exact, in two forms that share one encoding (all compiled).

A stamp names an access: ((row + 1) << 11) | thread, so that stamps grow with time and 0 means none. An access by thread u is
ordered before the present one of thread t iff its stamp lies below a threshold that t knows for u (or u is t): no epoch
has to be stored with it.

* Two levels (all barriers cover the whole CTA, all warp barriers the whole warp): one threshold for the CTA, one for each warp.
* Vector clocks (anything else): clock[t, u], joined over the threads of a barrier. There may be more columns than threads: what
  t knows of agents that are no threads (agents.py), and how many phases of barrier objects (phases.py).

A cell holds four stamps of one granule of memory: two for writes, two for reads (and two more, the last write and the last
read of an earlier CTA, where CTAs can meet). A pair (first, second) summarises all accesses of its sort in this CTA so that the
answer to "is there one that is not ordered before me?" is exact, for every access and not only up to the first race:

* two levels: `first` is the youngest; `second` another thread's, of another warp (then everybody conflicts with one of them
  until the next CTA barrier), or of the same warp in the same warp epoch. Accesses that are dropped are ordered before one
  that is kept, or had their own conflict with it.
* vector clocks (FastTrack, Flanagan and Freund, PLDI 2009): `first` is the youngest; `second` is 0 while all others are ordered
  before it, else the number of a vector with one stamp a thread. Vectors die with the next
  barrier of the whole CTA, so they are handed out in order and taken back all at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, inner_allocating
from volta_pipe.passes.check.memory import WINDOW

Array = np.ndarray[Any, np.dtype[Any]]
THREAD_BITS = 11  # PTX: at most 1024 threads a CTA; each may have copies under way, which act for themselves (agents.py)
THREAD_MASK = (1 << THREAD_BITS) - 1
SPLIT = 1 << 62  # bit of `second`: another warp than `first`
WRITES, READS, OLD = 0, 2, 4  # places in a cell; OLD: write, read of an earlier CTA
LOCAL_CELL, SHARED_CELL = 4, 6  # stamps of a cell: seen by one CTA, by several


# Slow for numba to compile: whole-array operations, tuples of arrays as arguments. Inner functions use neither.


@inner
def conflict(first: int, second: int, thread: int, warp_shift: int, cta_floor: int, warp_floor: int) -> int:
    """Two levels: a stamp of the pair that is not ordered before `thread`, or 0."""
    if first < cta_floor:
        return 0
    other = first & THREAD_MASK
    if (other ^ thread) >> warp_shift or (first >= warp_floor and other != thread):
        return first
    if second == 0:
        return 0
    second &= SPLIT - 1
    other = second & THREAD_MASK
    if (other ^ thread) >> warp_shift or (second >= warp_floor and other != thread):
        return second
    return 0


@inner
def add(cells: Array, at: int, stamp: int, thread: int, warp_shift: int, warp_floor: int) -> None:
    """Two levels: puts an access into the pair at `at`, whose first stamp is of this CTA epoch."""
    first = cells[at]
    second = cells[at + 1]
    other = first & THREAD_MASK
    if second >= SPLIT:
        return  # two warps: conflicts with everybody, whatever comes
    if (other ^ thread) >> warp_shift:
        cells[at + 1] = stamp | SPLIT
    elif first < warp_floor:
        cells[at] = stamp
        cells[at + 1] = 0
    elif other == thread:
        cells[at] = stamp
    elif second == 0:
        cells[at + 1] = stamp


@inner
def enter(cells: Array, mine: int, old: int, stamp: int, cta_floor: int) -> None:
    """Starts a pair anew, its stamps being ordered before all threads.

    What an earlier CTA left goes to `old` (0: no such place)."""
    first = cells[mine]
    if old and 0 < first < cta_floor:
        cells[old] = first
    cells[mine] = stamp
    cells[mine + 1] = 0


@inner
def settle_row(
    cells: Array,
    values: Array,
    first_value: int,
    base: int,
    lanes: Array,
    start: int,
    lane: int,
    count: int,
    first_cell: int,
    low: int,
    shift: int,
    granules: int,
    now: int,
    store: bool,
    floor: int,
    warp_floors: Array,
    warp_shift: int,
) -> int:
    """Two levels, memory of one CTA: does the work of `visit` where nothing can be in conflict, for the lanes of a row from
    `lane` on; returns the first for which `visit` must be called, or `count`.

    That is: a load where nobody stored since the last barrier of the CTA, a store where nobody did anything (an access that
    enters twice does no harm). first_value: in `values`, of lane 0's address less `base`; -1 where all are `base`. A loop of
    its own, as most accesses go through it, and inside `walk` it would not have its numbers in registers."""
    for k in range(lane, count):
        address = base + values[first_value + k] if first_value >= 0 else base
        thread = lanes[start + k]
        at = first_cell + (((address & WINDOW) - low) >> shift) * LOCAL_CELL
        stamp = now | thread
        for _ in range(granules):
            if cells[at + WRITES] >= floor:
                return k
            if cells[at + READS] < floor:
                mine = at + (WRITES if store else READS)
                cells[mine] = stamp
                cells[mine + 1] = 0
            elif store:
                return k
            elif cells[at + READS + 1] < SPLIT:
                add(cells, at + READS, stamp, thread, warp_shift, warp_floors[thread >> warp_shift])
            at += LOCAL_CELL
    return count


@inner
def visit(
    cells: Array,
    at: int,
    cell: int,
    count: int,
    stamp: int,
    store: bool,
    cta_floor: int,
    floor: int,
    warp_floor: int,
    warp_shift: int,
    hits: Array,
) -> bool:
    """Two levels: one access to `count` granules from the cell at `at` on; whether it conflicts with another.

    hits: two for each granule, a stamp in conflict among writes, and one among reads."""
    thread = stamp & THREAD_MASK
    found = False
    for granule in range(count):
        for sort in range(0, 4 if store else 2, 2):  # WRITES, and for a store READS
            first = cells[at + sort]
            other = 0
            if first >= floor:
                other = conflict(first, cells[at + sort + 1], thread, warp_shift, floor, warp_floor)
            if cell > OLD and other == 0:
                other = first if 0 < first < cta_floor else cells[at + OLD + sort // 2]
            if other:
                hits[2 * granule + sort // 2] = other
                found = True
        mine = at + (WRITES if store else READS)
        if cells[mine] < floor:
            old = 0 if cell <= OLD else at + OLD + (0 if store else 1)
            enter(cells, mine, old, stamp, cta_floor)
        else:
            add(cells, mine, stamp, thread, warp_shift, warp_floor)
        at += cell
    return found


@inner
def conflict_clock(first: int, second: int, thread: int, clock: Array, vectors: Array) -> int:
    """Vector clocks: the youngest stamp of the pair that is not ordered before `thread`, or 0."""
    youngest = 0
    if second == 0:
        other = first & THREAD_MASK
        return first if other != thread and first >= clock[thread, other] else 0
    for other in range(clock.shape[1]):
        if vectors[second, other] >= clock[thread, other] and other != thread:
            youngest = max(youngest, int(vectors[second, other]))
    return youngest


@inner
def visit_clock(
    cells: Array,
    at: int,
    cell: int,
    count: int,
    stamp: int,
    store: bool,
    cta_floor: int,
    floor: int,
    clock: Array,
    vectors: Array,
    taken: Array,
    hits: Array,
) -> bool:
    """Vector clocks: the same. taken: int64 [1], vectors handed out; `count` more must be there."""
    thread = stamp & THREAD_MASK
    found = False
    for granule in range(count):
        for sort in range(0, 4 if store else 2, 2):
            first = cells[at + sort]
            other = 0
            if first >= floor:
                other = conflict_clock(first, cells[at + sort + 1], thread, clock, vectors)
            if cell > OLD and other == 0:
                other = first if 0 < first < cta_floor else cells[at + OLD + sort // 2]
            if other:
                hits[2 * granule + sort // 2] = other
                found = True
        mine = at + (WRITES if store else READS)
        first = cells[mine]
        other = first & THREAD_MASK
        if first < floor:
            old = 0 if cell <= OLD else at + OLD + (0 if store else 1)
            enter(cells, mine, old, stamp, cta_floor)
        elif cells[mine + 1]:
            vectors[cells[mine + 1], thread] = stamp
            cells[mine] = stamp
        else:
            if other != thread and first >= clock[thread, other]:
                vector = taken[0]
                taken[0] += 1
                for u in range(clock.shape[1]):
                    vectors[vector, u] = 0
                vectors[vector, other] = first
                vectors[vector, thread] = stamp
                cells[mine + 1] = vector
            cells[mine] = stamp
        at += cell
    return found


@inner_allocating
def enlarged(vectors: Array) -> Array:
    """The vectors with as much room again."""
    larger = np.zeros((2 * vectors.shape[0], vectors.shape[1]), np.int64)
    for v in range(vectors.shape[0]):
        for u in range(vectors.shape[1]):
            larger[v, u] = vectors[v, u]
    return larger


@inner
def join(clock: Array, joined: Array, lanes: Array, start: int, end: int, now: int, arrived: Array) -> None:
    """Vector clocks: a barrier of the threads lanes[start:end]; `now` is above all their stamps so far. arrived: int64
    [threads], what threads knew that arrived without waiting, which is taken (zero where there are none)."""
    for u in range(clock.shape[1]):
        joined[u] = arrived[u]
        arrived[u] = 0
        for k in range(start, end):
            joined[u] = max(joined[u], clock[lanes[k], u])
    for k in range(start, end):
        joined[lanes[k]] = now
    for k in range(start, end):
        for u in range(clock.shape[1]):
            clock[lanes[k], u] = joined[u]
