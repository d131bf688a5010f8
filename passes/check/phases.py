"""Barrier objects (mbarrier, PTX ISA 9.7.13.15): what a completed phase orders, and whether it is the same on every schedule.

Memory: a signal with .release tells its object what its thread knows (threads and their copies; of a cp.async.mbarrier.arrive
only the copies so far), and a wait with .acquire takes what the signals of its phase told. .relaxed orders no memory.

Phases: the machine chose one schedule. On every other one the same signals make up the same phases, and each wait is for the
same phase, if (by what threads know of each other's progress, `causal`, for which .relaxed does as well)

* each signal comes after a wait that found the phase before its own complete (which the ISA asks for, 9.7.13.15.4);
* what raises a count (expect_tx, and an arrival of copies that counts itself in) comes before an arrival of the same phase, so
  that the counts cannot reach zero without it; and so does what must not complete the phase (.noComplete). (A tx-count that is
  below zero when no arrivals are pending could have been zero before: `unroll` refuses such an object when the CTA ends.)
* each wait comes after the phase before the one that it is for, and before that behind it: some signal there comes after the
  wait.

For then no set of signals that is closed under "comes before" completes a phase but the whole. What does not hold is
reported."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT, SHARED_REGION
from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.mbarriers import ARRIVES, COUNTED, EXPECTS, NOT_END, OBJECT_BYTES, RELAXED, UNCOUNTED
from volta_pipe.ir.program import FLAG_ENDS_PHASE
from volta_pipe.passes.check.clocks import THREAD_BITS, THREAD_MASK
from volta_pipe.passes.check.faults import ORDER, PHASE, record
from volta_pipe.passes.check.memory import WINDOW
from volta_pipe.passes.check.rows import AWAIT, INIT, INVAL, TRACK, Rows

Array = np.ndarray[Any, np.dtype[Any]]
# Planes of int64 [PLANES, objects, threads + objects]: what the signals of the phase under way know (thresholds of threads,
# numbers of phases), those of the last complete phase, the arrivals that may complete a phase, all arrivals; stamps by thread:
# of the last wait for the last complete phase, of the last signal of either kind that must come before an arrival, of the last
# signal, and of the last whose token is counted.
TOLD, ENDED, ARRIVED, ARRIVED_ANY, WAITED, BEFORE, BEFORE_ANY, SIGNALLED, COUNTED_AT = range(9)
PLANES = 9
# Columns of int64 [objects, COLUMNS]: phases completed so far (counted on over init), at the last init, whether there is an
# object, stamp of the signal that completed the last phase, copies that arrive in the phase under way.
NUMBER, FIRST, LIVE, LAST, COPIES = range(5)
COLUMNS = 5


@inner
def object_at(objects: Array, address: int) -> int:
    """The number of the object that holds the byte at an address, or -1. objects: int64 [bytes of shared memory / 8]."""
    place = (address & WINDOW) // OBJECT_BYTES
    return int(objects[place]) if address >> REGION_SHIFT == SHARED_REGION and place < len(objects) else -1


@inner
def touched(objects: Array, state: Array, address: int, size: int) -> bool:
    """Whether an access meets the bytes of an object that is there."""
    found = False
    for at in range(address, address + size, OBJECT_BYTES):
        o = object_at(objects, at)
        found = found or (o >= 0 and state[o, LIVE] != 0)
    o = object_at(objects, address + size - 1)
    return bool(found or (o >= 0 and state[o, LIVE] != 0))


@inner
def _tell(plane: Array, o: int, causal: Array, thread: int, floor: int, beyond: int) -> None:
    """The plane learns what a thread knows, and the thread's rows up to `beyond`."""
    threads = causal.shape[0]
    for u in range(causal.shape[1]):
        known = max(causal[thread, u], floor) if u < threads else causal[thread, u]
        plane[o, u] = max(plane[o, u], known)
    plane[o, thread] = beyond


@inner
def _unordered(stamps: Array, o: int, causal: Array, thread: int, floor: int) -> int:
    """One of the stamps of other threads that a thread does not know of, or 0."""
    for u in range(causal.shape[0]):
        if u != thread and stamps[o, u] >= max(causal[thread, u], floor) and stamps[o, u]:
            return int(stamps[o, u])
    return 0


@inner
def _left(stamps: Array, told: Array, o: int, threads: int) -> int:
    """One of the stamps that no signal in `told` comes after, or 0."""
    for u in range(threads):
        if stamps[o, u] and stamps[o, u] >= told[o, u]:
            return int(stamps[o, u])
    return 0


@inner
def _early(planes: Array, o: int, threads: int) -> int:
    """A stamp of what the phase under way might complete without, or with, and must not; or 0."""
    other = _left(planes[BEFORE], planes[ARRIVED], o, threads)
    return other if other else _left(planes[BEFORE_ANY], planes[ARRIVED_ANY], o, threads)


