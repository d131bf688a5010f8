"""Concrete integer arithmetic of one SIMT instruction: an inner loop over lanes, compiled.

Register contents are canonical: two's complement sign-extended from the width to int64 (predicates 0 or 1). Results are wrapped
to the width at the end, so loops compute in int64. Each meaning is that of PTX ISA 9.7; division by zero gives all ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inlined, inner, int64, uint64
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.bits import bit_op, divide, mul_hi
from volta_pipe.passes.unroll.comparisons import set_floats
from volta_pipe.passes.unroll.rare import rare

Array = np.ndarray[Any, np.dtype[Any]]

_MOV, _ADD, _SUB, _MUL_LO, _MUL_HI, _MUL_WIDE = (int(o) for o in (Op.MOV, Op.ADD, Op.SUB, Op.MUL_LO, Op.MUL_HI, Op.MUL_WIDE))
_MAD_LO, _MAD_HI, _MAD_WIDE, _DIV, _REM = (int(o) for o in (Op.MAD_LO, Op.MAD_HI, Op.MAD_WIDE, Op.DIV, Op.REM))
_MIN, _MAX, _ABS, _NEG, _AND, _OR, _XOR, _NOT = (
    int(o) for o in (Op.MIN, Op.MAX, Op.ABS, Op.NEG, Op.AND, Op.OR, Op.XOR, Op.NOT)
)
_SHL, _SHR, _POPC, _CLZ, _CVT, _SAD, _RARE = (int(o) for o in (Op.SHL, Op.SHR, Op.POPC, Op.CLZ, Op.CVT, Op.SAD, Op.ADD_SAT))
_FSET = int(Op.FSET)


@inner
def wrap(R: Array, lo: int, hi: int, width: int) -> None:
    """R[lo:hi] reduced to canonical contents of the width."""
    if width == 32:
        for l in range(lo, hi):
            R[l] = int64(np.int32(R[l]))
    elif width == 1:
        for l in range(lo, hi):
            R[l] = R[l] & 1
    elif width < 64:
        s = 64 - width
        for l in range(lo, hi):
            R[l] = (R[l] << s) >> s


@inlined
def alu(
    op: int,
    width: int,
    sg: int,
    sub: int,
    w2: int,
    sg2: int,
    rw: int,
    V: Array,
    a: int,
    b: int,
    c: int,
    e: int,
    d: int,
    lo: int,
    hi: int,
) -> None:
    """V[d, l] = op(V[a, l], V[b, l], V[c, l], V[e, l]) for lo <= l < hi; operands that the operation lacks are ignored.

    One array and register numbers: a view of each operand in the call would cost more than an instruction of few lanes."""
    signed = sg == 1
    A, B, C, E, R = V[a], V[b], V[c], V[e], V[d]
    if op == _MOV:
        for l in range(lo, hi):
            R[l] = A[l]
    elif op == _ADD:
        for l in range(lo, hi):
            R[l] = A[l] + B[l]
    elif op == _SUB:
        for l in range(lo, hi):
            R[l] = A[l] - B[l]
    elif op == _MUL_LO:
        for l in range(lo, hi):
            R[l] = A[l] * B[l]
    elif op == _MAD_LO:
        for l in range(lo, hi):
            R[l] = A[l] * B[l] + C[l]
    elif op == _MUL_WIDE:
        m = int64(-1) if signed else (int64(1) << width) - 1  # zero-extends unsigned operands
        for l in range(lo, hi):
            R[l] = (A[l] & m) * (B[l] & m)
        wrap(R, lo, hi, 2 * width)
        return
    elif op == _MAD_WIDE:
        m = int64(-1) if signed else (int64(1) << width) - 1
        for l in range(lo, hi):  # one pass: the result's register may be the addend's
            R[l] = (A[l] & m) * (B[l] & m) + C[l]
        wrap(R, lo, hi, 2 * width)
        return
    elif op == _MUL_HI:
        for l in range(lo, hi):
            R[l] = mul_hi(A[l], B[l], width, signed)
    elif op == _MAD_HI:
        for l in range(lo, hi):
            R[l] = mul_hi(A[l], B[l], width, signed) + C[l]
    elif op in (_DIV, _REM):
        for l in range(lo, hi):
            R[l] = divide(op, A[l], B[l], width, signed)
    elif op in (_MIN, _MAX):
        flip = int64(0) if signed else int64(-9223372036854775808)  # compares as unsigned; sign extension keeps the order
        for l in range(lo, hi):
            less = (A[l] ^ flip) < (B[l] ^ flip)
            R[l] = A[l] if less == (op == _MIN) else B[l]
    elif op == _SAD:  # c + |a - b|: the difference of the larger and the smaller one, which is exact modulo 2^width
        flip = int64(0) if signed else int64(-9223372036854775808)
        for l in range(lo, hi):
            R[l] = C[l] + (B[l] - A[l] if (A[l] ^ flip) < (B[l] ^ flip) else A[l] - B[l])
    elif op == _ABS:
        for l in range(lo, hi):
            R[l] = abs(A[l])
    elif op == _NEG:
        for l in range(lo, hi):
            R[l] = -A[l]
    elif op == _AND:
        for l in range(lo, hi):
            R[l] = A[l] & B[l]
    elif op == _OR:
        for l in range(lo, hi):
            R[l] = A[l] | B[l]
    elif op == _XOR:
        for l in range(lo, hi):
            R[l] = A[l] ^ B[l]
    elif op == _NOT:
        for l in range(lo, hi):
            R[l] = ~A[l]
    elif op == _SHL:  # counts above the width shift everything out (PTX clamps them)
        for l in range(lo, hi):
            n = B[l] & 0xFFFFFFFF
            R[l] = A[l] << n if n < width else int64(0)
    elif op == _SHR:
        m = int64(-1) if width == 64 else (int64(1) << width) - 1
        for l in range(lo, hi):
            n = B[l] & 0xFFFFFFFF
            if signed:
                R[l] = A[l] >> min(n, width - 1)
            else:
                R[l] = int64(uint64(A[l] & m) >> uint64(n)) if n < width else int64(0)
    elif op == _CVT:
        # the source read in its own type, cut to the destination's, extended by that type's sign to the register
        for l in range(lo, hi):
            R[l] = A[l]
        _extend(R, lo, hi, w2, sg2)
        if sub:
            _saturate(R, lo, hi, width, sg, w2 == 64 and sg2 != 1)
        _extend(R, lo, hi, width, sg)
        wrap(R, lo, hi, rw)
        return
    elif op == _FSET:
        for l in range(lo, hi):
            R[l] = set_floats(A[l], B[l], C[l], width, sg, sub, w2, sg2)
        wrap(R, lo, hi, rw)
        return
    elif op >= _RARE:
        for l in range(lo, hi):
            R[l] = rare(op, A[l], B[l], C[l], width, signed, sub, sg2 == 1)
        wrap(R, lo, hi, rw)
        return
    else:
        for l in range(lo, hi):
            R[l] = bit_op(op, A[l], B[l], C[l], E[l], width, signed, sub)
        if op in (_POPC, _CLZ):
            return
    wrap(R, lo, hi, width)


@inner
def _saturate(R: Array, lo: int, hi: int, width: int, signed: int, huge: bool) -> None:
    """Clamps to the range of the destination type; `huge`: negative numbers stand for unsigned ones from 2^63 on."""
    low = int64(0) if signed != 1 else -(int64(1) << (width - 1))
    bits = width - 1 if signed == 1 or width == 64 else width
    high = int64(0x7FFFFFFFFFFFFFFF) if bits == 63 else (int64(1) << bits) - 1
    for l in range(lo, hi):
        x = R[l]
        if huge and x < 0:
            R[l] = x if width == 64 and signed != 1 else high
        elif x < low:
            R[l] = low
        elif x > high:
            R[l] = high


@inner
def _extend(R: Array, lo: int, hi: int, width: int, signed: int) -> None:
    if width == 64:
        return
    if signed == 1:
        s = 64 - width
        for l in range(lo, hi):
            R[l] = (R[l] << s) >> s
    else:
        m = (int64(1) << width) - 1
        for l in range(lo, hi):
            R[l] = R[l] & m
