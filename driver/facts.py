"""Facts about what a stage made that tell whether a comparison can fail at all; kept in summaries, read by `vacuity.py`.

All of it is computed on columns, once, when the stage runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.fold import Store
from volta_pipe.ir.graph import ARITY_TABLE, Conditions
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import FLAG_SOURCE, Program
from volta_pipe.ir.share import mark

Array = np.ndarray[Any, np.dtype[Any]]
# Of red nobody gets what it reads.
_READS = (Op.LD, Op.LDMATRIX, Op.ATOM)
_WRITES = (Op.ST, Op.STMATRIX, Op.ATOM, Op.RED)


def output_facts(conditions: Conditions) -> dict[str, dict[str, Any]]:
    """By name of each out and inout tensor: how many `elements` it has and of how many an expression is `known`; `inputs`, the
    names of the tensors (of aliases the first) and scalars whose unknown contents the expressions mention; `copies`, by name
    of a tensor, how many elements are nothing but the element of the same number that it held before the launch."""
    graph = conditions.graph
    found = {}
    for number, roots in conditions.outputs.items():
        places = np.flatnonzero(graph.op[roots] == Node.LEAF)
        leaves = roots[places]
        copied = np.bincount(graph.a[leaves[graph.b[leaves] == places]], minlength=len(conditions.tensors))
        counts = {conditions.tensors[tensor]: int(copied[tensor]) for tensor in np.flatnonzero(copied).tolist()}
        elements = {"elements": len(roots), "known": int((roots != 0).sum())}
        found[conditions.tensors[number]] = {**elements, "inputs": _inputs(conditions, roots), "copies": counts}
    return found


def _inputs(conditions: Conditions, roots: Array) -> list[str]:
    """The names of the tensors and scalars that expressions mention, in the contract's order."""
    graph, live = conditions.graph, None
    if len(conditions.outputs) > 1:  # else the root reaches all: a graph holds nothing that no root reaches
        live = np.zeros(len(graph), np.int32)
        live[roots] = 1
        none, constants, nodes = np.zeros(1, np.int64), np.zeros(1, np.float64), np.zeros(1, np.int32)
        mark(Store(graph.op, graph.a, graph.b, graph.c, none, constants, none, nodes, nodes, nodes), ARITY_TABLE, live)
    names: list[str] = []
    for op, known in ((Node.LEAF, conditions.tensors), (Node.SCALAR, conditions.scalars)):
        found = np.flatnonzero(graph.op == op)
        used = np.bincount(graph.a[found if live is None else found[live[found] != 0]], minlength=len(known))
        names += [known[place] for place in np.flatnonzero(used).tolist()]
    return names


def touched(program: Program) -> dict[str, list[str]]:
    """Which tensors (of aliases the first) some thread `read` and `written`, by name, in the order of memory."""
    at_work = np.isin(program.op, (*_READS, *_WRITES, Op.COPY))[program.row_instr.clip(0)] & (program.row_instr >= 0)
    rows = np.flatnonzero(at_work)
    op, source = program.op[program.row_instr[rows]], (program.row_flags[rows] & FLAG_SOURCE) != 0
    reads = np.isin(op, _READS) | ((op == Op.COPY) & source)
    writes = np.isin(op, _WRITES) | ((op == Op.COPY) & ~source)
    names = {region.number: region.name for region in program.regions if region.tensor >= 0}
    return {"read": _regions(program, rows[reads], names), "written": _regions(program, rows[writes], names)}


def _regions(program: Program, rows: Array, names: dict[int, str]) -> list[str]:
    """The tensors in which addresses of `rows` lie."""
    low, high = program.over_patterns(np.minimum, np.maximum)
    base, pattern = program.row_base[rows], program.row_pattern[rows]
    first, last = (base + low[pattern]) >> REGION_SHIFT, (base + high[pattern]) >> REGION_SHIFT
    found = {*np.unique(first).tolist(), *np.unique(last).tolist()}
    for row in rows[last > first].tolist():  # lanes in several regions, hardly ever
        found |= {*(program.row_values(row) >> REGION_SHIFT).tolist()}
    return [names[number] for number in sorted(found) if number in names]
