"""What one lane of a row means: the node of its result."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, emit
from volta_pipe.ir.graph import ONE, ZERO
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.selection import takes_first
from volta_pipe.ir.small_floats import format_for
from volta_pipe.passes.vc.arithmetic import choose, compare, compared, convert, value
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, INPUTS, OP, RESULTS, SIGNED, SIGNED2, SUB, WIDTH, WIDTH2
from volta_pipe.passes.vc.contents import join, low_part, part_of
from volta_pipe.passes.vc.either import choice_logic
from volta_pipe.passes.vc.fills import extended
from volta_pipe.passes.vc.idioms import bit_idiom
from volta_pipe.passes.vc.integer_work import integer_work, whole_number
from volta_pipe.passes.vc.integers import as_integer
from volta_pipe.passes.vc.masks import masked
from volta_pipe.passes.vc.sets import set_result
from volta_pipe.passes.vc.values import FAIL, as_float, as_predicate, bits_of, is_bits

Array = np.ndarray[Any, np.dtype[Any]]
_VALUE, _FSETP, _FCVT, _SELP, _MOV, _SETP = (int64(o) for o in (Op.VALUE, Op.FSETP, Op.FCVT, Op.SELP, Op.MOV, Op.SETP))
_PACK, _CVT, _SLCT, _FSET, _SET = (int64(o) for o in (Op.PACK, Op.CVT, Op.SLCT, Op.FSET, Op.SET))
_FCVTI, _AND, _OR, _XOR, _NOT = (int64(o) for o in (Op.FCVTI, Op.AND, Op.OR, Op.XOR, Op.NOT))
_N_AND, _N_OR, _N_XOR, _N_NOT = (int64(n) for n in (Node.AND, Node.OR, Node.XOR, Node.NOT))
_PLAIN, _HIGH, _GE = int64(0), int64(1), int64(5)


@inner
def _selector(store: Store, cells: Cells, code: Array, selector: int) -> int:
    """The predicate of slct, whether the selector is >= 0."""
    if is_bits(store, selector):
        first = takes_first(bits_of(store, selector), code[SIGNED2] == 2, code[SUB] != 0)
        return int64(ONE if first else ZERO)
    if code[SIGNED2] != 2:
        x = as_integer(store, cells, selector, code[WIDTH2], True)
    else:
        x = as_float(store, cells, selector, format_for(code[WIDTH2], code[SIGNED2]))
    return compare(store, _GE, x, int64(ZERO)) if x >= 0 else FAIL


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
    b = reg[operands[first + 1], lane] if code[INPUTS] > 1 else a
    if op == _FCVT:
        return convert(store, cells, code, int64(a), int64(b))
    if op == _CVT and not code[SUB]:
        return _extended(store, cells, code, int64(a))
    if op == _CVT or op == _FCVTI:
        return integer_work(store, cells, op, code, int64(a), int64(a), int64(a))
    if op == _FSETP or op == _SETP:
        return compared(store, cells, code, operands, reg, lane, _PLAIN)
    if op == _SELP or op == _SLCT:
        chooser = int64(reg[operands[first + 2], lane])
        p = _selector(store, cells, code, chooser) if op == _SLCT else as_predicate(store, chooser)
        if p == ONE:
            return int64(a)
        if p == ZERO:
            return int64(b)
        return choose(store, cells, p, int64(a), int64(b), code[WIDTH], code[SIGNED]) if p >= 0 else FAIL
    if code[WIDTH] == 1 and (op == _AND or op == _OR or op == _XOR or op == _NOT):
        p = as_predicate(store, a)
        q = as_predicate(store, b)
        if p < 0 or q < 0:
            return FAIL
        if op == _NOT:
            return emit(store, _N_NOT, p, _PLAIN, _PLAIN)
        return emit(store, _N_AND if op == _AND else _N_OR if op == _OR else _N_XOR, p, q, _PLAIN)
    if op == _FSET or op == _SET:
        return set_result(store, cells, code, operands, reg, lane)
    if op == _PACK and code[INPUTS] == 2:
        return join(store, cells, int64(a), int64(b), code[WIDTH])
    c = reg[operands[first + 2], lane] if code[INPUTS] > 2 else a
    d = reg[operands[first + 3], lane] if code[INPUTS] > 3 else a
    if op == _PACK:
        half = code[WIDTH] >> 1
        low, high = join(store, cells, int64(a), int64(b), half), join(store, cells, int64(c), int64(d), half)
        return join(store, cells, low, high, code[WIDTH])
    node = choice_logic(store, op, code[WIDTH], int64(a), int64(b))
    if node < 0:
        node = masked(store, cells, op, code[WIDTH], int64(a), int64(b), int64(c), int64(d))
    if node < 0 and not whole_number(store, cells, op, code, int64(a)):
        node = bit_idiom(store, cells, op, code, int64(a), int64(b), int64(c), int64(d))
    return node if node >= 0 else integer_work(store, cells, op, code, int64(a), int64(b), int64(c))


@inner
def _extended(store: Store, cells: Cells, code: Array, x: int) -> int:
    """cvt between integer types of contents that are not known: cutting off, and going on with zeros or a sign."""
    width, source = code[WIDTH], code[WIDTH2]
    x = low_part(store, cells, x, min(width, source))
    if code[SIGNED2] == 1 and source < width:
        x = extended(store, cells, x, source)
    # A signed result goes on above in a wider register, an unsigned one has zeros there.
    return extended(store, cells, x, width) if code[SIGNED] == 1 else low_part(store, cells, x, width)


@inner
def second_result(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int, first: int) -> int:
    """The second result of setp (the complement); first: the other one."""
    compares = code[OP] == _FSETP or code[OP] == _SETP
    if compares and not code[SUB] >> 8:  # of the very node, so that it is known to be its negation (assumed.py)
        return emit(store, _N_NOT, first, _PLAIN, _PLAIN)
    return compared(store, cells, code, operands, reg, lane, _HIGH) if compares else FAIL


@inner
def quarters(store: Store, cells: Cells, operands: Array, reg: Array, first: int, lane: int, whole: int, width: int) -> None:
    """The four parts of contents into the registers from operand `first` on."""
    for i in range(2):
        half = part_of(store, cells, whole, int64(i), width)
        for k in range(2):
            reg[operands[first + 2 * i + k], lane] = part_of(store, cells, half, int64(k), width >> 1)
