"""One batch of CTAs after another: registers, and what each kind of row does with them and with memory.

Trials (runs of the same program on other contents) are lanes like any other, so that ten cost little more than one: a batch
holds a copy of each of its CTAs for each trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import COPIED_SHIFT, FLAG_GUARDED, FLAG_SOURCE, MICRO_SHIFT, Program
from volta_pipe.ir.ptx.flat import FlatKernel
from volta_pipe.passes.replay import matrix
from volta_pipe.passes.replay.bits import full, signed, truth, unsigned
from volta_pipe.passes.replay.contents import scalar_bits
from volta_pipe.passes.replay.copies import copy
from volta_pipe.passes.replay.memory import Addresses, Lanes, Memory
from volta_pipe.passes.replay.static import (
    ATOMIC,
    COMPUTE,
    COPY,
    FLAGGED,
    LOAD,
    LOAD_PART,
    MULTIPLY,
    NOTHING,
    OF_WARP,
    PARAMETER,
    SHUFFLE,
    STORE,
    STORE_PART,
    TRANSPOSE,
    Instruction,
    StaticCode,
)

Array = np.ndarray[Any, np.dtype[Any]]
# Lanes that run together at most: arrays of this length stay in the cache.
_LANES = 8192


class Machine:
    """Registers uint64 [register, (trial · CTAs + CTA) · threads + thread] of a batch, and memory."""

    def __init__(self, kernel: FlatKernel, program: Program, launch: Launch, trials: Sequence[Mapping[str, Array]]) -> None:
        self.program, self.launch, self.trials = program, launch, trials
        self.code = StaticCode(kernel, program)
        self.batch = max(1, min(len(program.cta_ids), _LANES // (program.threads * len(trials))))
        self.memory = Memory(program, launch, trials, self.batch * len(trials))
        self.active = [program.active_lanes(mask) for mask in range(len(program.mask_bits))]
        self.spans = _spans(program)
        self.registers = np.zeros((0, 0), np.uint64)
        self.lanes: dict[int, Lanes] = {}
        self.count = 0
        self.source = Addresses(np.zeros(0, np.int64), 0, 0, 0)  # of the copy whose target the next row names

    def run(self, ctas: list[int]) -> None:
        """One batch."""
        program = self.program
        self.memory.forget()
        self.count = len(ctas) * len(self.trials)
        self.registers = np.zeros((max(program.registers, 1), self.count * program.threads), np.uint64)
        self.lanes = {}
        starts = program.cta_rows[np.array(ctas)]
        begin, end = int(program.cta_rows[ctas[0]]), int(program.cta_rows[ctas[0] + 1])
        instr, masks = program.row_instr[begin:end].tolist(), program.row_mask[begin:end].tolist()
        flags = program.row_flags[begin:end].tolist()
        with np.errstate(all="ignore"):
            for place, (which, mask, flag) in enumerate(zip(instr, masks, flags, strict=True)):
                lanes = self.lanes.get(mask) or self._lanes(mask)
                if which < 0:
                    self._constant(-1 - which, mask, starts + place, lanes)
                    continue
                one = self.code.decoded.get(which) or self.code[which]
                if one.kind == NOTHING:
                    continue
                try:
                    if one.kind in FLAGGED:
                        self._flagged(one, mask, starts + place, lanes, flag)
                        continue
                    if flag & ~FLAG_GUARDED:
                        raise UnsupportedError("a row with flags that have no concrete meaning here")
                    self._row(one, mask, starts + place, lanes, bool(flag & FLAG_GUARDED))
                except UnsupportedError as error:
                    raise UnsupportedError(error.message, instruction=which, kind=error.kind) from None

    def _lanes(self, mask: int) -> Lanes:
        """The active lanes in the batch."""
        every = np.arange(self.count, dtype=np.int64)
        index = (every[:, None] * self.program.threads + self.active[mask]).reshape(-1)
        copies = np.repeat(every, len(self.active[mask]))
        trials = copies // (self.count // len(self.trials)) if len(self.trials) > 1 else None
        found = self.lanes[mask] = Lanes(index, copies if self.count > 1 else None, trials)
        return found

    def _values(self, rows: Array, mask: int) -> Addresses:
        """base + pattern of the same row of each CTA, by active lane; the same in each trial."""
        at = self._values_of_one(rows, mask)
        return at if len(self.trials) == 1 else at._replace(values=np.tile(at.values, len(self.trials)))

    def _values_of_one(self, rows: Array, mask: int) -> Addresses:
        program, count = self.program, len(self.active[mask])
        base, patterns = program.row_base[rows], program.row_pattern[rows]
        first = int(patterns[0])
        if len(patterns) > 1 and not (patterns == first).all():
            values = np.concatenate([program.row_values(int(row)) for row in rows])
            return Addresses(values, int(values.min()), int(values.max()), int(np.bitwise_or.reduce(values)))
        low, high, bits = int(base[0]), int(base[0]), int(base[0])
        if len(base) > 1:
            low, high, bits = int(base.min()), int(base.max()), int(np.bitwise_or.reduce(base))
        if first < 0:
            return Addresses(np.repeat(base, count), low, high, bits)
        pattern, least, most, union = self.spans[first]
        values = (base[:, None] + pattern).reshape(-1)
        return Addresses(values, low + least, high + most, bits | union)

    def _read(self, register: int, lanes: Lanes) -> Array:
        row: Array = self.registers[register]
        return row if len(lanes.places) == len(row) else row[lanes.places]

    def _write(self, register: int, lanes: Lanes, values: Array) -> None:
        row = self.registers[register]
        if len(lanes.places) == len(row):
            row[:] = values
        else:
            row[lanes.places] = values

    def _constant(self, register: int, mask: int, rows: Array, lanes: Lanes) -> None:
        """The program's constants are sign-extended; a register holds them zero-extended."""
        values = self._values(rows, mask).values.view(np.uint64) & full(int(self.code.register_width[register]))
        self._write(register, lanes, values)

    def _row(self, one: Instruction, mask: int, rows: Array, lanes: Lanes, guarded: bool) -> None:
        if one.kind == COMPUTE:
            assert one.function is not None
            results = one.function(*[self._read(r, lanes) for r in one.inputs])
            if len(results) < len(one.results):
                raise UnsupportedError(f"a form with {len(one.results)} results has a meaning for {len(results)} only")
        elif one.kind == LOAD:
            results = self._load(one, self._values(rows, mask), lanes)
        elif one.kind == SHUFFLE:  # the row says which thread is read; the predicate, if any, is concrete
            threads = self._values(rows, mask).values
            offset = 0 if lanes.copies is None else lanes.copies * self.program.threads
            results = (self.registers[one.inputs[0]][threads + offset],)
        elif one.kind == MULTIPLY:
            assert one.tensor is not None
            results = tuple(matrix.multiply(one.tensor, [self._read(r, lanes) for r in one.inputs]))
        elif one.kind == TRANSPOSE:
            results = (matrix.transpose(self._read(one.inputs[0], lanes)),)
        elif one.kind == PARAMETER:
            scalar = self.launch.scalars[int(self.program.row_base[rows[0]])]
            bits = np.array([scalar_bits(scalar, contents) for contents in self.trials], np.uint64)
            results = (np.repeat(bits, len(lanes.places) // len(bits)),)
        elif one.kind == OF_WARP:
            raise UnsupportedError("a warp instruction whose result `unroll` has not computed")
        else:
            assert one.kind == STORE
            self._store(one, self._values(rows, mask), lanes, guarded)
            return
        keep = self._guard(one, lanes) if guarded else None
        for register, value in zip(one.results, results, strict=False):
            kept = value if keep is None else np.where(keep, value, self._read(register, lanes))
            self._write(register, lanes, kept)

    def _flagged(self, one: Instruction, mask: int, rows: Array, lanes: Lanes, flag: int) -> None:
        """Atomics, copies, and matrices between memory and registers."""
        if flag & FLAG_GUARDED:
            raise UnsupportedError("a row with flags that have no concrete meaning here")
        at = self._values(rows, mask)
        if one.kind == ATOMIC:
            self._update(one, at, lanes)
        elif one.kind == COPY:
            if flag & FLAG_SOURCE:
                self.source = at
            else:
                copy(self.memory, self.source, at, flag >> COPIED_SHIFT, one.size, lanes)
        else:
            width = 8 * one.size
            register, part = divmod(flag >> MICRO_SHIFT, max(32, width) // width)
            if one.kind == LOAD_PART:
                loaded = self.memory.load(at, 0, one.size, lanes)
                before = self._read(one.results[register], lanes)
                self._write(one.results[register], lanes, matrix.with_part(before, part, width, loaded))
            else:
                assert one.kind == STORE_PART
                stored = matrix.part_of(self._read(one.inputs[1 + register], lanes), part, width)
                self.memory.store(at, 0, one.size, stored, lanes)

    def _update(self, one: Instruction, at: Addresses, lanes: Lanes) -> None:
        assert one.update is not None
        operands = [self._read(register, lanes) for register in one.inputs[1:]]
        before = one.update.act(self.memory, at, one.size, lanes, operands, bool(one.results))
        if before is not None and one.results:
            self._write(one.results[0], lanes, before)

    def _guard(self, one: Instruction, lanes: Lanes) -> Array:
        keep: Array = truth(self._read(one.guard, lanes)) != one.negated
        return keep

    def _load(self, one: Instruction, at: Addresses, lanes: Lanes) -> tuple[Array, ...]:
        results = []
        for place, width in enumerate(one.widths):
            values = self.memory.load(at, place, one.size, lanes)
            if one.signed and 8 * one.size < width:
                values = unsigned(signed(values, 8 * one.size), width)
            results.append(values)
        return tuple(results)

    def _store(self, one: Instruction, at: Addresses, lanes: Lanes, guarded: bool) -> None:
        which = np.flatnonzero(self._guard(one, lanes)) if guarded else None
        if which is not None and not len(which):
            return
        for place, register in enumerate(one.inputs[1:]):
            values = self._read(register, lanes)
            if which is None:
                self.memory.store(at, place, one.size, values, lanes)
            else:
                some = at._replace(values=at.values[which])
                self.memory.store(some, place, one.size, values[which], lanes.part(which))


def _spans(program: Program) -> list[tuple[Array, int, int, int]]:
    """Of each pattern: its values, the least, the largest, and the union of their bits."""
    found = []
    for start, end in zip(program.pattern_start[:-1].tolist(), program.pattern_start[1:].tolist(), strict=True):
        values = program.pattern_values[start:end]
        found.append((values, int(values.min()), int(values.max()), int(np.bitwise_or.reduce(values))))
    return found
