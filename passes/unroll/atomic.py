"""atom and red: lanes on one address act one after the other, in lane order (any order is as good where it does not matter).

What is left in memory does not depend on the order for one kind of operation; `check` refuses others. The result of an atom
does: lanes that share an address with another lane get a value that is not determined; the others' is what memory held, and
their row is marked FLAG_DECIDED, so that `check` makes sure that no other thread could come in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.atomics import CAS, CODE_MASK, EXCH, MAX, SPACE_SHIFT, combined
from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.program import FLAG_DECIDED
from volta_pipe.passes.unroll.access import full_address, load, place, store
from volta_pipe.passes.unroll.bytecode import FIRST, IMM, NIN, NRES, SG, SUB, W2, WALK, A, D, W
from volta_pipe.passes.unroll.lanes import address_fault, give_constants, poison, set_kind, set_tag, settled, tag_at
from volta_pipe.passes.unroll.reasons import SYMBOLIC_ATOMIC
from volta_pipe.passes.unroll.state import (
    CONCRETE,
    L_BUF,
    L_L0,
    L_L1,
    L_TMP,
    NO_PATTERN,
    PLAIN,
    POISON,
    SYMBOLIC,
    UNDETERMINED,
    Lanes,
    Memory,
    Rows,
    emit_row,
    intern_mask,
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]
_FLOAT = 2  # SG of a float type, or more
_DECIDED = int64(FLAG_DECIDED)


@inner
def _shares(lanes: Lanes, row: Array, act: Array, n: int, i: int, size: int) -> bool:
    """Whether another active lane's bytes overlap those of the i-th one."""
    a = row[A]
    shared = False
    for j in range(n):
        shared = shared or (j != i and abs(lanes.value[a, act[j]] - lanes.value[a, act[i]]) < size)
    return shared


@inner
def atomic(lanes: Lanes, memory: Memory, rows: Rows, st: Array, row: Array, operands: Array, act: Array, n: int) -> int:
    """One atom or red of the active lanes. Returns 0 or why it cannot."""
    reason = address_fault(lanes, st, row[A], act, n)
    if reason:
        return reason
    first = row[FIRST] + row[NRES]
    size = row[W] // 8
    values = row[NIN] - 1
    for k in range(values):
        if not settled(lanes.meta, operands[first + 1 + k]):
            give_constants(lanes, rows, st, operands[first + 1 + k], act, n)
    n0, n1 = int64(0), int64(0)
    for i in range(n):
        if row[NRES] and not _shares(lanes, row, act, n, i, size):
            lanes.lane[L_L0, n0] = act[i]
            n0 += 1
        else:
            lanes.lane[L_L1, n1] = act[i]
            n1 += 1
    for part in range(2):
        todo = lanes.lane[L_L0] if part == 0 else lanes.lane[L_L1]
        m = n0 if part == 0 else n1
        if m == 0:
            continue
        buf = lanes.lane[L_BUF]
        for i in range(m):
            buf[i] = full_address((row[SUB] >> SPACE_SHIFT) & 15, lanes.value[row[A], todo[i]] + row[IMM], row[W2])
        pattern = intern_pattern(rows, buf, m, NO_PATTERN)
        emit_row(rows, row[WALK], intern_mask(rows, todo, m), buf[0], pattern, _DECIDED if part == 0 else PLAIN)
        concrete = int64(0)
        for i in range(m):
            t = POISON
            if row[SUB] & CODE_MASK == CAS:
                t = _swap_if_equal(lanes, memory, row, operands[first + 1], operands[first + 2], todo[i], buf[i])
            else:
                for k in range(values):
                    t = _update(lanes, memory, row, operands[first + 1 + k], todo[i], buf[i] + k * size)
            if t < 0:
                return SYMBOLIC_ATOMIC
            if row[NRES]:
                d, l = row[D], todo[i]
                if part == 1:
                    poison(lanes, d, l, UNDETERMINED | row[WALK])
                elif t == POISON:
                    poison(lanes, d, l, lanes.lane[L_TMP, 0])
                else:
                    set_tag(lanes, d, l, t)
                    lanes.value[d, l] = lanes.lane[L_TMP, 0]
                    concrete += int64(t == CONCRETE)
        if row[NRES] and concrete == n:
            set_kind(lanes, st, row[D], CONCRETE, act, n)
    if row[NRES]:
        lanes.meta[1, row[D]] = 0
    return 0


@inner
def _old(lanes: Lanes, memory: Memory, row: Array, lane: int, address: int) -> tuple[int, int]:
    """(place of the cell or -1, its tag); L_TMP[0] is its value, sign-extended, or the origin of what is poison."""
    size = row[W] // 8
    out = lanes.lane[L_TMP]
    at = place(memory, address, size, lane)
    if at < 0:
        out[0] = row[WALK]
        return at, POISON
    t = load(memory, at, size, address >> REGION_SHIFT, out)
    if t == POISON:
        out[0] = out[0] if out[0] > 0 else row[WALK]
    else:
        shift = 64 - row[W]
        out[0] = (out[0] << shift) >> shift
    return at, t


@inner
def _update(lanes: Lanes, memory: Memory, row: Array, register: int, lane: int, address: int) -> int:
    """All but cas on one cell; the tag of what it held (L_TMP[0]: its value), or -1 for bitwise work on a symbolic value."""
    at, t = _old(lanes, memory, row, lane, address)
    if at < 0:
        return t
    size = row[W] // 8
    old = lanes.lane[L_TMP, 0]
    tag, value = tag_at(lanes, register, lane), lanes.value[register, lane]
    if row[SUB] & CODE_MASK == EXCH:
        store(memory, at, size, tag, value)
    elif t == POISON:
        store(memory, at, size, POISON, old)
    elif tag == POISON:
        store(memory, at, size, POISON, value)
    elif row[SG] >= _FLOAT:
        store(memory, at, size, SYMBOLIC, int64(0))
    elif t == SYMBOLIC or tag == SYMBOLIC:
        if row[SUB] & CODE_MASK > MAX:  # bitwise, and those that wrap at a bound
            return -1
        store(memory, at, size, SYMBOLIC, int64(0))
    else:
        store(memory, at, size, CONCRETE, combined(row[SUB] & CODE_MASK, row[W], row[SG] == 1, old, value))
    return t


@inner
def _swap_if_equal(lanes: Lanes, memory: Memory, row: Array, compare: int, register: int, lane: int, address: int) -> int:
    """cas on one cell, as _update."""
    at, t = _old(lanes, memory, row, lane, address)
    if at < 0:
        return t
    size = row[W] // 8
    old = lanes.lane[L_TMP, 0]
    expected = tag_at(lanes, compare, lane)
    if t == POISON or expected == POISON:
        store(memory, at, size, POISON, old if t == POISON else lanes.value[compare, lane])
        return t
    if t == SYMBOLIC or expected == SYMBOLIC:
        return -1
    shift = 64 - row[W]
    if old == (lanes.value[compare, lane] << shift) >> shift:
        store(memory, at, size, tag_at(lanes, register, lane), lanes.value[register, lane])
    return t
