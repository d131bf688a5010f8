"""Contents as integers: the number that bits of an integer tensor are, read with a sign or without one, and comparisons.

Over the reals an element of an integer tensor is a leaf, as any other; it is no float, and only instructions that read it as
the integer that it is (or as that integer modulo 2^n) find the leaf. Wrapping is exact: a select on the sign of an element, and
what wrapped.py says of anything else."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import float64, inner, int64
from volta_pipe.ir.fold import Store, constant, emit
from volta_pipe.ir.graph import ZERO
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.contents import low_part
from volta_pipe.passes.vc.either import is_choice, where
from volta_pipe.passes.vc.values import FAIL, bits_of, is_bits, width_of
from volta_pipe.passes.vc.wrapped import EXACT, wrapped

Array = np.ndarray[Any, np.dtype[Any]]
_LEAF, _SIGNED, _SIGNS, _MASK = (int64(n) for n in (Node.LEAF, Node.SIGNED, Node.SIGNS, Node.MASK))
_ADD, _SUB, _SELECT, _LT, _LE = (int64(n) for n in (Node.ADD, Node.SUB, Node.SELECT, Node.LT, Node.LE))
_EQ, _NE, _NOT, _NO = int64(Node.EQ), int64(Node.NE), int64(Node.NOT), int64(0)
_TOP = int64(-9223372036854775808)
_RESIDUE, _EITHER, _PART, _PACK = (int64(n) for n in (Node.RESIDUE, Node.EITHER, Node.PART, Node.PACK))
_FLOOR, _MUL, _FMA = int64(Node.FLOOR), int64(Node.MUL), int64(Node.FMA)


@inner
def _unsigned(store: Store, node: int, bits: int) -> int:
    """A signed number of that many bits, read without a sign."""
    above = emit(store, _ADD, node, constant(store, 2.0 ** float64(bits)), _NO)
    return emit(store, _SELECT, emit(store, _LT, node, int64(ZERO), _NO), above, node)


@inner
def _signed(store: Store, node: int, bits: int) -> int:
    """An unsigned number of that many bits, read with a sign."""
    below = emit(store, _SUB, node, constant(store, 2.0 ** float64(bits)), _NO)
    return emit(store, _SELECT, emit(store, _LE, constant(store, 2.0 ** float64(bits - 1)), node, _NO), below, node)


@inner
def _element(store: Store, cells: Cells, x: int, bits: int, signed: bool) -> int:
    """An element of an integer tensor in `bits` bits, read with a sign or without; FAIL for anything else."""
    if store.op[x] != _LEAF or cells.formats[store.a[x]] != 0:
        return FAIL
    width = 8 * cells.itemsize[store.a[x]]
    if width > bits:
        return FAIL
    signed = signed and width == bits  # above a narrower one there are zeros
    if cells.signed[store.a[x]] != 0:
        return x if signed else _unsigned(store, x, int64(width))
    return _signed(store, x, int64(width)) if signed else x


@inner
def _known(store: Store, x: int, width: int, signed: bool) -> int:
    """Concrete bits as an integer, or FAIL where no constant of a graph is it."""
    v = bits_of(store, x)
    if width < 64:
        s = 64 - width
        v = (v << s) >> s if signed else v & ((int64(1) << width) - 1)
    if abs(v) > EXACT or (width == 64 and not signed and v < 0):
        return FAIL
    return constant(store, float64(v))


@inner
def _either(store: Store, x: int, width: int, signed: bool) -> int:
    """A choice of known bits, or known bits, as an integer, or FAIL."""
    if is_bits(store, x):
        return _known(store, x, width, signed)
    a, b = _known(store, int64(store.b[x]), width, signed), _known(store, int64(store.c[x]), width, signed)
    return emit(store, _SELECT, int64(store.a[x]), a, b) if a >= 0 and b >= 0 else FAIL


@inner
def _chosen(store: Store, x: int, width: int, signed: bool) -> int:
    """A choice of choices of known bits, of 32 bits, as an integer, or FAIL."""
    if width > 32:  # zeros are above
        width, signed = int64(32), False
    a, b = _either(store, int64(store.b[x]), width, signed), _either(store, int64(store.c[x]), width, signed)
    return emit(store, _SELECT, int64(store.a[x]), a, b) if a >= 0 and b >= 0 else FAIL


@inner
def _within(store: Store, cells: Cells, x: int, bits: int, signed: bool) -> int:
    """A part (PART) of an integer as an integer of `bits` bits, or FAIL: floor(whole / 2^start) modulo the part's bits."""
    width, start = width_of(store, cells, x), int64(0)
    if width > bits:
        return FAIL
    while store.op[x] == _PART:
        whole = int64(store.c[x]) if store.c[x] else int64(64)
        start += whole >> 1 if store.b[x] else int64(0)
        x = int64(store.a[x])
        if width_of(store, cells, x) != whole:
            return FAIL
    if store.op[x] == _RESIDUE:
        x = int64(store.a[x])
    elif store.op[x] != _LEAF or cells.formats[store.a[x]] != 0:
        return FAIL
    if start:
        x = emit(store, _FLOOR, emit(store, _MUL, x, constant(store, 2.0 ** -float64(start)), _NO), _NO, _NO)
    return wrapped(store, x, width, signed and width == bits)


