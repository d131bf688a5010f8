"""What compiled code does with registers of many lanes: summaries, tags, constants that the rows must be given."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.passes.unroll.reasons import POISON_ADDRESS, SYMBOLIC_ADDRESS
from volta_pipe.passes.unroll.state import (
    ALIVE,
    ALIVE_MASK,
    CONCRETE,
    EVENT_LANE,
    EVENT_OTHER,
    EXITED,
    L_BUF,
    L_L0,
    L_L1,
    L_L2,
    L_ORIGIN,
    L_POISONED,
    L_STATUS,
    MIXED,
    NO_PATTERN,
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
def kind_of(lanes: Lanes, register: int, act: Array, n: int) -> int:
    """0 all active lanes concrete, 1 all symbolic, 2 both, 3 some poison."""
    s = lanes.meta[0, register]
    if s < MIXED:
        return int64(s)
    some = 0
    tag = lanes.tag[register]
    for i in range(n):
        some |= 1 << tag[act[i]]
    if some & 4:
        return int64(3)
    return int64(0 if some == 1 else 1 if some == 2 else 2)


@inner
def settled(meta: Array, register: int) -> bool:
    """Whether the rows know all that a register holds (see give_constants). Callers look here first: a call that passes all of
    the machine's arrays costs more than a row of few lanes."""
    s = meta[0, register]
    return bool(s == SYMBOLIC or (s == CONCRETE and meta[1, register] != 0))


@inner
def tag_at(lanes: Lanes, register: int, lane: int) -> int:
    """The tag of one lane."""
    s = lanes.meta[0, register]
    return int64(s if s < MIXED else lanes.tag[register, lane])


@inner
def set_kind(lanes: Lanes, st: Array, register: int, kind: int, act: Array, n: int) -> None:
    """Marks the active lanes of a register as concrete or symbolic; what exited lanes hold does not matter."""
    if n == st[ALIVE]:
        lanes.meta[0, register] = kind
        return
    if lanes.meta[0, register] == kind:
        return
    tag = lanes.tag[register]
    if lanes.meta[0, register] != MIXED:
        tag[:] = lanes.meta[0, register]
        lanes.meta[0, register] = MIXED
    for i in range(n):
        tag[act[i]] = kind


@inner
def address_fault(lanes: Lanes, st: Array, register: int, act: Array, n: int) -> int:
    """0 where an address register is concrete in all active lanes, else why not, with the lane and the origin in `st`."""
    q = kind_of(lanes, register, act, n)
    if q == 0:
        return 0
    for i in range(n):
        t = tag_at(lanes, register, act[i])
        if (t == POISON) == (q == 3) and t:
            st[EVENT_LANE] = act[i]
            st[EVENT_OTHER] = lanes.value[register, act[i]]
            break
    return SYMBOLIC_ADDRESS if q < 3 else POISON_ADDRESS


@inner
def set_tag(lanes: Lanes, register: int, lane: int, kind: int) -> None:
    """Marks one lane (MIXED and POISON share a number, so the summary is looked at first)."""
    if lanes.meta[0, register] != MIXED:
        if lanes.meta[0, register] == kind:
            return
        lanes.tag[register, :] = lanes.meta[0, register]
        lanes.meta[0, register] = MIXED
    lanes.tag[register, lane] = kind


@inner
def poison(lanes: Lanes, register: int, lane: int, origin: int) -> None:
    """One lane becomes uninitialised, read by instruction `origin`."""
    set_tag(lanes, register, lane, POISON)
    lanes.value[register, lane] = origin


@inner
def file_lane(lane: Array, l: int, tag: int, origin: int, n0: int, n1: int, n2: int) -> tuple[int, int, int]:
    """Files lane l by its tag behind the n0 concrete, n1 symbolic and n2 poisoned ones (with the read that poisoned it)."""
    if tag == CONCRETE:
        lane[L_L0, n0] = l
        return n0 + 1, n1, n2
    if tag == SYMBOLIC:
        lane[L_L1, n1] = l
        return n0, n1 + 1, n2
    lane[L_POISONED, n2] = l
    lane[L_ORIGIN, n2] = origin
    return n0, n1, n2 + 1


@inner
def alive_mask(lanes: Lanes, rows: Rows, st: Array) -> int:
    """The mask of all lanes that have not exited."""
    if st[ALIVE_MASK] < 0:
        n = int64(0)
        for l in range(lanes.lane.shape[1]):
            if lanes.lane[L_STATUS, l] != EXITED:
                lanes.lane[L_L2, n] = l
                n += 1
        st[ALIVE_MASK] = intern_mask(rows, lanes.lane[L_L2], n)
    return int64(st[ALIVE_MASK])


@inner
def give_constants(lanes: Lanes, rows: Rows, st: Array, register: int, act: Array, n: int) -> None:
    """Emits constant rows, so that the program knows the concrete values that the active lanes of a register hold.

    A register that is concrete in all lanes is given once, for all lanes that are alive, until it is written again."""
    s = lanes.meta[0, register]
    if s == SYMBOLIC or (s == CONCRETE and lanes.meta[1, register]):
        return
    value = lanes.value[register]
    if s == CONCRETE:
        k = int64(0)
        for l in range(lanes.lane.shape[1]):
            if lanes.lane[L_STATUS, l] != EXITED:
                lanes.lane[L_BUF, k] = value[l]
                k += 1
        pattern = intern_pattern(rows, lanes.lane[L_BUF], k, NO_PATTERN)
        emit_row(rows, -1 - register, alive_mask(lanes, rows, st), lanes.lane[L_BUF, 0], pattern, PLAIN)
        lanes.meta[1, register] = 1
        return
    tag = lanes.tag[register]
    k = int64(0)
    for i in range(n):
        if tag[act[i]] == CONCRETE:
            lanes.lane[L_L2, k] = act[i]
            lanes.lane[L_BUF, k] = value[act[i]]
            k += 1
    if k:
        pattern = intern_pattern(rows, lanes.lane[L_BUF], k, NO_PATTERN)
        emit_row(rows, -1 - register, intern_mask(rows, lanes.lane[L_L2], k), lanes.lane[L_BUF, 0], pattern, PLAIN)
