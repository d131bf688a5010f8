"""Which lanes run together: groups by the smallest pc, barriers, and warp instructions that wait for their members."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.arrivals import arrival, awaited, forget_arrivals, give_results
from volta_pipe.passes.unroll.bytecode import GNEG, GUARD, OP, REDUCE_SHIFT, SUB, WALK, A, B, C, D
from volta_pipe.passes.unroll.lanes import kind_of
from volta_pipe.passes.unroll.reasons import GUARD_ALL, GUARD_NONE, GUARD_SOME, GUARD_UNKNOWN, MIXED_BARRIER
from volta_pipe.passes.unroll.state import (
    AGAIN,
    ALIVE,
    ALIVE_MASK,
    AT_BARRIER,
    COUNT,
    EVENT_LANE,
    EVENT_OTHER,
    EXITED,
    EXITED_BLOCK,
    L_ACT,
    L_ACTIVE,
    L_BARRIER,
    L_EXPECTED,
    L_L0,
    L_PC,
    L_REDUCE,
    L_RESULT,
    L_STATUS,
    L_WALK,
    LIMIT,
    MASK,
    NO_PATTERN,
    PC,
    PLAIN,
    RUNNING,
    WAITING,
    Lanes,
    Rows,
    emit_row,
    intern_mask,
)

Array = np.ndarray[Any, np.dtype[Any]]

# As in machine.py, which returns these as they are.
_DONE, _STUCK, _DIVERGED, _CROWDED = 0, 4, 5, 6
_NO_LIMIT = int64(1) << 40
_BAR_RED = int(Op.BAR_RED)


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
            return _DONE
        if _wake(lanes):
            continue
        reason = _release(lanes, rows, st)
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
def arrive(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, pc: int, mask: int, T: int) -> bool:
    """bar.sync and bar.red: True where it opens at once (all lanes came together); otherwise the lanes are parked."""
    number = lanes.value[row[A], act[0]]
    uniform = True
    # Arrivals count in warps; a count that is given does not shrink when threads exit (PTX ISA, bar).
    arrived, warp = int64(0), int64(-1)
    for i in range(n):
        if act[i] >> 5 != warp:
            warp = act[i] >> 5
            arrived += 32
    for i in range(n):
        if lanes.value[row[A], act[i]] != number or (row[B] >= 0 and lanes.value[row[B], act[i]] != arrived):
            uniform = False
    reduces = row[OP] == _BAR_RED
    together = uniform and n == st[ALIVE] and (n == T or not st[EXITED_BLOCK]) and not awaited(lanes, number)
    if together and not reduces:
        emit_row(rows, row[WALK], mask, number, NO_PATTERN, PLAIN)
        return True
    for i in range(n):
        l = act[i]
        lanes.lane[L_BARRIER, l] = lanes.value[row[A], l]
        lanes.lane[L_EXPECTED, l] = lanes.value[row[B], l] if row[B] >= 0 else 0
        lanes.lane[L_WALK, l] = row[WALK] << 1 | (row[SUB] & 1)
        lanes.lane[L_REDUCE, l] = (row[SUB] >> REDUCE_SHIFT) << 1 | lanes.value[row[C], l] if reduces else int64(-1)
        lanes.lane[L_RESULT, l] = row[D]
    if together:
        emit_row(rows, row[WALK], mask, number, NO_PATTERN, PLAIN)
        give_results(lanes, st, act, n)
        return True
    for i in range(n):
        lanes.lane[L_STATUS, act[i]] = AT_BARRIER
        lanes.lane[L_PC, act[i]] = pc
    return False


@inner
def _release(lanes: Lanes, rows: Rows, st: Array) -> int:
    """Nobody can run: opens the barriers that are full. -1 when one opened, else why none did."""
    T = lanes.lane.shape[1]
    opened = False
    for first in range(T):
        if lanes.lane[L_STATUS, first] != AT_BARRIER:
            continue
        number, count = lanes.lane[L_BARRIER, first], lanes.lane[L_EXPECTED, first]
        early = awaited(lanes, number)  # threads that arrived and went on
        needed = count if count or not early else (T + 31) // 32 * 32
        n = int64(0)
        arrived = 0
        warp = -1
        for l in range(T):
            waits = lanes.lane[L_STATUS, l] == AT_BARRIER and lanes.lane[L_BARRIER, l] == number
            came = arrival(lanes, number, l) if early else int64(0)
            if waits:
                lanes.lane[L_ACT, n] = l
                n += 1
            if (waits or came) and l >> 5 != warp:
                warp = l >> 5
                arrived += 32  # arrivals count in warps (PTX ISA, bar)
            if (waits and lanes.lane[L_EXPECTED, l] != count) or (came and (waits or came != needed)):
                st[EVENT_LANE], st[EVENT_OTHER] = l, first
                return _CROWDED
            if waits and (
                lanes.lane[L_REDUCE, l] >> 1 != lanes.lane[L_REDUCE, first] >> 1 or (early and lanes.lane[L_REDUCE, l] >= 0)
            ):
                st[EVENT_LANE], st[EVENT_OTHER] = l, first
                return MIXED_BARRIER
        whole = count == 0 and not early
        if whole:
            if n < (T if st[EXITED_BLOCK] else st[ALIVE]):
                continue
        elif arrived > needed:
            st[EVENT_LANE], st[EVENT_OTHER] = lanes.lane[L_ACT, n - 1], first
            return _CROWDED
        elif arrived < needed:
            continue
        # .aligned: the lanes of a warp execute the same instruction together; a barrier without a count that threads
        # meet at different instructions is what CUDA forbids for __syncthreads.
        if lanes.lane[L_WALK, first] & 1:
            other = _misaligned(lanes, number, whole, first)
            if other >= 0:
                st[EVENT_LANE], st[EVENT_OTHER] = other, first
                return _DIVERGED
        emit_row(rows, lanes.lane[L_WALK, first] >> 1, intern_mask(rows, lanes.lane[L_ACT], n), number, NO_PATTERN, PLAIN)
        if early:
            forget_arrivals(lanes, number)
        if lanes.lane[L_REDUCE, first] >= 0:
            give_results(lanes, st, lanes.lane[L_ACT], n)
        for i in range(n):
            lanes.lane[L_STATUS, lanes.lane[L_ACT, i]] = RUNNING
            lanes.lane[L_PC, lanes.lane[L_ACT, i]] += 1
        opened = True
        break
    return -1 if opened else _STUCK


@inner
def _misaligned(lanes: Lanes, number: int, strict: bool, first: int) -> int:
    """A lane that is not where the others of its warp wait (of its CTA, for a barrier without a count); -1 for none."""
    T = lanes.lane.shape[1]
    for l in range(T):
        if lanes.lane[L_STATUS, l] == EXITED:
            continue
        here = lanes.lane[L_STATUS, l] == AT_BARRIER and lanes.lane[L_BARRIER, l] == number
        if strict:
            if here and lanes.lane[L_PC, l] != lanes.lane[L_PC, first]:
                return l
            continue
        for k in range(l & ~31, min((l & ~31) + 32, T)):
            if (
                lanes.lane[L_STATUS, k] == AT_BARRIER
                and lanes.lane[L_BARRIER, k] == number
                and (not here or lanes.lane[L_PC, l] != lanes.lane[L_PC, k])
            ):
                return l
    return -1


@inner
def _wake(lanes: Lanes) -> bool:
    """Lets lanes go on that wait for members of which the missing ones have exited meanwhile."""
    T = lanes.lane.shape[1]
    woken = False
    for base in range(0, T, 32):
        top = min(base + 32, T)
        for l in range(base, top):
            if lanes.lane[L_STATUS, l] != WAITING:
                continue
            complete = True
            for k in range(base, top):
                together = lanes.lane[L_STATUS, k] == WAITING and lanes.lane[L_PC, k] == lanes.lane[L_PC, l]
                if together:
                    for m in range(base, top):
                        missing = lanes.lane[L_STATUS, m] != EXITED and not (
                            lanes.lane[L_STATUS, m] == WAITING and lanes.lane[L_PC, m] == lanes.lane[L_PC, l]
                        )
                        if (lanes.lane[L_EXPECTED, k] >> (m - base)) & 1 and missing:
                            complete = False
            if complete:
                p = lanes.lane[L_PC, l]
                for k in range(base, top):
                    if lanes.lane[L_STATUS, k] == WAITING and lanes.lane[L_PC, k] == p:
                        lanes.lane[L_STATUS, k] = RUNNING
                woken = True
    return woken


@inner
def converge(lanes: Lanes, rows: Rows, st: Array, member: Array, pc: int) -> None:
    """shfl, vote, bar.warp.sync by a part of the CTA: warps whose named lanes are all here go on, the others wait."""
    T = lanes.lane.shape[1]
    for i in range(st[COUNT]):
        l = lanes.lane[L_ACT, i]
        lanes.lane[L_STATUS, l] = WAITING
        lanes.lane[L_PC, l] = pc
        lanes.lane[L_EXPECTED, l] = np.int32(member[l])
    n = int64(0)
    for base in range(0, T, 32):
        top = min(base + 32, T)
        here = int64(0)
        alive = int64(0)
        named = int64(0)
        for l in range(base, top):
            bit = int64(1) << (l - base)
            if lanes.lane[L_STATUS, l] != EXITED:
                alive |= bit
            if lanes.lane[L_STATUS, l] == WAITING and lanes.lane[L_PC, l] == pc:
                here |= bit
                named |= member[l] & 0xFFFFFFFF
        if here and named & alive & ~here == 0:
            for l in range(base, top):
                if (here >> (l - base)) & 1:
                    lanes.lane[L_STATUS, l] = RUNNING
                    lanes.lane[L_ACT, n] = l
                    n += 1
    st[COUNT] = n
    if n:
        st[MASK] = intern_mask(rows, lanes.lane[L_ACT], n)


@inner
def barrier_exists(lanes: Lanes, row: Array, act: Array, n: int) -> bool:
    """Barrier numbers are 0 to 15, thread counts positive multiples of the warp size (PTX ISA, bar)."""
    for i in range(n):
        number = lanes.value[row[A], act[i]]
        if number < 0 or number > 15:
            return False
        if row[B] >= 0:
            count = lanes.value[row[B], act[i]]
            if count <= 0 or count & 31:
                return False
    return True


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


@inner
def warpsync_rows(lanes: Lanes, rows: Rows, row: Array, member: Array, act: Array, n: int, mask: int) -> None:
    """bar.warp.sync orders the lanes of a warp that wait with one member mask: a row for each mask."""
    done = lanes.lane[L_ACTIVE]
    for i in range(n):
        done[act[i]] = 0
    for i in range(n):
        if done[act[i]]:
            continue
        k = int64(0)
        for j in range(i, n):
            if not done[act[j]] and member[act[j]] == member[act[i]]:
                done[act[j]] = 1
                lanes.lane[L_L0, k] = act[j]
                k += 1
        part = mask if k == n else intern_mask(rows, lanes.lane[L_L0], k)
        emit_row(rows, row[WALK], part, member[act[i]] & 0xFFFFFFFF, NO_PATTERN, PLAIN)
