"""Integer instructions: concrete lanes are computed, poison spreads, symbolic lanes become rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.compiled import inlined, inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.small_floats import decode, format_for
from volta_pipe.passes.unroll.alu import alu, wrap
from volta_pipe.passes.unroll.bits import to_integer
from volta_pipe.passes.unroll.bytecode import (
    D2,
    MAX_OPERANDS,
    MAX_RESULTS,
    NIN,
    NRES,
    OP,
    RW,
    SG,
    SG2,
    SUB,
    W2,
    WALK,
    A,
    B,
    C,
    D,
    E,
    W,
)
from volta_pipe.passes.unroll.comparisons import combine, compare, true_bits
from volta_pipe.passes.unroll.lanes import kind_of, poison, set_kind
from volta_pipe.passes.unroll.rare import add_with_carry, logic_with_predicate
from volta_pipe.passes.unroll.state import CONCRETE, L_BUF, L_INSIDE, L_L0, L_TMP, MIXED, Lanes, Rows
from volta_pipe.passes.unroll.value_rows import KEEP_CONCRETE, symbolic_work

Array = np.ndarray[Any, np.dtype[Any]]

_SETP, _SET, _PACK, _UNPACK, _CVTA = (int(o) for o in (Op.SETP, Op.SET, Op.PACK, Op.UNPACK, Op.CVTA))
_FCVTI = int(Op.FCVTI)
_DIV, _REM, _FNS, _ADDC, _MADC, _LOP3_PRED = (int(o) for o in (Op.DIV, Op.REM, Op.FNS, Op.ADDC, Op.MADC, Op.LOP3_PRED))


@inner
def concrete_lanes(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> int:
    """Sees to the lanes with a symbolic or uninitialised operand. Returns how many are left to compute: all of `act` where
    that is n, else the first of the scratch row L_L0."""
    for k in range(min(row[NIN], MAX_OPERANDS)):
        if lanes.meta[0, row[A + k]] == MIXED and kind_of(lanes, row[A + k], act, n) == CONCRETE:
            continue
        if lanes.meta[0, row[A + k]] != CONCRETE:
            return symbolic_work(lanes, rows, st, row, act, n, mask, KEEP_CONCRETE)
    return n


@inlined
def compute(V: Array, lane: Array, row: Array, todo: Array, m: int) -> None:
    """The results in lanes todo[0:m] of an instruction with concrete operands; V is Lanes.value, lane Lanes.lane."""
    op, d = row[OP], row[D]
    a, b, c, e = max(row[A], 0), max(row[B], 0), max(row[C], 0), max(row[E], 0)
    lo, hi = todo[0], todo[m - 1] + 1
    if op == _SETP or op == _SET:
        first, second = lane[L_TMP], lane[L_BUF]
        compare(row[SUB], (row[SG] if op == _SETP else row[SG2]) == 1, V[a], V[b], first, lo, hi)
        boolean = row[SUB] >> 8
        if row[D2] >= 0:  # the second result is the complement of the comparison, combined with the same operand
            for l in range(lo, hi):
                second[l] = 1 - first[l]
            if boolean:
                combine(boolean, second, V[c], lo, hi)
        if boolean:
            combine(boolean, first, V[c], lo, hi)
        true = int64(1) if op == _SETP else true_bits(row[W], row[SG])
        for i in range(m):
            V[d, todo[i]] = first[todo[i]] * true
        if row[D2] >= 0:
            for i in range(m):
                V[row[D2], todo[i]] = second[todo[i]]
    elif op == _UNPACK:
        part = row[W] // row[NRES]
        for i in range(m):
            l = todo[i]
            x = V[a, l]
            for k in range(row[NRES]):
                V[row[D + k], l] = (x << (64 - part * (k + 1))) >> (64 - part)
    elif op == _PACK:
        part = row[W] // row[NIN]
        for i in range(m):
            l = todo[i]
            x = int64(0)
            for k in range(row[NIN]):
                x |= (V[row[A + k], l] & ((int64(1) << part) - 1)) << (part * k)
            lane[L_TMP, l] = x
        wrap(lane[L_TMP], lo, hi, row[W])
        for i in range(m):
            V[d, todo[i]] = lane[L_TMP, todo[i]]
    elif op == _FCVTI:
        format = format_for(row[W2], row[SG2])
        for i in range(m):
            lane[L_TMP, todo[i]] = to_integer(decode(V[a, todo[i]], format), row[SUB] & 3, row[W], row[SG] == 1)
        wrap(lane[L_TMP], lo, hi, row[RW])
        for i in range(m):
            V[d, todo[i]] = lane[L_TMP, todo[i]]
    elif op == _ADDC or op == _MADC:
        add_with_carry(V, row, todo, m)
    elif op == _LOP3_PRED:
        logic_with_predicate(V, row, todo, m)
    elif op == _CVTA:
        window = int64(row[SUB] >> 1)
        region = int64(1 if window == 1 else 2 if window == 2 else 3 if window == 3 else 0)
        step = -(region << REGION_SHIFT) if row[SUB] & 1 else region << REGION_SHIFT
        for i in range(m):
            V[d, todo[i]] = V[a, todo[i]] + step
    else:
        # Where lanes in between take no part, the result goes to the scratch register behind the last one first.
        to = d if hi - lo == m else int64(len(V) - 1)
        alu(op, row[W], row[SG], row[SUB], row[W2], row[SG2], row[RW], V, a, b, c, e, to, lo, hi)
        if to != d:
            for i in range(m):
                V[d, todo[i]] = V[to, todo[i]]


@inner
def integer(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """An integer instruction whose operands are not concrete in every lane, or whose result the ISA may leave open."""
    m = concrete_lanes(lanes, rows, st, row, act, n, mask)
    if m == 0:
        return
    todo = act if m == n else lanes.lane[L_L0]
    unknown = int64(0)
    if row[OP] == _DIV or row[OP] == _REM or row[OP] == _FNS:  # by zero; from a bit that a word does not have
        for i in range(m):
            y = lanes.value[row[B], todo[i]]
            lanes.lane[L_INSIDE, todo[i]] = y < 0 or y > 31 if row[OP] == _FNS else y == 0
            unknown += lanes.lane[L_INSIDE, todo[i]]
    compute(lanes.value, lanes.lane, row, todo, m)
    for k in range(min(row[NRES], MAX_RESULTS)):
        set_kind(lanes, st, row[D + k], CONCRETE, todo, m)
        lanes.meta[1, row[D + k]] = 0
    if unknown:  # unspecified by the ISA: no known number
        for i in range(m):
            if lanes.lane[L_INSIDE, todo[i]]:
                poison(lanes, row[D], todo[i], row[WALK])
