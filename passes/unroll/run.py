"""One run of the machine over the CTAs of a launch, with what Python does in between: room, budgets, events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT, SHARED_REGION
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Event, Program
from volta_pipe.passes.unroll import machine, reasons
from volta_pipe.passes.unroll.addresses import depends_on_addresses
from volta_pipe.passes.unroll.assumptions import assumptions_of
from volta_pipe.passes.unroll.blocked import OBJECT_MESSAGES
from volta_pipe.passes.unroll.bytecode import TARGET2, WALK
from volta_pipe.passes.unroll.code import Code
from volta_pipe.passes.unroll.events import describe, poison_in_outputs, shared_with_others
from volta_pipe.passes.unroll.halted import Halted
from volta_pipe.passes.unroll.memory import Layout
from volta_pipe.passes.unroll.objects import below_zero
from volta_pipe.passes.unroll.polling import Watch
from volta_pipe.passes.unroll.specials import special
from volta_pipe.passes.unroll.state import (
    ALIVE,
    ALIVE_MASK,
    BYTE_CONCRETE,
    BYTE_SYMBOLIC,
    CONCRETE,
    COUNT,
    EXITED_BLOCK,
    L_ACT,
    L_ARRIVED,
    L_ARRIVED2,
    L_PC,
    L_STATUS,
    LANE_ROWS,
    LIMIT,
    MASK,
    MAX_STEPS,
    MIXED,
    PC,
    POISON,
    SCALARS,
    STEPS,
    Lanes,
    Memory,
    Rows,
    grow,
    intern_mask_entry,
    new_rows,
)
from volta_pipe.passes.unroll.tokens import misused

Array = np.ndarray[Any, np.dtype[Any]]
# Thread-instructions between two progress reports.
_REPORT = 20_000_000


class Run:
    """One run of the machine over all CTAs."""

    def __init__(
        self,
        launch: Launch,
        layout: Layout,
        code: Code,
        max_steps: int,
        max_memory: int,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.launch, self.layout, self.code = launch, layout, code
        self.max_memory, self.progress = max_memory, progress
        threads = launch.threads
        self.rows = new_rows(threads)
        size = max(layout.bytes_total, 8)
        data, state = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
        self.data, self.state = data, state
        self.memory = Memory(data.view(np.uint32), state.view(np.uint32), layout.flat)
        for start, content in layout.known:
            data[start : start + len(content)] = content
            state[start : start + len(content)] = BYTE_CONCRETE
        for start, length in layout.symbolic:
            state[start : start + length] = BYTE_SYMBOLIC
        self.st = np.zeros(SCALARS, np.int64)
        self.st[MAX_STEPS] = max_steps
        self.report = _REPORT  # when the machine stops to say how far it is
        self.st[EXITED_BLOCK] = int(launch.exited_threads_block_barriers)
        n, t = max(code.registers, 1), threads
        self.lanes = Lanes(
            np.zeros((n + 1, t), np.int64),
            np.zeros((n, t), np.uint8),
            np.zeros((2, n), np.uint8),
            np.zeros((LANE_ROWS + code.masked, t), np.int64),
        )
        self.first_row = 0  # where the rows of the CTA that runs begin
        self.events: list[Event] = []
        self.watch = Watch()
        self.halted = Halted()
        self.has_objects = bool((code.static["op"] == Op.MBARRIER_INIT).any())
        self.dependent = depends_on_addresses(code.static, code.addresses)

    def program(self) -> Program:
        ctas = self.launch.cta_list()
        bounds = [0]
        complete = True
        for index in range(len(ctas)):
            self.reset(ctas[index])
            done = self._run_cta(index)
            complete = complete and done
            self._note_wraps(index)
            bounds.append(int(self.rows.used[0]))
            if not done and not self.halted.next_cta():
                ctas = ctas[: index + 1]
                break
        program = self._packed(ctas, bounds, complete)
        if complete and self.launch.ctas is not None:
            self.events += shared_with_others(program)
        if complete:
            self.events += misused(self.code.static)
            self.events += poison_in_outputs(self.data, self.state, self.launch, self.layout, program)
        return replace(program, events=tuple(self.events))

    def reset(self, cta: Array) -> None:
        """The state at the start of a CTA."""
        lanes, st, threads = self.lanes, self.st, self.launch.threads
        self.first_row = int(self.rows.used[0])
        lanes.value[:] = -1
        lanes.tag[:] = POISON
        lanes.meta[0, :] = MIXED
        lanes.meta[1, :] = 0
        lanes.lane[L_STATUS, :] = 0
        lanes.lane[L_PC, :] = 0
        lanes.lane[L_ARRIVED, :] = lanes.lane[L_ARRIVED2, :] = 0
        lanes.lane[LANE_ROWS:, :] = 0
        lanes.lane[L_ACT, :] = np.arange(threads)
        for register, kind, value in self.code.preloads:
            lanes.value[register] = value if kind == "value" else special(str(value), self.launch, cta)
            lanes.meta[0, register] = CONCRETE
        for number in (SHARED_REGION, SHARED_REGION + 1):
            start, _, size, _ = (int(x) for x in self.layout.flat[number])
            if size:
                copies = threads if number != SHARED_REGION else 1
                self.state[start : start + ((size + 7) // 8 * 8) * copies] = 0
        st[COUNT], st[PC], st[LIMIT], st[ALIVE], st[ALIVE_MASK] = threads, 0, 1 << 40, threads, -1
        self.rows = grow(self.rows, threads)
        st[MASK] = intern_mask_entry(self.rows, lanes.lane[L_ACT], threads)

    def _note_wraps(self, cta: int) -> None:
        """Keeps where an index wrapped around for the first time: `imm` of the instruction is 1 + the thread's number in the
        launch."""
        if not len(self.code.armed):
            return
        found = self.code.code[self.code.armed]
        for row in found[found[:, TARGET2] < 0]:
            if not self.code.static["imm"][row[WALK]]:
                self.code.static["imm"][row[WALK]] = 1 + cta * self.launch.threads - 1 - row[TARGET2]

    def _run_cta(self, index: int) -> bool:
        """Runs one CTA; False where an event ended it."""
        watch = self.watch
        watch.forget(int(self.st[STEPS]))
        while True:
            watch.pause(self.st, self.report)
            reason = machine.run(self.code.code, self.code.operands, self.lanes, self.memory, self.rows, self.st)
            if reason == reasons.DONE:
                return self._objects_settled(index)
            if reason == reasons.GROW:
                used = sum(column.nbytes for column in self.rows)
                if used > self.max_memory:
                    self._stopped(reasons.BUDGET, index, f"memory budget of {self.max_memory:,} bytes")
                    return False
                self.rows = grow(self.rows, self.launch.threads)
            elif reason == reasons.PAUSE:
                if self.st[STEPS] >= self.report:
                    self.report += _REPORT
                    if self.progress is not None:
                        self.progress(int(self.st[STEPS]))
                polls = watch.look(index, self.code, self.lanes, self.st, self.memory)
                if polls is not None:
                    self.events = self.events or [polls.event]
                    if not self.halted.set_aside(polls.reads, self.code, self.lanes, self.st, self.rows):
                        return False
            else:
                self._stopped(reason, index, f"step budget of {int(self.st[MAX_STEPS]):,} thread-instructions")
                if not self.halted.goes_on(reason, self.code, self.lanes, self.st, self.rows):
                    return False

    def _stopped(self, reason: int, index: int, budget: str) -> None:
        """Keeps why the machine stopped, if nothing stopped it before (halted.py)."""
        if not self.events:
            self.events.append(self._event(reason, index, budget))

    def _objects_settled(self, cta: int) -> bool:
        """Whether no barrier object is left in a state that depends on the schedule; else there is an event."""
        start, _, size, _ = (int(x) for x in self.layout.flat[SHARED_REGION])
        offset = below_zero(self.memory, start, size) if size and self.has_objects else -1
        if offset >= 0:
            kind, message = OBJECT_MESSAGES[reasons.OBJECT_BELOW]
            signals = np.flatnonzero(self.code.static["op"] == Op.MBARRIER_SIGNAL)
            self.events.append(Event(kind, message, int(signals[0]), cta, (), (SHARED_REGION << REGION_SHIFT) + offset))
        return offset < 0

    def _event(self, reason: int, index: int, budget: str) -> Event:
        place = (self.memory, self.layout.regions, self.rows, self.first_row)
        return describe(reason, index, budget, self.code, self.lanes, self.st, *place)

    def _packed(self, ctas: Array, bounds: list[int], complete: bool) -> Program:
        """The program as it stands."""
        rows: Rows = self.rows
        n, masks, patterns, values = (int(x) for x in rows.used)
        static: dict[str, Any] = self.code.static
        assumptions = assumptions_of(self.launch, self.code, rows, self.st, self.dependent)
        return Program(
            threads=self.launch.threads, block=self.launch.block, registers=self.code.registers, **static,
            row_instr=(rows.row[:n, 0] >> 32).astype(np.int32),
            row_mask=(rows.row[:n, 0] & 0xFFFFFFFF).astype(np.int32), row_base=rows.row[:n, 1].copy(),
            row_pattern=(rows.row[:n, 2] >> 8).astype(np.int32), row_flags=(rows.row[:n, 2] & 255).astype(np.uint8),
            mask_bits=rows.bits[:masks], pattern_start=rows.start[: patterns + 1],
            pattern_values=rows.values[:values], cta_ids=ctas, cta_rows=np.array(bounds, np.int64), regions=self.layout.regions,
            events=(), steps=int(self.st[STEPS]), complete=complete, assumptions=assumptions,
        )  # fmt: skip
