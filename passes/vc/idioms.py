"""Bit tricks on floats that are idioms: sign flip, absolute value, rounding by a magic number, and 2^k by a shifted exponent.

Anything else that treats a symbolic float as bits is refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import float64, inner, int64
from volta_pipe.ir.fold import Store, constant, emit
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.small_floats import F64
from volta_pipe.passes.vc.bytes_moved import bytes_moved
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import WIDTH
from volta_pipe.passes.vc.contents import half_of, join32
from volta_pipe.passes.vc.values import FAIL, as_float, bits_node, bits_of, format_of, in_register, is_bits

Array = np.ndarray[Any, np.dtype[Any]]
_AND, _OR, _XOR, _SHL, _COPYSIGN = (int64(o) for o in (Op.AND, Op.OR, Op.XOR, Op.SHL, Op.COPYSIGN))
_SELECT, _LT = int64(Node.SELECT), int64(Node.LT)
_CONST, _ADD, _FMA, _NEG, _ABS, _EX2, _SAT, _PACK = (
    int64(n) for n in (Node.CONST, Node.ADD, Node.FMA, Node.NEG, Node.ABS, Node.EX2, Node.SAT, Node.PACK)
)
_FLOOR, _CEIL, _RINT, _TRUNC = (int64(n) for n in (Node.FLOOR, Node.CEIL, Node.RINT, Node.TRUNC))
_NONE, _ONE = int64(0), int64(1)
# 1.5 * 2^23: float32 numbers around it have a unit in the last place of 1, so that adding one rounds to an integer. Small
# integers are added to it by nvcc's expf (12582913) to put a bias into the exponent field.
_MAGIC = 12582912.0
_MAGIC_TOP = 12583167.0
_BINADE = 8388608.0


@inner
def _is_magic(store: Store, node: int) -> bool:
    if store.op[node] != _CONST:
        return False
    v = store.values[store.a[node]]
    return bool(v == np.floor(v) and _MAGIC <= v <= _MAGIC_TOP)


@inner
def _is_integral(store: Store, node: int) -> bool:
    op = store.op[node]
    return bool(op == _FLOOR or op == _CEIL or op == _RINT or op == _TRUNC or op == _CONST)


@inner
def rounded(store: Store, op: int, rounding: int, width: int, x: int, y: int, z: int, node: int) -> int:
    """An fma that adds a magic number to a multiple of a saturated value rounds it to an integer in its own mode (0 rn, 1 rm,
    2 rp, 3 rz), for certain: nvcc's expf. Else `node`."""
    if width != 32 or op != _FMA or store.op[node] != _FMA or not _is_magic(store, z):
        return node
    # Elsewhere adding the number is an addition of reals, as everywhere: whether it rounds depends on the size of the operand.
    if store.op[y] == _SAT:
        x, y = y, x
    if store.op[x] != _SAT or store.op[y] != _CONST:
        return node
    magic = store.values[store.a[z]]
    if not _BINADE <= magic + store.values[store.a[y]] <= 2.0 * _BINADE:  # a unit in the last place is another one there
        return node
    return emit(
        store, _FLOOR if rounding == 1 else _CEIL if rounding == 2 else _TRUNC if rounding == 3 else _RINT, node, _NONE, _NONE
    )


@inner
def bit_idiom(store: Store, cells: Cells, op: int, code: Array, a: int, b: int, c: int, d: int) -> int:
    """The meaning of an integer instruction on contents that are not all known, as a register holds it, or FAIL."""
    width = code[WIDTH]
    if op == _COPYSIGN:
        return _copysign(store, cells, width, a, b)
    if op == _SHL and width == 32 and is_bits(store, b) and bits_of(store, b) & 0xFFFFFFFF == 23:
        return _power_of_two(store, cells, a, b)
    if width == 64:
        node = _sign(store, cells, op, a, b, F64, int64(-9223372036854775808))
        return node if node >= 0 else bytes_moved(store, cells, op, code, a, b, c, d)
    if width == 32 or width == 16:
        if op == _AND or op == _OR or op == _XOR:
            node = _signs(store, cells, op, a, b, width)
            if node >= 0:
                return node
        return bytes_moved(store, cells, op, code, a, b, c, d)
    return FAIL


