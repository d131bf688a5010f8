"""The expressions of values at the moment when a store writes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.graph import Graph, Int32
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.ir.share import share
from volta_pipe.passes.dropped import assumed
from volta_pipe.passes.vc.vc import INDETERMINATE, Evaluation


@dataclass(frozen=True)
class StoredValues:
    """roots: int32 [sites], nodes of `graph`, 0 where unknown; `error`: what ended the run before the last site, or None;
    `assumptions`: what folds took for granted (ir/dropped.py)."""

    graph: Graph
    roots: Int32
    error: UnsupportedError | None
    assumptions: tuple[str, ...] = ()


def stored_values(program: Program, launch: Launch, sites: Iterable[tuple[int, int, int]]) -> StoredValues:
    """What stores write. sites: (row of an ST, thread, which of the store's values), in the order of rows.

    Errors: BudgetError when the graph grows too large."""
    evaluation = Evaluation(program, launch)
    found: list[int] = []
    error: UnsupportedError | None = None
    cta = -1
    at = 0  # the next row to run
    for row, thread, value in sites:
        if error is None:
            try:
                while cta < 0 or row >= program.cta_rows[cta + 1]:
                    if cta >= 0:
                        evaluation.run(at, int(program.cta_rows[cta + 1]))
                    cta += 1
                    at = int(program.cta_rows[cta])
                    evaluation.start()
                evaluation.run(at, row)
                at = row
                if int(evaluation.store.counts[1]):
                    raise UnsupportedError(INDETERMINATE)
            except UnsupportedError as reason:
                error = reason
        first = int(program.first[program.row_instr[row]])
        register = int(program.operands[first + 1 + value])  # operand 0 is the address
        found.append(0 if error else int(evaluation.reg[register, thread]))
    graph, (roots,) = share(evaluation.store, [np.array(found, np.int32)])
    try:
        return StoredValues(graph, roots, error, assumed(evaluation.store, launch))
    except UnsupportedError as reason:
        return StoredValues(graph, np.zeros_like(roots), reason)
