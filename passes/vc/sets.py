"""`set`: 1.0 or 0.0, or a mask of ones, by a comparison of floats or integers (PTX ISA 9.7.6.1, 9.7.7.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, emit
from volta_pipe.ir.graph import ONE, ZERO
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.small_floats import format_for
from volta_pipe.passes.vc.arithmetic import boolean, compare
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, INPUTS, OP, RESULTS, SIGNED, SIGNED2, SUB, WIDTH, WIDTH2
from volta_pipe.passes.vc.contents import join, part_of
from volta_pipe.passes.vc.integers import compare_integers
from volta_pipe.passes.vc.masks import mask
from volta_pipe.passes.vc.values import FAIL, as_float, as_predicate, in_register

Array = np.ndarray[Any, np.dtype[Any]]
_SELECT, _PLAIN, _SET = int64(Node.SELECT), int64(0), int64(Op.SET)


@inner
def _one(store: Store, cells: Cells, code: Array, x: int, y: int, q: int, width: int) -> int:
    """One comparison, into `width` bits."""
    if code[OP] == _SET:
        p = compare_integers(store, cells, code[SUB] & 15, code[SIGNED2] == 1, code[WIDTH2], x, y)
    else:
        format = format_for(code[WIDTH2], code[SIGNED2])
        x, y = as_float(store, cells, x, format), as_float(store, cells, y, format)
        p = compare(store, code[SUB], x, y) if x >= 0 and y >= 0 else FAIL
    if p < 0:
        return FAIL
    if code[SUB] >> 8:
        p = boolean(store, code[SUB] >> 8, p, q)
    if code[SIGNED] >= 2:
        return in_register(
            store, cells, emit(store, _SELECT, p, int64(ONE), int64(ZERO)), format_for(code[WIDTH], code[SIGNED])
        )
    return mask(store, p, width)


@inner
def set_result(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int) -> int:
    """One lane, of one comparison or of the two halves of packed operands; FAIL where they cannot be read."""
    first = code[FIRST] + code[RESULTS]
    x, y = int64(reg[operands[first], lane]), int64(reg[operands[first + 1], lane])
    q = as_predicate(store, reg[operands[first + 2], lane]) if code[INPUTS] > 2 else _PLAIN
    if q < 0:
        return FAIL
    width, source = code[WIDTH], code[WIDTH2]
    if code[SIGNED2] < 4:
        return _one(store, cells, code, x, y, q, width)
    low = high = FAIL
    for i in range(2):
        half = int64(i)
        found = _one(
            store, cells, code, part_of(store, cells, x, half, source), part_of(store, cells, y, half, source), q, width >> 1
        )
        if i:
            high = found
        else:
            low = found
    return join(store, cells, low, high, width) if low >= 0 and high >= 0 else FAIL
