"""Integer and bit instructions that are rare enough to be computed one lane at a time, and those with carry or a second result.

PTX ISA 9.7.1 (arithmetic), 9.7.2 (extended precision), 9.7.8 (logic), 9.7.9 (prmt, cvt.pack, isspacep). Operands are canonical
register contents, and so are results, up to a wrap to the result's width."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import CONST_REGION, REGION_SHIFT
from volta_pipe.ir.compiled import inner, int64, uint64
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.bits import mul_hi
from volta_pipe.passes.unroll.bytecode import D2, NIN, NRES, OP, SG, SUB, A, B, C, D, E, F, W

Array = np.ndarray[Any, np.dtype[Any]]

_ADD_SAT, _MAD_HI_SAT, _MUL24, _MAD24, _MIN_RELU, _MAX_RELU = (
    int(o) for o in (Op.ADD_SAT, Op.MAD_HI_SAT, Op.MUL24, Op.MAD24, Op.MIN_RELU, Op.MAX_RELU)
)
_ADD_X2, _MIN_X2, _MAX_X2, _CNOT, _SZEXT, _BMSK, _BFIND, _FNS = (
    int(o) for o in (Op.ADD_X2, Op.MIN_X2, Op.MAX_X2, Op.CNOT, Op.SZEXT, Op.BMSK, Op.BFIND, Op.FNS)
)
_DP4A, _DP2A, _PRMT_MODE, _CVT_PACK, _MADC = (int(o) for o in (Op.DP4A, Op.DP2A, Op.PRMT_MODE, Op.CVT_PACK, Op.MADC))
_COPYSIGN = int(Op.COPYSIGN)
_WORD = 0xFFFFFFFF
_8, _16, _24 = int64(8), int64(16), int64(24)
# The byte that prmt takes, per mode and selector: d.b3 d.b2 d.b1 d.b0 as hexadecimal digits (PTX ISA 9.7.9.7).
_PRMT = (
    0x3210, 0x4321, 0x5432, 0x6543,  # f4e
    0x5670, 0x6701, 0x7012, 0x0123,  # b4e
    0x0000, 0x1111, 0x2222, 0x3333,  # rc8
    0x3210, 0x3211, 0x3222, 0x3333,  # ecl
    0x0000, 0x1110, 0x2210, 0x3210,  # ecr
    0x1010, 0x3232, 0x1010, 0x3232,  # rc16
)  # fmt: skip


@inner
def _clamped(x: int, low: int, high: int) -> int:
    return low if x < low else high if x > high else x


@inner
def _part(x: int, place: int, bits: int, signed: bool) -> int:
    """The bits of x from `place` on, extended."""
    y = (x >> place) & ((int64(1) << bits) - 1)
    return y - (int64(1) << bits) if signed and y >> (bits - 1) else y


@inner
def _halves(op: int, x: int, y: int, signed: bool, relu: bool) -> int:
    """Both 16-bit halves added or compared."""
    r = int64(0)
    for k in range(2):
        a, b = _part(x, 16 * k, _16, signed), _part(y, 16 * k, _16, signed)
        h = a + b if op == _ADD_X2 else min(a, b) if op == _MIN_X2 else max(a, b)
        r |= ((max(h, 0) if relu else h) & 0xFFFF) << (16 * k)
    return r


@inner
def _mask(x: int, y: int, clamp: bool) -> int:
    """bmsk: y ones from bit x on."""
    start, length = x & 31, y & 31
    ones = (_WORD << start) & _WORD
    if clamp and x > 31:
        return int64(0)
    if start + length > 31 or (clamp and y > 31):
        return ones
    return ones & ((int64(1) << (start + length)) - 1)


@inner
def _nth_set(mask: int, base: int, offset: int) -> int:
    """fns: the place of the |offset|-th one from bit `base` on, upwards or downwards, or -1."""
    if offset == 0:
        return base if (mask >> base) & 1 else int64(-1)
    step = 1 if offset > 0 else -1
    left = abs(offset)
    place = base
    while 0 <= place < 32:
        left -= (mask >> place) & 1
        if left == 0:
            return place
        place += step
    return int64(-1)


@inner
def _highest(x: int, width: int, signed: bool, shift: bool) -> int:
    """bfind: the place of the highest bit that is no sign bit, or how far it is from the top; -1 if there is none."""
    if signed and x < 0:
        x = ~x
    place = width - 1
    while place >= 0 and not (x >> place) & 1:
        place -= 1
    return int64(width - 1 - place if shift and place >= 0 else place)


@inner
def rare(op: int, x: int, y: int, z: int, width: int, signed: bool, sub: int, signed2: bool) -> int:
    """One lane. `signed2`: of the second type."""
    low, high = -(int64(1) << 31), (int64(1) << 31) - 1
    if op == _ADD_SAT:
        return _clamped(x - y if sub else x + y, low, high)
    if op == _MAD_HI_SAT:
        return _clamped(((x * y) >> 32) + z, low, high)
    if op == _MUL24 or op == _MAD24:
        t = _part(x, int64(0), _24, signed) * _part(y, int64(0), _24, signed)
        t = t >> 16 if sub & 1 else t
        if op == _MUL24:
            return t
        return _clamped(t + z, low, high) if sub & 2 else t + z
    if op == _MIN_RELU or op == _MAX_RELU:
        return max(min(x, y) if op == _MIN_RELU else max(x, y), int64(0))
    if op == _ADD_X2 or op == _MIN_X2 or op == _MAX_X2:
        return _halves(op, x, y, signed, sub != 0)
    if op == _CNOT:
        return int64(x == 0)
    if op == _SZEXT:
        n = y & _WORD
        if n > 31 and sub:
            return x
        n &= 31
        return _part(x, int64(0), n, signed) if n else int64(0)
    if op == _BMSK:
        return _mask(x & _WORD, y & _WORD, sub != 0)
    if op == _BFIND:
        return _highest(x, width, signed, sub != 0)
    if op == _FNS:
        return _nth_set(x, y & 31, z)
    if op == _DP4A:
        r = z
        for k in range(4):
            r += _part(x, 8 * k, _8, signed) * _part(y, 8 * k, _8, signed2)
        return r
    if op == _DP2A:
        r = z
        for k in range(2):
            r += _part(x, 16 * k, _16, signed) * _part(y, 16 * sub + 8 * k, _8, signed2)
        return r
    if op == _COPYSIGN:  # the sign of x, the rest of y
        top = int64(-1) << (width - 1)
        return (x & top) | (y & ~top)
    if op == _PRMT_MODE:
        both = (x & _WORD) | (y << 32)
        places = _PRMT[4 * sub + (z & 3)]
        r = int64(0)
        for k in range(4):
            r |= ((both >> (8 * ((places >> (4 * k)) & 7))) & 255) << (8 * k)
        return r
    if op == _CVT_PACK:  # b lowest, a above it, and the low bits of c above them
        low, high = int64(0), (int64(1) << width) - 1
        if signed:
            low, high = -(int64(1) << (width - 1)), (int64(1) << (width - 1)) - 1
        m = (int64(1) << width) - 1
        r = (_clamped(x, low, high) & m) << width | (_clamped(y, low, high) & m)
        return r | z << (2 * width) if width < 16 else r
    # isspacep: const, local and shared have their regions, the rest is global; no address is one of a parameter
    region = x >> REGION_SHIFT
    if sub == 4:
        return int64(region < 1 or region > CONST_REGION)
    return int64(region == sub)


@inner
def add_with_carry(V: Array, row: Array, todo: Array, m: int) -> None:
    """add.cc addc sub.cc subc mad.cc madc in lanes todo[0:m]; the carry of a subtraction is its borrow."""
    width = row[W]
    mask = uint64(0xFFFFFFFFFFFFFFFF) if width == 64 else uint64(0xFFFFFFFF)
    multiply = row[OP] == _MADC
    takes = row[NIN] == (4 if multiply else 3)
    for i in range(m):
        l = todo[i]
        x, y, carry = V[row[A], l], V[row[B], l], V[row[E if multiply else C], l] if takes else int64(0)
        if multiply:
            x = mul_hi(x, y, width, row[SG] == 1) if row[SUB] else x * y
            y = V[row[C], l]
        a, b, c = uint64(x) & mask, uint64(y) & mask, uint64(carry)
        if multiply or not row[SUB]:
            r = (a + b + c) & mask
            out = r < a or (carry and r == a)
        else:
            r = (a - b - c) & mask
            out = a < b or (carry and a == b)
        V[row[D], l] = int64(r) if width == 64 else int64(np.int32(r))
        if row[NRES] > 1:
            V[row[D2], l] = int64(1) if out else int64(0)


@inner
def logic_with_predicate(V: Array, row: Array, todo: Array, m: int) -> None:
    """lop3 whose second result is (d != 0) and/or its last operand, in lanes todo[0:m]."""
    for i in range(m):
        l = todo[i]
        x, y, z, table = V[row[A], l], V[row[B], l], V[row[C], l], V[row[E], l]
        r = int64(0)
        for k in range(8):
            if (table >> k) & 1:
                r |= (x if k & 4 else ~x) & (y if k & 2 else ~y) & (z if k & 1 else ~z)
        q = V[row[F], l]
        V[row[D], l] = r
        V[row[D2], l] = (q if r != 0 else int64(0)) if row[SUB] == 1 else (int64(1) if r != 0 else q)
