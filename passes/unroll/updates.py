"""Instructions that are too rare, or work too much, for the machine's own loop to hold them."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.atomic import atomic
from volta_pipe.passes.unroll.bytecode import NRES, OP, WALK, D
from volta_pipe.passes.unroll.copies import copy, wait
from volta_pipe.passes.unroll.known_values import known_value
from volta_pipe.passes.unroll.lanes import poison
from volta_pipe.passes.unroll.mbarriers import barrier_object, pending_count
from volta_pipe.passes.unroll.state import NO_PATTERN, PLAIN, UNDETERMINED, Lanes, Memory, Rows, emit_row

Array = np.ndarray[Any, np.dtype[Any]]
_OBJECT, _COUNT = int(Op.MBARRIER_INIT), int(Op.MBARRIER_COUNT)
_ATOM, _RED, _COPY, _COMMIT, _WAIT = (int(o) for o in (Op.ATOM, Op.RED, Op.COPY, Op.COPY_COMMIT, Op.COPY_WAIT))
_KNOWN = int(Op.KNOWN)


@inner
def update(
    lanes: Lanes, memory: Memory, rows: Rows, st: Array, row: Array, operands: Array, act: Array, n: int, mask: int
) -> int:
    """Executes one of them. Returns 0 or why it cannot."""
    op = row[OP]
    if op == _ATOM or op == _RED:
        return atomic(lanes, memory, rows, st, row, operands, act, n)
    if op == _COPY:
        return copy(lanes, memory, rows, st, row, act, n)
    if op == _WAIT:
        return wait(lanes, rows, row, act, n, mask)
    if op == _COMMIT:
        emit_row(rows, row[WALK], mask, PLAIN, NO_PATTERN, PLAIN)
        return 0
    if op == _KNOWN:
        known_value(lanes, rows, st, row, act, n, mask)
        return 0
    if op == _COUNT:
        return pending_count(lanes, st, row, act, n)
    if op >= _OBJECT:
        return barrier_object(lanes, memory, rows, st, row, act, n)
    for i in range(n):  # OPAQUE: a value that nobody may look at
        for k in range(row[NRES]):
            poison(lanes, row[D + k], act[i], UNDETERMINED | row[WALK])
            lanes.meta[1, row[D + k]] = 0
    return 0
