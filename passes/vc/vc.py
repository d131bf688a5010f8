"""Stage `vc`: the program's rows become one shared expression graph, with a root for each output element."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import SHARED_REGION
from volta_pipe.ir.errors import BudgetError, Place, UnsupportedError
from volta_pipe.ir.fold import Store, grown, new_store
from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.graph_order import ordered
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch, types_of
from volta_pipe.ir.program import Program
from volta_pipe.ir.share import share
from volta_pipe.ir.tensor import Multiply
from volta_pipe.passes.dropped import assumed
from volta_pipe.passes.rests import listed, rests_of
from volta_pipe.passes.vc import machine
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import COLUMNS, TABLE
from volta_pipe.passes.vc.match import PIECES, matching
from volta_pipe.passes.vc.matrix import ROOM, SCRATCH
from volta_pipe.passes.vc.memory import make_cells
from volta_pipe.passes.vc.outputs import roots_of
from volta_pipe.passes.vc.precision import precision_of
from volta_pipe.passes.vc.variables import set_variables

Array = np.ndarray[Any, np.dtype[Any]]
_MAX_NODES = (1 << 31) - (1 << 26)  # node numbers are int32
INDETERMINATE = "an infinity times a value of unknown sign, or a division by a constant zero"
_REASONS = {
    machine.BAD_VALUE: "a float operand holds something else than a float of this instruction's format",
    machine.BAD_OPERATION: "integer work on a symbolic value that is none of the known idioms",
    machine.BAD_CONVERSION: "a conversion meets a value that is none of its source type (bytes of an integer tensor are "
    "integers; where they are floats, its dtype in the contract has to say so)",
    machine.BAD_ATOMIC: "an atomic meets a value that is none of its type, or a symbolic one that it computes on as an integer",
    machine.BAD_CELL: "a part of a symbolic word is read or written",
}
# Of which the dtype of a tensor in the contract may be the cause.
_OF_DTYPES = (machine.BAD_VALUE, machine.BAD_CONVERSION, machine.BAD_ATOMIC)


class Evaluation:
    """The rows of a program, run as expressions. `store`: the nodes made so far; reg: int32 [registers, threads], the node that
    each register holds; made: int32 [rows + 1], the first node of each row and the
    end of the last. Errors: UnsupportedError where a variable cannot have its tensor's contents."""

    def __init__(self, program: Program, launch: Launch) -> None:
        self.program, self.launch = program, launch
        self.code, self.rows = _static(program), _rows(program)
        self.cells = make_cells(program, launch)
        self.store = new_store(_expected_nodes(program, self.rows))
        self.reg = np.zeros((max(program.registers, 1), program.threads), np.int32)
        self._state = np.zeros(3, np.int64)
        self.made = np.zeros(len(program.row_instr) + 1, np.int32)
        self._scratch = np.zeros(max(program.threads, SCRATCH), np.int64)
        self._operands = _add_tables(program, self.code)
        self.store, unset = set_variables(self.store, self.cells, program, launch)
        if unset:
            raise UnsupportedError(f"variable {unset} cannot be given the contents of its tensor byte by byte")

    def start(self) -> None:
        """A CTA begins: registers, shared and local memory are fresh."""
        self.reg[:] = 0
        _forget(self.cells, self.program)

    def run(self, row: int, end: int) -> None:
        """Runs rows of one CTA, in order. Errors: UnsupportedError at the instruction; BudgetError when the graph grows too
        large."""
        st, threads = self._state, self.program.threads
        while True:
            reason = machine.run(
                self.code, self._operands, self.rows, self.reg, self.cells, self.store, self._scratch, row, end, st, self.made
            )  # fmt: skip
            if reason == machine.DONE:
                return
            row = int(st[0])
            if reason != machine.GROW:
                raise self._refused(reason, row)
            self.store = _grown(self.store, (int(machine.NODES_PER_LANE) if int(st[2]) == 0 else ROOM) * threads + 64)

    def _refused(self, reason: int, row: int) -> UnsupportedError:
        """Why a row cannot be run, and from which elements of which dtypes its operands were computed."""
        program, tensors = self.program, self.launch.tensors
        instruction = int(program.row_instr[row])
        cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
        first = int(program.first[instruction] + program.results[instruction])
        inputs = program.operands[first : first + int(program.inputs[instruction])].tolist()
        rests = rests_of(program, self.launch, cta, row, int(self._state[1]), inputs)
        names = listed(rests, lambda rest: f"{rest.name} ({tensors[rest.tensor].dtype})" if rest.tensor >= 0 else rest.name)
        message = _REASONS[reason] + (f"; its operands rest on {names}" if rests else "")
        tensor = next((tensors[rest.tensor].name for rest in rests if rest.tensor >= 0), "")
        place = Place(field=f"tensors.{tensor}.dtype") if tensor and reason in _OF_DTYPES else None
        return UnsupportedError(message, place, instruction=instruction)


