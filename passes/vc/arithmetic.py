"""Floats of one lane: arithmetic, conversions, comparisons and choices, on one element or a packed pair."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, drop, emit
from volta_pipe.ir.graph import NAN, NEG_INF, NONE, ONE, POS_INF, ZERO
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.small_floats import BF16, E4M3, E5M2, TF32, format_for
from volta_pipe.passes.vc.assumed import assumed
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, GUARD, INPUTS, NEGATED, NODE, OP, RESULTS, SIGNED, SIGNED2, SUB, WIDTH, WIDTH2
from volta_pipe.passes.vc.contents import join, part_of
from volta_pipe.passes.vc.either import either
from volta_pipe.passes.vc.idioms import rounded
from volta_pipe.passes.vc.integers import as_integer, compare_integers
from volta_pipe.passes.vc.residues import contents_of, residue
from volta_pipe.passes.vc.values import (
    ANY_FLOAT,
    FAIL,
    NO_FLOAT,
    as_float,
    as_predicate,
    bits_of,
    format_of,
    in_register,
    is_bits,
    kept,
)

Array = np.ndarray[Any, np.dtype[Any]]
_N_SELECT, _N_LT, _N_LE, _N_EQ, _N_NE = (int64(n) for n in (Node.SELECT, Node.LT, Node.LE, Node.EQ, Node.NE))
_N_AND, _N_OR, _N_XOR, _N_NOT, _N_SAT = (int64(n) for n in (Node.AND, Node.OR, Node.XOR, Node.NOT, Node.SAT))
_N_FLOOR, _N_CEIL, _N_TRUNC, _N_RINT = (int64(n) for n in (Node.FLOOR, Node.CEIL, Node.TRUNC, Node.RINT))
_N_PACK, _N_MIN, _N_MAX = (int64(n) for n in (Node.PACK, Node.MIN, Node.MAX))
_N_CONST, _N_UNINIT = int64(Node.CONST), int64(Node.UNINIT)
_PLAIN, _HIGH, _SETP = int64(0), int64(1), int64(Op.SETP)


@inner
def compare(store: Store, sub: int, x: int, y: int) -> int:
    """The predicate of a float comparison (codes as in passes/unroll/bytecode.py)."""
    kind = sub & 15
    if kind == 6 or kind == 7 or kind >= 14:  # what is told apart here has no value
        drop(store, x)
        drop(store, y)
    if kind == 6 or kind == 7:  # testp.finite and testp.infinite
        return int64(
            ONE if (x == NAN or x == POS_INF or x == NEG_INF) != (kind == 6) and not (x == NAN and kind == 7) else ZERO
        )
    if kind == 14 or kind == 15:
        missing = x == NAN or y == NAN
        return int64(ONE if missing == (kind == 15) else ZERO)
    if x == NAN or y == NAN:
        return int64(ONE if kind >= 8 else ZERO)  # `ne` is an ordered comparison
    kind &= 7
    if kind == 0:
        return emit(store, _N_EQ, x, y, _PLAIN)
    if kind == 1:
        return emit(store, _N_NE, x, y, _PLAIN)
    if kind == 2:
        return emit(store, _N_LT, x, y, _PLAIN)
    if kind == 3:
        return emit(store, _N_LE, x, y, _PLAIN)
    if kind == 4:
        return emit(store, _N_LT, y, x, _PLAIN)
    return emit(store, _N_LE, y, x, _PLAIN)


@inner
def boolean(store: Store, operator: int, x: int, y: int) -> int:
    """x combined with y (1 and, 2 or, 3 xor)."""
    if operator == 1:
        return emit(store, _N_AND, x, y, _PLAIN)
    if operator == 2:
        return emit(store, _N_OR, x, y, _PLAIN)
    if operator == 3:
        return emit(store, _N_XOR, x, y, _PLAIN)
    return x


@inner
def _fills(store: Store, node: int, format: int, width: int) -> bool:
    """Whether contents of a register of `width` bits are no more than a float of that format, with zeros above it."""
    bits = format & ~1
    if bits >= width:
        return bits == width
    if is_bits(store, node):
        return ((bits_of(store, node) & (int64(-1) if width == 64 else (int64(1) << width) - 1)) >> bits) == 0
    return bool(node != NONE and store.op[node] != _N_UNINIT)


@inner
def _saturated(store: Store, node: int) -> int:
    """.sat: 0 to 1, and 0 for NaN (PTX ISA 9.7.3, 9.7.9.21)."""
    return int64(ZERO) if node == NAN else emit(store, _N_SAT, node, _PLAIN, _PLAIN)


@inner
def _choose(store: Store, cells: Cells, p: int, x: int, y: int, width: int, kind: int) -> int:
    """select(p, x, y) of contents that are one float, an integer or known, or FAIL."""
    if x == y:
        return x
    if is_bits(store, x) and is_bits(store, y) and bits_of(store, x) == bits_of(store, y):
        return x
    node = either(store, p, x, y, width) if kind < 2 else FAIL
    if node < 0:
        node = _float_choice(store, cells, p, x, y, width)
    if node >= 0 or kind >= 2:
        return node
    x, y = residue(store, cells, x, width), residue(store, cells, y, width)
    return contents_of(store, emit(store, _N_SELECT, p, x, y), width) if x >= 0 and y >= 0 else FAIL


@inner
def _float_choice(store: Store, cells: Cells, p: int, x: int, y: int, width: int) -> int:
    """select(p, x, y) of contents that are one float, or FAIL."""
    format, other = format_of(store, cells, x), format_of(store, cells, y)
    if format == ANY_FLOAT:
        format = other if other != ANY_FLOAT else width if width >= 32 else NO_FLOAT
    if format == NO_FLOAT or not (_fills(store, x, format, width) and _fills(store, y, format, width)):
        return FAIL
    x, y = as_float(store, cells, x, format), as_float(store, cells, y, format)
    if x < 0 or y < 0:
        return FAIL
    return in_register(store, cells, emit(store, _N_SELECT, p, x, y), format)


@inner
def choose(store: Store, cells: Cells, p: int, x: int, y: int, width: int, kind: int) -> int:
    """select(p, x, y) of contents of any register: floats and integers as wholes, packed pairs half by half. kind: of the
    instruction's type, from 2 on a float."""
    if width <= 1:
        return FAIL
    pair = store.op[x] == _N_PACK or store.op[y] == _N_PACK
    if not pair or width < 32:
        return _choose(store, cells, p, x, y, width, kind)
    half = width >> 1
    u, v = part_of(store, cells, x, _PLAIN, width), part_of(store, cells, y, _PLAIN, width)
    low = _choose(store, cells, p, u, v, half, kind)
    u, v = part_of(store, cells, x, _HIGH, width), part_of(store, cells, y, _HIGH, width)
    high = _choose(store, cells, p, u, v, half, kind)
    return join(store, cells, low, high, width) if low >= 0 and high >= 0 else FAIL


