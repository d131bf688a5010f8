"""How an address at fault was computed: the instructions behind it, each with the numbers that it had in the thread.

The run is done again up to the access (unroll/probe.py); the module says what was computed from what."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from volta_pipe.ir.address_space import REGION_SHIFT, SHARED_REGION
from volta_pipe.ir.findings import Step
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import FLAG_SOURCE, Program
from volta_pipe.ir.ptx import (
    AddressOp,
    ConstantOp,
    InstructionOp,
    KernelOp,
    LoadParamOp,
    SpecialOp,
    kernel_of,
    type_width,
    walk_kernel,
)
from volta_pipe.passes.check.memory import Location, locate
from volta_pipe.passes.unroll.probe import Snapshot, snapshot

_MOST = 24  # instructions that are shown
# Thread-instructions of a run that is done again (twice for each finding), which takes less than a second.
_MOST_STEPS = 20_000_000
# What gives a value that is no number computed from others here.
_READS = ("ld", "ldu", "atom", "shfl", "vote", "match", "redux", "activemask", "bar", "barrier", "elect")
_INFIX = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "shl": "<<",
    "shr": ">>",
    "and": "&",
    "or": "|",
    "xor": "^",
    "div": "/",
    "rem": "%",
}
_LONGEST = 160


def how_computed(module: ModuleOp, launch: Launch, program: Program, row: int, thread: int) -> tuple[Step, ...]:
    """Of the address that `thread` accesses in a row: a formula, then a line for each instruction, what is computed first
    first. () where the run is too long to be done again."""
    taken = snapshot(module, launch, program, row, thread) if program.steps <= _MOST_STEPS else None
    if taken is None:
        return ()
    index = {op: place for place, op in enumerate(walk_kernel(module))}
    access = list(index)[int(program.row_instr[row])]
    if not isinstance(access, InstructionOp) or not access.inputs:
        return ()
    source = bool(program.row_flags[row] & FLAG_SOURCE) and access.mnemonic == "cp"
    address, offset = (access.inputs[1], access.second_offset) if source else (access.inputs[0], access.byte_offset)
    return tuple(_Chain(kernel_of(module), launch, program, taken, index).lines(address, offset))


class _Chain:
    """Names, numbers and formulas of the values behind one address."""

    def __init__(
        self, kernel: KernelOp, launch: Launch, program: Program, taken: Snapshot, index: dict[Operation, int]
    ) -> None:
        self.kernel, self.launch, self.program, self.taken, self.index = kernel, launch, program, taken, index
        self.formulas: dict[SSAValue, str] = {}
        self.pointers: dict[SSAValue, int] = {}  # and the region in which a number that is no full address counts
        self.windows = {name: region.number for region in program.regions for name, _, _ in region.variables}

    def lines(self, address: SSAValue, offset: int) -> Iterator[Step]:
        order = self._order(address)
        for value in order:
            self.formulas[value] = self._formula(value)
        formula = self.formulas[address] + (f" {'-' if offset < 0 else '+'} {abs(offset)}" if offset else "")
        if len(formula) <= _LONGEST:
            yield Step(f"the address is {formula} = {self._number(address, offset)}")
        left = [value for value in order if self._is_shown(value)]
        if len(left) > _MOST:
            yield Step(f"of {len(left)} values behind it the last {_MOST}:")
        for value in left[-_MOST:]:
            yield Step(self._line(value), self._place(value))

    def _order(self, address: SSAValue) -> list[SSAValue]:
        """The values behind an address, operands first, each once."""
        order: dict[SSAValue, None] = {}
        stack: list[tuple[SSAValue, bool]] = [(address, False)]
        while stack:
            value, ready = stack.pop()
            if value in order:
                continue
            if ready:
                order[value] = None
                continue
            stack.append((value, True))
            stack += [(operand, False) for operand in reversed(self._behind(value)) if operand not in order]
        return list(order)

    def _behind(self, value: SSAValue) -> list[SSAValue]:
        op = value.owner
        computed = isinstance(op, InstructionOp) and op.mnemonic not in _READS
        return list(op.inputs) if computed and isinstance(op, InstructionOp) else []

    def _is_shown(self, value: SSAValue) -> bool:
        """Whether a value gets a line: not what the formula names already."""
        op = value.owner
        named = isinstance(op, ConstantOp | AddressOp) or (isinstance(op, InstructionOp) and op.mnemonic in ("mov", "cvta"))
        return not named and not (isinstance(value.owner, LoadParamOp) and value in self.pointers)

    def _place(self, value: SSAValue) -> int:
        return self.index[value.owner] if isinstance(value.owner, Operation) else -1

    def _formula(self, value: SSAValue) -> str:
        op = value.owner
        if isinstance(op, ConstantOp):
            return self._signed(op.bits, type_width(value.type))
        if isinstance(op, SpecialOp):
            return op.register.data
        if isinstance(op, AddressOp):
            self.pointers[value] = self.windows.get(op.variable, SHARED_REGION)
            return op.variable + (f"+{op.byte_offset}" if op.byte_offset else "")
        if isinstance(op, LoadParamOp):
            return self._parameter(op, value)
        if isinstance(value, BlockArgument) or not isinstance(op, InstructionOp) or op.mnemonic in _READS:
            return self._number(value)
        based = next((self.pointers[operand] for operand in op.inputs if operand in self.pointers), None)
        if based is not None and op.mnemonic in ("add", "sub", "mov", "cvta", "cvt", "mad"):
            self.pointers[value] = based
        parts = [self.formulas[operand] for operand in op.inputs]
        if any(len(part) > _LONGEST for part in parts):
            return "…" * (_LONGEST + 1)  # longer than what is shown
        if op.mnemonic in ("mov", "cvta", "cvt") and len(parts) == 1:
            return parts[0]
        if op.mnemonic in _INFIX and len(parts) == 2:
            return f"({parts[0]} {_INFIX[op.mnemonic]} {parts[1]})"
        if op.mnemonic == "mad" and len(parts) == 3:
            return f"({parts[0]} * {parts[1]} + {parts[2]})"
        return f"{op.mnemonic}({', '.join(parts)})"

    def _parameter(self, op: LoadParamOp, value: SSAValue) -> str:
        for parameter, argument in zip(self.kernel.parameters, self.launch.arguments, strict=True):
            if parameter.offset == op.byte_offset:
                if argument.kind == "pointer":
                    self.pointers[value] = 0
                    name = self.launch.tensors[argument.index].name
                    return name + (f"+{argument.offset}" if argument.offset else "")
                return parameter.name
        return f"parameter byte {op.byte_offset}"

    def _line(self, value: SSAValue) -> str:
        op = value.owner
        if isinstance(value, BlockArgument):
            return f"a value that comes from several places = {self._number(value)}"
        if isinstance(op, SpecialOp | LoadParamOp):
            return f"{self.formulas[value]} = {self._number(value)}"
        if not isinstance(op, InstructionOp):
            return self._number(value)
        name = ".".join((op.mnemonic, *op.modifier_names, *op.type_names))
        if op.mnemonic in _READS:
            return f"{name} gives {self._number(value)}"
        return f"{name} {', '.join(self._number(operand) for operand in op.inputs)} = {self._number(value)}"

    def _number(self, value: SSAValue, offset: int = 0) -> str:
        number = self.taken.of(value)
        if number is None:
            return "?"
        if value in self.pointers:
            return _place_words(locate(self.program, self.launch, self._full(value, number) + offset))
        return self._signed(number + offset, type_width(value.type))

    def _full(self, value: SSAValue, number: int) -> int:
        """The machine's address of a pointer, which may be one within a window only."""
        small = -1 <= number >> REGION_SHIFT <= 0
        return (self.pointers[value] << REGION_SHIFT) + (number & 0xFFFFFFFF) if small else number

    def _signed(self, bits: int, width: int) -> str:
        half = 1 << (width - 1) if width > 1 else 2
        return str((bits + half) % (2 * half) - half)


def _place_words(place: Location) -> str:
    if place.region is None:
        return hex(place.offset)
    return f"{place.name}{'-' if place.offset < 0 else '+'}{abs(place.offset)}"
