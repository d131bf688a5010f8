"""Whether the same threads meet at the barriers of a CTA on every schedule.

A numbered barrier that is used again counts whoever comes: where an arrival is not ordered behind the round before its own, it
may be counted in that round on another schedule, and other threads meet. If each arrival is ordered behind the round before its
own, then no schedule differs: the first arrival that would be counted in an earlier round comes before that round is over, and
so is not ordered behind it. Rounds of one warp alone are over when they begin: two of them may change places. Order is by
barriers of all sorts here; what barrier objects add to it is left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating, inner
from volta_pipe.passes.check.clocks import THREAD_BITS
from volta_pipe.passes.check.faults import MEETING, record
from volta_pipe.passes.check.joins import BARRIERS
from volta_pipe.passes.check.rows import ARRIVE, BARRIER, WARP_BARRIER, Rows

Array = np.ndarray[Any, np.dtype[Any]]


@allocating
def meetings(rows: Rows, threads: int, warp_shift: int, raw: Array, used: Array) -> None:
    """Records the arrivals that may be counted in an earlier round of their barrier."""
    known = np.zeros((threads, BARRIERS), np.int64)  # rounds of each barrier that a thread is ordered behind
    told = np.zeros((BARRIERS, BARRIERS), np.int64)  # what those knew that arrived without waiting
    joined = np.zeros(BARRIERS, np.int64)
    rounds = np.zeros(BARRIERS, np.int64)
    shared = np.zeros(BARRIERS, np.int64)  # the last round that was not of one warp alone
    waiting = np.zeros(BARRIERS, np.int64)  # arrivals without waiting in the present round
    ended = np.zeros(BARRIERS, np.int64)  # stamps of the last rounds
    for cta in range(len(rows.cta_rows) - 1):
        known[:] = 0
        told[:] = 0
        rounds[:] = 0
        shared[:] = 0
        waiting[:] = 0
        for r in range(rows.cta_rows[cta], rows.cta_rows[cta + 1]):
            i = rows.instr[r]
            if i < 0:
                continue
            action = rows.action[i]
            if action != BARRIER and action != WARP_BARRIER and action != ARRIVE:
                continue
            start = rows.lane_start[rows.mask[r]]
            end = rows.lane_start[rows.mask[r] + 1]
            if action == WARP_BARRIER:
                k = start
                while k < end:
                    stop = k + 1
                    while stop < end and rows.lanes[stop] >> warp_shift == rows.lanes[k] >> warp_shift:
                        stop += 1
                    joined[:] = 0
                    _join(known, joined, rows.lanes, k, stop)
                    k = stop
                continue
            pattern = rows.pattern[r]
            alone = action == BARRIER and rows.lanes[start] >> warp_shift == rows.lanes[end - 1] >> warp_shift
            for k in range(end - start):
                thread = rows.lanes[start + k]
                number = rows.base[r] + (rows.pattern_values[rows.pattern_start[pattern] + k] if pattern >= 0 else 0)
                last = shared[number] if alone and waiting[number] == 0 else rounds[number]
                if known[thread, number] < last:
                    record(rows.instr, raw, used, MEETING, r, thread, ended[number], number)
                if action == ARRIVE:
                    waiting[number] += 1
                    for b in range(BARRIERS):
                        told[number, b] = max(told[number, b], known[thread, b])
            if action == BARRIER:
                number = rows.base[r]
                rounds[number] += 1
                if not alone or waiting[number]:
                    shared[number] = rounds[number]
                waiting[number] = 0
                ended[number] = ((r + 1) << THREAD_BITS) | rows.lanes[start]
                for b in range(BARRIERS):
                    joined[b] = told[number, b]
                    told[number, b] = 0
                joined[number] = rounds[number]
                _join(known, joined, rows.lanes, start, end)


@inner
def _join(known: Array, joined: Array, lanes: Array, start: int, end: int) -> None:
    """All of lanes[start:end] learn what one of them, or `joined`, knows."""
    for k in range(start, end):
        for b in range(BARRIERS):
            joined[b] = max(joined[b], known[lanes[k], b])
    for k in range(start, end):
        for b in range(BARRIERS):
            known[lanes[k], b] = joined[b]
