"""Integer instructions: concrete lanes are computed, poison spreads, symbolic lanes become rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import REGION_SHIFT
from volta_pipe.passes.unroll.alu import alu, combine, compare, wrap
from volta_pipe.passes.unroll.bytecode import D2, NIN, OP, RW, SG, SG2, SUB, W2, WALK, A, B, C, D, E, W
from volta_pipe.passes.unroll.lanes import kind_of, poison, set_kind
from volta_pipe.passes.unroll.state import ALIVE, CONCRETE, L_BUF, L_INSIDE, L_L0, L_TMP, MIXED, Lanes, Rows
from volta_pipe.passes.unroll.value_rows import KEEP_CONCRETE, symbolic_work

Array = np.ndarray[Any, np.dtype[Any]]

_SETP, _PACK, _UNPACK, _CVTA, _DIV, _REM = (int(o) for o in (Op.SETP, Op.PACK, Op.UNPACK, Op.CVTA, Op.DIV, Op.REM))


@inner
def integer(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """Integer instructions: concrete lanes are computed, the others become rows."""
    op, d = row[OP], row[D]
    inputs = min(row[NIN], 4)
    kind = 0
    for k in range(inputs):
        q = int64(lanes.meta[0, row[A + k]])
        if q == MIXED:
            q = kind_of(lanes, row[A + k], act, n)
        kind = q if q > kind else kind
    V = lanes.value
    a, b, c, e = max(row[A], 0), max(row[B], 0), max(row[C], 0), max(row[E], 0)
    m = n
    todo = act
    if kind:
        m = symbolic_work(lanes, rows, st, row, act, n, mask, KEEP_CONCRETE)
        todo = lanes.lane[L_L0]
        if m == 0:
            return
    lo, hi = todo[0], todo[m - 1] + 1
    zeros = int64(0)
    if op == _DIV or op == _REM:
        for i in range(m):
            lanes.lane[L_INSIDE, todo[i]] = V[b, todo[i]] == 0
            zeros += lanes.lane[L_INSIDE, todo[i]]
    if op == _SETP:
        compare(row[SUB], row[SG] == 1, V[a], V[b], lanes.lane[L_TMP], lo, hi)
        boolean = row[SUB] >> 8
        if boolean:
            combine(boolean, lanes.lane[L_TMP], V[c], lo, hi)
        if row[D2] >= 0:  # the second result is the complement of the comparison, combined with the same operand
            for i in range(m):
                l = todo[i]
                y = 1 - _compare_one(row[SUB], row[SG] == 1, V[a, l], V[b, l])
                if boolean == 1:
                    y &= V[c, l]
                elif boolean == 2:
                    y |= V[c, l]
                elif boolean == 3:
                    y ^= V[c, l]
                lanes.lane[L_BUF, l] = y
            for i in range(m):
                V[row[D2], todo[i]] = lanes.lane[L_BUF, todo[i]]
            set_kind(lanes, st, row[D2], CONCRETE, todo, m)
            lanes.meta[1, row[D2]] = 0
        for i in range(m):
            V[d, todo[i]] = lanes.lane[L_TMP, todo[i]]
    elif op == _UNPACK:
        half = row[W] // 2
        for i in range(m):
            lanes.lane[L_TMP, todo[i]] = V[a, todo[i]]
        for i in range(m):
            l = todo[i]
            x = lanes.lane[L_TMP, l]
            V[d, l] = (x << (64 - half)) >> (64 - half)
            V[row[D2], l] = (x << (64 - 2 * half)) >> (64 - half)
        set_kind(lanes, st, row[D2], CONCRETE, todo, m)
        lanes.meta[1, row[D2]] = 0
    elif op == _PACK:
        half = row[W] // 2
        for i in range(m):
            l = todo[i]
            lanes.lane[L_TMP, l] = (V[a, l] & ((int64(1) << half) - 1)) | (V[b, l] << half)
        wrap(lanes.lane[L_TMP], lo, hi, row[W])
        for i in range(m):
            V[d, todo[i]] = lanes.lane[L_TMP, todo[i]]
    elif op == _CVTA:
        window = int64(row[SUB] >> 1)
        region = int64(1 if window == 1 else 2 if window == 2 else 3 if window == 3 else 0)
        for i in range(m):
            l = todo[i]
            x = V[a, l]
            if region and row[SUB] & 1:
                x = x - (region << REGION_SHIFT)
            elif region:
                x = x + (region << REGION_SHIFT)
            V[d, l] = x
    elif hi - lo == m:
        alu(op, row[W], row[SG], row[SUB], row[W2], row[SG2], row[RW], V[a], V[b], V[c], V[e], V[d], lo, hi)
    else:
        alu(op, row[W], row[SG], row[SUB], row[W2], row[SG2], row[RW], V[a], V[b], V[c], V[e], lanes.lane[L_TMP], lo, hi)
        for i in range(m):
            V[d, todo[i]] = lanes.lane[L_TMP, todo[i]]
    if m == st[ALIVE]:
        lanes.meta[0, d] = CONCRETE
    else:
        set_kind(lanes, st, d, CONCRETE, todo, m)
    lanes.meta[1, d] = 0
    if zeros:  # unspecified by the ISA: no known number
        for i in range(m):
            if lanes.lane[L_INSIDE, todo[i]]:
                poison(lanes, d, todo[i], row[WALK])


@inner
def _compare_one(sub: int, signed: bool, x: int, y: int) -> int:
    flip = int64(0) if signed else int64(-9223372036854775808)
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
