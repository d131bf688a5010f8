"""From a program to a module of the `scta` dialect: all of it, or the rows that somebody wants to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.errors import ArtifactError, InputError
from volta_pipe.ir.instructions import MATRIX_MEMORY, Op
from volta_pipe.ir.modules import check_count
from volta_pipe.ir.modules.attributes import boolean, integer, integers, word
from volta_pipe.ir.program import COPIED_SHIFT, FLAG_DECIDED, FLAG_ENDS_PHASE, FLAG_GUARDED, FLAG_SOURCE, MICRO_SHIFT, Program
from volta_pipe.ir.scta import rows as ops
from volta_pipe.ir.scta.from_tables import Tables
from volta_pipe.ir.scta.lanes import LANES
from volta_pipe.ir.scta.registers import Registers, parts_of, values_of
from volta_pipe.ir.scta.row_bases import CodeRowOp, MemoryRowOp, RowOp
from volta_pipe.ir.scta.tables import CtaOp


@dataclass(frozen=True)
class Selection:
    """Which rows: those of one CTA (index into cta_ids), a range of row numbers, those of one thread, as it sees them."""

    cta: int | None = None
    rows: range | None = None
    thread: int | None = None

    @property
    def whole(self) -> bool:
        return self.cta is None and self.rows is None and self.thread is None


def module_of(program: Program, selection: Selection | None = None) -> ModuleOp:
    """The module. Of a selection only the static code that its rows use is there, and it cannot be turned back.

    Errors: InputError where there are too many rows, or the selection has none; ArtifactError on a program that the dialect
    cannot say, which none that `unroll` makes is (two equal masks, a flag that means nothing), and on one in canonical form:
    `check` could not tell from the module which variables its addresses are computed from."""
    chosen = selection or Selection()
    if chosen.whole and program.meant is not None:
        raise ArtifactError("program artifact: it is in canonical form, which lacks a part of its static code")
    wanted = _rows_of(program, chosen)
    check_count(sum(len(rows) for _, rows in wanted), "rows", "choose some with --rows A:B")
    try:
        writer = _Writer(program, chosen)
        functions = [writer.function(cta, rows) for cta, rows in wanted]
        codes = range(len(program.op)) if chosen.whole else sorted(writer.codes)
        return ModuleOp([*writer.tables.declarations(codes, whole=chosen.whole), *functions])
    except VerifyException as error:
        raise ArtifactError(f"program artifact: {error}") from None


def _rows_of(program: Program, chosen: Selection) -> list[tuple[int, Sequence[int]]]:
    """(CTA, its rows) of the selection; CTAs without one are left out of a part."""
    count, ctas = len(program.row_instr), len(program.cta_ids)
    if chosen.rows is not None and not 0 <= chosen.rows.start < chosen.rows.stop <= count:
        raise InputError(f"there are no rows {chosen.rows.start}:{chosen.rows.stop}, only 0:{count}")
    if not 0 <= (chosen.cta or 0) < max(ctas, 1) or not 0 <= (chosen.thread or 0) < program.threads:
        raise InputError(f"there are {program.threads} threads in each of {ctas} CTAs, counted from 0")
    found: list[tuple[int, Sequence[int]]] = []
    for cta in range(ctas) if chosen.cta is None else (chosen.cta,):
        low, high = (int(row) for row in program.cta_rows[cta : cta + 2])
        if chosen.rows is not None:
            low, high = max(low, chosen.rows.start), min(high, chosen.rows.stop)
        rows: Sequence[int] = range(low, max(low, high))
        if chosen.thread is not None:
            bit = program.mask_bits[program.row_mask[low:high], chosen.thread // 64] >> np.uint64(chosen.thread % 64)
            rows = (np.flatnonzero(bit & np.uint64(1)) + low).tolist()
        if rows or chosen.rows is None:
            found.append((cta, rows))
    return found


@dataclass
class _Writer:
    """Makes the rows. `codes`: the static instructions that they use."""

    program: Program
    chosen: Selection
    codes: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.tables = Tables(self.program)
        self.block, self.held = Block(), Registers()  # of the CTA that is being written
        self.initial: dict[int, SSAValue] = {}

    def function(self, cta: int, rows: Sequence[int]) -> FuncOp:
        """The function of a CTA."""
        block = Block()
        first = int(self.program.cta_rows[cta]) if not rows else rows[0]
        index = integers(tuple(self.program.cta_ids[cta].tolist()))
        block.add_op(CtaOp.create(attributes={"index": index, "first": integer(first)}))
        self.block, self.initial, self.held = block, {}, Registers()
        for row in range(int(self.program.cta_rows[cta]), first):
            self.leave_out(row)
        for row in rows:
            block.add_op(self.row(row))
        block.add_op(ReturnOp())
        return FuncOp(f"cta{cta}", ((), ()), Region(block))

    def leave_out(self, row: int) -> None:
        """A row before those that are shown: only what it wrote to is noted."""
        program = self.program
        instr, bits = int(program.row_instr[row]), self.tables.bits[int(program.row_mask[row])]
        if self.chosen.thread is not None:
            bits &= 1 << self.chosen.thread
        defined: Sequence[int] = [-1 - instr]
        if instr >= 0:
            op, part = Op(int(program.op[instr])), int(program.row_flags[row]) >> MICRO_SHIFT
            part = part if op in MATRIX_MEMORY else 0
            defined, _ = values_of(op, int(program.width[instr]), *self.tables.registers(instr), part)
        self.held.write(defined, bits)

    def value(self, register: int) -> SSAValue:
        """What the register holds; where nothing was written to it, `scta.initial` stands before the row that asks first."""
        found = self.held.held(register) or self.initial.get(register)
        if found is None:
            made = ops.InitialOp.create(result_types=[LANES], attributes={"register": integer(register)})
            found = self.initial[register] = made.results[0]
            found.name_hint = f"r{register}"
            self.block.add_op(made)
        return found

    def row(self, row: int) -> Operation:
        """The operation of a row."""
        program = self.program
        instr, flags, mask = int(program.row_instr[row]), int(program.row_flags[row]), int(program.row_mask[row])
        base, number = int(program.row_base[row]), int(program.row_pattern[row])
        pattern = self.tables.patterns[number] if number >= 0 else ()
        op = Op(int(program.op[instr])) if instr >= 0 else Op.CONST
        kind = ops.kind_of(op)
        text, bits = word(self.tables.texts[mask]), self.tables.bits[mask]
        if self.chosen.thread is not None and kind is not ops.SyncOp:
            base = int(program.row_values(row)[self.tables.lanes[mask].index(self.chosen.thread)])
            text, bits, pattern = word(str(self.chosen.thread)), 1 << self.chosen.thread, ()
        attributes: dict[str, Attribute] = {"lanes": text, "pattern": integers(pattern)}
        if instr < 0:
            self._no_flags(row, flags)
            attributes |= {"register": integer(-1 - instr), "base": integer(base)}
            return self._made(ops.ConstOp, attributes, bits, [-1 - instr], [], partly=False)
        self.codes.add(instr)
        width, guarded = int(program.width[instr]), bool(flags & FLAG_GUARDED)
        part = flags >> MICRO_SHIFT if issubclass(kind, (ops.ReadOp, ops.WriteOp)) else 0
        attributes["name"] = word(self.tables.name(instr))
        attributes["code"] = integer(instr)
        attributes["guard"] = StringAttr("none" if not guarded else "unless" if program.negated[instr] else "if")
        attributes |= self._place(kind, base) | self._particular(kind, row, flags & ~FLAG_GUARDED)
        results, inputs = self.tables.registers(instr)
        defined, read = values_of(op, width, results, inputs, part)
        guard = [int(program.guard[instr])] if guarded else []
        if guarded and guard[0] < 0:
            raise ArtifactError(f"program artifact: row {row} is guarded by nothing")
        partly = guarded or (op == Op.LDMATRIX and parts_of(width) > 1)
        return self._made(kind, attributes, bits, defined, [*read, *guard], partly=partly)

    def _place(self, kind: type[CodeRowOp], base: int) -> dict[str, Attribute]:
        if not issubclass(kind, MemoryRowOp):
            return {"base": integer(base)}
        region = self.tables.regions.get(base >> REGION_SHIFT)
        if region is None:
            return {"region": word(""), "offset": integer(base)}
        offset = base - (region.number << REGION_SHIFT) - region.start
        return {"region": word(self.tables.label_of[region.number]), "offset": integer(offset)}

    def _particular(self, kind: type[CodeRowOp], row: int, flags: int) -> dict[str, Attribute]:
        """The flags, but for that of the guard, as what they mean for this kind."""
        if issubclass(kind, (ops.ReadOp, ops.WriteOp)):
            self._no_flags(row, flags & ((1 << MICRO_SHIFT) - 1))
            return {"part": integer(flags >> MICRO_SHIFT)}
        if issubclass(kind, ops.CopyOp):
            self._no_flags(row, flags & ~FLAG_SOURCE & ((1 << COPIED_SHIFT) - 1))
            side = "source" if flags & FLAG_SOURCE else "target"
            return {"side": StringAttr(side), "bytes": integer(flags >> COPIED_SHIFT)}
        if issubclass(kind, ops.AtomicOp):
            self._no_flags(row, flags & ~FLAG_DECIDED)
            return {"decided": boolean(bool(flags))}
        if issubclass(kind, (ops.SyncOp, ops.MbarrierOp)):
            self._no_flags(row, flags & ~FLAG_ENDS_PHASE)
            return {"ends_phase": boolean(bool(flags))}
        self._no_flags(row, flags)
        return {}

    def _no_flags(self, row: int, flags: int) -> None:
        if flags:
            raise ArtifactError(f"program artifact: the flags {flags} of row {row} mean nothing")

    def _made(
        self, kind: type[RowOp], attributes: dict[str, Attribute], lanes: int, defined: Sequence[int],
        read: Sequence[int], *, partly: bool,
    ) -> Operation:  # fmt: skip
        keeps = self.held.keeps(defined, lanes, partly=partly)
        values = [self.value(register) for register in (*read, *(defined if keeps else ()))]
        attributes["keeps"] = boolean(keeps)
        made = kind.make(values, len(defined), attributes)
        self.held.define(defined, lanes, made.results)
        for register, result in zip(defined, made.results, strict=True):
            result.name_hint = f"r{register}"
        return made
