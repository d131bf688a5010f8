"""The code of one kernel for one launch as the machine runs it, and how its rows are put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.ptx.flat import FlatKernel, FlatOp
from volta_pipe.passes.unroll.bytecode import (
    COLUMNS,
    FIRST,
    GUARD,
    HINT,
    IMM,
    MAX_OPERANDS,
    MAX_RESULTS,
    NIN,
    NRES,
    OP,
    RW,
    SUB,
    WALK,
    A,
    D,
    W,
)
from volta_pipe.passes.unroll.known import MOVE
from volta_pipe.passes.unroll.registers import assign_registers

Array = np.ndarray[Any, np.dtype[Any]]
# A row without registers.
_UNSET = frozenset((GUARD, HINT, *range(D, D + MAX_RESULTS), *range(A, A + MAX_OPERANDS)))
_EMPTY = [-1 if column in _UNSET else 0 for column in range(COLUMNS)]


@dataclass(frozen=True)
class Code:
    """Bytecode and what the program artifact keeps of it.

    code: int64 [instructions, COLUMNS]; HINT is the pattern that the instruction
    used last (the machine writes it). operands: the static ones, then the tables of matrix instructions (ir/tensor.py), where
    TARGET of these points to; the machine writes hints into them. static: columns by walk index (see ir/program.py).
    preloads: (register, kind, value) set at the start of each CTA: kind "value" an integer, "special" a special register's
    name. addresses: registers that hold one from the
    start. refusals: by walk index, what to say where the machine stops at a TRAP that is no `trap` instruction. masked: how
    many warp instructions have member masks that are not constants. armed: int64, rows of `code` whose wrapping around is noted
    (wraps.py). plain: walk indices of weak loads."""

    code: Array
    operands: Array
    static: dict[str, Array]
    registers: int
    preloads: tuple[tuple[int, str, int | str], ...]
    addresses: frozenset[int]
    refusals: dict[int, str]
    masked: int
    armed: Array
    plain: frozenset[int]


class CodeBuilder:
    """Rows of bytecode as they are made, in registers out of SSA."""

    def __init__(self, kernel: FlatKernel) -> None:
        self.widths = kernel.widths
        self.registers, self.sharing = assign_registers(kernel.blocks, len(kernel.widths))
        self.count = len(self.sharing)
        self.rows: list[list[int]] = []  # one for each operation
        self.code: list[list[int]] = []  # what the machine runs
        self.nodes: list[int] = []
        self.operands: list[int] = []
        self.preloads: list[tuple[int, str, int | str]] = []
        self.exact: dict[int, int] = {}  # by index into the code, see known.exact_code

    def row(self, op: Op, walk: int, results: list[int], inputs: list[int]) -> list[int]:
        """A row of bytecode with its registers, and nothing else."""
        row = _EMPTY.copy()
        row[OP], row[WALK] = op.value, walk
        given, taken = len(results), len(inputs)
        row[NRES], row[NIN], row[FIRST] = given, taken, len(self.operands)
        named = min(given, MAX_RESULTS)
        row[D : D + named] = results[:named]
        named = min(taken, MAX_OPERANDS)
        row[A : A + named] = inputs[:named]
        self.operands += results
        self.operands += inputs
        return row

    def emit(self, row: list[int], imm: int = 0, node: int = 0, executes: bool = True) -> None:
        """Append a row; one that does not execute is kept in the program alone."""
        row[IMM] = imm
        if executes:
            self.code.append(row)
        self.rows.append(row)
        self.nodes.append(node)

    def preload(self, op: FlatOp, walk: int, kind: str, value: int | str, variable: tuple[int, int] = (0, 0)) -> None:
        """A value that is known when a CTA starts. One that shares its register is moved there where it is defined.
        `variable`: region and start of the one whose address it is."""
        register, width = self.registers[op.results[0]], self.widths[op.results[0]]
        if self.sharing[register] == 1:
            self.preloads.append((register, kind, value))
            row = self.row(Op.NOP, walk, [register], [])
            row[SUB] = variable[0]
            self.emit(row, variable[1], executes=False)
            return
        hidden = self.count
        self.count += 1
        self.preloads.append((hidden, kind, value))
        row = self.row(Op.MOV, walk, [register], [hidden])
        row[W] = row[RW] = width
        row[SUB] = variable[0]
        self.exact[len(self.code)] = MOVE
        self.emit(row, variable[1])
