"""What the registers of a thread hold at one row of a program: the run is done again and stopped there.

For explanations only, so nothing of it is kept in programs. A value of the SSA form stays in its register until the values that
share the register with it come, so at an access all that its address was computed from is still there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.ir.ptx import kernel_of
from volta_pipe.ir.ptx.flatten import flatten, numbered
from volta_pipe.passes.unroll import machine, reasons
from volta_pipe.passes.unroll.assemble import Assembler
from volta_pipe.passes.unroll.memory import plan
from volta_pipe.passes.unroll.run import Run
from volta_pipe.passes.unroll.state import CONCRETE, MIXED, PAUSE_AT, STEPS, grow

Array = np.ndarray[Any, np.dtype[Any]]
# Runs that are longer (thread-instructions) are not done again: they would take seconds.
MAX_STEPS = 100_000_000
_NEVER = 1 << 62
_PAUSES = 1000


@dataclass(frozen=True)
class Snapshot:
    """The registers of one thread before a row. values: int64 [registers]; concrete: bool [registers], whether the bits are
    known; registers: which one each value of the module lives in."""

    values: Array
    concrete: Array
    registers: dict[SSAValue, int]

    def of(self, value: SSAValue) -> int | None:
        """What a value of the module is; None where it is not known."""
        register = self.registers[value]
        return int(self.values[register]) if self.concrete[register] else None


def snapshot(module: ModuleOp, launch: Launch, program: Program, row: int, thread: int) -> Snapshot | None:
    """The registers of `thread` just before `row` of the program that unroll made of this launch; None where the run is too
    long to be done again."""
    if program.steps > MAX_STEPS:
        return None
    cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
    each = max(1, program.steps // len(program.cta_ids) // _PAUSES)
    near = _Probe(module, launch).stop(cta, row, thread, 0, each)
    probe = _Probe(module, launch)
    exact = probe.stop(cta, row, thread, near[1], 1) if near is not None else None
    if exact is None:
        return None
    # Where lanes were set aside (halted.py), those of this run may still be going round a loop.
    made = probe.run.rows.row[row]
    same = made[0] >> 32 == program.row_instr[row] and made[1] == program.row_base[row]
    return exact[0] if same else None


class _Probe:
    """A run that is stopped before a row."""

    def __init__(self, module: ModuleOp, launch: Launch) -> None:
        kernel = flatten(module)
        layout = plan(kernel, launch)
        assembler = Assembler(kernel, launch, layout)
        code = assembler.assemble()
        self.registers = {value: assembler.registers[number] for value, number in numbered(kernel_of(module)).items()}
        self.launch = launch
        self.run = Run(launch, layout, code, _NEVER, _NEVER, None)

    def stop(self, cta: int, row: int, thread: int, first: int, each: int) -> tuple[Snapshot, int] | None:
        """The last state before `row` among those met every `each` steps from the step `first` on, and its step."""
        run = self.run
        for index, place in enumerate(self.launch.cta_list()[: cta + 1]):
            run.reset(place)
            run.st[PAUSE_AT] = max(first, int(run.st[STEPS])) if index == cta else _NEVER
            last = None
            while True:
                reason = machine.run(run.code.code, run.code.operands, run.lanes, run.memory, run.rows, run.st)
                if int(run.rows.used[0]) > row:
                    return last
                if reason == reasons.GROW:
                    run.rows = grow(run.rows, self.launch.threads)
                elif reason == reasons.PAUSE:
                    last = self._taken(thread), int(run.st[STEPS])
                    run.st[PAUSE_AT] = run.st[STEPS] + each
                else:
                    break
        return None

    def _taken(self, thread: int) -> Snapshot:
        lanes = self.run.lanes
        count = len(lanes.tag)
        kind = lanes.meta[0, :count]
        concrete = np.where(kind == MIXED, lanes.tag[:, thread], kind) == CONCRETE
        return Snapshot(lanes.value[:count, thread].copy(), concrete, self.registers)
