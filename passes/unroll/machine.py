"""The SIMT machine: one dispatch an instruction, inner loops over lanes, registers laid out [register][lane].

A race-free program gives the same result on every schedule (the paper's confluence lemma), so the schedule is chosen to keep
lanes together: the group with the smallest pc runs until it meets the next one. What is not resolved here (values of floats,
and integer work on symbolic bits) is written as rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.arrivals import arrive_only
from volta_pipe.passes.unroll.barriers import arrive, barrier_exists
from volta_pipe.passes.unroll.bytecode import GNEG, GUARD, NIN, NRES, OP, SUB, TARGET, TARGET2, WALK, A, B, D, E
from volta_pipe.passes.unroll.collectives import collective
from volta_pipe.passes.unroll.integer import compute, integer
from volta_pipe.passes.unroll.lanes import kind_of, set_kind, settled, tag_at
from volta_pipe.passes.unroll.matrix import matrix_step
from volta_pipe.passes.unroll.memory_access import memory_access
from volta_pipe.passes.unroll.reasons import (
    BAD_BARRIER,
    BAD_MASK,
    BUDGET,
    GROW,
    GUARD_NONE,
    GUARD_SOME,
    GUARD_UNKNOWN,
    GUARDED_SYMBOLIC,
    PARKED,
    PAUSE,
    POISON_ADDRESS,
    POISON_BRANCH,
    POISON_OPERAND,
    SYMBOLIC_ADDRESS,
    SYMBOLIC_BRANCH,
    SYMBOLIC_OPERAND,
    TRAPPED,
)
from volta_pipe.passes.unroll.schedule import guarded_group, leave, parked_group, select_group
from volta_pipe.passes.unroll.select import float_compare, select
from volta_pipe.passes.unroll.shuffle import active_mask, shuffle, vote
from volta_pipe.passes.unroll.state import (
    ALIVE,
    CONCRETE,
    COUNT,
    EVENT_LANE,
    EVENT_OTHER,
    GUARDED,
    L_ACT,
    L_BUF,
    L_PC,
    L_SUB,
    LIMIT,
    MASK,
    MAX_STEPS,
    MIXED,
    NO_PATTERN,
    PAUSE_AT,
    PC,
    PLAIN,
    POISON,
    STEPS,
    SYMBOLIC,
    Lanes,
    Memory,
    Rows,
    emit_row,
    has_room,
    intern_mask,
)
from volta_pipe.passes.unroll.updates import update
from volta_pipe.passes.unroll.value_rows import float_work, guarded_poison, value_row
from volta_pipe.passes.unroll.warps import MANY_MASKS, STRANGE_MASK, converge, masks_of, warpsync_rows
from volta_pipe.passes.unroll.wraps import watch

Array = np.ndarray[Any, np.dtype[Any]]

_VALUE, _FSETP, _FCVT, _SELP, _MOV = (int(o) for o in (Op.VALUE, Op.FSETP, Op.FCVT, Op.SELP, Op.MOV))
_LD, _ST, _LDPARAM, _BRA, _CBRA, _RET, _TRAP = (int(o) for o in (Op.LD, Op.ST, Op.LDPARAM, Op.BRA, Op.CBRA, Op.RET, Op.TRAP))
_BAR, _WARPSYNC, _SHFL, _VOTE, _ACTIVE = (int(o) for o in (Op.BAR, Op.WARPSYNC, Op.SHFL, Op.VOTE, Op.ACTIVEMASK))
_FENCE, _DIV, _REM, _FNS, _SLCT = (int(o) for o in (Op.FENCE, Op.DIV, Op.REM, Op.FNS, Op.SLCT))
_MMA, _MOVMATRIX = int(Op.MMA), int(Op.MOVMATRIX)  # and what lies between
_RARE = int(Op.ATOM)
_MATCH, _REDUX, _ELECT = int(Op.MATCH), int(Op.REDUX), int(Op.ELECT)
_UNNOTED = int64(0)
_BAR_RED, _BAR_ARRIVE = int(Op.BAR_RED), int(Op.BAR_ARRIVE)


@entry
def run(code: Array, operands: Array, lanes: Lanes, memory: Memory, rows: Rows, st: Array) -> int:
    """Runs the CTA until it is done or something needs Python; returns the reason. `st` and `lanes` keep everything."""
    T = lanes.value.shape[1]
    act = lanes.lane[L_ACT]
    n, pc, limit, mask = st[COUNT], st[PC], st[LIMIT], st[MASK]
    while True:
        if n == 0 or pc >= limit:
            for i in range(n):
                lanes.lane[L_PC, act[i]] = pc
            reason = select_group(lanes, rows, st)
            n, pc, limit, mask = st[COUNT], st[PC], st[LIMIT], st[MASK]
            if reason >= 0:
                return reason
        if not has_room(rows, T) or st[STEPS] >= st[PAUSE_AT] or st[STEPS] >= st[MAX_STEPS]:
            st[COUNT], st[PC], st[LIMIT], st[MASK] = n, pc, limit, mask
            if st[STEPS] >= st[MAX_STEPS]:
                return BUDGET
            return PAUSE if st[STEPS] >= st[PAUSE_AT] else GROW
        row = code[pc]
        op = row[OP]
        st[STEPS] += n
        if op == _BRA:
            pc = int64(row[TARGET])
            continue
        if op == _CBRA:
            p = row[A]
            q = int64(lanes.meta[0, p])
            if q == MIXED:
                q = kind_of(lanes, p, act, n)
            if q:
                st[COUNT], st[PC], st[LIMIT], st[MASK] = n, pc, limit, mask
                for i in range(n):
                    if tag_at(lanes, p, act[i]) == (POISON if q == 3 else SYMBOLIC):
                        st[EVENT_LANE], st[EVENT_OTHER] = act[i], lanes.value[p, act[i]]
                        break
                return POISON_BRANCH if q == 3 else SYMBOLIC_BRANCH
            P = lanes.value[p]
            taken = 0
            for i in range(n):
                taken += P[act[i]]
            if taken == n:
                pc = int64(row[TARGET])
            elif taken == 0:
                pc = int64(row[TARGET2])
            else:
                for i in range(n):
                    lanes.lane[L_PC, act[i]] = row[TARGET] if P[act[i]] else row[TARGET2]
                n = int64(0)
            continue
        if op == _RET or op == _BAR or op == _TRAP or op == _BAR_RED or op == _BAR_ARRIVE:
            if op == _TRAP:
                st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                return TRAPPED
            xact, xn, xmask = act, n, mask
            if row[GUARD] >= 0:
                st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                part = guarded_group(lanes, st, row, act, n, pc)
                if part == GUARD_UNKNOWN:
                    return GUARDED_SYMBOLIC
                if part == GUARD_NONE:
                    pc += 1
                    continue
                if part == GUARD_SOME:
                    n = int64(0)
                    continue
            if op == _RET:
                leave(lanes, st, act, n)
                n = int64(0)
                continue
            for k in range(3):
                if row[A + k] >= 0 and kind_of(lanes, row[A + k], act, n):
                    st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                    return SYMBOLIC_OPERAND
            if not barrier_exists(lanes, row, act, n):
                st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                return BAD_BARRIER
            if op == _BAR_ARRIVE:
                st[COUNT], st[PC], st[LIMIT], st[MASK] = n, pc, limit, mask
                if n != st[ALIVE]:  # whole warps arrive
                    lanes.lane[L_BUF, :] = -1
                    converge(lanes, rows, st, row, lanes.lane[L_BUF], pc, _UNNOTED)
                    n, mask = st[COUNT], st[MASK]
                    if n == 0:
                        continue
                reason = arrive_only(lanes, rows, st, row, act, n, pc)
                if reason:
                    return reason
                pc += 1
                continue
            if arrive(lanes, rows, st, row, act, n, pc, mask, T):
                pc += 1
            else:
                n = int64(0)
            continue
        matrix = _MMA <= op <= _MOVMATRIX
        if op == _SHFL or op == _VOTE or op == _WARPSYNC or op == _MATCH or op == _REDUX or op == _ELECT or matrix:
            st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
            if row[GUARD] >= 0:
                part = guarded_group(lanes, st, row, act, n, pc)
                if part == GUARD_UNKNOWN:
                    return GUARDED_SYMBOLIC
                if part == GUARD_NONE:
                    pc += 1
                    continue
                if part == GUARD_SOME:
                    n = int64(0)
                    continue
            if matrix:
                if n != st[ALIVE]:
                    everyone = lanes.lane[L_BUF]
                    everyone[:] = -1
                    converge(lanes, rows, st, row, everyone, pc, _UNNOTED)
                    n, mask = st[COUNT], st[MASK]
                    if n == 0:
                        continue
                reason = matrix_step(lanes, memory, rows, st, row, operands, act, n, mask)
                if reason:
                    return reason
                pc += 1
                continue
            member = row[E] if op == _SHFL else row[A] if op == _WARPSYNC or op == _ELECT else row[B]
            q = kind_of(lanes, member, act, n)
            if q:
                return SYMBOLIC_OPERAND if q < 3 else POISON_OPERAND
            q = masks_of(st, lanes.value[member], act, n)
            if q == STRANGE_MASK:
                return BAD_MASK
            if n != st[ALIVE] or q == MANY_MASKS or (row[TARGET] and n != T):
                reason = converge(lanes, rows, st, row, lanes.value[member], pc, row[TARGET])
                if reason:
                    return reason
                n, mask = st[COUNT], st[MASK]
                if n == 0:
                    continue
            if op == _WARPSYNC:
                warpsync_rows(lanes, rows, row, lanes.value[member], act, n, mask)
            else:
                if op == _SHFL:
                    reason = shuffle(lanes, rows, st, row, act, n, mask)
                elif op == _VOTE:
                    reason = vote(lanes, st, row, act, n)
                else:
                    reason = collective(lanes, st, row, act, n)
                if reason:
                    return SYMBOLIC_OPERAND if reason == 1 else POISON_OPERAND
            pc += 1
            continue
        # Everything below can be guarded.
        xact, xn, xmask = act, n, mask
        guarded = 0
        if row[GUARD] >= 0:
            g = row[GUARD]
            if kind_of(lanes, g, act, n) == 3:
                st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                return POISON_OPERAND
            xn = int64(0)
            xact = lanes.lane[L_SUB]
            for i in range(n):
                l = act[i]
                if tag_at(lanes, g, l) == SYMBOLIC:
                    guarded += 1
                elif (lanes.value[g, l] != 0) != (row[GNEG] != 0):
                    xact[xn] = l
                    xn += 1
            if guarded and not (op == _VALUE or op == _MOV or op == _ST or op == _FCVT):
                st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                return GUARDED_SYMBOLIC
            if xn == n:
                xmask = mask
            elif xn:
                xmask = intern_mask(rows, xact, xn)
        reason = 0
        flags = PLAIN
        while True:  # once for the lanes that surely act, and once for those whose guard is symbolic
            if xn == 0:
                pass
            elif op == _LD or op == _ST:
                reason = memory_access(lanes, memory, rows, st, row, operands, xact, xn, xmask, flags)
            elif flags == GUARDED:
                if guarded_poison(lanes, row, xn):
                    reason = GUARDED_SYMBOLIC
                else:
                    value_row(lanes, rows, st, row, xact, xn, xmask, flags)
            elif op == _VALUE or op == _FCVT:
                known = xn == st[ALIVE]
                for k in range(row[NIN]):
                    known = known and settled(lanes.meta, row[A + k])
                if known:  # value_row with nothing to do but the row: a call that passes all arrays costs more
                    emit_row(rows, row[WALK], xmask, PLAIN, NO_PATTERN, PLAIN)
                    for k in range(row[NRES]):
                        lanes.meta[0, row[D + k]] = SYMBOLIC
                else:
                    float_work(lanes, rows, st, row, xact, xn, xmask)
            elif op == _SELP or op == _SLCT:
                select(lanes, rows, st, row, xact, xn, xmask)
            elif op == _FSETP:
                float_compare(lanes, rows, st, row, xact, xn, xmask)
            elif op == _LDPARAM:
                emit_row(rows, row[WALK], xmask, row[SUB], NO_PATTERN, PLAIN)
                set_kind(lanes, st, row[D], SYMBOLIC, xact, xn)
            elif op == _ACTIVE:
                active_mask(lanes, st, row, xact, xn)
            elif op >= _RARE:
                reason = update(lanes, memory, rows, st, row, operands, xact, xn, xmask)
            elif op != _FENCE:
                if row[TARGET2] > 0:
                    watch(lanes, row, xact, xn)
                known = xn == st[ALIVE] and op != _DIV and op != _REM and op != _FNS
                for k in range(row[NIN]):
                    known = known and lanes.meta[0, row[A + k]] == CONCRETE
                if known:
                    compute(lanes.value, lanes.lane, row, xact, xn)
                    for k in range(row[NRES]):
                        lanes.meta[0, row[D + k]] = CONCRETE
                        lanes.meta[1, row[D + k]] = 0
                else:
                    integer(lanes, rows, st, row, xact, xn, xmask)
            if not guarded or reason or flags == GUARDED:
                break
            xn = int64(0)
            xact = lanes.lane[L_SUB]
            for i in range(n):
                if tag_at(lanes, row[GUARD], act[i]) == SYMBOLIC:
                    xact[xn] = act[i]
                    xn += 1
            xmask = mask if xn == n else intern_mask(rows, xact, xn)
            flags = GUARDED
        if reason:
            if reason == PARKED:
                parked_group(lanes, act, n, pc)
                n = int64(0)
                continue
            st[COUNT], st[PC], st[LIMIT], st[MASK] = n, pc, limit, mask
            if reason != SYMBOLIC_ADDRESS and reason != POISON_ADDRESS and reason < PARKED:
                st[EVENT_LANE] = act[0]
            return reason
        pc += 1
