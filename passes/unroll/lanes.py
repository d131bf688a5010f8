"""What compiled code does with registers of many lanes: summaries, tags, constants that the rows must be given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from volta_pipe.passes.unroll.state import (
    ALIVE,
    ALIVE_MASK,
    CONCRETE,
    EXITED,
    MIXED,
    POISON,
    SYMBOLIC,
    Lanes,
    Rows,
    emit_row,
    intern_mask,
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]


@njit(cache=True, nogil=True)
def kind_of(lanes: Lanes, register: int, act: Array, n: int) -> int:
    """0 all active lanes concrete, 1 all symbolic, 2 both, 3 some poison."""
    s = lanes.summary[register]
    if s < MIXED:
        return np.int64(s)
    some = 0
    tag = lanes.tag[register]
    for i in range(n):
        some |= 1 << tag[act[i]]
    if some & 4:
        return np.int64(3)
    return np.int64(0 if some == 1 else 1 if some == 2 else 2)


@njit(cache=True, nogil=True)
def tag_at(lanes: Lanes, register: int, lane: int) -> int:
    """The tag of one lane."""
    s = lanes.summary[register]
    return np.int64(s if s < MIXED else lanes.tag[register, lane])


@njit(cache=True, nogil=True)
def set_kind(lanes: Lanes, st: Array, register: int, kind: int, act: Array, n: int) -> None:
    """Marks the active lanes of a register as concrete or symbolic; what exited lanes hold does not matter."""
    if n == st[ALIVE]:
        lanes.summary[register] = kind
        return
    if lanes.summary[register] == kind:
        return
    tag = lanes.tag[register]
    if lanes.summary[register] != MIXED:
        tag[:] = lanes.summary[register]
        lanes.summary[register] = MIXED
    for i in range(n):
        tag[act[i]] = kind


@njit(cache=True, nogil=True)
def set_tag(lanes: Lanes, register: int, lane: int, kind: int) -> None:
    """Marks one lane (MIXED and POISON share a number, so the summary is looked at first)."""
    if lanes.summary[register] != MIXED:
        if lanes.summary[register] == kind:
            return
        lanes.tag[register, :] = lanes.summary[register]
        lanes.summary[register] = MIXED
    lanes.tag[register, lane] = kind


@njit(cache=True, nogil=True)
def poison(lanes: Lanes, register: int, lane: int, origin: int) -> None:
    """One lane becomes uninitialised, read by instruction `origin`."""
    set_tag(lanes, register, lane, POISON)
    lanes.value[register, lane] = origin


@njit(cache=True, nogil=True)
def alive_mask(lanes: Lanes, rows: Rows, st: Array) -> int:
    """The mask of all lanes that have not exited."""
    if st[ALIVE_MASK] < 0:
        n = 0
        for l in range(len(lanes.status)):
            if lanes.status[l] != EXITED:
                lanes.l2[n] = l
                n += 1
        st[ALIVE_MASK] = intern_mask(rows, lanes.l2, n)
    return np.int64(st[ALIVE_MASK])


@njit(cache=True, nogil=True)
def give_constants(lanes: Lanes, rows: Rows, st: Array, register: int, act: Array, n: int) -> None:
    """Emits constant rows, so that the program knows the concrete values that the active lanes of a register hold.

    A register that is concrete in all lanes is given once, for all lanes that are alive, until it is written again."""
    s = lanes.summary[register]
    if s == SYMBOLIC or (s == CONCRETE and lanes.known[register]):
        return
    value = lanes.value[register]
    if s == CONCRETE:
        k = 0
        for l in range(len(lanes.status)):
            if lanes.status[l] != EXITED:
                lanes.buf[k] = value[l]
                k += 1
        pattern = intern_pattern(rows, lanes.buf, k, -1)
        emit_row(rows, -1 - register, alive_mask(lanes, rows, st), lanes.buf[0], pattern, 0)
        lanes.known[register] = 1
        return
    tag = lanes.tag[register]
    k = 0
    for i in range(n):
        if tag[act[i]] == CONCRETE:
            lanes.l2[k] = act[i]
            lanes.buf[k] = value[act[i]]
            k += 1
    if k:
        pattern = intern_pattern(rows, lanes.buf, k, -1)
        emit_row(rows, -1 - register, intern_mask(rows, lanes.l2, k), lanes.buf[0], pattern, 0)
