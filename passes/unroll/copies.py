"""cp.async: the bytes are copied at the issue. That the hardware may copy them at any time until the wait is for `check` to
judge (a program in which the difference shows has a race)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.compiled import inner, int64, uint32
from volta_pipe.ir.program import COPIED_SHIFT, FLAG_SOURCE, INIT_KNOWN, INIT_SYMBOLIC
from volta_pipe.passes.unroll.access import full_address, place
from volta_pipe.passes.unroll.bytecode import IMM, NIN, SUB, TARGET, W2, WALK, A, B, C, W
from volta_pipe.passes.unroll.lanes import address_fault, kind_of
from volta_pipe.passes.unroll.reasons import BAD_COPY, POISON_OPERAND, SYMBOLIC_OPERAND
from volta_pipe.passes.unroll.state import (
    BYTE_CONCRETE,
    BYTE_POISON,
    BYTE_SYMBOLIC,
    L_BUF,
    L_L0,
    L_TMP,
    NO_PATTERN,
    PLAIN,
    Lanes,
    Memory,
    Rows,
    emit_row,
    intern_mask,
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]
_SHARED, _GLOBAL = int64(1), int64(4)  # state spaces (bytecode.SPACE)


@inner
def copy(lanes: Lanes, memory: Memory, rows: Rows, st: Array, row: Array, act: Array, n: int) -> int:
    """One cp.async of the active lanes: a pair of rows for each number of bytes that are read. 0 or why it cannot."""
    for register in (row[A], row[B]):
        reason = address_fault(lanes, st, register, act, n)
        if reason:
            return reason
    if row[C] >= 0:
        q = kind_of(lanes, row[C], act, n)
        if q:
            return SYMBOLIC_OPERAND if q < 3 else POISON_OPERAND
    size = row[W] // 8
    done = int64(0)
    for limit in range(size, -1, -1):
        if done == n:
            break
        m = int64(0)
        for i in range(n):
            l = act[i]
            if _bytes_read(lanes, row, l, size) == limit:
                lanes.lane[L_L0, m] = l
                m += 1
        if m == 0:
            continue
        done += m
        todo, source, target = lanes.lane[L_L0], lanes.lane[L_TMP], lanes.lane[L_BUF]
        for i in range(m):
            source[i] = full_address(_GLOBAL, lanes.value[row[B], todo[i]] + row[TARGET], int64(64))
            target[i] = full_address(_SHARED, lanes.value[row[A], todo[i]] + row[IMM], row[W2])
        mask = intern_mask(rows, todo, m)
        flags = int64(limit) << COPIED_SHIFT
        emit_row(rows, row[WALK], mask, source[0], intern_pattern(rows, source, m, NO_PATTERN), flags | FLAG_SOURCE)
        emit_row(rows, row[WALK], mask, target[0], intern_pattern(rows, target, m, NO_PATTERN), flags)
        for i in range(m):
            _copy_bytes(memory, source[i], target[i], limit, size, todo[i], row[WALK])
    return 0 if done == n else BAD_COPY


@inner
def _bytes_read(lanes: Lanes, row: Array, lane: int, size: int) -> int:
    """How many bytes a lane's copy reads (src-size and ignore-src of PTX ISA 9.7.9.25.3.1)."""
    if row[C] < 0:
        return size
    if row[SUB]:
        return int64(0) if lanes.value[row[C], lane] else size
    return int64(lanes.value[row[C], lane])


@inner
def _copy_bytes(memory: Memory, source: int, target: int, count: int, size: int, lane: int, walk: int) -> None:
    """Bytes with their states, and zeros behind them; what leaves its region is left out (`check` reports it)."""
    to = place(memory, target, size, lane)
    if to < 0:
        return
    at = place(memory, source, count, lane) if count else int64(-1)
    init = memory.table[source >> REGION_SHIFT, 3] if at >= 0 else INIT_KNOWN
    for i in range(size):
        byte, state = uint32(0), uint32(BYTE_CONCRETE)
        if i < count:
            state = uint32(BYTE_POISON)
            byte = uint32((walk >> (8 * (i & 3))) & 255)
            if at >= 0:
                shift = uint32(8 * ((at + i) & 3))
                state = (memory.state[(at + i) >> 2] >> shift) & uint32(255)
                if state == 0 and init == INIT_SYMBOLIC:
                    state = uint32(BYTE_SYMBOLIC)
                elif state == 0 and init == INIT_KNOWN:
                    state = uint32(BYTE_CONCRETE)
                if state:
                    byte = (memory.data[(at + i) >> 2] >> shift) & uint32(255)
                else:
                    state = uint32(BYTE_POISON)
        word, shift = (to + i) >> 2, uint32(8 * ((to + i) & 3))
        keep = ~(uint32(255) << shift)
        memory.data[word] = (memory.data[word] & keep) | (byte << shift)
        memory.state[word] = (memory.state[word] & keep) | (state << shift)


@inner
def wait(lanes: Lanes, rows: Rows, row: Array, act: Array, n: int, mask: int) -> int:
    """cp.async.wait_group and wait_all: a row that says how many groups may be under way still."""
    if row[SUB]:
        emit_row(rows, row[WALK], mask, int64(-1), NO_PATTERN, PLAIN)
        return 0
    if row[NIN]:
        q = kind_of(lanes, row[A], act, n)
        if q:
            return SYMBOLIC_OPERAND if q < 3 else POISON_OPERAND
    if lanes.value[row[A], act[0]] < 0:
        return BAD_COPY
    emit_row(rows, row[WALK], mask, lanes.value[row[A], act[0]], NO_PATTERN, PLAIN)
    return 0
