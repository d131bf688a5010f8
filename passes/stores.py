"""Which store of a program was the last one at an address."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import Program


def last_store(program: Program, address: int) -> tuple[int, int, int]:
    """(walk index, CTA index, thread) of the last store that covers an address; -1 where there is none."""
    is_store = np.isin(program.row_instr, np.flatnonzero(np.isin(program.op, (Op.ST, Op.ATOM, Op.RED, Op.STMATRIX))))
    for row in np.flatnonzero(is_store)[::-1]:
        instr = int(program.row_instr[row])
        values = 1 if program.op[instr] == Op.STMATRIX else int(program.inputs[instr]) - 1
        size = int(program.width[instr]) // 8 * values
        hit = np.flatnonzero((program.row_values(int(row)) <= address) & (address < program.row_values(int(row)) + size))
        if len(hit):
            cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
            return instr, cta, int(program.active_lanes(int(program.row_mask[row]))[hit[-1]])
    return -1, 0, 0
