"""Barriers of the CTA that threads wait at: who comes together, when a barrier opens, and who met where (PTX ISA 9.7.13.1).

Arrivals count in warps: a warp has arrived when all of its lanes that have not exited are there, and then counts 32."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.arrivals import at_odds, awaited, everyone, forget_arrivals, give_results, given
from volta_pipe.passes.unroll.bytecode import OP, REDUCE_SHIFT, SUB, WALK, A, B, C, D
from volta_pipe.passes.unroll.reasons import CROWDED_BARRIER, DIVERGED_BARRIER, MIXED_BARRIER, STUCK
from volta_pipe.passes.unroll.state import (
    ALIVE,
    AT_BARRIER,
    EVENT_LANE,
    EVENT_OTHER,
    EXITED,
    EXITED_BLOCK,
    L_ACT,
    L_BARRIER,
    L_EXPECTED,
    L_PC,
    L_REDUCE,
    L_RESULT,
    L_STATUS,
    L_WALK,
    NO_PATTERN,
    PLAIN,
    RUNNING,
    Lanes,
    Rows,
    emit_row,
    intern_mask,
)

Array = np.ndarray[Any, np.dtype[Any]]
_BAR_RED = int(Op.BAR_RED)
_OPENED, _CLOSED, _TORN = -1, -2, -3
_WARP = int64(32)


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
def arrive(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, pc: int, mask: int, T: int) -> bool:
    """bar.sync and bar.red: True where it opens at once (all lanes came together); otherwise the lanes are parked."""
    number = lanes.value[row[A], act[0]]
    uniform = True
    # A count that is given does not shrink when threads exit.
    arrived, warp = int64(0), int64(-1)
    for i in range(n):
        if act[i] >> 5 != warp:
            warp = act[i] >> 5
            arrived += _WARP
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
def release(lanes: Lanes, rows: Rows, st: Array) -> int:
    """Nobody can run: opens the barriers that are full. -1 when one opened, else why none did."""
    T = lanes.lane.shape[1]
    present = int64(0)
    for l in range(T):
        if lanes.lane[L_STATUS, l] == AT_BARRIER:
            present |= int64(1) << lanes.lane[L_BARRIER, l]
    opened = False
    torn, here = int64(-1), int64(-1)
    for number in range(16):
        if not (present >> number) & 1:
            continue
        first = int64(0)
        while lanes.lane[L_STATUS, first] != AT_BARRIER or lanes.lane[L_BARRIER, first] != number:
            first += 1
        reason = at_odds(lanes, st, number, first)
        if reason:
            return reason
        # A warp alone fills a barrier of 32 threads, whoever comes before or after it.
        alone = lanes.lane[L_EXPECTED, first] == _WARP and not awaited(lanes, number)
        size = _WARP if alone else int64(T)
        for low in range(0, T, size):
            reason = _open(lanes, rows, st, number, first, low, min(low + size, T))
            if reason >= 0:
                return reason
            if reason == _OPENED:
                opened = True
            elif reason == _TORN:
                torn, here = st[EVENT_LANE], st[EVENT_OTHER]
    if opened:
        return -1
    if torn >= 0:
        st[EVENT_LANE], st[EVENT_OTHER] = torn, here
        return DIVERGED_BARRIER
    return STUCK


@inner
def _open(lanes: Lanes, rows: Rows, st: Array, number: int, first: int, low: int, high: int) -> int:
    """Opens a barrier for the warps of lanes low to high if it is full. _OPENED, _CLOSED, _TORN (it is not full, but would be
    if the warps counted of which a part waits at a barrier that is `.aligned`), or a reason to stop."""
    act = lanes.lane[L_ACT]
    early = awaited(lanes, number)  # threads that arrived and went on
    count = lanes.lane[L_EXPECTED, first]
    needed = count if count or not early else everyone(lanes)
    n, whole, some = _gather(lanes, number, low, high, st[EXITED_BLOCK] != 0)
    if n == 0 and some == 0:
        return _CLOSED
    full = whole >= needed
    if needed == 0:
        full = n == (lanes.lane.shape[1] if st[EXITED_BLOCK] else st[ALIVE])
    if n == 0 or not full:
        return _TORN if 0 < needed <= some and _torn(lanes, st, number, low, high) else _CLOSED
    if whole > needed > 0:
        st[EVENT_LANE], st[EVENT_OTHER] = act[n - 1], first
        return CROWDED_BARRIER
    head = act[0]
    for i in range(n):
        kind = lanes.lane[L_REDUCE, act[i]]
        if kind >> 1 != lanes.lane[L_REDUCE, head] >> 1 or (early and kind >= 0):
            st[EVENT_LANE], st[EVENT_OTHER] = act[i], head
            return MIXED_BARRIER
    other = _misaligned(lanes, act, n, needed == 0)
    if other >= 0:
        st[EVENT_LANE] = other
        st[EVENT_OTHER] = head
        for i in range(n):
            if act[i] >> 5 == other >> 5 and needed:
                st[EVENT_OTHER] = act[i]
                break
        return DIVERGED_BARRIER
    emit_row(rows, lanes.lane[L_WALK, head] >> 1, intern_mask(rows, act, n), number, NO_PATTERN, PLAIN)
    if early:
        forget_arrivals(lanes, number)
    if lanes.lane[L_REDUCE, head] >= 0:
        give_results(lanes, st, act, n)
    for i in range(n):
        lanes.lane[L_STATUS, act[i]] = RUNNING
        lanes.lane[L_PC, act[i]] += 1
    return _OPENED


@inner
def _gather(lanes: Lanes, number: int, low: int, high: int, exited_block: bool) -> tuple[int, int, int]:
    """Puts lanes that wait at a barrier into L_ACT, those of whole warps. (How many; how many threads have arrived, as warps
    count; how many would have, if warps counted of which only a part is there.)"""
    n, arrived, some = int64(0), int64(0), int64(0)
    for base in range(low, high, _WARP):
        start, there, whole = n, False, True
        for l in range(base, min(base + _WARP, high)):
            if given(lanes, number, l) >= 0:
                there = True
                if lanes.lane[L_STATUS, l] == AT_BARRIER and lanes.lane[L_BARRIER, l] == number:
                    lanes.lane[L_ACT, n] = l
                    n += 1
            elif lanes.lane[L_STATUS, l] != EXITED or exited_block:
                whole = False
        if there:
            some += _WARP
            if whole:
                arrived += _WARP
            else:
                n = start
    return n, arrived, some


@inner
def _torn(lanes: Lanes, st: Array, number: int, low: int, high: int) -> bool:
    """Whether a lane waits at an `.aligned` barrier that another of its warp has not come to; `st` keeps the two."""
    for l in range(low, high):
        waits = lanes.lane[L_STATUS, l] == AT_BARRIER and lanes.lane[L_BARRIER, l] == number
        if not waits or not lanes.lane[L_WALK, l] & 1:
            continue
        base = l & ~31
        for k in range(base, min(base + _WARP, high)):
            if lanes.lane[L_STATUS, k] != EXITED and given(lanes, number, k) < 0:
                st[EVENT_LANE], st[EVENT_OTHER] = k, l
                return True
    return False


@inner
def _misaligned(lanes: Lanes, act: Array, n: int, strict: bool) -> int:
    """A lane at another instruction than the others of its warp, of which some wait at an `.aligned` barrier; -1 for none.

    `.aligned`: the lanes of a warp execute the same instruction together. strict: so do those of the CTA; a barrier without a
    count that threads meet at different instructions is what CUDA forbids for __syncthreads."""
    head, other, aligned = act[0], int64(-1), int64(0)
    for i in range(n):
        l = act[i]
        if not strict and l >> 5 != head >> 5:
            head, other, aligned = l, int64(-1), int64(0)
        aligned |= lanes.lane[L_WALK, l] & 1
        if lanes.lane[L_PC, l] != lanes.lane[L_PC, head]:
            other = l
        if aligned and other >= 0:
            return other
    return int64(-1)