@inner
def _plain(store: Store, cells: Cells, x: int, bits: int, signed: bool) -> int:
    """Contents that are filled up by nothing but zeros as an integer of `bits` bits, or FAIL."""
    op, width = store.op[x], int64(store.c[x])
    if op == _RESIDUE:
        return wrapped(store, int64(store.a[x]), width, signed and width == bits) if width <= bits else FAIL
    if op == _PART:
        return _within(store, cells, x, bits, signed)
    return _chosen(store, x, bits, signed) if op == _EITHER else _element(store, cells, x, bits, signed)


@inner
def _one_piece(store: Store, cells: Cells, x: int, width: int, signed: bool) -> int:
    """Contents of at most `width` bits that no two others make up, as an integer, or FAIL."""
    if is_bits(store, x):
        return _known(store, x, width, signed)
    op, bits = store.op[x], int64(store.c[x])
    if op == _MASK:
        ones = -1.0 if signed and bits == width else 2.0 ** float64(bits) - 1.0
        if abs(ones) > float64(EXACT):
            return FAIL
        return emit(store, _SELECT, int64(store.a[x]), constant(store, ones), int64(ZERO))
    if op == _SIGNS:
        number = _plain(store, cells, int64(store.a[x]), int64(store.b[x]), True)
        ones = -1.0 if signed and bits == width else 2.0 ** float64(bits) - 1.0
        if number < 0 or abs(ones) > float64(EXACT):
            return FAIL
        return emit(store, _SELECT, emit(store, _LT, number, int64(ZERO), _NO), constant(store, ones), int64(ZERO))
    if op == _SIGNED:
        number = _plain(store, cells, int64(store.a[x]), int64(store.b[x]), True)
        if number < 0 or (signed and bits == width):
            return number
        return _unsigned(store, number, bits)
    return _plain(store, cells, x, width, signed)


@inner
def _joined(store: Store, low: int, high: int, half: int) -> int:
    """Two halves, the lower one without a sign, as one number; FAIL where one of them is no integer."""
    if low < 0 or high < 0:
        return FAIL
    return emit(store, _FMA, high, constant(store, 2.0 ** float64(half)), low)


@inner
def _of_bytes(store: Store, cells: Cells, x: int, signed: bool) -> int:
    """16 bits, of one piece or of two bytes, as an integer, or FAIL."""
    if store.op[x] != _PACK or store.c[x] != 16:
        return _one_piece(store, cells, x, int64(16), signed)
    low = _one_piece(store, cells, int64(store.a[x]), int64(8), False)
    return _joined(store, low, _one_piece(store, cells, int64(store.b[x]), int64(8), signed), int64(8))


