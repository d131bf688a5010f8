"""mma, wmma.mma and movmatrix over the warps of a group: poison by rows and columns, integers computed, all else a row.

The lanes of a warp must all be there (`.aligned`, PTX ISA 9.7.14.5.14); tables are those of ir/tensor.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.tensor import (
    BATCH,
    FORMAT,
    FORMAT_A,
    FORMAT_B,
    MULTIPLY_HEAD,
    SATURATE,
    START_B,
    START_C,
    K,
    M,
    N,
)
from volta_pipe.passes.unroll.bytecode import FIRST, NIN, NRES, OP, TARGET, WALK, A, D
from volta_pipe.passes.unroll.lanes import give_constants, kind_of, poison, set_kind, set_tag, settled, tag_at
from volta_pipe.passes.unroll.matrix_memory import transfer
from volta_pipe.passes.unroll.reasons import BROKEN_WARP, MATRIX_ALIAS
from volta_pipe.passes.unroll.state import (
    ALIVE,
    CONCRETE,
    EVENT_LANE,
    L_BUF,
    L_L0,
    L_L1,
    L_L2,
    L_ORIGIN,
    L_POISONED,
    L_TMP,
    MIXED,
    NO_PATTERN,
    PLAIN,
    POISON,
    SYMBOLIC,
    Lanes,
    Memory,
    Rows,
    emit_row,
    intern_mask,
)

Array = np.ndarray[Any, np.dtype[Any]]

_MMA, _MOVMATRIX = int(Op.MMA), int(Op.MOVMATRIX)
_UNSIGNED = FORMAT["u8"]
_FIRST_FLOAT = FORMAT["e4m3"]
_REGISTER, _PART, _LANE = 8, 7, 31  # of a place (fragments.Fragment.places)


@inner
def matrix_step(
    lanes: Lanes, memory: Memory, rows: Rows, st: Array, row: Array, operands: Array, act: Array, n: int, mask: int
) -> int:
    """One matrix instruction of whole warps; 0 or why it cannot."""
    i = int64(0)
    while i < n:  # lanes of a warp are neighbours in the list
        if act[i] & 31 or i + 32 > n or act[i + 31] != act[i] + 31:
            st[EVENT_LANE] = act[i]
            return BROKEN_WARP
        i += 32
    if row[OP] == _MMA:
        return _multiply(lanes, rows, st, row, operands, act, n, mask)
    if row[OP] == _MOVMATRIX:
        _transpose(lanes, rows, st, row, act, n, mask)
        return 0
    return transfer(lanes, memory, rows, st, row, operands, act, n, mask)


@inner
def _multiply(lanes: Lanes, rows: Rows, st: Array, row: Array, operands: Array, act: Array, n: int, mask: int) -> int:
    first, results, table = row[FIRST], row[NRES], row[TARGET]
    known = n == st[ALIVE] and operands[table + FORMAT_A] >= _FIRST_FLOAT
    for k in range(row[NIN]):
        known = known and settled(lanes.meta, operands[first + results + k])
    if known:  # the common case: nothing but the row
        emit_row(rows, row[WALK], mask, PLAIN, NO_PATTERN, PLAIN)
        for k in range(results):
            lanes.meta[0, operands[first + k]] = SYMBOLIC
            lanes.meta[1, operands[first + k]] = 0
        return 0
    symbolic, poisoned = False, False
    for k in range(row[NIN]):
        r = operands[first + results + k]
        q = kind_of(lanes, r, act, n)
        symbolic = symbolic or q == 1 or q == 2
        if q == 3:
            poisoned = True
            for i in range(n):
                symbolic = symbolic or tag_at(lanes, r, act[i]) == SYMBOLIC
    integers = operands[table + FORMAT_A] < _FIRST_FLOAT and not symbolic
    if integers:
        for k in range(results):  # a result is written while operands of other elements are still to be read
            for j in range(row[NIN]):
                same_place = j - (row[NIN] - results) == k
                if operands[first + k] == operands[first + results + j] and not same_place:
                    st[EVENT_LANE] = act[0]
                    return MATRIX_ALIAS
    else:
        for k in range(row[NIN]):
            r = operands[first + results + k]
            give_constants(lanes, rows, st, r, act, n)
            if poisoned and lanes.meta[0, r] == MIXED:
                _fill(lanes, rows, r, act, n)
        emit_row(rows, row[WALK], mask, PLAIN, NO_PATTERN, PLAIN)
    for l in range(lanes.lane.shape[1]):
        lanes.lane[L_POISONED, l] = 0
    if poisoned:
        for i in range(0, n, 32):
            _spread(lanes, row, operands, act[i])
    if integers:
        for i in range(0, n, 32):
            _integers(lanes, row, operands, act[i])
    for k in range(results):
        r = operands[first + k]
        lanes.meta[1, r] = 0
        set_kind(lanes, st, r, CONCRETE if integers else SYMBOLIC, act, n)
        for i in range(n):
            if (lanes.lane[L_POISONED, act[i]] >> k) & 1:
                poison(lanes, r, act[i], lanes.lane[L_ORIGIN, act[i]])
    return 0


@inner
def _fill(lanes: Lanes, rows: Rows, register: int, act: Array, n: int) -> None:
    """Gives the program zeros for the lanes of a register that hold nothing, so that the product is defined; what depends on
    them is poison here."""
    k = int64(0)
    for i in range(n):
        if lanes.tag[register, act[i]] == POISON:
            lanes.lane[L_L2, k] = act[i]
            k += 1
    if k:
        emit_row(rows, -1 - register, intern_mask(rows, lanes.lane[L_L2], k), PLAIN, NO_PATTERN, PLAIN)


@inner
def _spread(lanes: Lanes, row: Array, operands: Array, warp: int) -> None:
    """An uninitialised element of A reaches its row of D, one of B its column, one of C itself: sets a bit for each result
    register in L_POISONED, and the origin in L_ORIGIN. `warp`: its first lane."""
    first, results, table = row[FIRST], row[NRES], row[TARGET]
    m, n, k = operands[table + M], operands[table + N], operands[table + K]
    at = table + MULTIPLY_HEAD
    a = first + results
    b, c = a + operands[table + START_B], a + operands[table + START_C]
    bad_row, bad_column = lanes.lane[L_L0], lanes.lane[L_L1]  # origin + 2, or 0
    for q in range(operands[table + BATCH]):
        base = warp + 4 * q
        for i in range(32):
            bad_row[i] = 0
            bad_column[i] = 0
        for e in range(m * k):
            p = operands[at + e]
            if tag_at(lanes, operands[a + (p >> _REGISTER)], base + (p & _LANE)) == POISON:
                bad_row[e // k] = lanes.value[operands[a + (p >> _REGISTER)], base + (p & _LANE)] + 2
        for e in range(k * n):
            p = operands[at + m * k + e]
            if tag_at(lanes, operands[b + (p >> _REGISTER)], base + (p & _LANE)) == POISON:
                bad_column[e % n] = lanes.value[operands[b + (p >> _REGISTER)], base + (p & _LANE)] + 2
        for e in range(m * n):
            p = operands[at + m * k + k * n + e]
            bad = max(bad_row[e // n], bad_column[e % n])
            if tag_at(lanes, operands[c + (p >> _REGISTER)], base + (p & _LANE)) == POISON:
                bad = lanes.value[operands[c + (p >> _REGISTER)], base + (p & _LANE)] + 2
            if bad:
                d = operands[at + m * k + k * n + m * n + e]
                lanes.lane[L_POISONED, base + (d & _LANE)] |= int64(1) << (d >> _REGISTER)
                lanes.lane[L_ORIGIN, base + (d & _LANE)] = bad - 2


@inner
def _byte(value: int, part: int, format: int) -> int:
    """One 8-bit integer of a register."""
    x = (value >> (8 * part)) & 255
    return x if format == _UNSIGNED or x < 128 else x - 256


@inner
def _integers(lanes: Lanes, row: Array, operands: Array, warp: int) -> None:
    """Products of 8-bit integers, sums of 32 bits that wrap or stop at the ends of the range."""
    first, results, table = row[FIRST], row[NRES], row[TARGET]
    m, n, k = operands[table + M], operands[table + N], operands[table + K]
    format_a, format_b = operands[table + FORMAT_A], operands[table + FORMAT_B]
    at_a = table + MULTIPLY_HEAD
    at_b = at_a + m * k
    at_c = at_b + k * n
    a = first + results
    b, c = a + operands[table + START_B], a + operands[table + START_C]
    V = lanes.value
    for i in range(m):
        for j in range(n):
            p = operands[at_c + i * n + j]
            total = V[operands[c + (p >> _REGISTER)], warp + (p & _LANE)]
            for x in range(k):
                s = operands[at_a + i * k + x]
                t = operands[at_b + x * n + j]
                left = _byte(V[operands[a + (s >> _REGISTER)], warp + (s & _LANE)], (s >> 5) & _PART, format_a)
                right = _byte(V[operands[b + (t >> _REGISTER)], warp + (t & _LANE)], (t >> 5) & _PART, format_b)
                total += left * right
            if operands[table + SATURATE]:
                total = min(max(total, int64(-2147483648)), int64(2147483647))
            p = operands[at_c + m * n + i * n + j]
            V[operands[first + (p >> _REGISTER)], warp + (p & _LANE)] = int64(np.int32(total))


@inner
def _transpose(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """movmatrix: lane l gets the elements l // 4 of rows 2 (l % 4) and the next one, which lie in the lanes of those rows."""
    a, d = row[A], row[D]
    V = lanes.value
    if kind_of(lanes, a, act, n):
        give_constants(lanes, rows, st, a, act, n)
        emit_row(rows, row[WALK], mask, PLAIN, NO_PATTERN, PLAIN)
    tags, values = lanes.lane[L_BUF], lanes.lane[L_TMP]
    for i in range(n):
        l = act[i]
        low = (l & ~31) + 8 * (l & 3) + (l & 31) // 8
        shift = 16 * ((l >> 2) & 1)
        values[l] = ((V[a, low] >> shift) & 0xFFFF) | ((V[a, low + 4] >> shift) & 0xFFFF) << 16
        first, second = tag_at(lanes, a, low), tag_at(lanes, a, low + 4)
        tags[l] = max(first, second)
        if tags[l] == POISON:
            values[l] = V[a, low] if first == POISON else V[a, low + 4]
    lanes.meta[1, d] = 0
    kind = tags[act[0]]
    same = True
    for i in range(n):
        same = same and tags[act[i]] == kind
        V[d, act[i]] = values[act[i]] if tags[act[i]] == POISON else int64(np.int32(values[act[i]]))
    if same and kind != POISON:
        set_kind(lanes, st, d, kind, act, n)
        return
    for i in range(n):
        set_tag(lanes, d, act[i], tags[act[i]])