@inner
def _signs(store: Store, cells: Cells, op: int, a: int, b: int, width: int) -> int:
    """Sign flips and absolute values of a float32, a half, or a packed pair of halves; FAIL for anything else."""
    if is_bits(store, a):
        a, b = b, a
    if is_bits(store, a) or not is_bits(store, b):
        return FAIL
    format = format_of(store, cells, a)
    if format > 0:
        # What is above a float that does not fill the register are zeros, which only `and` keeps.
        above = (bits_of(store, b) & ((int64(1) << width) - 1)) >> (format & ~1)
        if above != 0 and op != _AND:
            return FAIL
        return _sign(store, cells, op, a, b, format, int64(1) << ((format & ~1) - 1))
    if width != 32 or store.op[a] != _PACK or store.c[a] != 32:
        return FAIL
    low, high = half_of(store, cells, a, _NONE), half_of(store, cells, a, _ONE)
    x, y = format_of(store, cells, low), format_of(store, cells, high)
    if x & ~1 != 16 or y & ~1 != 16:
        return FAIL
    top = int64(1) << 15
    low = _sign(store, cells, op, low, half_of(store, cells, b, _NONE), x, top)
    high = _sign(store, cells, op, high, half_of(store, cells, b, _ONE), y, top)
    return join32(store, cells, low, high) if low >= 0 and high >= 0 else FAIL


@inner
def _sign(store: Store, cells: Cells, op: int, a: int, b: int, format: int, top: int) -> int:
    """A float whose sign bit alone is flipped, cleared or set by concrete bits."""
    if is_bits(store, a):
        a, b = b, a
    if is_bits(store, a) or not is_bits(store, b):
        return FAIL
    width = format & ~1
    field = int64(-1) if width == 64 else (int64(1) << width) - 1
    bits = bits_of(store, b) & field
    x = as_float(store, cells, a, format)
    if x < 0:
        return FAIL
    if (op == _XOR or op == _OR) and bits == 0:
        return a
    if op == _AND and bits == field:
        return a
    if op == _XOR and bits == top & field:
        return in_register(store, cells, emit(store, _NEG, x, _NONE, _NONE), format)
    if op == _AND and bits == field ^ (top & field):
        return in_register(store, cells, emit(store, _ABS, x, _NONE, _NONE), format)
    if op == _OR and bits == top & field:
        return in_register(store, cells, emit(store, _NEG, emit(store, _ABS, x, _NONE, _NONE), _NONE, _NONE), format)
    return FAIL


@inner
def _copysign(store: Store, cells: Cells, width: int, a: int, b: int) -> int:
    """The sign of a on the magnitude of b (PTX ISA 9.7.3.2). Known bits have a sign, of -0, too; of a real the sign is minus
    where it is below 0, and plus at 0: the program's assumptions say that it is never -0."""
    y = as_float(store, cells, b, width)
    if y < 0:
        return FAIL
    magnitude = emit(store, _ABS, y, _NONE, _NONE)
    if is_bits(store, a):
        minus = (bits_of(store, a) >> (width - 1)) & 1
        return in_register(store, cells, emit(store, _NEG, magnitude, _NONE, _NONE) if minus else magnitude, width)
    x = as_float(store, cells, a, width)
    if x < 0:
        return FAIL
    below = emit(store, _LT, x, constant(store, 0.0), _NONE)
    return in_register(store, cells, emit(store, _SELECT, below, emit(store, _NEG, magnitude, _NONE, _NONE), magnitude), width)


@inner
def _power_of_two(store: Store, cells: Cells, a: int, b: int) -> int:
    """bits(n) << 23 where n = magic + k was rounded by adding `magic`: the float 2^(k + bias - 127), bias the magic number's
    low bits. The exponent field stays in range because k is a multiple of a saturated value (nvcc's expf)."""
    if is_bits(store, a):
        return FAIL
    if store.op[a] == _CONST:
        v = store.values[store.a[a]]
        if float64(np.float32(v)) != v:
            return FAIL
        bits = np.float32(v).view(np.int32)
        return bits_node(store, int64(np.int32(int64(bits) << 23)))
    if not _is_integral(store, a):
        return FAIL
    inner_node = store.a[a]
    if store.op[inner_node] != _FMA:
        return FAIL
    x, m, c = store.a[inner_node], store.b[inner_node], store.c[inner_node]
    if store.op[m] != _CONST:
        x, m = m, x
    if store.op[m] != _CONST or store.op[x] != _SAT or not _is_magic(store, c):
        return FAIL
    scale, magic = store.values[store.a[m]], store.values[store.a[c]]
    bias = float64((int64(magic) - 8388608) & 511)
    if scale < 0.0 or bias < 1.0 or bias + scale >= 255.0:
        return FAIL
    exponent = emit(store, _ADD, int64(a), constant(store, bias - magic - 127.0), _NONE)
    return emit(store, _EX2, exponent, _NONE, _NONE)
