"""`set` of floats: 1.0 or 0.0, or a mask of ones, by a comparison (PTX ISA 9.7.6.1, 9.7.7.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, emit
from volta_pipe.ir.graph import ONE, ZERO
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.small_floats import format_for
from volta_pipe.passes.vc.arithmetic import boolean, compare
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, INPUTS, RESULTS, SIGNED, SIGNED2, SUB, WIDTH, WIDTH2
from volta_pipe.passes.vc.contents import join, part_of
from volta_pipe.passes.vc.values import FAIL, as_float, as_predicate, bits_node, in_register

Array = np.ndarray[Any, np.dtype[Any]]
_SELECT, _PLAIN = int64(Node.SELECT), int64(0)


@inner
def _one(store: Store, cells: Cells, code: Array, x: int, y: int, q: int, width: int) -> int:
    """One comparison, into `width` bits. Integers know no symbolic truth: they are modelled where it is known."""
    format = format_for(code[WIDTH2], code[SIGNED2])
    x, y = as_float(store, cells, x, format), as_float(store, cells, y, format)
    if x < 0 or y < 0:
        return FAIL
    p = compare(store, code[SUB], x, y)
    if code[SUB] >> 8:
        p = boolean(store, code[SUB] >> 8, p, q)
    if code[SIGNED] >= 2:
        return in_register(
            store, cells, emit(store, _SELECT, p, int64(ONE), int64(ZERO)), format_for(code[WIDTH], code[SIGNED])
        )
    if p == ZERO:
        return bits_node(store, _PLAIN)
    return bits_node(store, (int64(1) << width) - 1) if p == ONE else FAIL


@inner
def set_floats(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int) -> int:
    """One lane, of one comparison or of the two halves of packed operands; FAIL where a mask is not known."""
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