@inner
def under_guard(store: Store, cells: Cells, code: Array, reg: Array, lane: int, new: int, old: int, width: int) -> int:
    """select(guard, new, old) for a row under a symbolic guard."""
    p = as_predicate(store, reg[code[GUARD], lane])
    if p < 0:
        return FAIL
    negated = code[NEGATED] != 0
    if store.op[old] == _N_PACK and store.op[store.a[old]] == _N_UNINIT and store.op[store.b[old]] == _N_UNINIT:
        old = int64(store.a[old])  # 64 bits, of which neither half was written
    old = assumed(store, cells, old, p, negated)
    node = choose(store, cells, p, old, new, width, _PLAIN) if negated else choose(store, cells, p, new, old, width, _PLAIN)
    if node >= 0 or store.op[old] != _N_UNINIT:
        return node
    # An integer, or nothing: an uninitialised one, until a store of the other case takes its place.
    number = residue(store, cells, new, width)
    if number < 0:
        return FAIL
    first, second = (old, number) if negated else (number, old)
    return contents_of(store, emit(store, _N_SELECT, p, first, second), width)


@inner
def convert_one(store: Store, cells: Cells, code: Array, x: int, width: int, kind: int, to: int) -> int:
    """One element of cvt with a float result in format `to` from type (width, kind): rounding to integers and saturation to 0
    and 1 are kept, rounding to a format is not (reals)."""
    if kind < 2:
        node = as_integer(store, cells, x, width, kind == 1)
        if node < 0:
            return FAIL
    else:
        node = as_float(store, cells, x, format_for(width, kind))
        if node < 0:
            return FAIL
        if code[SUB] & 8:
            mode = code[SUB] & 3
            node = emit(
                store,
                _N_FLOOR if mode == 1 else _N_CEIL if mode == 2 else _N_TRUNC if mode == 3 else _N_RINT,
                node,
                _PLAIN,
                _PLAIN,
            )
    if code[SUB] & 4:
        node = _saturated(store, node)
    if code[SUB] & 32 and store.op[node] == _N_CONST:
        # .satfinite is taken to change nothing, which is known to be wrong of a constant outside the range.
        largest = 448.0 if to == E4M3 else 57344.0 if to == E5M2 else 65504.0
        if abs(store.values[store.a[node]]) > largest:
            return FAIL
    if code[SUB] & 16:
        node = emit(store, _N_MAX, node, int64(ZERO), _PLAIN)
    if kind >= 2 and (format_for(width, kind) > to or code[SUB] & 64 or to == BF16):
        node = kept(store, node, TF32 if code[SUB] & 64 else to)
    return in_register(store, cells, node, to)


