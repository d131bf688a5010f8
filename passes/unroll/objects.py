"""The state of barrier objects (mbarrier, PTX ISA 9.7.13.15), and what the instructions do to it.

The state lies in the bytes of the object: pending arrivals, expected arrivals and the tx-count in the data, the phase in the
states of the bytes, which no load takes for a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64, uint32
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.mbarriers import ARRIVES, DELIVERS, DROPS, EXPECTS, MOST, NOT_END, PARITY, UNCOUNTED
from volta_pipe.passes.unroll.bytecode import OP, SUB, WALK
from volta_pipe.passes.unroll.reasons import (
    NO_OBJECT,
    OBJECT_BELOW,
    OBJECT_COUNT,
    OBJECT_COUNTS_OUT,
    OBJECT_ENDED,
    OBJECT_LIVE,
    OBJECT_STALE,
    OBJECT_TOO_MANY,
)
from volta_pipe.passes.unroll.state import Memory, Rows

Array = np.ndarray[Any, np.dtype[Any]]
_INVAL, _TRACK = int(Op.MBARRIER_INVAL), int(Op.MBARRIER_TRACK)
_COUNT_BITS, _TX_SHIFT = 20, 40
_ZERO_TX = MOST + 1  # what the tx-count is stored as when it is 0
# Bytes of an object have this bit in their state, above all others; the rest of the first four is the phase.
_MARK = 0x80808080
_UNINIT = 0x03030303  # as a byte that was never written
# Phases are numbered from a number that grows from object to object, so that a token of an earlier one is none of a later one.
_MOST_PHASES = 1 << 27
# A token: phase, place of the object in units of its size, arrivals that were pending.
_TOKEN_PHASE, _TOKEN_PLACE = 36, 20


@inner
def is_object(memory: Memory, at: int) -> bool:
    """Whether the eight bytes from `at` on hold an object, none of them overwritten."""
    return bool((int64(memory.state[at >> 2]) & int64(memory.state[(at >> 2) + 1]) & _MARK) == _MARK)


@inner
def contents(memory: Memory, at: int) -> tuple[int, int, int, int]:
    """(pending arrivals, expected arrivals, tx-count, phase) of the object at `at`."""
    v = int64(memory.data[at >> 2]) | int64(memory.data[(at >> 2) + 1]) << 32
    s = int64(memory.state[at >> 2])
    phase = s & 127 | (s >> 8 & 127) << 7 | (s >> 16 & 127) << 14 | (s >> 24 & 127) << 21
    return v & MOST, (v >> _COUNT_BITS) & MOST, (v >> _TX_SHIFT) - _ZERO_TX, phase


def held_at(memory: Memory, at: int) -> tuple[int, int, int, int] | None:
    """`contents` for Python code, None where there is no object."""
    low, high = (int(x) for x in memory.data[at >> 2 : (at >> 2) + 2])
    marks, rest = (int(x) for x in memory.state[at >> 2 : (at >> 2) + 2])
    if marks & rest & _MARK != _MARK:
        return None
    v = low | high << 32
    phase = sum((marks >> 8 * k & 127) << 7 * k for k in range(4))
    return v & MOST, (v >> _COUNT_BITS) & MOST, (v >> _TX_SHIFT) - _ZERO_TX, phase


def below_zero(memory: Memory, start: int, size: int) -> int:
    """Offset of an object in the bytes from `start` on whose tx-count is below zero while no arrivals are pending, or -1: had
    the bytes come later, its phase would have been completed without them."""
    marked = np.flatnonzero(memory.state[start >> 2 : (start + size) >> 2 : 2] & _MARK)
    for offset in marked.tolist():
        held = held_at(memory, start + 8 * offset)
        if held is not None and held[0] == 0 and held[2] < 0:
            return 8 * int(offset)
    return -1


@inner
def _keep(memory: Memory, at: int, pending: int, expected: int, tx: int, phase: int) -> None:
    v = pending | expected << _COUNT_BITS | (tx + _ZERO_TX) << _TX_SHIFT
    memory.data[at >> 2] = uint32(v & 0xFFFFFFFF)
    memory.data[(at >> 2) + 1] = uint32(v >> 32)
    s = phase & 127 | (phase >> 7 & 127) << 8 | (phase >> 14 & 127) << 16 | (phase >> 21 & 127) << 24
    memory.state[at >> 2] = uint32(s | _MARK)
    memory.state[(at >> 2) + 1] = uint32(_MARK)


@inner
def token(memory: Memory, at: int, address: int) -> int:
    """What an arrival returns: the state of the object before it."""
    pending, _, _, phase = contents(memory, at)
    return phase << _TOKEN_PHASE | (address >> 3 & 0xFFFF) << _TOKEN_PLACE | pending


@inner
def awaited(row: Array, operand: int) -> int:
    """The parity of the phase that a wait asks for."""
    return operand if row[SUB] & PARITY else operand >> _TOKEN_PHASE & 1


@inner
def begin_or_end(memory: Memory, rows: Rows, row: Array, at: int, count: int) -> int:
    """init and inval. 0 or why it cannot."""
    if row[OP] == _INVAL:
        if not is_object(memory, at):
            return NO_OBJECT
        pending, _, tx, _ = contents(memory, at)
        if pending == 0 and tx < 0:
            return OBJECT_BELOW
        memory.state[at >> 2] = memory.state[(at >> 2) + 1] = uint32(_UNINIT)
        memory.data[at >> 2] = memory.data[(at >> 2) + 1] = uint32(row[WALK])
        return 0
    if is_object(memory, at):
        return OBJECT_LIVE
    if count < 1 or count > MOST:
        return OBJECT_COUNT
    first = 2 * rows.used[0]
    if first >= _MOST_PHASES >> 1:
        return OBJECT_COUNTS_OUT
    _keep(memory, at, count, count, int64(0), first)
    return 0


@inner
def signal(memory: Memory, row: Array, at: int, operand: int) -> int:
    """An arrival, or a change of the tx-count. Minus why it cannot, or whether it completes the phase (1) or not (0)."""
    if not is_object(memory, at):
        return -int64(NO_OBJECT)
    pending, expected, tx, phase = contents(memory, at)
    sub = row[SUB]
    arrivals = int64(1) if sub & ARRIVES or (row[OP] == _TRACK and sub & UNCOUNTED) else int64(0)
    if sub & (EXPECTS | DELIVERS):
        if operand > MOST:
            return -int64(OBJECT_COUNT)
        tx += operand if sub & EXPECTS else -operand
    elif arrivals:
        arrivals = operand
    if (sub & ARRIVES and (arrivals < 1 or arrivals > MOST)) or tx > MOST or tx < -MOST:
        return -int64(OBJECT_COUNT)
    if row[OP] == _TRACK and pending + 1 > MOST:  # counted in before the arrival, where it is not counted already
        return -int64(OBJECT_COUNT)
    if arrivals > pending or (sub & DROPS and arrivals > expected):
        return -int64(OBJECT_TOO_MANY)
    pending -= arrivals
    if sub & DROPS:
        expected -= arrivals
    ends = pending == 0 and tx == 0
    if ends and sub & NOT_END:
        return -int64(OBJECT_ENDED)
    if ends:
        if phase + 1 >= _MOST_PHASES:
            return -int64(OBJECT_COUNTS_OUT)
        pending, phase = expected, phase + 1
    _keep(memory, at, pending, expected, tx, phase)
    return int64(1) if ends else int64(0)


@inner
def answer(memory: Memory, row: Array, at: int, address: int, operand: int) -> int:
    """A test for the end of a phase: 1 where it is complete, 0 where not, or minus why it cannot be asked."""
    if not is_object(memory, at):
        return -int64(NO_OBJECT)
    _, _, _, phase = contents(memory, at)
    if row[SUB] & PARITY:
        if operand != 0 and operand != 1:
            return -int64(OBJECT_COUNT)
        return int64(phase & 1 != operand)
    told = operand >> _TOKEN_PHASE
    if (operand >> _TOKEN_PLACE) & 0xFFFF != (address >> 3) & 0xFFFF or told > phase or told < phase - 1:
        return -int64(OBJECT_STALE)
    return int64(told < phase)
