"""The SIMT machine: one dispatch an instruction, inner loops over lanes, registers laid out [register][lane].

A race-free program gives the same result on every schedule (the paper's confluence lemma), so the schedule is chosen to keep
lanes together: the group with the smallest pc runs until it meets the next one. What is not resolved here (values of floats,
and integer work on symbolic bits) is written as rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry, inner
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import REGION_SHIFT
from volta_pipe.passes.unroll.access import full_address, load, place, store
from volta_pipe.passes.unroll.alu import alu, combine, compare, compare_floats, wrap
from volta_pipe.passes.unroll.lanes import float_value, give_constants, kind_of, poison, set_kind, tag_at
from volta_pipe.passes.unroll.schedule import arrive, converge, leave, select_group
from volta_pipe.passes.unroll.shuffle import shuffle, vote
from volta_pipe.passes.unroll.state import (
    ALIVE,
    CONCRETE,
    COUNT,
    EVENT_LANE,
    EVENT_OTHER,
    GUARDED,
    L_ACT,
    L_BUF,
    L_L0,
    L_L1,
    L_ORIGIN,
    L_PC,
    L_POISONED,
    L_SUB,
    L_TMP,
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
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]

# Why the machine returned.
DONE, GROW, PAUSE, BUDGET = 0, 1, 2, 3
STUCK, DIVERGED_BARRIER, CROWDED_BARRIER = 4, 5, 6
SYMBOLIC_BRANCH, POISON_BRANCH, SYMBOLIC_ADDRESS, POISON_ADDRESS = 10, 11, 12, 13
SYMBOLIC_OPERAND, POISON_OPERAND, BAD_MASK, GUARDED_SYMBOLIC, TRAPPED, UNKNOWN = 14, 15, 16, 17, 18, 19

# keep_concrete of _symbolic_work: leave concrete lanes to the caller, or make rows of them, too.
EVERY, SYMBOLIC_ONLY = np.int64(1), np.int64(0)
_VALUE, _FSETP, _FCVT, _SELP, _SETP, _MOV = (int(o) for o in (Op.VALUE, Op.FSETP, Op.FCVT, Op.SELP, Op.SETP, Op.MOV))
_LD, _ST, _LDPARAM, _BRA, _CBRA, _RET, _TRAP = (int(o) for o in (Op.LD, Op.ST, Op.LDPARAM, Op.BRA, Op.CBRA, Op.RET, Op.TRAP))
_BAR, _WARPSYNC, _SHFL, _VOTE, _ACTIVE = (int(o) for o in (Op.BAR, Op.WARPSYNC, Op.SHFL, Op.VOTE, Op.ACTIVEMASK))
_FENCE, _CVTA, _PACK, _UNPACK = (int(o) for o in (Op.FENCE, Op.CVTA, Op.PACK, Op.UNPACK))


@inner
def _split(lanes: Lanes, row: Array, inputs: int, act: Array, n: int) -> tuple[int, int, int]:
    """Sorts the active lanes by the worst tag among the sources into l0 (concrete), l1 (symbolic), poisoned (with
    its origin); returns the three counts."""
    n0, n1, n2 = np.int64(0), np.int64(0), np.int64(0)
    for i in range(n):
        l = act[i]
        worst = 0
        origin = np.int64(-1)
        for k in range(inputs):
            t = tag_at(lanes, row[4 + k], l)
            if t > worst:
                worst = t
                origin = lanes.value[row[4 + k], l]
        if worst == CONCRETE:
            lanes.lane[L_L0, n0] = l
            n0 += 1
        elif worst == SYMBOLIC:
            lanes.lane[L_L1, n1] = l
            n1 += 1
        else:
            lanes.lane[L_POISONED, n2] = l
            lanes.lane[L_ORIGIN, n2] = origin
            n2 += 1
    return n0, n1, n2


@inner
def _poison_results(lanes: Lanes, row: Array, n2: int) -> None:
    for i in range(n2):
        for k in range(min(row[16], 2)):
            poison(lanes, row[2 + k], lanes.lane[L_POISONED, i], lanes.lane[L_ORIGIN, i])
            lanes.meta[1, row[2 + k]] = 0


@inner
def _value_row(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int, flags: int) -> None:
    """Emits a value row for lanes without poison: constants first, then the row; its results are symbolic."""
    for k in range(min(row[17], 4)):
        give_constants(lanes, rows, st, row[4 + k], act, n)
    if flags & GUARDED:
        give_constants(lanes, rows, st, row[13], act, n)
        for k in range(min(row[16], 2)):
            give_constants(lanes, rows, st, row[2 + k], act, n)
    emit_row(rows, row[1], mask, PLAIN, NO_PATTERN, flags)
    for k in range(min(row[16], 2)):
        set_kind(lanes, st, row[2 + k], SYMBOLIC, act, n)


@inner
def _symbolic_work(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int, keep_concrete: int) -> int:
    """Splits lanes by tag: poison spreads, symbolic lanes get a row. Returns how many lanes are left, concrete, in l0.

    keep_concrete 0: float arithmetic, where concrete operands make a row, too."""
    n0, n1, n2 = _split(lanes, row, min(row[17], 4), act, n)
    _poison_results(lanes, row, n2)
    if not keep_concrete and n0:
        n1 = np.int64(0)
        for i in range(n):
            l = act[i]
            poisoned = False
            for k in range(n2):
                if lanes.lane[L_POISONED, k] == l:
                    poisoned = True
            if not poisoned:
                lanes.lane[L_L1, n1] = l
                n1 += 1
        n0 = np.int64(0)
    if n1:
        part = mask if n1 == n else intern_mask(rows, lanes.lane[L_L1], n1)
        _value_row(lanes, rows, st, row, lanes.lane[L_L1], n1, part, PLAIN)
    return n0


@inner
def _integer(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """Integer instructions: concrete lanes are computed, the others become rows."""
    op, d = row[0], row[2]
    inputs = min(row[17], 4)
    kind = 0
    for k in range(inputs):
        q = kind_of(lanes, row[4 + k], act, n)
        kind = q if q > kind else kind
    V = lanes.value
    a, b, c, e = max(row[4], 0), max(row[5], 0), max(row[6], 0), max(row[7], 0)
    m = n
    todo = act
    if kind:
        m = _symbolic_work(lanes, rows, st, row, act, n, mask, EVERY)
        todo = lanes.lane[L_L0]
        if m == 0:
            return
    lo, hi = todo[0], todo[m - 1] + 1
    if op == _SETP:
        compare(row[10], row[9] == 1, V[a], V[b], lanes.lane[L_TMP], lo, hi)
        boolean = row[10] >> 8
        if boolean:
            combine(boolean, lanes.lane[L_TMP], V[c], lo, hi)
        if row[3] >= 0:  # the second result is the complement of the comparison, combined with the same operand
            for i in range(m):
                l = todo[i]
                y = 1 - _compare_one(row[10], row[9] == 1, V[a, l], V[b, l])
                if boolean == 1:
                    y &= V[c, l]
                elif boolean == 2:
                    y |= V[c, l]
                elif boolean == 3:
                    y ^= V[c, l]
                lanes.lane[L_BUF, l] = y
            for i in range(m):
                V[row[3], todo[i]] = lanes.lane[L_BUF, todo[i]]
            set_kind(lanes, st, row[3], CONCRETE, todo, m)
            lanes.meta[1, row[3]] = 0
        for i in range(m):
            V[d, todo[i]] = lanes.lane[L_TMP, todo[i]]
    elif op == _UNPACK:
        half = row[8] // 2
        for i in range(m):
            lanes.lane[L_TMP, todo[i]] = V[a, todo[i]]
        for i in range(m):
            l = todo[i]
            x = lanes.lane[L_TMP, l]
            V[d, l] = (x << (64 - half)) >> (64 - half)
            V[row[3], l] = (x << (64 - 2 * half)) >> (64 - half)
        set_kind(lanes, st, row[3], CONCRETE, todo, m)
        lanes.meta[1, row[3]] = 0
    elif op == _PACK:
        half = row[8] // 2
        for i in range(m):
            l = todo[i]
            lanes.lane[L_TMP, l] = (V[a, l] & ((np.int64(1) << half) - 1)) | (V[b, l] << half)
        wrap(lanes.lane[L_TMP], lo, hi, row[8])
        for i in range(m):
            V[d, todo[i]] = lanes.lane[L_TMP, todo[i]]
    elif op == _CVTA:
        window = np.int64(row[10] >> 1)
        region = np.int64(1 if window == 1 else 2 if window == 2 else 3 if window == 3 else 0)
        for i in range(m):
            l = todo[i]
            x = V[a, l]
            if region and row[10] & 1:
                x = x - (region << REGION_SHIFT)
            elif region:
                x = x + (region << REGION_SHIFT)
            V[d, l] = x
    elif hi - lo == m:
        alu(op, row[8], row[9], row[10], row[11], row[12], row[15], V[a], V[b], V[c], V[e], V[d], lo, hi)
    else:
        alu(op, row[8], row[9], row[10], row[11], row[12], row[15], V[a], V[b], V[c], V[e], lanes.lane[L_TMP], lo, hi)
        for i in range(m):
            V[d, todo[i]] = lanes.lane[L_TMP, todo[i]]
    set_kind(lanes, st, d, CONCRETE, todo, m)
    lanes.meta[1, d] = 0


@inner
def _compare_one(sub: int, signed: bool, x: int, y: int) -> int:
    flip = np.int64(0) if signed else np.int64(-9223372036854775808)
    kind = sub & 15
    if kind == 0:
        return int(x == y)
    if kind == 1:
        return int(x != y)
    if kind == 2:
        return int((x ^ flip) < (y ^ flip))
    if kind == 3:
        return int((x ^ flip) <= (y ^ flip))
    return int((x ^ flip) > (y ^ flip)) if kind == 4 else int((x ^ flip) >= (y ^ flip))


@inner
def _select(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """selp: a lane with a concrete predicate takes one operand; a symbolic one, or a symbolic operand, makes a row."""
    d, a, b, p = row[2], row[4], row[5], row[6]
    V = lanes.value
    n0, n1, n2 = np.int64(0), np.int64(0), np.int64(0)
    for i in range(n):
        l = act[i]
        t = tag_at(lanes, p, l)
        origin = V[p, l]
        if t == CONCRETE:
            chosen = a if V[p, l] else b
            t = tag_at(lanes, chosen, l)
            origin = V[chosen, l]
        elif t == SYMBOLIC:
            ta, tb = tag_at(lanes, a, l), tag_at(lanes, b, l)
            if ta == POISON or tb == POISON:
                t = POISON
                origin = V[a, l] if ta == POISON else V[b, l]
        if t == CONCRETE:
            lanes.lane[L_TMP, l] = origin
            lanes.lane[L_L0, n0] = l
            n0 += 1
        elif t == SYMBOLIC:
            lanes.lane[L_L1, n1] = l
            n1 += 1
        else:
            lanes.lane[L_POISONED, n2] = l
            lanes.lane[L_ORIGIN, n2] = origin
            n2 += 1
    _poison_results(lanes, row, n2)
    if n1:
        _value_row(lanes, rows, st, row, lanes.lane[L_L1], n1, mask if n1 == n else intern_mask(rows, lanes.lane[L_L1], n1), PLAIN)
    for i in range(n0):
        V[d, lanes.lane[L_L0, i]] = lanes.lane[L_TMP, lanes.lane[L_L0, i]]
    if n0:
        set_kind(lanes, st, d, CONCRETE, lanes.lane[L_L0], n0)
        lanes.meta[1, d] = 0


@inner
def _float_compare(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """setp on floats: known bits are compared, anything else is a row with a symbolic predicate."""
    m = _symbolic_work(lanes, rows, st, row, act, n, mask, EVERY)
    V = lanes.value
    for i in range(m):
        l = lanes.lane[L_L0, i]
        first = compare_floats(row[10], float_value(V[row[4], l], row[8]), float_value(V[row[5], l], row[8]))
        second = 1 - first
        boolean = row[10] >> 8
        if boolean:
            z = V[row[6], l]
            first = first & z if boolean == 1 else first | z if boolean == 2 else first ^ z
            second = second & z if boolean == 1 else second | z if boolean == 2 else second ^ z
        lanes.lane[L_TMP, l] = first
        if row[3] >= 0:
            V[row[3], l] = second
    for i in range(m):
        V[row[2], lanes.lane[L_L0, i]] = lanes.lane[L_TMP, lanes.lane[L_L0, i]]
    for k in range(min(row[16], 2)):
        if m:
            set_kind(lanes, st, row[2 + k], CONCRETE, lanes.lane[L_L0], m)
            lanes.meta[1, row[2 + k]] = 0


@inner
def _memory(
    lanes: Lanes, memory: Memory, rows: Rows, st: Array, row: Array, operands: Array,
    act: Array, n: int, mask: int, flags: int,
) -> int:  # fmt: skip
    """ld and st: addresses, the row, and the concrete part of the contents. Returns 0 or why it cannot."""
    op, a = row[0], row[4]
    q = kind_of(lanes, a, act, n)
    if q:
        for i in range(n):
            t = tag_at(lanes, a, act[i])
            if (t == POISON) == (q == 3) and t:
                st[EVENT_LANE] = act[i]
                st[EVENT_OTHER] = lanes.value[a, act[i]]
                break
        return SYMBOLIC_ADDRESS if q < 3 else POISON_ADDRESS
    V = lanes.value
    size = row[8] // 8
    first = row[18]
    if op == _ST:
        for k in range(row[17] - 1):
            give_constants(lanes, rows, st, operands[first + 1 + k], act, n)
        if flags & GUARDED:
            give_constants(lanes, rows, st, row[13], act, n)
    for i in range(n):
        lanes.lane[L_BUF, i] = full_address(row[10], V[a, act[i]] + row[21], row[11])
    row[22] = intern_pattern(rows, lanes.lane[L_BUF], n, row[22])
    emit_row(rows, row[1], mask, lanes.lane[L_BUF, 0], row[22], flags)
    if op == _ST:
        for k in range(row[17] - 1):
            r = operands[first + 1 + k]
            for i in range(n):
                l = act[i]
                at = place(memory, lanes.lane[L_BUF, i] + k * size, size, l)
                if at >= 0:
                    t = tag_at(lanes, r, l)
                    if flags & GUARDED and t == CONCRETE:
                        t = SYMBOLIC
                    store(memory, at, size, t, V[r, l])
        return 0
    extra = row[15]
    value = lanes.lane[L_TMP]
    for k in range(row[16]):
        r = operands[first + k]
        n0, n1 = np.int64(0), np.int64(0)
        lanes.meta[1, r] = 0
        for i in range(n):
            l = act[i]
            address = lanes.lane[L_BUF, i] + k * size
            at = place(memory, address, size, l)
            t = POISON
            if at >= 0:
                t = load(memory, at, size, address >> REGION_SHIFT, value)
            if t == CONCRETE:
                x = value[0]
                if row[9] == 1 and size < 8:
                    s = 64 - 8 * size
                    x = (x << s) >> s
                if extra < 64:
                    s = 64 - extra
                    x = (x << s) >> s
                lanes.lane[L_L0, n0] = l
                n0 += 1
                V[r, l] = x
            elif t == SYMBOLIC:
                lanes.lane[L_L1, n1] = l
                n1 += 1
            else:
                poison(lanes, r, l, row[1])
        if n0:
            set_kind(lanes, st, r, CONCRETE, lanes.lane[L_L0], n0)
        if n1:
            set_kind(lanes, st, r, SYMBOLIC, lanes.lane[L_L1], n1)
    return 0


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
        op = row[0]
        st[STEPS] += n
        if op == _BRA:
            pc = np.int64(row[19])
            continue
        if op == _CBRA:
            p = row[4]
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
                pc = np.int64(row[19])
            elif taken == 0:
                pc = np.int64(row[20])
            else:
                for i in range(n):
                    lanes.lane[L_PC, act[i]] = row[19] if P[act[i]] else row[20]
                n = np.int64(0)
            continue
        if op == _RET or op == _BAR or op == _TRAP:
            if op == _TRAP:
                st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                return TRAPPED
            xact, xn, xmask = act, n, mask
            if row[13] >= 0:
                st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                return GUARDED_SYMBOLIC
            if op == _RET:
                leave(lanes, st, act, n)
                n = np.int64(0)
                continue
            for k in range(row[17]):
                if kind_of(lanes, row[4 + k], act, n):
                    st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                    return SYMBOLIC_OPERAND
            if arrive(lanes, rows, st, row, act, n, pc, mask, T):
                pc += 1
            else:
                n = np.int64(0)
            continue
        if op == _SHFL or op == _VOTE or op == _WARPSYNC:
            st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
            if row[13] >= 0:
                return GUARDED_SYMBOLIC
            member = row[7] if op == _SHFL else row[5] if op == _VOTE else row[4]
            q = kind_of(lanes, member, act, n)
            if q:
                return SYMBOLIC_OPERAND if q < 3 else POISON_OPERAND
            if n != st[ALIVE]:
                converge(lanes, rows, st, lanes.value[member], pc)
                n, mask = st[COUNT], st[MASK]
                if n == 0:
                    continue
            for i in range(n):
                if not (lanes.value[member, act[i]] >> (act[i] & 31)) & 1:
                    st[EVENT_LANE] = act[i]
                    return BAD_MASK
            if op == _WARPSYNC:
                for i in range(n):
                    lanes.lane[L_BUF, i] = lanes.value[member, act[i]] & 0xFFFFFFFF
                row[22] = intern_pattern(rows, lanes.lane[L_BUF], n, row[22])
                emit_row(rows, row[1], mask, lanes.lane[L_BUF, 0], row[22], PLAIN)
            else:
                reason = shuffle(lanes, rows, st, row, act, n, mask) if op == _SHFL else vote(lanes, st, row, act, n)
                if reason:
                    return SYMBOLIC_OPERAND if reason == 1 else POISON_OPERAND
            pc += 1
            continue
        # Everything below can be guarded.
        xact, xn, xmask = act, n, mask
        guarded = 0
        if row[13] >= 0:
            g = row[13]
            q = kind_of(lanes, g, act, n)
            if q == 3:
                st[COUNT], st[PC], st[LIMIT], st[MASK], st[EVENT_LANE] = n, pc, limit, mask, act[0]
                return POISON_OPERAND
            xn = np.int64(0)
            xact = lanes.lane[L_SUB]
            for i in range(n):
                l = act[i]
                if tag_at(lanes, g, l) == SYMBOLIC:
                    guarded += 1
                elif (lanes.value[g, l] != 0) != (row[14] != 0):
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
        if xn:
            if op == _VALUE or op == _FCVT:
                worst = 0
                for k in range(row[17]):
                    if lanes.meta[0, row[4 + k]] == MIXED:
                        worst = max(worst, kind_of(lanes, row[4 + k], xact, xn))
                if worst == 3:
                    _symbolic_work(lanes, rows, st, row, xact, xn, xmask, SYMBOLIC_ONLY)
                else:
                    _value_row(lanes, rows, st, row, xact, xn, xmask, PLAIN)
            elif op == _LD or op == _ST:
                reason = _memory(lanes, memory, rows, st, row, operands, xact, xn, xmask, PLAIN)
            elif op == _SELP:
                _select(lanes, rows, st, row, xact, xn, xmask)
            elif op == _FSETP:
                _float_compare(lanes, rows, st, row, xact, xn, xmask)
            elif op == _LDPARAM:
                emit_row(rows, row[1], xmask, row[10], NO_PATTERN, PLAIN)
                set_kind(lanes, st, row[2], SYMBOLIC, xact, xn)
            elif op == _ACTIVE:
                for i in range(xn):
                    lanes.lane[L_BUF, xact[i] >> 5] = 0
                for i in range(xn):
                    lanes.lane[L_BUF, xact[i] >> 5] |= np.int64(1) << (xact[i] & 31)
                for i in range(xn):
                    lanes.value[row[2], xact[i]] = np.int64(np.int32(lanes.lane[L_BUF, xact[i] >> 5]))
                set_kind(lanes, st, row[2], CONCRETE, xact, xn)
                lanes.meta[1, row[2]] = 0
            elif op == _FENCE:
                pass
            else:
                _integer(lanes, rows, st, row, xact, xn, xmask)
        if guarded and not reason:
            k = np.int64(0)
            for i in range(n):
                if tag_at(lanes, row[13], act[i]) == SYMBOLIC:
                    lanes.lane[L_SUB, k] = act[i]
                    k += 1
            gmask = mask if k == n else intern_mask(rows, lanes.lane[L_SUB], k)
            if op == _ST:
                reason = _memory(lanes, memory, rows, st, row, operands, lanes.lane[L_SUB], k, gmask, GUARDED)
            elif _guarded_poison(lanes, row, k):
                reason = GUARDED_SYMBOLIC
            else:
                _value_row(lanes, rows, st, row, lanes.lane[L_SUB], k, gmask, GUARDED)
        if reason:
            st[COUNT], st[PC], st[LIMIT], st[MASK] = n, pc, limit, mask
            if reason != SYMBOLIC_ADDRESS and reason != POISON_ADDRESS:
                st[EVENT_LANE] = act[0]
            return reason
        pc += 1


@inner
def _guarded_poison(lanes: Lanes, row: Array, k: int) -> bool:
    """Whether a source or the old value is poison in one of the symbolically guarded lanes."""
    for r in range(min(row[17], 4)):
        if kind_of(lanes, row[4 + r], lanes.lane[L_SUB], k) == 3:
            return True
    for r in range(min(row[16], 2)):
        if kind_of(lanes, row[2 + r], lanes.lane[L_SUB], k) == 3:
            return True
    return False
