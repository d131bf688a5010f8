"""How many bytes the rows of a program touch."""

from __future__ import annotations

from volta_pipe.ir.atomics import CAS, CODE_MASK
from volta_pipe.ir.instructions import MBARRIER, Op
from volta_pipe.ir.mbarriers import OBJECT_BYTES
from volta_pipe.ir.program import COPIED_SHIFT, FLAG_SOURCE, Program


def bytes_of(program: Program, row: int) -> int:
    """How many bytes a lane of a row touches."""
    instruction = int(program.row_instr[row])
    op, inputs = int(program.op[instruction]), int(program.inputs[instruction])
    if op == Op.COPY and program.row_flags[row] & FLAG_SOURCE:
        return int(program.row_flags[row]) >> COPIED_SHIFT
    if op in MBARRIER:
        return OBJECT_BYTES
    swaps = op in (Op.ATOM, Op.RED) and program.sub[instruction] & CODE_MASK == CAS
    single = swaps or op in (Op.COPY, Op.LDMATRIX, Op.STMATRIX)
    values = int(program.results[instruction]) if op == Op.LD else 1 if single else inputs - 1
    return values * (int(program.width[instruction]) // 8)
