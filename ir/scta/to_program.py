"""From a module of the `scta` dialect back to the program. A module can come from anywhere: everything is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.modules import damaged
from volta_pipe.ir.modules.attributes import number_of, numbers_of, text_of, texts_of
from volta_pipe.ir.program import (
    COPIED_SHIFT,
    FLAG_DECIDED,
    FLAG_ENDS_PHASE,
    FLAG_GUARDED,
    FLAG_SOURCE,
    MICRO_SHIFT,
    Program,
    Region,
)
from volta_pipe.ir.scta import rows as ops
from volta_pipe.ir.scta.registers import Registers, parts_of, values_of
from volta_pipe.ir.scta.row_bases import CodeRowOp, MemoryRowOp, RowOp
from volta_pipe.ir.scta.tables import CtaOp
from volta_pipe.ir.scta.to_tables import Declared, Numbered, column, declared

_STATIC: dict[str, type[np.generic]] = {
    "op": np.uint8, "width": np.uint8, "width2": np.uint8, "signed": np.uint8, "signed2": np.uint8, "sub": np.int32,
    "imm": np.int64, "node": np.uint8, "guard": np.int32, "negated": np.uint8, "first": np.int32, "results": np.int32,
    "inputs": np.int32, "operands": np.int32,
}  # fmt: skip
_ROWS: dict[str, type[np.generic]] = {
    "row_instr": np.int32, "row_mask": np.int32, "row_base": np.int64, "row_pattern": np.int32, "row_flags": np.uint8,
}  # fmt: skip


def program_of(module: ModuleOp) -> Program:
    """The program of a verified module (see `parse_module`). Errors: ArtifactError with the place of what does not fit."""
    found = declared(module)
    reader = _Reader(found, Numbered(found.program))
    for function in found.functions:
        reader.function(function)
    try:
        return Program.decode(b"".join(map(bytes, reader.program().encode())))
    except OverflowError as error:
        raise damaged(found.program, f"a number does not fit: {error}") from None


@dataclass
class _Reader:
    """Collects the rows."""

    declared: Declared
    numbered: Numbered
    rows: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    ctas: list[tuple[int, ...]] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])

    def __post_init__(self) -> None:
        self.regions: dict[str, Region] = dict(zip(self.declared.labels(), self.declared.regions, strict=True))
        self.windows = {region.number for region in self.declared.regions}

    def function(self, function: FuncOp) -> None:
        """The rows of a CTA."""
        blocks = list(function.body.blocks)
        inside = list(blocks[0].ops) if len(blocks) == 1 else []
        if (
            len(inside) < 2
            or not isinstance(inside[0], CtaOp)
            or not isinstance(inside[-1], ReturnOp)
            or blocks[0].args
            or inside[-1].operands
        ):
            raise damaged(function, "the function of a CTA is one block: scta.cta, rows, func.return")
        if number_of(inside[0].attributes["first"]) != len(self.rows):
            raise damaged(inside[0], f"its first row is row {len(self.rows)}")
        self.ctas.append(numbers_of(inside[0].attributes["index"]))
        registers = Registers()
        for op in inside[1:-1]:
            try:
                if isinstance(op, ops.ConstOp):
                    self.constant(op, registers)
                elif isinstance(op, CodeRowOp):
                    self.row(op, registers)
                elif not isinstance(op, ops.InitialOp):
                    raise VerifyException("it is no row")
            except VerifyException as error:
                raise damaged(op, str(error)) from None
        self.starts.append(len(self.rows))

    def constant(self, op: ops.ConstOp, registers: Registers) -> None:
        register = number_of(op.register)
        if register >= number_of(self.declared.program.registers):
            raise VerifyException(f"there is no register {register}")
        self._add(op, -1 - register, number_of(op.base), 0)
        self._values(op, registers, [register], [], partly=False)

    def row(self, op: CodeRowOp, registers: Registers) -> None:
        number = number_of(op.code)
        if number >= len(self.declared.codes):
            raise VerifyException(f"there is no scta.code {number}")
        code = self.declared.codes[number]
        if ops.kind_of(code.op) is not type(op) or text_of(op.code_name) != code.name:
            wanted = f"{ops.kind_of(code.op).name} '{code.name}'"
            raise VerifyException(f"'{op.code_name.data[:40]}' is not scta.code {number}, whose rows are {wanted}")
        guarded = op.guard.data != "none"
        if guarded and (code.guard < 0 or code.negated != (op.guard.data == "unless")):
            wanted = "no guard" if code.guard < 0 else f"the guard '{'unless' if code.negated else 'if'}'"
            raise VerifyException(f"scta.code {number} has {wanted}")
        flags, part = _flags(op)
        if flags > 255:
            raise VerifyException("its part or bytes do not fit the flags of a row")
        self._add(op, number, self._base(op), flags | FLAG_GUARDED * guarded)
        defined, read = values_of(code.op, code.width, code.results, code.inputs, part)
        partly = guarded or (code.op == Op.LDMATRIX and parts_of(code.width) > 1)
        self._values(op, registers, defined, [*read, *([code.guard] if guarded else [])], partly=partly)

    def _base(self, op: CodeRowOp) -> int:
        base = number_of(op.attributes[op.BASE])
        if not isinstance(op, MemoryRowOp):
            return base
        name = text_of(op.region)
        if name:
            region = self.regions.get(name)
            if region is None:
                raise VerifyException(f"there is no region '{name[:40]}'")
            base += (region.number << REGION_SHIFT) + region.start
            if base >> REGION_SHIFT != region.number:
                raise VerifyException(f"offset {number_of(op.offset)} leaves the window of region '{name}'")
        elif base >> REGION_SHIFT in self.windows:
            raise VerifyException(f"address {base} lies in a region, which must be named")
        return base

    def _add(self, op: RowOp, instr: int, base: int, flags: int) -> None:
        lanes = op.lane_numbers
        if lanes[-1] >= self.numbered.threads:
            raise VerifyException(f"there is no lane {lanes[-1]}: a CTA has {self.numbered.threads} threads")
        mask = self.numbered.mask(op.lanes.data)
        pattern = self.numbered.pattern(op.pattern_numbers, len(lanes)) if op.pattern_numbers else -1
        if mask < 0 or (pattern < 0 and op.pattern_numbers):
            raise VerifyException(f"its {'lanes' if mask < 0 else 'pattern'} are not among those that scta.program lists")
        self.rows.append((instr, mask, base, pattern, flags))

    def _values(self, op: RowOp, registers: Registers, defined: Sequence[int], read: Sequence[int], *, partly: bool) -> None:
        """Checks that each operand is what the register holds, and notes the results."""
        lanes = sum(1 << lane for lane in op.lane_numbers)
        keeps = registers.keeps(defined, lanes, partly=partly)
        if keeps != bool(op.keeps):
            raise VerifyException(f"old values are {'missing' if keeps else 'given, and nothing of them is left'}")
        expected = [*read, *(defined if keeps else ())]
        given, wanted = (len(op.operands), len(op.results)), (len(expected), len(defined))
        if given != wanted:
            text = "it has {} operands and {} results, its instruction {} and {}"
            raise VerifyException(text.format(*given, *wanted))
        for place, (register, value) in enumerate(zip(expected, op.operands, strict=True)):
            held = registers.held(register)
            if held is not value and (held is not None or _initial_of(value) != register):
                raise VerifyException(f"operand {place} is not what register {register} holds here")
        registers.define(defined, lanes, op.results)

    def program(self) -> Program:
        """The program, not yet validated."""
        top, columns = self.declared.program, self.declared.columns
        static: dict[str, Any] = {name: column(columns.get(name, ()), dtype) for name, dtype in _STATIC.items()}
        rows = zip(*self.rows, strict=True) if self.rows else ((),) * len(_ROWS)
        rowwise: dict[str, Any] = {name: column(row, dtype) for (name, dtype), row in zip(_ROWS.items(), rows, strict=True)}
        start, values = self.numbered.pattern_columns()
        x, y, z = numbers_of(top.block)
        return Program(
            threads=self.numbered.threads, block=(x, y, z), registers=number_of(top.registers), **static,
            **rowwise,
            mask_bits=self.numbered.mask_bits(), pattern_start=start, pattern_values=values,
            cta_ids=column(self.ctas, np.int32).reshape(-1, 3), cta_rows=column(self.starts, np.int64),
            regions=tuple(self.declared.regions), events=tuple(self.declared.events), steps=number_of(top.steps),
            complete=bool(top.complete), assumptions=texts_of(top.assumptions),
        )  # fmt: skip


def _initial_of(value: SSAValue) -> int:
    """The register whose contents before the first row a value is, or -1."""
    return number_of(value.owner.register) if isinstance(value.owner, ops.InitialOp) else -1


def _flags(op: CodeRowOp) -> tuple[int, int]:
    """(flags but for that of the guard, number of the micro-row) of a row."""
    if isinstance(op, (ops.ReadOp, ops.WriteOp)):
        part = number_of(op.part)
        return part << MICRO_SHIFT, part
    if isinstance(op, ops.CopyOp):
        return number_of(op.bytes) << COPIED_SHIFT | FLAG_SOURCE * (op.side.data == "source"), 0
    if isinstance(op, ops.AtomicOp):
        return FLAG_DECIDED * bool(op.decided), 0
    if isinstance(op, (ops.SyncOp, ops.MbarrierOp)):
        return FLAG_ENDS_PHASE * bool(op.ends_phase), 0
    return 0, 0