@inner
def convert(store: Store, cells: Cells, code: Array, x: int, y: int) -> int:
    """cvt with a float result, of one element or a packed pair. Of two sources the first goes into the upper half."""
    width, kind = code[WIDTH], code[SIGNED]
    to = format_for(width, kind)
    if kind < 4:
        return convert_one(store, cells, code, x, code[WIDTH2], code[SIGNED2], to)
    if code[INPUTS] > 1:
        high = convert_one(store, cells, code, x, code[WIDTH2], code[SIGNED2], to)
        low = convert_one(store, cells, code, y, code[WIDTH2], code[SIGNED2], to)
    else:
        low = convert_one(store, cells, code, part_of(store, cells, x, _PLAIN, code[WIDTH2]), code[WIDTH2], code[SIGNED2], to)
        high = convert_one(store, cells, code, part_of(store, cells, x, _HIGH, code[WIDTH2]), code[WIDTH2], code[SIGNED2], to)
    return join(store, cells, low, high, width) if low >= 0 and high >= 0 else FAIL


@inner
def _value(store: Store, cells: Cells, code: Array, x: int, y: int, z: int, format: int) -> int:
    """Float arithmetic on contents of one format."""
    x, y, z = as_float(store, cells, x, format), as_float(store, cells, y, format), as_float(store, cells, z, format)
    if x < 0 or y < 0 or z < 0:
        return FAIL
    inputs = code[INPUTS]
    kind = code[NODE]
    if inputs == 3 and (kind == _N_MIN or kind == _N_MAX):  # min and max of three
        node = emit(store, kind, emit(store, kind, x, y, _PLAIN), z, _PLAIN)
    else:
        node = emit(store, kind, x, y if inputs > 1 else _PLAIN, z if inputs > 2 else _PLAIN)
    node = rounded(store, kind, code[SUB] & 3, format, x, y, z, node)
    if code[SUB] & 4:
        node = _saturated(store, node)
    if code[SUB] & 8:
        node = emit(store, _N_MAX, node, int64(ZERO), _PLAIN)
    return in_register(store, cells, node, format)


@inner
def value(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int) -> int:
    """Float arithmetic of one lane, on one element or a packed pair."""
    first = code[FIRST] + code[RESULTS]
    width, kind = code[WIDTH], code[SIGNED]
    format = format_for(width, kind)
    x = int64(reg[operands[first], lane])
    y = int64(reg[operands[first + 1], lane]) if code[INPUTS] > 1 else x
    z = int64(reg[operands[first + 2], lane]) if code[INPUTS] > 2 else x
    if kind < 4:
        return _value(store, cells, code, x, y, z, format)
    low = high = FAIL
    for i in range(2):
        half = _value(
            store, cells, code, part_of(store, cells, x, int64(i), width), part_of(store, cells, y, int64(i), width),
            part_of(store, cells, z, int64(i), width), format,
        )  # fmt: skip
        if i:
            high = half
        else:
            low = half
    return join(store, cells, low, high, width) if low >= 0 and high >= 0 else FAIL


@inner
def compared(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int, complement: int) -> int:
    """The first or (complement 1) the second predicate of a comparison."""
    first = code[FIRST] + code[RESULTS]
    width, kind = code[WIDTH], code[SIGNED]
    a = int64(reg[operands[first], lane])
    b = int64(reg[operands[first + 1], lane]) if code[INPUTS] > 1 else a
    if code[OP] == _SETP:
        p = compare_integers(store, cells, code[SUB] & 15, kind == 1, width, a, b)
    else:
        format = format_for(width, kind)
        x, y = as_float(store, cells, a, format), as_float(store, cells, b, format)
        p = compare(store, code[SUB], x, y) if x >= 0 and y >= 0 else FAIL
    if p < 0:
        return FAIL
    if complement:
        p = emit(store, _N_NOT, p, _PLAIN, _PLAIN)
    if code[SUB] >> 8:
        q = as_predicate(store, reg[operands[first + 2], lane])
        return boolean(store, code[SUB] >> 8, p, q) if q >= 0 else FAIL
    return p
