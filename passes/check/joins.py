"""What barrier rows do to clocks: threads that meet (bar.sync, bar.red, bar.warp.sync), and those that arrive only
(bar.arrive). Where these fill a barrier nobody learns of it: its next round begins with nothing known."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner
from volta_pipe.ir.program import FLAG_ENDS_PHASE, MICRO_SHIFT
from volta_pipe.passes.check.clocks import THREAD_BITS, join
from volta_pipe.passes.check.rows import BARRIER, Rows

Array = np.ndarray[Any, np.dtype[Any]]
BARRIERS = 16  # of a CTA; rows of `arrived` from here on are of no barrier


@inner
def announce(rows: Rows, r: int, clock: Array, arrived: Array) -> None:
    """Row r, a bar.arrive: its barriers learn what its threads know."""
    now = (r + 1) << THREAD_BITS
    start, pattern = rows.lane_start[rows.mask[r]], rows.pattern[r]
    number = rows.base[r]
    for k in range(rows.lane_start[rows.mask[r] + 1] - start):
        thread = rows.lanes[start + k]
        number = rows.base[r] + (rows.pattern_values[rows.pattern_start[pattern] + k] if pattern >= 0 else 0)
        for u in range(clock.shape[1]):
            arrived[number, u] = max(arrived[number, u], clock[thread, u])
        arrived[number, thread] = now
    if rows.flags[r] & FLAG_ENDS_PHASE:
        for u in range(clock.shape[1]):
            arrived[number, u] = 0


@inner
def meet_at(rows: Rows, r: int, now: int, clock: Array, joined: Array, arrived: Array, warp_shift: int) -> None:
    """The threads of row r meet, those of a CTA or those of each warp, with vector clocks; stamps below `now` are before it."""
    start, end = rows.lane_start[rows.mask[r]], rows.lane_start[rows.mask[r] + 1]
    if rows.action[rows.instr[r]] == BARRIER:
        join(clock, joined, rows.lanes, start, end, now, arrived[rows.base[r]])
        return
    k = start
    while k < end:
        stop = k + 1
        while stop < end and rows.lanes[stop] >> warp_shift == rows.lanes[k] >> warp_shift:
            stop += 1
        join(clock, joined, rows.lanes, k, stop, now, arrived[BARRIERS])
        k = stop


@inner
def raise_warps(rows: Rows, r: int, now: int, warp_floors: Array, warp_shift: int) -> None:
    """The threads of row r meet in each of their warps, with two levels: what was before (stamps below `now`) is ordered in a
    warp of which two threads meet."""
    start, end = rows.lane_start[rows.mask[r]], rows.lane_start[rows.mask[r] + 1]
    for k in range(start + 1, end):
        warp = rows.lanes[k] >> warp_shift
        if rows.lanes[k - 1] >> warp_shift == warp:
            warp_floors[warp] = now


@inner
def continues(rows: Rows, earlier: int, r: int) -> bool:
    """Whether row r is the next part of the matrix transfer that row `earlier` is of."""
    alike = rows.instr[r] == rows.instr[earlier] and rows.mask[r] == rows.mask[earlier]
    return bool(alike and rows.flags[r] >> MICRO_SHIFT == (rows.flags[earlier] >> MICRO_SHIFT) + 1)
