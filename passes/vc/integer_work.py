"""Integer instructions on contents that are not known, as arithmetic modulo 2^n (residues.py; PTX ISA 9.7.1, 9.7.8, 9.7.9.21).

What has no meaning as arithmetic (bitwise functions of two numbers, counts of bits, symbolic amounts) is refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import float64, inner, int64
from volta_pipe.ir.fold import Store, constant, emit
from volta_pipe.ir.graph import ONE, ZERO
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.small_floats import format_for
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import SIGNED, SIGNED2, SUB, WIDTH, WIDTH2
from volta_pipe.passes.vc.fills import extended
from volta_pipe.passes.vc.integers import as_integer
from volta_pipe.passes.vc.residues import clamped, contents_of, part_as_integer, piece, residue, shifted
from volta_pipe.passes.vc.values import FAIL, as_float, bits_of, is_bits
from volta_pipe.passes.vc.wrapped import wrapped

Array = np.ndarray[Any, np.dtype[Any]]
_ADD, _SUB, _NEG, _NOT, _MUL_LO, _MAD_LO, _MUL_WIDE, _MAD_WIDE, _MUL_HI, _MAD_HI = (
    int64(o) for o in (Op.ADD, Op.SUB, Op.NEG, Op.NOT, Op.MUL_LO, Op.MAD_LO, Op.MUL_WIDE, Op.MAD_WIDE, Op.MUL_HI, Op.MAD_HI)
)
_ABS, _SAD, _MIN, _MAX, _MIN_RELU, _MAX_RELU, _DIV, _REM = (
    int64(o) for o in (Op.ABS, Op.SAD, Op.MIN, Op.MAX, Op.MIN_RELU, Op.MAX_RELU, Op.DIV, Op.REM)
)
_SHL, _SHR, _AND, _BFE, _DP4A, _DP2A, _ADD_SAT, _CNOT, _FCVTI, _CVT = (
    int64(o) for o in (Op.SHL, Op.SHR, Op.AND, Op.BFE, Op.DP4A, Op.DP2A, Op.ADD_SAT, Op.CNOT, Op.FCVTI, Op.CVT)
)
_N_ADD, _N_SUB, _N_MUL, _N_FMA, _N_DIV, _N_NEG, _N_ABS, _N_MIN, _N_MAX = (
    int64(n) for n in (Node.ADD, Node.SUB, Node.MUL, Node.FMA, Node.DIV, Node.NEG, Node.ABS, Node.MIN, Node.MAX)
)
_N_FLOOR, _N_CEIL, _N_TRUNC, _N_RINT, _N_SELECT, _N_EQ, _RESIDUE, _LEAF = (
    int64(n) for n in (Node.FLOOR, Node.CEIL, Node.TRUNC, Node.RINT, Node.SELECT, Node.EQ, Node.RESIDUE, Node.LEAF)
)
_NO, _8, _16, _32 = int64(0), int64(8), int64(16), int64(32)


@inner
def whole_number(store: Store, cells: Cells, op: int, code: Array, a: int) -> bool:
    """Whether a shift or bit field is better arithmetic than moved bytes: of what was computed, and where a sign goes on."""
    width = code[WIDTH]
    if op != _SHR and op != _BFE:
        return False
    if store.op[a] == _RESIDUE:
        return bool(store.c[a] == width)
    if op != _SHR or code[SIGNED] != 1 or store.op[a] != _LEAF:
        return False
    return bool(cells.formats[store.a[a]] == 0 and 8 * cells.itemsize[store.a[a]] == width)


@inner
def integer_work(store: Store, cells: Cells, op: int, code: Array, a: int, b: int, c: int) -> int:
    """The contents that an integer instruction computes, or FAIL."""
    width, signed = code[WIDTH], code[SIGNED] == 1
    if op == _FCVTI or op == _CVT:
        return _converted(store, cells, op, code, a)
    if op == _MUL_WIDE or op == _MAD_WIDE:
        x, y = as_integer(store, cells, a, width, signed), as_integer(store, cells, b, width, signed)
        z = residue(store, cells, c, 2 * width) if op == _MAD_WIDE else int64(ZERO)
        return contents_of(store, emit(store, _N_FMA, x, y, z), 2 * width) if x >= 0 and y >= 0 and z >= 0 else FAIL
    if op == _DP4A or op == _DP2A:
        return contents_of(store, _dots(store, cells, op, code, a, b, c), _32)
    return contents_of(store, _congruent(store, cells, op, code, a, b, c), width)


@inner
def _congruent(store: Store, cells: Cells, op: int, code: Array, a: int, b: int, c: int) -> int:
    """A number that is congruent to the result, or FAIL."""
    width, signed = code[WIDTH], code[SIGNED] == 1
    if op == _SHL or op == _SHR or op == _BFE or op == _AND:
        return _bits(store, cells, op, code, a, b, c)
    x = residue(store, cells, a, width)
    if x < 0:
        return FAIL
    if op == _NEG:
        return emit(store, _N_NEG, x, _NO, _NO)
    if op == _NOT:
        return emit(store, _N_SUB, constant(store, -1.0), x, _NO)
    if op == _ADD or op == _SUB or op == _MUL_LO or op == _MAD_LO:
        y = residue(store, cells, b, width)
        z = residue(store, cells, c, width) if op == _MAD_LO else int64(ZERO)
        if y < 0 or z < 0:
            return FAIL
        if op == _ADD or op == _SUB:
            return emit(store, _N_ADD if op == _ADD else _N_SUB, x, y, _NO)
        return emit(store, _N_FMA, x, y, z)
    x = as_integer(store, cells, a, width, signed)
    y = as_integer(store, cells, b, width, signed)
    if x < 0 or y < 0:
        return FAIL
    if op == _ABS:
        return emit(store, _N_ABS, x, _NO, _NO)
    if op == _CNOT:
        return emit(store, _N_SELECT, emit(store, _N_EQ, x, int64(ZERO), _NO), int64(ONE), int64(ZERO))
    if op == _MIN or op == _MAX or op == _MIN_RELU or op == _MAX_RELU:
        less = op == _MIN or op == _MIN_RELU
        x = emit(store, _N_MIN if less else _N_MAX, x, y, _NO)
        return emit(store, _N_MAX, x, int64(ZERO), _NO) if op == _MIN_RELU or op == _MAX_RELU else x
    if op == _ADD_SAT:
        return clamped(store, emit(store, _N_SUB if code[SUB] else _N_ADD, x, y, _NO), width, True)
    if op == _SAD:
        z = residue(store, cells, c, width)
        return emit(store, _N_ADD, z, emit(store, _N_ABS, emit(store, _N_SUB, x, y, _NO), _NO, _NO), _NO) if z >= 0 else FAIL
    if op == _MUL_HI or op == _MAD_HI:
        high = shifted(store, emit(store, _N_MUL, x, y, _NO), width)
        if op == _MUL_HI:
            return high
        z = residue(store, cells, c, width)
        return emit(store, _N_ADD, high, z, _NO) if z >= 0 else FAIL
    if (op == _DIV or op == _REM) and is_bits(store, b) and y != ZERO:  # division by 0 gives all ones
        quotient = emit(store, _N_TRUNC if signed else _N_FLOOR, emit(store, _N_DIV, x, y, _NO), _NO, _NO)
        return quotient if op == _DIV else emit(store, _N_SUB, x, emit(store, _N_MUL, quotient, y, _NO), _NO)
    return FAIL


@inner
def _bits(store: Store, cells: Cells, op: int, code: Array, a: int, b: int, c: int) -> int:
    """Shifts by known amounts, bit fields at known places, and masks of low or high ones, as arithmetic."""
    width, signed = code[WIDTH], code[SIGNED] == 1
    if op == _AND and is_bits(store, a):
        a, b = b, a
    if not is_bits(store, b):
        return FAIL
    amount = bits_of(store, b) & 0xFFFFFFFF
    if op == _SHL:
        x = residue(store, cells, a, width)
        if x < 0 or amount >= width:  # all is shifted out
            return FAIL if x < 0 else int64(ZERO)
        return emit(store, _N_MUL, x, constant(store, 2.0 ** float64(amount)), _NO)
    if op == _SHR:
        if amount >= width:
            amount = int64(width)
            if signed:
                amount -= 1
            else:
                return int64(ZERO)
        return piece(store, cells, a, width, amount, width - amount, signed)
    if op == _BFE:
        if not is_bits(store, c):
            return FAIL
        start, length = bits_of(store, b) & 255, bits_of(store, c) & 255
        if length == 0:
            return int64(ZERO)
        return piece(store, cells, a, width, start, length, signed) if start + length <= width else FAIL
    mask = bits_of(store, b)
    if width < 64:
        mask &= (int64(1) << width) - 1
    low = _ones(mask)
    if low >= 0:
        return piece(store, cells, a, width, _NO, low, False) if low else int64(ZERO)
    high = _ones(~mask & ((int64(1) << width) - 1) if width < 64 else ~mask)
    if high <= 0:
        return FAIL
    x = residue(store, cells, a, width)
    return emit(store, _N_SUB, x, wrapped(store, x, high, False), _NO) if x >= 0 else FAIL


@inner
def _ones(mask: int) -> int:
    """n where a mask is its n low bits, else -1."""
    n = int64(0)
    while n < 63 and (mask >> n) & 1:
        n += 1
    return n if mask >> n == 0 else int64(-1)


@inner
def _dots(store: Store, cells: Cells, op: int, code: Array, a: int, b: int, c: int) -> int:
    """dp4a and dp2a: the accumulator plus the products of bytes, or of halves and bytes, or FAIL (PTX ISA 9.7.1.23, 24)."""
    total = residue(store, cells, c, _32)
    if total < 0:
        return FAIL
    size = _8 if op == _DP4A else _16
    first = _NO if op == _DP4A else 16 * code[SUB]
    for k in range(4 if op == _DP4A else 2):
        x = part_as_integer(store, cells, a, size * k, size, code[SIGNED] == 1)
        y = part_as_integer(store, cells, b, first + 8 * k, _8, code[SIGNED2] == 1)
        if x < 0 or y < 0:
            return FAIL
        total = emit(store, _N_FMA, x, y, total)
    return total


@inner
def _converted(store: Store, cells: Cells, op: int, code: Array, a: int) -> int:
    """cvt to an integer of a float, and of an integer that saturates: the nearest number of the type (PTX ISA 9.7.9.21)."""
    width, signed = code[WIDTH], code[SIGNED] == 1
    if op == _FCVTI:
        x = as_float(store, cells, a, format_for(code[WIDTH2], code[SIGNED2]))
        if x < 0:
            return FAIL
        mode = code[SUB] & 3
        x = emit(store, _N_FLOOR if mode == 1 else _N_CEIL if mode == 2 else _N_TRUNC if mode == 3 else _N_RINT, x, _NO, _NO)
    else:
        x = as_integer(store, cells, a, code[WIDTH2], code[SIGNED2] == 1)
        if x < 0:
            return FAIL
    found = contents_of(store, clamped(store, x, width, signed), width)
    # A signed result goes on above in a wider register.
    return extended(store, cells, found, width) if signed and found >= 0 else found
