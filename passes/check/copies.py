"""The asynchronous copies that are under way: a table of them, with a queue for each thread."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, inner_allocating
from volta_pipe.passes.check.clocks import THREAD_MASK
from volta_pipe.passes.check.sorts import READ

Array = np.ndarray[Any, np.dtype[Any]]
# Columns of a copy that is under way: the next one of its thread (or of the free ones), its group, the stamp of the row that
# says where it writes (the row before says where it reads); address, bytes and region of both sides, region -1 where nothing
# races.
C_NEXT, C_GROUP, C_STAMP, C_TO, C_SIZE, C_TO_REGION, C_FROM, C_READ, C_FROM_REGION = range(9)
COPY_COLUMNS = 9
# Rows of the table of threads: first and last copy under way, groups committed. Entry 0 of the copies heads the free ones.
T_FIRST, T_LAST, T_COMMITTED = range(3)


@inner
def begin(copies: Array, threads: Array, thread: int) -> int:
    """A new copy of a thread, in the group that it has not committed yet; there must be a free entry."""
    e = copies[0, C_NEXT]
    copies[0, C_NEXT] = copies[e, C_NEXT]
    copies[e, C_NEXT] = 0
    copies[e, C_TO_REGION] = copies[e, C_FROM_REGION] = -1
    copies[e, C_GROUP] = threads[T_COMMITTED, thread] + 1
    if threads[T_FIRST, thread]:
        copies[threads[T_LAST, thread], C_NEXT] = e
    else:
        threads[T_FIRST, thread] = e
    threads[T_LAST, thread] = e
    return int(e)


@inner
def due(copies: Array, threads: Array, thread: int, pending: int) -> int:
    """Takes from a thread its oldest copy, unless that belongs to the newest `pending` groups (-1: whatever it belongs to);
    0 where there is none. The entry is free, and good until the next `begin`."""
    e = threads[T_FIRST, thread]
    if e == 0 or (pending >= 0 and copies[e, C_GROUP] > threads[T_COMMITTED, thread] - pending):
        return 0
    threads[T_FIRST, thread] = copies[e, C_NEXT]
    copies[e, C_NEXT] = copies[0, C_NEXT]
    copies[0, C_NEXT] = e
    return int(e)


@inner
def mark(cells: Array, at: int, cell: int, count: int, sorts: int, writes: bool, step: int) -> None:
    """Counts a copy that is under way in (step 1) or out (-1)."""
    place = at + 2 * sorts + (0 if writes else 1)
    for _ in range(count):
        cells[place] += step
        place += cell


@inner
def culprit(copies: Array, threads: Array, address: int, size: int, sort: int) -> int:
    """The stamp of a copy under way that touches bytes in a way that conflicts with an access of this sort; 0 without one.

    Copies are found by their bytes; the source's row is the one before the target's."""
    for t in range(threads.shape[1]):
        e = threads[T_FIRST, t]
        while e:
            low = copies[e, C_TO]
            if copies[e, C_TO_REGION] >= 0 and address < low + copies[e, C_SIZE] and low < address + size:
                return int(copies[e, C_STAMP])
            low = copies[e, C_FROM]
            if sort != READ and copies[e, C_FROM_REGION] >= 0 and address < low + copies[e, C_READ] and low < address + size:
                return int(copies[e, C_STAMP]) - (THREAD_MASK + 1)
            e = copies[e, C_NEXT]
    return 0


@inner_allocating
def more_copies(copies: Array, room: int) -> Array:
    """The table with at least `room` free entries."""
    free = 0
    e = copies[0, C_NEXT]
    while e and free < room:
        free += 1
        e = copies[e, C_NEXT]
    if free >= room:
        return copies
    old = len(copies)
    larger = np.zeros((2 * old + room, COPY_COLUMNS), np.int64)
    for i in range(old):
        for c in range(COPY_COLUMNS):
            larger[i, c] = copies[i, c]
    for i in range(old, len(larger)):
        larger[i, C_NEXT] = larger[0, C_NEXT]
        larger[0, C_NEXT] = i
    return larger
