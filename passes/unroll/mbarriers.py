"""The instructions on barrier objects (mbarrier, PTX ISA 9.7.13.15) lane by lane: addresses, rows, and who waits for a phase.

A wait does not poll: its lane is parked until the phase is complete. So the answer is always true; that a false one would only
have led back to the wait is proved before (retries.py). Which phase a signal or a wait is of must not depend on the schedule:
`check` tests that (passes/check/phases.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT, SHARED_REGION
from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.mbarriers import COUNTED, MOST, OBJECT_BYTES, SPACE
from volta_pipe.ir.program import FLAG_DECIDED, FLAG_ENDS_PHASE
from volta_pipe.passes.unroll.access import full_address, place
from volta_pipe.passes.unroll.bytecode import IMM, NIN, NRES, OP, SUB, TARGET, W2, WALK, A, B, D
from volta_pipe.passes.unroll.lanes import address_fault, kind_of, set_kind
from volta_pipe.passes.unroll.objects import answer, awaited, begin_or_end, is_object, signal, token
from volta_pipe.passes.unroll.reasons import (
    OBJECT_MISALIGNED,
    OBJECT_OUTSIDE,
    PARKED,
    POISON_OPERAND,
    SYMBOLIC_OPERAND,
    UNPROVED_WAIT,
)
from volta_pipe.passes.unroll.state import (
    AGAIN,
    AT_OBJECT,
    CONCRETE,
    EVENT_ADDRESS,
    EVENT_LANE,
    L_BARRIER,
    L_BUF,
    L_EXPECTED,
    L_L0,
    L_STATUS,
    NO_PATTERN,
    PLAIN,
    RUNNING,
    Lanes,
    Memory,
    Rows,
    emit_row,
    intern_mask,
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]
_INIT, _INVAL, _WAIT = (int(o) for o in (Op.MBARRIER_INIT, Op.MBARRIER_INVAL, Op.MBARRIER_WAIT))
_SHARED = int64(1)  # state space (bytecode.SPACE)
_SIZE = int64(OBJECT_BYTES)


@inner
def _locate(lanes: Lanes, memory: Memory, st: Array, row: Array, lane: int) -> int:
    """Where a lane's object lies in the flat arrays, or minus the reason why none can lie there. `st` keeps lane and
    address."""
    address = full_address(_SHARED if row[SUB] & SPACE else int64(0), lanes.value[row[A], lane] + row[IMM], row[W2])
    st[EVENT_LANE], st[EVENT_ADDRESS] = lane, address
    at = place(memory, address, _SIZE, lane) if address >> REGION_SHIFT == SHARED_REGION else int64(-1)
    if at < 0:
        return -int64(OBJECT_OUTSIDE)
    return -int64(OBJECT_MISALIGNED) if address & 7 else at


@inner
def _emit(lanes: Lanes, rows: Rows, row: Array, todo: Array, n: int, flags: int) -> None:
    """The row for lanes todo[0:n], whose addresses are in L_BUF."""
    if n:
        pattern = intern_pattern(rows, lanes.lane[L_BUF], n, NO_PATTERN)
        emit_row(rows, row[WALK], intern_mask(rows, todo, n), lanes.lane[L_BUF, 0], pattern, flags)


@inner
def _wake(lanes: Lanes, address: int) -> None:
    """Lets those who wait at an object look at it again."""
    for l in range(lanes.lane.shape[1]):
        if lanes.lane[L_STATUS, l] == AT_OBJECT and lanes.lane[L_BARRIER, l] == address:
            lanes.lane[L_STATUS, l] = RUNNING


@inner
def barrier_object(lanes: Lanes, memory: Memory, rows: Rows, st: Array, row: Array, act: Array, n: int) -> int:
    """One of these instructions. 0, PARKED where lanes wait or were woken (statuses say which), or why it cannot.

    Lanes act one after the other, and after one that completes a phase the rest try again: a row is of one phase."""
    op = row[OP]
    reason = address_fault(lanes, st, row[A], act, n)
    if reason == 0 and row[NIN] > 1:
        q = kind_of(lanes, row[B], act, n)
        reason = 0 if q == 0 else SYMBOLIC_OPERAND if q < 3 else POISON_OPERAND
    st[EVENT_LANE] = act[0] if reason == SYMBOLIC_OPERAND or reason == POISON_OPERAND else st[EVENT_LANE]
    if reason == 0 and op == _WAIT and row[TARGET] == 0:
        st[EVENT_LANE] = act[0]
        reason = UNPROVED_WAIT
    if reason:
        return reason
    V, todo, buf = lanes.value, lanes.lane[L_L0], lanes.lane[L_BUF]
    m, k, ends, parked = int64(0), int64(0), False, False
    while k < n and not ends and reason == 0:
        l = act[k]
        at = _locate(lanes, memory, st, row, l)
        if at < 0:
            reason = -at
            continue
        address = st[EVENT_ADDRESS]
        operand = V[row[B], l] if row[NIN] > 1 else int64(1)
        if op != _WAIT:  # counts are unsigned words
            operand &= 0xFFFFFFFF
        done = int64(1)
        if op == _INIT or op == _INVAL:
            reason = begin_or_end(memory, rows, row, at, operand)
            if op == _INVAL:
                _wake(lanes, address)
        elif op == _WAIT:
            done = answer(memory, row, at, address, operand)
        else:
            before = int64(0)
            if row[NRES] and is_object(memory, at):
                before = token(memory, at, address)
            done = signal(memory, row, at, operand)
            ends = done == 1
            if row[NRES]:
                V[row[D], l] = before
        if done < 0:
            reason = -done
        if reason:
            continue
        if op == _WAIT and done == 0:
            lanes.lane[L_STATUS, l], lanes.lane[L_BARRIER, l] = AT_OBJECT, address
            lanes.lane[L_EXPECTED, l] = awaited(row, operand)
            parked = True
        else:
            if op == _WAIT:
                V[row[D], l] = int64(1)
            todo[m], buf[m] = l, address
            m += 1
        if ends:
            _wake(lanes, address)
        k += 1
    flags = int64(FLAG_ENDS_PHASE) if ends else PLAIN
    _emit(lanes, rows, row, todo, m, flags | FLAG_DECIDED if row[SUB] & COUNTED else flags)
    if m and row[NRES]:
        set_kind(lanes, st, row[D], CONCRETE, todo, m)
        lanes.meta[1, row[D]] = 0
    if reason:
        return reason
    for i in range(k, n):
        lanes.lane[L_STATUS, act[i]] = AGAIN
    return PARKED if parked or ends or op == _INVAL else 0


@inner
def pending_count(lanes: Lanes, st: Array, row: Array, act: Array, n: int) -> int:
    """mbarrier.pending_count: the arrivals that were pending when a token was made. 0 or why it cannot."""
    q = kind_of(lanes, row[A], act, n)
    if q:
        return SYMBOLIC_OPERAND if q < 3 else POISON_OPERAND
    for i in range(n):
        lanes.value[row[D], act[i]] = lanes.value[row[A], act[i]] & MOST
    set_kind(lanes, st, row[D], CONCRETE, act, n)
    lanes.meta[1, row[D]] = 0
    return 0
