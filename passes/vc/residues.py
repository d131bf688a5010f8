"""Contents that integer instructions compute from what is not known: an integer modulo 2^n (RESIDUE, see contents.py).

Sums and products of whatever is congruent are congruent, so they wrap nowhere. Where the integer itself counts (as a float, in
a comparison, in a wider product) it is x − 2^n · floor(x / 2^n), with a sign x − 2^n · floor(x / 2^n + 1/2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import float64, inner, int64
from volta_pipe.ir.fold import Store, append, constant, emit
from volta_pipe.ir.graph import ONE
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.contents import byte_of, half_of, low_part
from volta_pipe.passes.vc.integers import as_integer
from volta_pipe.passes.vc.values import FAIL, bits_node, bits_of, is_bits
from volta_pipe.passes.vc.wrapped import EXACT, wrapped

Array = np.ndarray[Any, np.dtype[Any]]
_LEAF, _SIGNED, _RESIDUE, _CONST = (int64(n) for n in (Node.LEAF, Node.SIGNED, Node.RESIDUE, Node.CONST))
_FLOOR, _SUB, _MUL, _MIN, _MAX = (int64(n) for n in (Node.FLOOR, Node.SUB, Node.MUL, Node.MIN, Node.MAX))
_NO = int64(0)


@inner
def residue(store: Store, cells: Cells, node: int, bits: int) -> int:
    """A real number that is congruent to the low `bits` bits of contents modulo 2^bits, or FAIL."""
    x = low_part(store, cells, node, bits)
    if is_bits(store, x):
        s = 64 - bits
        v = bits_of(store, x) << s >> s
        return constant(store, float64(v)) if abs(v) <= EXACT else FAIL
    op = store.op[x]
    if op == _RESIDUE and store.c[x] >= bits:
        return int64(store.a[x])
    if op == _LEAF and cells.formats[store.a[x]] == 0 and 8 * cells.itemsize[store.a[x]] == bits:
        return x
    if op == _SIGNED and store.c[x] >= bits:
        return as_integer(store, cells, int64(store.a[x]), int64(store.b[x]), True)
    return as_integer(store, cells, x, bits, False)


@inner
def contents_of(store: Store, number: int, bits: int) -> int:
    """Contents of `bits` bits that are an integer modulo 2^bits; FAIL of FAIL."""
    if number < 0:
        return FAIL
    if store.op[number] == _CONST:
        value = store.values[store.a[number]]
        if abs(value) > float64(EXACT) or value != np.floor(value):
            return FAIL
        s = 64 - bits
        return bits_node(store, int64(value) << s >> s)
    return append(store, _RESIDUE, number, _NO, bits)


@inner
def clamped(store: Store, number: int, bits: int, signed: bool) -> int:
    """The nearest integer of a type: what saturates."""
    half = 2.0 ** float64(bits - 1)
    low, beyond = (-half, half) if signed else (0.0, 2.0 * half)
    above = emit(store, _MAX, number, constant(store, low), _NO)
    # A difference: 2^63 − 1 is no float64.
    return emit(store, _MIN, above, emit(store, _SUB, constant(store, beyond), int64(ONE), _NO), _NO)


@inner
def piece(store: Store, cells: Cells, node: int, width: int, start: int, bits: int, signed: bool) -> int:
    """`bits` bits from `start` on of contents of `width` bits as an integer, or FAIL."""
    x = residue(store, cells, node, width)
    if x < 0:
        return FAIL
    if start:
        x = shifted(store, x, start)
    return wrapped(store, x, bits, signed)


@inner
def shifted(store: Store, number: int, by: int) -> int:
    """floor(number / 2^by)."""
    return emit(store, _FLOOR, emit(store, _MUL, number, constant(store, 2.0 ** -float64(by)), _NO), _NO, _NO)


@inner
def part_as_integer(store: Store, cells: Cells, node: int, start: int, bits: int, signed: bool) -> int:
    """The byte or half of 32 bits that starts at bit `start` as an integer, or FAIL."""
    part = half_of(store, cells, node, start >> 4)
    if bits == 8:
        part = byte_of(store, cells, part, (start >> 3) & 1)
    return as_integer(store, cells, part, bits, signed)
