"""Which lanes run together: groups by the smallest pc, and who goes on when nobody can run."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.passes.unroll.barriers import release
from volta_pipe.passes.unroll.bytecode import GNEG, GUARD
from volta_pipe.passes.unroll.lanes import kind_of
from volta_pipe.passes.unroll.reasons import DONE, GUARD_ALL, GUARD_NONE, GUARD_SOME, GUARD_UNKNOWN
from volta_pipe.passes.unroll.state import (
    AGAIN,
    ALIVE,
    ALIVE_MASK,
    COUNT,
    EXITED,
    L_ACT,
    L_PC,
    L_STATUS,
    LIMIT,
    MASK,
    PC,
    RUNNING,
    Lanes,
    Rows,
    intern_mask,
)
from volta_pipe.passes.unroll.warps import wake

Array = np.ndarray[Any, np.dtype[Any]]
_NO_LIMIT = int64(1) << 40


@inner
def select_group(lanes: Lanes, rows: Rows, st: Array) -> int:
    """Makes the runnable lanes with the smallest pc the group; -1, or why there is none (done, stuck, diverged barrier)."""
    T = lanes.lane.shape[1]
    while True:
        low, second = _NO_LIMIT, _NO_LIMIT
        for l in range(T):
            if lanes.lane[L_STATUS, l] == RUNNING:
                p = int64(lanes.lane[L_PC, l])
                if p < low:
                    second = low
                    low = p
                elif low < p < second:
                    second = p
        if low < _NO_LIMIT:
            n = int64(0)
            for l in range(T):
                if lanes.lane[L_STATUS, l] == RUNNING and lanes.lane[L_PC, l] == low:
                    lanes.lane[L_ACT, n] = l
                    n += 1
            st[COUNT], st[PC], st[LIMIT] = n, low, second
            st[MASK] = intern_mask(rows, lanes.lane[L_ACT], n)
            return -1
        st[COUNT] = 0
        if st[ALIVE] == 0:
            return DONE
        if wake(lanes):
            continue
        reason = release(lanes, rows, st)
        if reason >= 0:
            return reason


@inner
def parked_group(lanes: Lanes, act: Array, n: int, pc: int) -> None:
    """After an instruction that made lanes wait, or woke some: where each of the group's lanes goes on."""
    for i in range(n):
        l = act[i]
        lanes.lane[L_PC, l] = pc + 1 if lanes.lane[L_STATUS, l] == RUNNING else pc
        if lanes.lane[L_STATUS, l] == AGAIN:
            lanes.lane[L_STATUS, l] = RUNNING


@inner
def leave(lanes: Lanes, st: Array, act: Array, n: int) -> None:
    """The group's lanes exit."""
    for i in range(n):
        lanes.lane[L_STATUS, act[i]] = EXITED
    st[ALIVE] -= n
    st[ALIVE_MASK] = -1


@inner
def guarded_group(lanes: Lanes, st: Array, row: Array, act: Array, n: int, pc: int) -> int:
    """What the guard of a barrier or warp instruction says: in no lane, in all, unknown; where it holds in some, the others are
    sent on and the group is to be chosen anew."""
    g = row[GUARD]
    if kind_of(lanes, g, act, n):
        return GUARD_UNKNOWN
    holds = int64(0)
    for i in range(n):
        holds += int64((lanes.value[g, act[i]] != 0) != (row[GNEG] != 0))
    if holds == 0:
        return GUARD_NONE
    if holds == n:
        return GUARD_ALL
    for i in range(n):
        l = act[i]
        lanes.lane[L_PC, l] = pc if (lanes.value[g, l] != 0) != (row[GNEG] != 0) else pc + 1
    return GUARD_SOME
