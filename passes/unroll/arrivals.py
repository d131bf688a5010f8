"""Barriers at which threads arrive without waiting (bar.arrive), and results of bar.red (PTX ISA 9.7.13.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.passes.unroll.bytecode import WALK, A, B
from volta_pipe.passes.unroll.lanes import set_tag
from volta_pipe.passes.unroll.reasons import PARTIAL_ARRIVAL, REPEATED_ARRIVAL
from volta_pipe.passes.unroll.state import (
    ALIVE,
    CONCRETE,
    EVENT_LANE,
    EVENT_OTHER,
    EXITED,
    L_ARRIVED,
    L_BUF,
    L_REDUCE,
    L_RESULT,
    L_STATUS,
    PLAIN,
    Lanes,
    Rows,
    emit_row,
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]
# The rows L_ARRIVED and L_ARRIVED2 hold a byte for each of eight barriers: the thread count of an arrival that still counts, in
# warps, or 0.
_BITS, _EACH = 8, 255


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


@inner
def arrive_only(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> int:
    """bar.arrive: the lanes are counted and go on. 0 or why it cannot."""
    T = lanes.lane.shape[1]
    k = int64(0)
    for l in range(T):  # whole warps arrive
        if k < n and act[k] == l:
            k += 1
        elif lanes.lane[L_STATUS, l] != EXITED and ((k < n and act[k] >> 5 == l >> 5) or (k > 0 and act[k - 1] >> 5 == l >> 5)):
            st[EVENT_LANE] = l
            return PARTIAL_ARRIVAL
    for i in range(n):
        l, number = act[i], lanes.value[row[A], act[i]]
        if arrival(lanes, number, l):
            st[EVENT_LANE] = l
            st[EVENT_OTHER] = l
            return REPEATED_ARRIVAL
        lanes.lane[L_ARRIVED + (number >> 3), l] |= (lanes.value[row[B], l] >> 5) << (_BITS * (number & 7))
        lanes.lane[L_BUF, i] = number
    emit_row(rows, row[WALK], mask, lanes.lane[L_BUF, 0], intern_pattern(rows, lanes.lane[L_BUF], n, int64(-1)), PLAIN)
    return 0


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
