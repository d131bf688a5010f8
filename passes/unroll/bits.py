"""Integer operations that take more than one machine operation a lane (PTX ISA 9.7.1, 9.7.8, 9.7.9)."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.compiled import float64, inner, int64, uint64
from volta_pipe.ir.instructions import Op

_BFE, _BFI, _BREV, _CLZ, _DIV, _LOP3, _POPC, _PRMT = (
    int(o) for o in (Op.BFE, Op.BFI, Op.BREV, Op.CLZ, Op.DIV, Op.LOP3, Op.POPC, Op.PRMT)
)


@inner
def mul_hi(x: int, y: int, width: int, signed: bool) -> int:
    """The upper half of the product of two canonical values (as 32x32 pieces for 64 bits)."""
    if width < 64:
        if not signed:
            m = (int64(1) << width) - 1
            return int64((uint64(x & m) * uint64(y & m)) >> uint64(width))
        return (x * y) >> width
    a, b = uint64(x), uint64(y)
    low = uint64(0xFFFFFFFF)
    s = uint64(32)
    a0, a1, b0, b1 = a & low, a >> s, b & low, b >> s
    t = a0 * b0
    u = a1 * b0 + (t >> s)
    v = a0 * b1 + (u & low)
    high = int64(a1 * b1 + (u >> s) + (v >> s))
    if signed:
        if x < 0:
            high -= y
        if y < 0:
            high -= x
    return high


@inner
def divide(op: int, x: int, y: int, width: int, signed: bool) -> int:
    """div and rem towards zero; by zero all ones and the dividend (what hardware gives; the ISA leaves it open)."""
    if y == 0:
        return int64(-1) if op == _DIV else x
    if signed:
        if y == -1:
            return -x if op == _DIV else int64(0)
        q = abs(x) // abs(y) if x != np.iinfo(np.int64).min and y != np.iinfo(np.int64).min else int64(0)
        if x == np.iinfo(np.int64).min or y == np.iinfo(np.int64).min:
            if y == np.iinfo(np.int64).min:
                q = int64(1) if x == y else int64(0)
            else:
                q = int64(uint64(x) // uint64(abs(y)))
        q = -q if (x < 0) != (y < 0) else q
        return q if op == _DIV else x - q * y
    m = uint64(0xFFFFFFFFFFFFFFFF) if width == 64 else (uint64(1) << uint64(width)) - uint64(1)
    ux, uy = uint64(x) & m, uint64(y) & m
    return int64(ux // uy) if op == _DIV else int64(ux % uy)


@inner
def bit_op(op: int, x: int, y: int, z: int, w: int, width: int, signed: bool, sub: int) -> int:
    """The rarer bit operations, one lane."""
    m = uint64(0xFFFFFFFFFFFFFFFF) if width == 64 else (uint64(1) << uint64(width)) - uint64(1)
    ux = uint64(x) & m
    one = uint64(1)
    if op == _POPC:
        n = 0
        while ux:
            ux &= ux - one
            n += 1
        return int64(n)
    if op == _CLZ:
        n = 0
        while n < width and not (ux >> uint64(width - 1 - n)) & one:
            n += 1
        return int64(n)
    if op == _BREV:
        r = uint64(0)
        for i in range(width):
            r |= ((ux >> uint64(i)) & one) << uint64(width - 1 - i)
        return int64(r)
    if op == _BFE:
        pos, length = y & 255, z & 255
        top = width - 1
        sign = int64(0)
        if signed and length > 0:
            sign = int64((ux >> uint64(min(pos + length - 1, top))) & one)
        r = int64(0)
        for i in range(width):
            bit = sign
            if i < length and pos + i <= top:
                bit = int64((ux >> uint64(pos + i)) & one)
            r |= bit << i
        return r
    if op == _BFI:  # bfi d, a, b, c(pos), d(len): bits of a into b
        pos, length = z & 255, w & 255
        r = uint64(y) & m
        for i in range(length):
            if pos + i < width:
                r = (r & ~(one << uint64(pos + i))) | (((ux >> uint64(i)) & one) << uint64(pos + i))
        return int64(r)
    if op == _LOP3:
        r = int64(0)
        for k in range(8):
            if (w >> k) & 1:
                r |= (x if k & 4 else ~x) & (y if k & 2 else ~y) & (z if k & 1 else ~z)
        return r
    if op == _PRMT:
        both = (uint64(x) & uint64(0xFFFFFFFF)) | (uint64(y) << uint64(32))
        r = uint64(0)
        for i in range(4):
            selector = (z >> (4 * i)) & 15
            byte = (both >> uint64(8 * (selector & 7))) & uint64(255)
            if selector & 8:
                byte = uint64(255) if byte & uint64(128) else uint64(0)
            r |= byte << uint64(8 * i)
        return int64(r)
    # shf: the 64 bits {b, a} shifted; sub bit 0 right, bit 1 clamp
    amount = min(z & 0xFFFFFFFF, 32) if sub & 2 else z & 31
    both = (uint64(x) & uint64(0xFFFFFFFF)) | (uint64(y) << uint64(32))
    if sub & 1:
        return int64(both >> uint64(amount))
    return int64(((both << uint64(amount)) >> uint64(32)) if amount < 32 else uint64(x))


@inner
def to_integer(x: float, mode: int, width: int, signed: bool) -> int:
    """cvt of a float to an integer (PTX ISA 9.7.9.21): rounded (0 nearest even, 1 down, 2 up, 3 towards zero), clamped to the
    range of the type; NaN becomes 0. Canonical bits: those of an unsigned result of 64 bits may look negative."""
    if x != x:  # noqa: PLR0124 (NaN test)
        return int64(0)
    y = np.floor(x) if mode == 1 else np.ceil(x) if mode == 2 else np.trunc(x) if mode == 3 else np.rint(x)
    bits = width - 1 if signed else width
    top = 2.0 ** float64(bits)
    if y >= top:
        return int64(-1) if bits == 64 else int64(0x7FFFFFFFFFFFFFFF) if bits == 63 else (int64(1) << bits) - 1
    if y < (-top if signed else 0.0):
        return int64(-9223372036854775807) - 1 if signed and bits == 63 else -(int64(1) << bits) if signed else int64(0)
    if y >= 9223372036854775808.0:  # unsigned, from 2^63 on
        return int64(y - 9223372036854775808.0) ^ int64(-9223372036854775808)
    return int64(y)
