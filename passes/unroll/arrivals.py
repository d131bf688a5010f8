"""Barriers at which threads arrive without waiting (bar.arrive), and results of bar.red (PTX ISA 9.7.13.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.program import FLAG_ENDS_PHASE
from volta_pipe.passes.unroll.bytecode import WALK, A, B
from volta_pipe.passes.unroll.lanes import set_tag
from volta_pipe.passes.unroll.reasons import CROWDED_BARRIER, REPEATED_ARRIVAL, TORN_ARRIVAL, UNLIKE_COUNTS
from volta_pipe.passes.unroll.state import (
    ALIVE,
    AT_BARRIER,
    CONCRETE,
    EVENT_LANE,
    EVENT_OTHER,
    EXITED,
    EXITED_BLOCK,
    L_ARRIVED,
    L_BARRIER,
    L_BUF,
    L_EXPECTED,
    L_PC,
    L_REDUCE,
    L_RESULT,
    L_STATUS,
    L_SUB,
    PLAIN,
    Lanes,
    Rows,
    emit_row,
    intern_mask,
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]
# The rows L_ARRIVED and L_ARRIVED2 hold a byte for each of eight barriers: the thread count of an arrival that still counts, in
# warps, or 0.
_BITS, _EACH = 8, 255
_FILLS = int64(FLAG_ENDS_PHASE)


@inner
def arrival(lanes: Lanes, number: int, lane: int) -> int:
    """The thread count that a lane gave when it arrived at a barrier that has not opened since; 0 where it did not."""
    return int64((lanes.lane[L_ARRIVED + (number >> 3), lane] >> (_BITS * (number & 7))) & _EACH) * 32


@inner
def awaited(lanes: Lanes, number: int) -> bool:
    """Whether some thread has arrived at a barrier that has not opened since."""
    some = int64(0)
    row = lanes.lane[L_ARRIVED + (number >> 3)]
    for l in range(len(row)):
        some |= row[l]
    return bool((some >> (_BITS * (number & 7))) & _EACH)


@inner
def forget_arrivals(lanes: Lanes, number: int) -> None:
    """The barrier opens."""
    row = lanes.lane[L_ARRIVED + (number >> 3)]
    for l in range(len(row)):
        row[l] &= ~(int64(_EACH) << (_BITS * (number & 7)))


def count_given(lanes: Lanes, number: int, lane: int) -> int:
    """The same, for Python."""
    return int(lanes.lane[L_ARRIVED + (number >> 3), lane] >> (_BITS * (number & 7))) % (_EACH + 1) * 32


@inner
def everyone(lanes: Lanes) -> int:
    """The thread count of a barrier that is given none."""
    return int64((lanes.lane.shape[1] + 31) // 32 * 32)


@inner
def given(lanes: Lanes, number: int, lane: int) -> int:
    """The thread count that a lane has given which is at a barrier (0: none), or -1 for one that is not there."""
    if lanes.lane[L_STATUS, lane] == AT_BARRIER and lanes.lane[L_BARRIER, lane] == number:
        return int64(lanes.lane[L_EXPECTED, lane])
    count = arrival(lanes, number, lane)
    return count if count else int64(-1)


@inner
def _have_given(lanes: Lanes, number: int, count: int) -> int:
    """How many threads have arrived with this count, as warps count."""
    threads, warp = int64(0), int64(-1)
    for l in range(lanes.lane.shape[1]):
        if l >> 5 != warp and given(lanes, number, l) == count:
            warp = int64(l >> 5)
            threads += 32
    return threads


@inner
def at_odds(lanes: Lanes, st: Array, number: int, first: int) -> int:
    """Why the threads at a barrier, of which `first` is one, cannot meet there: 0, or a reason, with two lanes in `st`.

    UNLIKE_COUNTS is for counts that surely meet. Among threads that wait they do: any of them may come last. One that arrived
    and went on may have opened the barrier, unless there are too few of them yet. Whether no count at all, which means all
    threads of the CTA, may meet that number is open, and so is what it means where threads have exited."""
    T = lanes.lane.shape[1]
    mine = given(lanes, number, first)
    st[EVENT_OTHER] = first
    for l in range(T):
        count = given(lanes, number, l)
        if count < 0:
            continue
        waits = lanes.lane[L_STATUS, l] == AT_BARRIER and lanes.lane[L_BARRIER, l] == number
        st[EVENT_LANE] = l
        if waits and arrival(lanes, number, l):
            return CROWDED_BARRIER
        if count == mine:
            continue
        if count and mine:
            gone = awaited(lanes, number) and (
                _have_given(lanes, number, count) >= count or _have_given(lanes, number, mine) >= mine
            )
            return CROWDED_BARRIER if gone else UNLIKE_COUNTS
        if count + mine != everyone(lanes):
            return UNLIKE_COUNTS if st[ALIVE] == T and not awaited(lanes, number) else CROWDED_BARRIER
        named = l if count else first  # the one of the two that gave a count
        if arrival(lanes, number, named) == 0:
            return CROWDED_BARRIER
    return 0


@inner
def _filled(lanes: Lanes, number: int, count: int, exited_block: bool) -> bool:
    """Whether the warps that arrived at a barrier and went on fill it, and nobody waits there: the barrier then begins anew. (A
    warp that waits at a barrier of 32 threads fills it alone, too, before the others or after them.)"""
    T = lanes.lane.shape[1]
    threads = int64(0)
    for base in range(0, T, 32):
        there, whole = False, True
        for l in range(base, min(base + 32, T)):
            if count > 32 and lanes.lane[L_STATUS, l] == AT_BARRIER and lanes.lane[L_BARRIER, l] == number:
                return False
            if arrival(lanes, number, l):
                there = True
            elif lanes.lane[L_STATUS, l] != EXITED or exited_block:
                whole = False
        if there and whole:
            threads += 32
    return threads >= count


@inner
def arrive_only(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, pc: int) -> int:
    """bar.arrive: the lanes, which are whole warps, are counted and go on. 0 or why it cannot.

    They come one warp after the other, so that no more than one of them fills a barrier; that one gets a row of its own."""
    told, left = lanes.lane[L_SUB], int64(0)  # lanes without a row, whose barriers L_BUF has
    for i in range(n):
        l, number = act[i], lanes.value[row[A], act[i]]
        if arrival(lanes, number, l):
            st[EVENT_LANE] = l
            st[EVENT_OTHER] = l
            return REPEATED_ARRIVAL
        if left and told[left - 1] >> 5 == l >> 5 and lanes.lane[L_BUF, left - 1] != number:
            st[EVENT_LANE] = l
            return TORN_ARRIVAL
        lanes.lane[L_ARRIVED + (number >> 3), l] |= (lanes.value[row[B], l] >> 5) << (_BITS * (number & 7))
        told[left], lanes.lane[L_BUF, left] = l, number
        left += 1
        if i + 1 < n and act[i + 1] >> 5 == l >> 5:
            continue
        first = left - 1
        while first and told[first - 1] >> 5 == l >> 5:
            first -= 1
        for k in range(first, left):
            if k > first and lanes.value[row[B], told[k]] == lanes.value[row[B], told[k - 1]]:
                continue
            lanes.lane[L_BARRIER, told[k]], lanes.lane[L_PC, told[k]] = number, pc
            reason = at_odds(lanes, st, number, told[k])
            if reason:
                return reason
        if _filled(lanes, number, lanes.value[row[B], l], st[EXITED_BLOCK] != 0):
            forget_arrivals(lanes, number)
            if first:
                _arrive_row(lanes, rows, row, first, PLAIN)
            for k in range(first, left):
                told[k - first], lanes.lane[L_BUF, k - first] = told[k], number
            _arrive_row(lanes, rows, row, left - first, _FILLS)
            left = int64(0)
    if left:
        _arrive_row(lanes, rows, row, left, PLAIN)
    return 0


@inner
def _arrive_row(lanes: Lanes, rows: Rows, row: Array, n: int, flags: int) -> None:
    """The row of the first lanes of L_SUB, which arrive at the barriers in L_BUF."""
    mask = intern_mask(rows, lanes.lane[L_SUB], n)
    pattern = intern_pattern(rows, lanes.lane[L_BUF], n, int64(-1))
    emit_row(rows, row[WALK], mask, lanes.lane[L_BUF, 0], pattern, flags)


@inner
def give_results(lanes: Lanes, st: Array, act: Array, n: int) -> None:
    """bar.red opens for these lanes: popc, and, or of their predicates (the low bits of L_REDUCE; the operation is above)."""
    kind = lanes.lane[L_REDUCE, act[0]] >> 1
    holds = int64(0)
    for i in range(n):
        holds += lanes.lane[L_REDUCE, act[i]] & 1
    result = holds if kind == 0 else int64(holds == n) if kind == 1 else int64(holds > 0)
    alike = True
    for i in range(n):
        d = lanes.lane[L_RESULT, act[i]]
        alike = alike and d == lanes.lane[L_RESULT, act[0]]
        lanes.value[d, act[i]] = result
        set_tag(lanes, d, act[i], CONCRETE)
        lanes.meta[1, d] = 0
    if alike and n == st[ALIVE]:
        lanes.meta[0, lanes.lane[L_RESULT, act[0]]] = CONCRETE