@inner
def _of_halves(store: Store, cells: Cells, x: int, signed: bool) -> int:
    """32 bits, of up to four pieces, as an integer, or FAIL."""
    if store.op[x] != _PACK or store.c[x] != 32:
        return _one_piece(store, cells, x, int64(32), signed)
    low = _of_bytes(store, cells, int64(store.a[x]), False)
    return _joined(store, low, _of_bytes(store, cells, int64(store.b[x]), signed), int64(16))


@inner
def as_integer(store: Store, cells: Cells, node: int, width: int, signed: bool) -> int:
    """The real number that the low `width` bits of contents are as an integer, or FAIL."""
    x = low_part(store, cells, node, width)
    if store.op[x] != _PACK:
        return _one_piece(store, cells, x, width, signed)
    size = int64(store.c[x]) if store.c[x] else int64(64)
    if size > width:
        return FAIL
    signed = signed and size == width
    if size == 64:
        low = _of_halves(store, cells, int64(store.a[x]), False)
        return _joined(store, low, _of_halves(store, cells, int64(store.b[x]), signed), int64(32))
    return _of_halves(store, cells, x, signed) if size == 32 else _of_bytes(store, cells, x, signed)


@inner
def _has_sign(store: Store, cells: Cells, node: int) -> bool:
    """Whether contents are shortest to say as a number with a sign."""
    op = store.op[node]
    if op == _SIGNED or op == _RESIDUE:
        return True
    return bool(op == _LEAF and cells.formats[store.a[node]] == 0 and cells.signed[store.a[node]] != 0)


@inner
def _is_zero(store: Store, node: int) -> bool:
    return is_bits(store, node) and bits_of(store, node) == 0


@inner
def _holds(kind: int, signed: bool, width: int, x: int, y: int) -> bool:
    """The comparison of known bits."""
    s = 64 - width
    x, y = x << s, y << s
    if not signed:
        x, y = x ^ _TOP, y ^ _TOP
    if kind < 2:
        return (x == y) == (kind == 0)
    return x < y if kind == 2 else x <= y if kind == 3 else x > y if kind == 4 else x >= y


@inner
def compare_integers(store: Store, cells: Cells, kind: int, signed: bool, width: int, x: int, y: int) -> int:
    """The predicate of setp and set on integers (codes as in passes/unroll/bytecode.py), or FAIL."""
    if kind > 5:  # of floats alone
        return FAIL
    if is_bits(store, y) and is_choice(store, x):
        first = _holds(kind, signed, width, bits_of(store, int64(store.b[x])), bits_of(store, y))
        second = _holds(kind, signed, width, bits_of(store, int64(store.c[x])), bits_of(store, y))
        return where(store, int64(store.a[x]), first, second)
    if kind < 2:  # equality does not depend on how the sign is read
        mask = x if _is_zero(store, y) else y
        if (_is_zero(store, x) or _is_zero(store, y)) and store.op[mask] == _MASK:
            p = int64(store.a[mask])
            return p if kind == 1 else emit(store, _NOT, p, _NO, _NO)
        signed = _has_sign(store, cells, x) or _has_sign(store, cells, y)
    a, b = as_integer(store, cells, x, width, signed), as_integer(store, cells, y, width, signed)
    if a < 0 or b < 0:
        return FAIL
    if kind == 0:
        return emit(store, _EQ, a, b, _NO)
    if kind == 1:
        return emit(store, _NE, a, b, _NO)
    if kind == 2:
        return emit(store, _LT, a, b, _NO)
    if kind == 3:
        return emit(store, _LE, a, b, _NO)
    return emit(store, _LT, b, a, _NO) if kind == 4 else emit(store, _LE, b, a, _NO)
