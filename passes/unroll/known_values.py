"""Executes rows of Op.KNOWN: the row is written as ever, and the bits are computed in the lanes that know all operands.

A lane knows the bits of an operand where the register is concrete, or where it is symbolic and the register that stands beside
it (known.py) holds 1; the bits then lie where those of concrete lanes do, for nobody looks at the value of a symbolic lane."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.passes.unroll.alu import wrap
from volta_pipe.passes.unroll.bits import to_integer
from volta_pipe.passes.unroll.bytecode import D2, NIN, NRES, RW, SG, SG2, SUB, TARGET, W2, A, D, W
from volta_pipe.passes.unroll.comparisons import compare_floats
from volta_pipe.passes.unroll.float_bits import UNKNOWN, arithmetic, bits_to_float, converted
from volta_pipe.passes.unroll.known import COMPARE, CONVERT, FTZ, KNOWN_OPERANDS, KNOWN_RESULT, MOVE, TO_INTEGER
from volta_pipe.passes.unroll.lanes import set_kind, tag_at
from volta_pipe.passes.unroll.state import (
    CONCRETE,
    L_ACTIVE,
    L_BUF,
    L_INSIDE,
    L_L0,
    L_TMP,
    SYMBOLIC,
    Lanes,
    Rows,
    intern_mask,
)
from volta_pipe.passes.unroll.value_rows import KEEP_CONCRETE, float_work, symbolic_work

Array = np.ndarray[Any, np.dtype[Any]]


@inner
def _knows(lanes: Lanes, row: Array, lane: int) -> bool:
    """Whether a lane knows the bits of all operands."""
    for k in range(row[NIN]):
        t = tag_at(lanes, row[A + k], lane)
        beside = row[KNOWN_OPERANDS[k]]
        if t != CONCRETE and not (t == SYMBOLIC and beside >= 0 and lanes.value[beside, lane] == 1):
            return False
    return True


@inner
def known_value(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """One instruction in the lanes act[0:n]."""
    kind = row[TARGET] & (FTZ - 1)
    if kind == TO_INTEGER or kind == COMPARE:
        _decide(lanes, rows, st, row, act, n, mask)
    elif kind == MOVE:
        _move(lanes, rows, st, row, act, n, mask)
    else:
        _compute(lanes, rows, st, row, act, n, mask)


@inner
def _compute(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """Arithmetic and conversions: operands are read before the row makes the result symbolic."""
    V = lanes.value
    bits, good = lanes.lane[L_TMP], lanes.lane[L_INSIDE]
    kind, ftz = row[TARGET] & (FTZ - 1), row[TARGET] >= FTZ
    b = row[A + 1] if row[NIN] > 1 else row[A]
    c = row[A + 2] if row[NIN] > 2 else row[A]
    for i in range(n):
        l = act[i]
        good[l] = 0
        if not _knows(lanes, row, l):
            continue
        if kind == CONVERT:
            found = converted(V[row[A], l], row[W], row[W2], row[SG2], row[SUB], ftz)
        else:
            found = arithmetic(kind, V[row[A], l], V[b, l], V[c, l], row[NIN], row[W], row[SUB], ftz)
        good[l] = found != UNKNOWN
        bits[l] = found
    float_work(lanes, rows, st, row, act, n, mask)
    beside = row[KNOWN_RESULT]
    for i in range(n):
        l = act[i]
        V[beside, l] = 0
        if good[l] and tag_at(lanes, row[D], l) == SYMBOLIC:
            V[row[D], l] = bits[l]
            V[beside, l] = 1


@inner
def _move(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """A move keeps what a lane knows."""
    V = lanes.value
    bits, good = lanes.lane[L_TMP], lanes.lane[L_INSIDE]
    for i in range(n):
        good[act[i]] = _knows(lanes, row, act[i])
        bits[act[i]] = V[row[A], act[i]]
    m = symbolic_work(lanes, rows, st, row, act, n, mask, KEEP_CONCRETE)
    for i in range(m):
        V[row[D], lanes.lane[L_L0, i]] = bits[lanes.lane[L_L0, i]]
    if m:
        set_kind(lanes, st, row[D], CONCRETE, lanes.lane[L_L0], m)
        lanes.meta[1, row[D]] = 0
    beside = row[KNOWN_RESULT]
    for i in range(n):
        l = act[i]
        V[beside, l] = 0
        if good[l] and tag_at(lanes, row[D], l) == SYMBOLIC:
            V[row[D], l] = bits[l]
            V[beside, l] = 1


@inner
def _decide(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """A conversion to an integer, or a comparison: known in the lanes that know, a row in the others."""
    V = lanes.value
    here, other = lanes.lane[L_TMP], lanes.lane[L_INSIDE]
    k, rest = int64(0), int64(0)
    ftz = row[TARGET] >= FTZ
    first, second = lanes.lane[L_BUF], lanes.lane[L_ACTIVE]
    integral = row[TARGET] & (FTZ - 1) == TO_INTEGER
    for i in range(n):
        l = act[i]
        if not _knows(lanes, row, l):
            other[rest] = l
            rest += 1
            continue
        here[k] = l
        if integral:
            first[k] = to_integer(bits_to_float(V[row[A], l], row[W2], ftz), row[SUB] & 3, row[W], row[SG] == 1)
        else:
            x, y = bits_to_float(V[row[A], l], row[W], ftz), bits_to_float(V[row[A + 1], l], row[W], ftz)
            p = compare_floats(row[SUB], x, y)
            q = 1 - p
            boolean = row[SUB] >> 8
            if boolean:
                z = V[row[A + 2], l]
                p = p & z if boolean == 1 else p | z if boolean == 2 else p ^ z
                q = q & z if boolean == 1 else q | z if boolean == 2 else q ^ z
            first[k], second[k] = p, q
        k += 1
    if integral:
        wrap(first, 0, k, row[RW])
    for i in range(k):
        V[row[D], here[i]] = first[i]
        if row[NRES] > 1:
            V[row[D2], here[i]] = second[i]
    if k:
        set_kind(lanes, st, row[D], CONCRETE, here, k)
        lanes.meta[1, row[D]] = 0
        if row[NRES] > 1:
            set_kind(lanes, st, row[D2], CONCRETE, here, k)
            lanes.meta[1, row[D2]] = 0
    if rest:
        symbolic_work(lanes, rows, st, row, other, rest, mask if rest == n else intern_mask(rows, other, rest), KEEP_CONCRETE)
