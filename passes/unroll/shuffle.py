"""shfl.sync and vote.sync over the warps of a group (PTX ISA 9.7.9.6 and 9.7.13.9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.passes.unroll.bytecode import D2, HINT, SUB, WALK, A, B, C, D, E
from volta_pipe.passes.unroll.lanes import file_lane, kind_of, poison, set_kind, tag_at
from volta_pipe.passes.unroll.state import (
    CONCRETE,
    L_ACTIVE,
    L_BUF,
    L_INSIDE,
    L_L0,
    L_L1,
    L_ORIGIN,
    L_POISONED,
    L_TMP,
    PLAIN,
    POISON,
    SYMBOLIC,
    Lanes,
    Rows,
    emit_row,
    intern_mask,
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]


@inner
def source_lane(mode: int, lane: int, b: int, c: int) -> int:
    """The lane that `lane` reads (0..31), negative minus one when out of range (it then keeps its own value)."""
    value, clamp, segment = b & 31, c & 31, (c >> 8) & 31
    top = (lane & segment) | (clamp & ~segment)
    bottom = lane & segment
    if mode == 0:
        j = lane - value
        return j if j >= top else -1 - lane
    if mode == 1:
        j = lane + value
    elif mode == 2:
        j = lane ^ value
    else:
        j = bottom | (value & ~segment & 31)
    return j if j <= top else -1 - lane


@inner
def shuffle(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> int:
    """One shfl: concrete lanes are moved here; where a source is symbolic a row says which thread is read. 0, or 1 for a
    symbolic and 2 for an uninitialised lane operand. A source lane that is not active gives an undefined value."""
    a, b, c = row[A], row[B], row[C]
    for r in (b, c):
        q = kind_of(lanes, r, act, n)
        if q:
            return 1 if q < 3 else 2
    T = lanes.lane.shape[1]
    V = lanes.value
    active = lanes.lane[L_ACTIVE]
    for l in range(T):
        active[l] = 0
    for i in range(n):
        active[act[i]] = 1
    n0, n1, n2 = int64(0), int64(0), int64(0)
    for i in range(n):
        l = act[i]
        j = source_lane(row[SUB], l & 31, V[b, l], V[c, l])
        inside = j >= 0
        s = (l & ~31) + (j if inside else -1 - j)
        lanes.lane[L_INSIDE, l] = inside
        t = POISON
        origin = int64(row[WALK])
        named = (V[row[E], l] >> (s & 31)) & 1  # a lane that the member mask does not name gives nothing
        if s < T and active[s] and named:
            t = tag_at(lanes, a, s)
            origin = V[a, s]
        lanes.lane[L_TMP, n0], lanes.lane[L_BUF, n1] = origin, s
        n0, n1, n2 = file_lane(lanes.lane, l, t, origin, n0, n1, n2)
    if n1:
        row[HINT] = intern_pattern(rows, lanes.lane[L_BUF], n1, row[HINT])
        emit_row(
            rows,
            row[WALK],
            mask if n1 == n else intern_mask(rows, lanes.lane[L_L1], n1),
            lanes.lane[L_BUF, 0],
            row[HINT],
            PLAIN,
        )
    for i in range(n0):
        V[row[D], lanes.lane[L_L0, i]] = lanes.lane[L_TMP, i]
    lanes.meta[1, row[D]] = 0
    if n0:
        set_kind(lanes, st, row[D], CONCRETE, lanes.lane[L_L0], n0)
    if n1:
        set_kind(lanes, st, row[D], SYMBOLIC, lanes.lane[L_L1], n1)
    for i in range(n2):
        poison(lanes, row[D], lanes.lane[L_POISONED, i], lanes.lane[L_ORIGIN, i])
    if row[D2] >= 0:
        for i in range(n):
            V[row[D2], act[i]] = lanes.lane[L_INSIDE, act[i]]
        set_kind(lanes, st, row[D2], CONCRETE, act, n)
        lanes.meta[1, row[D2]] = 0
    return 0


@inner
def vote(lanes: Lanes, st: Array, row: Array, act: Array, n: int) -> int:
    """ballot, all, any, uni over the named active lanes of each warp; 1 for a symbolic predicate, 2 for an uninitialised."""
    q = kind_of(lanes, row[A], act, n)
    if q:
        return 1 if q < 3 else 2
    V = lanes.value
    for i in range(n):
        l = act[i]
        member = V[row[B], l]
        ballot = int64(0)
        count, total = int64(0), int64(0)
        # Lanes of a warp are neighbours in the list.
        k = i
        while k > 0 and act[k - 1] >> 5 == l >> 5:
            k -= 1
        while k < n and act[k] >> 5 == l >> 5:
            bit = int64(1) << (act[k] & 31)
            if member & bit:
                total += 1
                if V[row[A], act[k]]:
                    ballot |= bit
                    count += 1
            k += 1
        result = int64(np.int32(ballot))
        if row[SUB] == 1:
            result = int64(count == total)
        elif row[SUB] == 2:
            result = int64(count > 0)
        elif row[SUB] == 3:
            result = int64(count in (total, 0))
        lanes.lane[L_TMP, l] = result
    for i in range(n):
        V[row[D], act[i]] = lanes.lane[L_TMP, act[i]]
    set_kind(lanes, st, row[D], CONCRETE, act, n)
    lanes.meta[1, row[D]] = 0
    return 0


@inner
def active_mask(lanes: Lanes, st: Array, row: Array, act: Array, n: int) -> None:
    """activemask: the lanes of each warp that execute it together (PTX ISA 9.7.13.11)."""
    found = lanes.lane[L_BUF]
    for i in range(n):
        found[act[i] >> 5] = 0
    for i in range(n):
        found[act[i] >> 5] |= int64(1) << (act[i] & 31)
    for i in range(n):
        lanes.value[row[D], act[i]] = int64(np.int32(found[act[i] >> 5]))
    set_kind(lanes, st, row[D], CONCRETE, act, n)
    lanes.meta[1, row[D]] = 0
