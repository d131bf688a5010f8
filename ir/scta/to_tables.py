"""The declarations of a `scta` module, read back into a program's tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.findings import Step
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.modules import damaged
from volta_pipe.ir.modules.attributes import number_of, numbers_of, text_of
from volta_pipe.ir.program import Event, Region
from volta_pipe.ir.scta.lanes import lanes_of, pattern_values
from volta_pipe.ir.scta.spelling import code_name, node_number, region_labels, type_numbers
from volta_pipe.ir.scta.tables import INITS, OPS, CodeOp, EventOp, ProgramOp, RegionOp, entries

Array = np.ndarray[Any, np.dtype[Any]]
_KEYS = ("number", "origin", "sub", "imm", "guard")


@dataclass(frozen=True)
class Code:
    """A static instruction: what its rows need to know of it."""

    op: Op
    name: str
    width: int
    guard: int
    negated: bool
    results: tuple[int, ...]
    inputs: tuple[int, ...]


@dataclass
class Declared:
    """The declarations of a module and its functions, in order."""

    program: ProgramOp
    regions: list[Region] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    codes: list[Code] = field(default_factory=list)
    columns: dict[str, list[int]] = field(default_factory=dict)
    functions: list[FuncOp] = field(default_factory=list)

    def labels(self) -> list[str]:
        """What rows call the regions."""
        return region_labels([(region.name, region.number) for region in self.regions])


def declared(module: ModuleOp) -> Declared:
    """Reads the top of a verified module. Errors: ArtifactError with the place."""
    ops = list(module.body.ops)
    if not ops or not isinstance(ops[0], ProgramOp):
        raise ArtifactError("a scta module starts with scta.program")
    if not ops[0].whole:
        raise damaged(ops[0], "the module holds a part of the rows of its program")
    found = Declared(ops[0])
    for op in ops[1:]:
        if isinstance(op, RegionOp):
            found.regions.append(_region(op))
        elif isinstance(op, EventOp):
            found.events.append(_event(op))
        elif isinstance(op, CodeOp):
            _code(op, found)
        elif isinstance(op, FuncOp):
            found.functions.append(op)
        else:
            raise damaged(op, "it does not stand at the top of a scta module")
    for what, names in (("name", found.labels()), ("number", [region.number for region in found.regions])):
        if len({*names}) != len(names):
            raise damaged(found.program, f"two regions have one {what}")
    return found


def _region(op: RegionOp) -> Region:
    return Region(
        number_of(op.number_), text_of(op.region_name), text_of(op.space), number_of(op.start), number_of(op.size),
        INITS.index(op.init.data), number_of(op.tensor), text_of(op.role), op.variable_list(), op.content_bytes(),
    )  # fmt: skip


def _event(op: EventOp) -> Event:
    steps = tuple(Step(text, number) for text, (number,) in entries(op.name, op.steps, "text", "instruction"))
    return Event(
        text_of(op.kind), text_of(op.message), number_of(op.instruction), number_of(op.cta), numbers_of(op.threads),
        number_of(op.address), number_of(op.other), steps,
    )  # fmt: skip


def _code(op: CodeOp, found: Declared) -> None:
    if number_of(op.number_) != len(found.codes):
        raise damaged(op, f"the next instruction is number {len(found.codes)}")
    machine = OPS[op.op.data]
    width, signed = type_numbers(op.type.data)
    width2, signed2 = type_numbers(op.type2.data)
    results, inputs = numbers_of(op.res), numbers_of(op.inputs)
    name = code_name(machine, op.node.data, op.type.data)
    guard = number_of(op.guard)
    registers = number_of(found.program.registers)
    if any(register >= registers for register in (*results, *inputs, guard)):
        raise damaged(op, f"it names a register that there is not: the program has {registers}")
    found.codes.append(Code(machine, name, width, guard, bool(op.negated), results, inputs))
    numbers = dict(zip(_KEYS, (number_of(op.attributes[key]) for key in _KEYS), strict=True))
    numbers |= {
        "op": int(machine), "width": width, "width2": width2, "signed": signed, "signed2": signed2,
        "node": node_number(machine, op.node.data), "negated": int(bool(op.negated)), "results": len(results),
        "inputs": len(inputs), "first": len(found.columns.setdefault("operands", [])),
    }  # fmt: skip
    for key, value in numbers.items():
        found.columns.setdefault(key, []).append(value)
    found.columns["operands"] += [*results, *inputs]


class Numbered:
    """Masks and patterns by what they are: numbered as a program says, or in the order in which they are asked for."""

    def __init__(self, program: ProgramOp) -> None:
        self.threads = number_of(program.threads)
        self.fixed = (bool(program.masks.data), bool(program.patterns.data))
        self.masks = {text.data: number for number, text in enumerate(program.masks)}
        self.patterns = {numbers_of(entry): number for number, entry in enumerate(program.patterns)}
        for table, given, what in ((self.masks, program.masks, "masks"), (self.patterns, program.patterns, "patterns")):
            if len(table) != len(given):
                raise damaged(program, f"two of its {what} are equal")

    def mask(self, text: str) -> int:
        """The number of a set of lanes; -1 where the program lists its masks without it."""
        return _number(self.masks, text, fixed=self.fixed[0])

    def pattern(self, pattern: tuple[int, ...], lanes: int) -> int:
        """The number of a pattern; -1 as of masks."""
        return _number(self.patterns, (lanes, *pattern), fixed=self.fixed[1])

    def mask_bits(self) -> Array:
        """uint64 [masks, words]."""
        words = (self.threads + 63) // 64
        bits = np.zeros((len(self.masks), 64 * words), np.uint8)
        for number, text in enumerate(self.masks):
            bits[number, list(lanes_of(text))] = 1
        return np.packbits(bits, axis=1, bitorder="little").view(np.uint64).reshape(len(self.masks), words)

    def pattern_columns(self) -> tuple[Array, Array]:
        """(pattern_start, pattern_values)."""
        lengths = [count for count, *_ in self.patterns]
        values: list[int] = []
        for count, *pattern in self.patterns:
            values += pattern_values(pattern, count)
        start = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.array(lengths, np.int64))])
        return start, np.array(values, np.int64)


def _number(table: dict[Any, int], key: Any, *, fixed: bool) -> int:
    if fixed:
        return table.get(key, -1)
    return table.setdefault(key, len(table))


def column(values: Iterable[Any], dtype: type[np.generic]) -> Array:
    """A column of a program. Errors: OverflowError."""
    return np.array(list(values), dtype)
