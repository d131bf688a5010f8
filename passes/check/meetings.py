"""Whether the same threads meet at the barriers of a CTA on every schedule.

A numbered barrier that is used again counts whoever comes: where an arrival is not ordered behind the round before its own, it
may be counted in that round on another schedule, and other threads meet. If each arrival is ordered behind the round before its
own, then no schedule differs: the first arrival that would be counted in an earlier round comes before that round is over, and
so is not ordered behind it. A round is over when all of its arrivals have happened: whoever waited in it knows, and so does a
thread behind all of them where nobody waited (bar.arrive alone filled the barrier). Rounds of one warp alone that its thread
count fills are over when they begin: those between two other rounds may change places, and have to be behind the one and before
the other. Order is by barriers of all sorts here; what barrier objects add to it is left out.

So the rounds of a barrier make stages: 2k is round k of several warps, 2k + 1 are the rounds of one warp between k and k + 1.
What a thread is ordered behind is the last stage of which it knows an arrival, with the warps whose (last) arrivals in that it
knows: stage << 32 | bits of the warps. Whoever knows one arrival of a stage knows all those before, or there is a finding."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating, inner, int64
from volta_pipe.ir.program import FLAG_ENDS_PHASE
from volta_pipe.passes.check.clocks import THREAD_BITS
from volta_pipe.passes.check.faults import MEETING, record
from volta_pipe.passes.check.joins import BARRIERS
from volta_pipe.passes.check.rows import ARRIVE, BARRIER, WARP_BARRIER, Rows

Array = np.ndarray[Any, np.dtype[Any]]
_WARPS = 32  # of a CTA: bits of what is known
# What is kept of each barrier: rounds of several warps that are over, the last of these and those of one warp since (as what is
# known; 0: none), and the warps that have arrived without waiting in the round that is not over.
_ROUNDS, _LAST, _SINGLE, _PENDING = range(4)


@allocating
def meetings(rows: Rows, threads: int, warp_shift: int, raw: Array, used: Array) -> None:
    """Records the arrivals that may be counted in an earlier round of their barrier."""
    known = np.zeros((threads, BARRIERS), np.int64)
    told = np.zeros((BARRIERS, BARRIERS), np.int64)  # what those knew that arrived without waiting
    joined = np.zeros(BARRIERS, np.int64)
    state = np.zeros((BARRIERS, 4), np.int64)
    stamps = np.zeros((BARRIERS, ((threads - 1) >> warp_shift) + 1), np.int64)  # of the last arrivals of each warp
    for cta in range(len(rows.cta_rows) - 1):
        known[:] = 0
        told[:] = 0
        state[:] = 0
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
            tail = rows.pattern_values[rows.pattern_start[pattern] + end - 1 - start] if pattern >= 0 else 0
            ends = action == BARRIER or rows.flags[r] & FLAG_ENDS_PHASE != 0  # the round of `closing` is over
            closing = rows.base[r] + tail
            alone = ends and rows.counted[i] != 0 and state[closing, _PENDING] == 0
            alone = alone and rows.lanes[start] >> warp_shift == rows.lanes[end - 1] >> warp_shift
            come = int64(0)  # warps of this row that come to `closing`
            for k in range(end - start):
                thread = rows.lanes[start + k]
                number = rows.base[r] + (rows.pattern_values[rows.pattern_start[pattern] + k] if pattern >= 0 else 0)
                before = state[number, _LAST]
                if state[number, _SINGLE] and not (alone and number == closing):
                    before = state[number, _SINGLE]
                missing = _missing(known[thread, number], before)
                if missing >= 0:
                    record(rows.instr, raw, used, MEETING, r, thread, stamps[number, missing], number)
                if action == ARRIVE:
                    for b in range(BARRIERS):
                        told[number, b] = _more(told[number, b], known[thread, b])
                if number == closing:
                    come |= _bit(thread >> warp_shift)
                if action == ARRIVE and not (alone and number == closing):
                    bit = _bit(thread >> warp_shift)
                    known[thread, number] = _more(known[thread, number], (2 * state[number, _ROUNDS] + 2) << _WARPS | bit)
                    state[number, _PENDING] |= bit
            for k in range(end - 1, start - 1, -1):
                tail = rows.pattern_values[rows.pattern_start[pattern] + k - start] if pattern >= 0 else 0
                stamps[rows.base[r] + tail, rows.lanes[k] >> warp_shift] = ((r + 1) << THREAD_BITS) | rows.lanes[k]
            if not ends:
                continue
            if alone:
                if state[closing, _SINGLE] & come:
                    _forget(known, told, closing, state[closing, _SINGLE] >> _WARPS, come)
                over = (2 * state[closing, _ROUNDS] + 1) << _WARPS | come
                state[closing, _SINGLE] = _more(state[closing, _SINGLE], over)
            else:
                state[closing, _ROUNDS] += 1
                over = (2 * state[closing, _ROUNDS]) << _WARPS | come | state[closing, _PENDING]
                state[closing, _LAST], state[closing, _SINGLE], state[closing, _PENDING] = over, 0, 0
            for b in range(BARRIERS):
                joined[b] = told[closing, b] if action == BARRIER else 0
                told[closing, b] = 0
            if action == BARRIER:
                joined[closing] = over
                _join(known, joined, rows.lanes, start, end)
            elif alone:
                for k in range(start, end):
                    known[rows.lanes[k], closing] = _more(known[rows.lanes[k], closing], over)


@inner
def _bit(warp: int) -> int:
    return int64(1) << int64(warp)


@inner
def _more(one: int, other: int) -> int:
    """What is known of a barrier by who knows both."""
    return int64(one | other) if one >> _WARPS == other >> _WARPS else max(int64(one), int64(other))


@inner
def _missing(known: int, before: int) -> int:
    """A warp of whose arrivals in a stage a thread may not be behind; -1 where it is behind all."""
    left = before & ((int64(1) << _WARPS) - 1)
    if known >> _WARPS > before >> _WARPS:
        return int64(-1)
    if known >> _WARPS == before >> _WARPS:
        left &= ~known
    if left == 0:
        return int64(-1)
    warp = int64(0)
    while not (left >> warp) & 1:
        warp += 1
    return warp


@inner
def _forget(known: Array, told: Array, number: int, stage: int, warp: int) -> None:
    """A warp (its bit) is alone at a barrier again in this stage: what was known of it is of the time before."""
    for t in range(known.shape[0]):
        if known[t, number] >> _WARPS == stage:
            known[t, number] &= ~warp
    for b in range(BARRIERS):
        if told[b, number] >> _WARPS == stage:
            told[b, number] &= ~warp


@inner
def _join(known: Array, joined: Array, lanes: Array, start: int, end: int) -> None:
    """All of lanes[start:end] learn what one of them, or `joined`, knows."""
    for k in range(start, end):
        for b in range(BARRIERS):
            joined[b] = _more(joined[b], known[lanes[k], b])
    for k in range(start, end):
        for b in range(BARRIERS):
            known[lanes[k], b] = joined[b]
