"""What one lane of a row means: the node of its result."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import float64, inner, int64
from volta_pipe.ir.fold import Store, append, constant, emit
from volta_pipe.ir.graph import NAN, ONE, ZERO
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.selection import takes_first
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, GUARD, INPUTS, NEGATED, NODE, OP, RESULTS, SIGNED2, SUB, WIDTH, WIDTH2
from volta_pipe.passes.vc.idioms import bit_idiom, rounded
from volta_pipe.passes.vc.values import FAIL, as_float, as_predicate, bits_node, bits_of, in_register, is_bits

Array = np.ndarray[Any, np.dtype[Any]]
_VALUE, _FSETP, _FCVT, _SELP, _MOV = (int64(o) for o in (Op.VALUE, Op.FSETP, Op.FCVT, Op.SELP, Op.MOV))
_PACK, _SLCT = int64(Op.PACK), int64(Op.SLCT)
_AND, _OR, _XOR, _NOT = (int64(o) for o in (Op.AND, Op.OR, Op.XOR, Op.NOT))
_N_SELECT, _N_LT, _N_LE, _N_EQ, _N_NE = (int64(n) for n in (Node.SELECT, Node.LT, Node.LE, Node.EQ, Node.NE))
_N_AND, _N_OR, _N_XOR, _N_NOT, _N_SAT = (int64(n) for n in (Node.AND, Node.OR, Node.XOR, Node.NOT, Node.SAT))
_N_FLOOR, _N_CEIL, _N_TRUNC, _N_RINT = (int64(n) for n in (Node.FLOOR, Node.CEIL, Node.TRUNC, Node.RINT))
_N_PART, _N_PACK = (int64(n) for n in (Node.PART, Node.PACK))
_N_ADD, _N_DIV = int64(Node.ADD), int64(Node.DIV)
_PLAIN, _GE = int64(0), int64(5)


@inner
def _compare(store: Store, sub: int, x: int, y: int) -> int:
    """The predicate of a float comparison (codes as in passes/unroll/assemble.py)."""
    kind = sub & 15
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
def _boolean(store: Store, operator: int, x: int, y: int) -> int:
    if operator == 1:
        return emit(store, _N_AND, x, y, _PLAIN)
    if operator == 2:
        return emit(store, _N_OR, x, y, _PLAIN)
    if operator == 3:
        return emit(store, _N_XOR, x, y, _PLAIN)
    return x


@inner
def under_guard(store: Store, cells: Cells, code: Array, reg: Array, lane: int, new: int, old: int, width: int) -> int:
    """select(guard, new, old) for a row under a symbolic guard."""
    p = as_predicate(store, reg[code[GUARD], lane])
    x, y = as_float(store, cells, new, width), as_float(store, cells, old, width)
    if p < 0 or x < 0 or y < 0:
        return FAIL
    if code[NEGATED]:
        return in_register(store, emit(store, _N_SELECT, p, y, x), width)
    return in_register(store, emit(store, _N_SELECT, p, x, y), width)


@inner
def _convert(store: Store, cells: Cells, code: Array, x: int) -> int:
    """cvt with a float result: rounding to integers and saturation are kept, rounding to a format is not (reals)."""
    if code[SIGNED2] != 2:
        if not is_bits(store, x):
            return FAIL
        v = bits_of(store, x)
        w = code[WIDTH2]
        if w < 64:
            s = 64 - w
            v = (v << s) >> s if code[SIGNED2] == 1 else v & ((int64(1) << w) - 1)
        if abs(v) > 1 << 53 or (w == 64 and code[SIGNED2] == 0 and v < 0):
            return FAIL
        node = constant(store, float64(v))
    else:
        node = as_float(store, cells, x, code[WIDTH2])
        if node < 0:
            return FAIL
        if code[SUB] & 8:
            kind = code[SUB] & 3
            node = emit(
                store,
                _N_FLOOR if kind == 1 else _N_CEIL if kind == 2 else _N_TRUNC if kind == 3 else _N_RINT,
                node,
                _PLAIN,
                _PLAIN,
            )
    if code[SUB] & 4:
        node = emit(store, _N_SAT, node, _PLAIN, _PLAIN)
    return in_register(store, node, code[WIDTH])


@inner
def value(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int) -> int:
    """Float arithmetic of one lane."""
    first = code[FIRST] + code[RESULTS]
    width = code[WIDTH]
    x, y, z = _PLAIN, _PLAIN, _PLAIN
    x = as_float(store, cells, reg[operands[first], lane], width)
    if code[INPUTS] > 1:
        y = as_float(store, cells, reg[operands[first + 1], lane], width)
    if code[INPUTS] > 2:
        z = as_float(store, cells, reg[operands[first + 2], lane], width)
    if x < 0 or y < 0 or z < 0:
        return FAIL
    node = emit(store, code[NODE], x, y, z)
    node = rounded(store, code[NODE], code[SUB] & 3, width, x, y, z, node)
    if code[SUB] & 4:
        node = emit(store, _N_SAT, node, _PLAIN, _PLAIN)
    return in_register(store, node, code[WIDTH])


@inner
def _selector(store: Store, cells: Cells, code: Array, selector: int) -> int:
    """The predicate of slct, whether the selector is >= 0; a symbolic one is compared as a float only."""
    if is_bits(store, selector):
        first = takes_first(bits_of(store, selector), code[SIGNED2] == 2, code[SUB] != 0)
        return int64(ONE if first else ZERO)
    if code[SIGNED2] != 2:
        return FAIL
    x = as_float(store, cells, selector, code[WIDTH2])
    return _compare(store, _GE, x, int64(ZERO)) if x >= 0 else FAIL


@inner
def first_result(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int) -> int:
    """The first result of an instruction that works lane by lane, or FAIL. (FSETP's second result: see _second.)"""
    op = code[OP]
    first = code[FIRST] + code[RESULTS]
    a = reg[operands[first], lane]
    if op == _VALUE:
        return value(store, cells, code, operands, reg, lane)
    if op == _MOV:
        return int64(a)
    if op == _FCVT:
        return _convert(store, cells, code, a)
    b = reg[operands[first + 1], lane] if code[INPUTS] > 1 else a
    if op == _FSETP:
        x, y = as_float(store, cells, a, code[WIDTH]), as_float(store, cells, b, code[WIDTH])
        if x < 0 or y < 0:
            return FAIL
        p = _compare(store, code[SUB], x, y)
        if code[SUB] >> 8:
            q = as_predicate(store, reg[operands[first + 2], lane])
            return _boolean(store, code[SUB] >> 8, p, q) if q >= 0 else FAIL
        return p
    if op == _SELP or op == _SLCT:
        chooser = int64(reg[operands[first + 2], lane])
        p = _selector(store, cells, code, chooser) if op == _SLCT else as_predicate(store, chooser)
        if p == ONE:
            return int64(a)
        if p == ZERO:
            return int64(b)
        x, y = as_float(store, cells, a, code[WIDTH]), as_float(store, cells, b, code[WIDTH])
        if p < 0 or x < 0 or y < 0:
            return FAIL
        return in_register(store, emit(store, _N_SELECT, p, x, y), code[WIDTH])
    if code[WIDTH] == 1 and (op == _AND or op == _OR or op == _XOR or op == _NOT):
        p = as_predicate(store, a)
        q = as_predicate(store, b)
        if p < 0 or q < 0:
            return FAIL
        if op == _NOT:
            return emit(store, _N_NOT, p, _PLAIN, _PLAIN)
        return emit(store, _N_AND if op == _AND else _N_OR if op == _OR else _N_XOR, p, q, _PLAIN)
    if op == _PACK:
        if code[INPUTS] != 2:
            return FAIL
        if is_bits(store, a) and is_bits(store, b):
            half = code[WIDTH] // 2
            low = bits_of(store, a) & ((int64(1) << half) - 1)
            return bits_node(store, low | bits_of(store, b) << half)
        if code[WIDTH] != 64:
            return FAIL
        if (
            store.op[a] == _N_PART
            and store.op[b] == _N_PART
            and store.a[a] == store.a[b]
            and store.b[a] == 0
            and store.b[b] == 1
        ):
            return int64(store.a[a])
        return append(store, _N_PACK, a, b, _PLAIN)
    return in_register(store, bit_idiom(store, cells, op, code[WIDTH], a, b), code[WIDTH])


@inner
def second_result(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int) -> int:
    """The second result of setp (the complement) and of unpacking moves."""
    first = code[FIRST] + code[RESULTS]
    a = reg[operands[first], lane]
    if code[OP] == _FSETP:
        b = reg[operands[first + 1], lane]
        x, y = as_float(store, cells, a, code[WIDTH]), as_float(store, cells, b, code[WIDTH])
        if x < 0 or y < 0:
            return FAIL
        p = emit(store, _N_NOT, _compare(store, code[SUB], x, y), _PLAIN, _PLAIN)
        if code[SUB] >> 8:
            q = as_predicate(store, reg[operands[first + 2], lane])
            return _boolean(store, code[SUB] >> 8, p, q) if q >= 0 else FAIL
        return p
    return FAIL


@inner
def unpack(store: Store, width: int, node: int, part: int) -> int:
    """One half of a 64-bit value."""
    if is_bits(store, node):
        half = width // 2
        return bits_node(store, (bits_of(store, node) >> (half * part)) << (64 - half) >> (64 - half))
    if width != 64:
        return FAIL
    if store.op[node] == _N_PACK:
        return int64(store.b[node] if part else store.a[node])
    return append(store, _N_PART, node, part, _PLAIN)