def vc(program: Program, launch: Launch, before: Callable[[], Conditions | None] = lambda: None) -> Conditions:
    """The expressions of all output elements (paper, section on verification conditions). before: gives what may turn out to be
    the same, as that of the program before an edit; where it is, its arrays are given back. It is called in another thread.

    Errors: UnsupportedError with the instruction that leaves what is modelled; BudgetError when the graph is too large."""
    evaluation = Evaluation(program, launch)
    with matching(before, program, launch) as match:
        ends = set(np.searchsorted(program.cta_rows, np.linspace(0, program.cta_rows[-1], PIECES + 1)[1:-1]).tolist())
        for cta in range(len(program.cta_ids)):
            evaluation.start()
            evaluation.run(int(program.cta_rows[cta]), int(program.cta_rows[cta + 1]))
            if int(evaluation.store.counts[1]):
                raise UnsupportedError(INDETERMINATE, instruction=_indeterminate(program, launch, cta))
            if cta + 1 in ends:
                match.piece(evaluation.store, evaluation.cells)
        evaluation.made[-1] = evaluation.store.n[0]
        store, outputs = roots_of(evaluation.store, evaluation.cells, program, launch)
        match.end(store, outputs)
        named = {launch.tensors[i].name: roots.nodes for i, roots in outputs.items()}
        assumptions = program.assumptions + assumed(store, launch)
        precision = precision_of(program, store, evaluation.made, named)
        known = match.found()
    if known is not None:
        graph, whole = known.graph, known.outputs
    else:
        graph, columns = ordered(*share(store, [roots.nodes for roots in outputs.values()], spent=True))
        whole = {index: np.zeros(launch.tensors[index].size, np.int32) for index in outputs}
        for (index, roots), nodes in zip(outputs.items(), columns, strict=True):
            whole[index][roots.elements] = nodes
    names = tuple(t.name for t in launch.tensors), tuple(s.name for s in launch.scalars)
    return Conditions(graph, whole, *names, assumptions, *types_of(launch), precision)


def _indeterminate(program: Program, launch: Launch, cta: int) -> int:
    """The instruction of the first row of a CTA whose result is not determined: the rows up to there are run again, in steps
    of many rows, then one by one."""
    begin, end = (int(row) for row in program.cta_rows[cta : cta + 2])
    for step in (max(1, math.isqrt(end - begin)), 1):
        evaluation = Evaluation(program, launch)
        for before in range(cta):
            evaluation.start()
            evaluation.run(int(program.cta_rows[before]), int(program.cta_rows[before + 1]))
        evaluation.start()
        evaluation.run(int(program.cta_rows[cta]), begin)
        while begin < end:
            evaluation.run(begin, min(begin + step, end))
            if int(evaluation.store.counts[1]):
                break
            begin += step
    return int(program.row_instr[min(begin, end - 1)])


def _expected_nodes(program: Program, rows: machine.Rows) -> int:
    """About how many nodes the rows make: one a lane, those of a matrix product one for each multiplication. Columns of zeros
    cost nothing until they are written, and columns that must grow are copied."""
    lanes = np.diff(rows.lane_start)[program.row_mask]
    made = np.ones(len(program.op) + 1, np.int64)  # the last one of the rows that are no instruction (constants)
    for i in np.flatnonzero(program.op == Op.MMA).tolist():
        product = Multiply.of_code(int(program.sub[i]))
        made[i] = product.batch * math.prod(product.shape) // 32 + 1
    return min(int((lanes * made[np.maximum(program.row_instr, -1)]).sum()) + (1 << 16), 1 << 26)


def _grown(store: Store, room: int) -> Store:
    if int(store.n[0]) + room > _MAX_NODES:
        raise BudgetError(f"the expression graph has more than {_MAX_NODES} nodes")
    return grown(store, room, room)


def _forget(cells: Cells, program: Program) -> None:
    """Shared and local memory start afresh in each CTA."""
    for region in program.regions:
        if region.number in (SHARED_REGION, SHARED_REGION + 1):
            start = int(cells.table[region.number, 0]) >> 2
            copies = program.threads if region.space == "local" else 1
            cells.node[start : start + (region.size + 7) // 8 * 2 * copies] = 0


def _static(program: Program) -> Array:
    """The static code in the machine's columns; ld and st use width only."""
    names = ("op", "node", "width", "signed", "sub", "width2", "signed2", "guard", "negated", "first", "results", "inputs")
    columns = [getattr(program, name).astype(np.int64) for name in names]
    code = np.stack([*columns, np.zeros(len(program.op), np.int64)], axis=1)
    return np.ascontiguousarray(code).reshape(-1, COLUMNS)


def _add_tables(program: Program, code: Array) -> Array:
    """The operands, with the tables of matrix products behind them; fills TABLE of these."""
    found = [program.operands.astype(np.int64)]
    place: dict[int, int] = {}
    for instruction in np.flatnonzero(program.op == Op.MMA):
        number = int(program.sub[instruction])
        if number not in place:
            place[number] = sum(len(part) for part in found)
            found.append(Multiply.of_code(number).table)
        code[instruction, TABLE] = place[number]
    return np.concatenate(found)


def _rows(program: Program) -> machine.Rows:
    lanes = [program.active_lanes(mask) for mask in range(len(program.mask_bits))]
    start = np.zeros(len(lanes) + 1, np.int64)
    start[1:] = np.cumsum([len(x) for x in lanes])
    flat = np.concatenate([*lanes, np.zeros(0, np.int64)]).astype(np.int64)
    return machine.Rows(
        program.row_instr, program.row_mask, program.row_base, program.row_pattern, program.row_flags, flat, start,
        program.pattern_start, program.pattern_values,
    )  # fmt: skip