@inner
def _complete(state: Array, planes: Array, told: Array, o: int, threads: int, stamp: int) -> int:
    """The phase under way ends. A stamp of what could as well be in another phase, or 0."""
    other = _left(planes[WAITED], planes[TOLD], o, threads)
    if other == 0:
        other = _early(planes, o, threads)
    state[o, NUMBER] += 1
    state[o, LAST] = stamp
    state[o, COPIES] = 0
    for u in range(planes.shape[2]):
        planes[ENDED, o, u] = planes[TOLD, o, u]
        for p in range(PLANES):
            if p != ENDED:
                planes[p, o, u] = 0
    planes[ENDED, o, threads + o] = state[o, NUMBER]
    for u in range(told.shape[2]):
        told[1, o, u] = told[0, o, u]
        told[0, o, u] = 0
    return other


@inner
def share(causal: Array) -> None:
    """At a barrier of the whole CTA: all threads learn which phases any of them knows to be complete."""
    threads = causal.shape[0]
    for u in range(threads, causal.shape[1]):
        most = 0
        for t in range(threads):
            most = max(most, causal[t, u])
        for t in range(threads):
            causal[t, u] = most


@inner
def close(rows: Rows, objects: Array, planes: Array, threads: int, raw: Array, used: Array) -> None:
    """At the end of a CTA: the phases that are under way must not be complete on another schedule."""
    for place in range(len(objects)):
        o = objects[place]
        stamp = _early(planes, o, threads) if o >= 0 else 0
        if stamp:
            thread = stamp & THREAD_MASK
            address = (int64(SHARED_REGION) << REGION_SHIFT) + place * OBJECT_BYTES
            record(rows.instr, raw, used, PHASE, (stamp >> THREAD_BITS) - 1, thread, stamp, address)


@inner
def advance(
    rows: Rows, r: int, objects: Array, state: Array, planes: Array, told: Array, causal: Array, clock: Array, floor: int,
    raw: Array, used: Array,
) -> None:  # fmt: skip
    """What the row r does to the objects that it names. told: int64 [2, objects, columns of clock], what the signals of the
    phase under way release, and those of the last complete one."""
    i = rows.instr[r]
    action, sub = rows.action[i], rows.sub[i]
    start, end = rows.lane_start[rows.mask[r]], rows.lane_start[rows.mask[r] + 1]
    threads = causal.shape[0]
    now, beyond = (r + 1) << THREAD_BITS, (r + 2) << THREAD_BITS
    for k in range(end - start):
        thread = rows.lanes[start + k]
        stamp = now | thread
        address = rows.base[r]
        if rows.pattern[r] >= 0:
            address += rows.pattern_values[rows.pattern_start[rows.pattern[r]] + k]
        o = object_at(objects, address)
        if o < 0:
            continue
        if action == INIT or action == INVAL:
            other = _early(planes, o, threads)
            if other:
                record(rows.instr, raw, used, PHASE, r, thread, other, address)
            state[o, LIVE] = 1 if action == INIT else 0
            state[o, NUMBER] += 1 if action == INIT else 0  # what threads know of an earlier object counts no more
            state[o, FIRST] = state[o, NUMBER]
            state[o, COPIES] = 0
            planes[:, o, :] = 0
            told[:, o, :] = 0
            continue
        number = state[o, NUMBER] - (1 if action == AWAIT else 0)  # of the phase that must be known to be complete
        if number > state[o, FIRST] and causal[thread, threads + o] < number:
            record(rows.instr, raw, used, PHASE, r, thread, state[o, LAST], address)
        if action == AWAIT:
            planes[WAITED, o, thread] = stamp
            for u in range(causal.shape[1]):
                causal[thread, u] = max(causal[thread, u], planes[ENDED, o, u])
            if not sub & RELAXED:
                for u in range(clock.shape[1]):
                    clock[thread, u] = max(clock[thread, u], told[1, o, u])
            continue
        # A token that is counted tells who arrived before.
        other = _unordered(planes[COUNTED_AT], o, causal, thread, floor)
        if sub & COUNTED and other == 0:
            other = state[o, COPIES] if state[o, COPIES] else _unordered(planes[SIGNALLED], o, causal, thread, floor)
        if other:
            record(rows.instr, raw, used, ORDER, r, thread, other, address)
        planes[SIGNALLED, o, thread] = stamp
        if sub & COUNTED:
            planes[COUNTED_AT, o, thread] = stamp
        _tell(planes[TOLD], o, causal, thread, floor, beyond)
        counts_in = action == TRACK and not sub & UNCOUNTED
        if sub & (ARRIVES | UNCOUNTED) and not sub & NOT_END:
            _tell(planes[ARRIVED], o, causal, thread, floor, beyond)
        if sub & ARRIVES or action == TRACK:
            _tell(planes[ARRIVED_ANY], o, causal, thread, floor, beyond)
        if counts_in or sub & NOT_END:
            planes[BEFORE, o, thread] = stamp
        if sub & EXPECTS and not sub & ARRIVES:
            planes[BEFORE_ANY, o, thread] = stamp
        if action == TRACK:
            state[o, COPIES] = stamp
            if clock.shape[1] > threads:
                told[0, o, threads + thread] = max(told[0, o, threads + thread], now)
        elif not sub & RELAXED:
            for u in range(clock.shape[1]):
                told[0, o, u] = max(told[0, o, u], clock[thread, u], floor)
            told[0, o, thread] = beyond
        if rows.flags[r] & FLAG_ENDS_PHASE and k == end - start - 1:
            other = _complete(state, planes, told, o, threads, stamp)
            if other:
                record(rows.instr, raw, used, PHASE, r, thread, other, address)
