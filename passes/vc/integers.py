"""Contents as integers: the number that bits of an integer tensor are, read with a sign or without one, and comparisons.

Over the reals an element of an integer tensor is a leaf, as any other; it is no float, and only instructions that read it as
the integer that it is (or as that integer modulo 2^n) find the leaf. Wrapping is exact: a select on the sign."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import float64, inner, int64
from volta_pipe.ir.fold import Store, constant, emit
from volta_pipe.ir.graph import ZERO
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.contents import low_part
from volta_pipe.passes.vc.values import FAIL, bits_of, is_bits

Array = np.ndarray[Any, np.dtype[Any]]
_LEAF, _SIGNED, _MASK = int64(Node.LEAF), int64(Node.SIGNED), int64(Node.MASK)
_ADD, _SUB, _SELECT, _LT, _LE = (int64(n) for n in (Node.ADD, Node.SUB, Node.SELECT, Node.LT, Node.LE))
_EQ, _NE, _NOT, _NO = int64(Node.EQ), int64(Node.NE), int64(Node.NOT), int64(0)
# Integers up to here are exact in the constants of a graph.
_EXACT = int64(1) << 53


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
def as_integer(store: Store, cells: Cells, node: int, width: int, signed: bool) -> int:
    """The real number that the low `width` bits of contents are as an integer, or FAIL."""
    x = low_part(store, cells, node, width)
    if is_bits(store, x):
        v = bits_of(store, x)
        if width < 64:
            s = 64 - width
            v = (v << s) >> s if signed else v & ((int64(1) << width) - 1)
        if abs(v) > _EXACT or (width == 64 and not signed and v < 0):
            return FAIL
        return constant(store, float64(v))
    op, bits = store.op[x], int64(store.c[x])
    if op == _MASK:
        ones = -1.0 if signed and bits == width else 2.0 ** float64(bits) - 1.0
        if abs(ones) > float64(_EXACT):
            return FAIL
        return emit(store, _SELECT, int64(store.a[x]), constant(store, ones), int64(ZERO))
    if op == _SIGNED:
        number = _element(store, cells, int64(store.a[x]), int64(store.b[x]), True)
        if number < 0 or (signed and bits == width):
            return number
        return _unsigned(store, number, bits)
    return _element(store, cells, x, width, signed)


@inner
def _has_sign(store: Store, cells: Cells, node: int) -> bool:
    """Whether contents are shortest to say as a number with a sign."""
    op = store.op[node]
    return bool(op == _SIGNED or (op == _LEAF and cells.formats[store.a[node]] == 0 and cells.signed[store.a[node]] != 0))


@inner
def _is_zero(store: Store, node: int) -> bool:
    return is_bits(store, node) and bits_of(store, node) == 0


@inner
def compare_integers(store: Store, cells: Cells, kind: int, signed: bool, width: int, x: int, y: int) -> int:
    """The predicate of setp and set on integers (codes as in passes/unroll/bytecode.py), or FAIL."""
    if kind > 5:  # of floats alone
        return FAIL
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
