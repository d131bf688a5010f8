"""The stage `lower`: PTX text to a `ptx` module of one entry, and its line table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.ptx.lazy import LazyModule
from volta_pipe.ir.ptx.words import Param
from volta_pipe.passes.lower.bind import Binder
from volta_pipe.passes.lower.expand import expand
from volta_pipe.passes.lower.externs import extern_problem
from volta_pipe.passes.lower.flat import flat_kernel
from volta_pipe.passes.lower.flow import BRANCH, Block, build_blocks
from volta_pipe.passes.lower.layout import arrange
from volta_pipe.passes.lower.lexer import Lexer
from volta_pipe.passes.lower.module import entry_limits, entry_params, read_module
from volta_pipe.passes.lower.nodes import Flow
from volta_pipe.passes.lower.normal import normal
from volta_pipe.passes.lower.numbering import Numbering, keep_arguments
from volta_pipe.passes.lower.parser import parse
from volta_pipe.passes.lower.places import build_lines
from volta_pipe.passes.lower.pressure import live_registers
from volta_pipe.passes.lower.rename import Renamer
from volta_pipe.passes.lower.resolve import Resolver
from volta_pipe.passes.lower.resources import Resources, resources_of
from volta_pipe.passes.lower.schedule import schedule
from volta_pipe.passes.lower.ssa import Graph, plan
from volta_pipe.passes.lower.steps import Address, Step
from volta_pipe.passes.lower.syntax import Function
from volta_pipe.passes.lower.tree import Instruction, Register, Source, Variable
from volta_pipe.passes.lower.write import Heading, module_text

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

_NO_EXTERNS: Mapping[str, str] = {}


@dataclass(frozen=True)
class Lowered:
    """A module of one kernel; `lines` is indexed by the walk order of its operations (`walk_kernel`). `externs`: of the extern
    functions that the file declares why they cannot be what they were said to be ("" where they can); `variables`: of module
    variables in .const and .global memory (name, type, size in bytes); `assumptions`: what the module takes for granted;
    `resources`: what the kernel asks of the machine."""

    made: LazyModule
    lines: LineTable
    externs: tuple[tuple[str, str], ...] = ()
    variables: tuple[tuple[str, str, int], ...] = ()
    assumptions: tuple[str, ...] = ()
    resources: Resources | None = None

    @property
    def module(self) -> ModuleOp:
        """The module of xDSL, which is built when it is asked for first."""
        return self.made.module

    @property
    def text(self) -> str:
        """The module as text, the artifact of the stage."""
        return self.made.text


# Code addresses are opaque; ours are in an order of our own.
_ASSUME_POINTERS = "nothing depends on the addresses of functions but which of them is called"


def list_entries(text: str, file: str) -> list[tuple[str, tuple[Param, ...]]]:
    """The entries of a PTX text with their parameters, in order."""
    source, lexer = read_functions(text, file)
    return [(name, entry_params(function, lexer)) for name, function in source.entries.items()]


def kernel_signature(text: str, file: str, entry: str) -> tuple[Param, ...]:
    """The parameters of one entry; raises InputError listing the entries there are."""
    source, lexer = read_functions(text, file)
    return entry_params(entry_of(source, file, entry), lexer)


def lower(
    text: str, file: str, entry: str, externs: Mapping[str, str] = _NO_EXTERNS, *, in_text_order: bool = False
) -> Lowered:
    """Lower one entry with what it calls; raises InputError on bad PTX. What the table does not know is kept and refused
    where it is executed. `externs`: extern functions by name, and what they compute (names of ir/externs.py).
    `in_text_order`: keep in each block the order of the text, and what nothing depends on, to look at single instructions."""
    source, positions = read_functions(text, file)
    function = entry_of(source, file, entry)
    binder = Binder(source, positions, expand, externs)
    kernel = binder.kernel(function, entry_params(function, positions), entry_limits(function, positions))
    blocks = arrange(build_blocks(kernel, positions.place))
    resolver = Resolver(source, positions.place)
    steps = {one: resolver.step(one) for block in blocks for one in block.instructions}
    if not in_text_order:
        steps = {one: normal(step) for one, step in steps.items()}
    names = _variable_names(source, steps.values())
    flow, registers = _flow(blocks, steps, names, in_text_order=in_text_order)
    heading = Heading(
        kernel.name, tuple(kernel.params), source.version, source.target, source.address_size, dict(kernel.limits)
    )
    lines = build_lines(file, source, flow.walk(), positions.position)
    declared = tuple(
        (name, extern_problem(source.functions[name], meaning, positions))
        for name, meaning in externs.items()
        if name in source.functions
    )
    of_module = tuple(
        (one.name, one.kind, one.size)
        for one in source.variables.values()
        if one.space in ("const", "global") and not one.extern
    )
    assumptions = [f"extern function {name} computes {externs[name]}" for name in sorted(binder.called)]
    if binder.pointers:
        assumptions.append(_ASSUME_POINTERS)
    resources = resources_of(function, positions, source.target, registers, names)
    made = LazyModule(
        lambda: _built(flow, heading, names), module_text(flow, heading, names), lambda: flat_kernel(flow, heading, names)
    )
    return Lowered(made, lines, declared, of_module, tuple(assumptions), resources)


def _built(flow: Flow, heading: Heading, names: Mapping[Variable, str]) -> ModuleOp:
    from volta_pipe.passes.lower.build import build_module

    return build_module(flow, heading, names)


def read_functions(text: str, file: str) -> tuple[Source, Lexer]:
    """What a file declares, and a lexer that knows its lines."""
    lexer = Lexer(text, file)
    return read_module(parse(text, file, bodies=False), lexer), lexer


def entry_of(source: Source, file: str, name: str) -> Function:
    if name not in source.entries:
        near = get_close_matches(name, source.entries, 1)
        hint = f", did you mean '{near[0]}'?" if near else ""
        known = ", ".join(source.entries) or "none"
        raise InputError(f"{file} has no entry '{name}'{hint} (entries: {known})", Place(field="entry"))
    return source.entries[name]


def _flow(
    blocks: list[Block], steps: Mapping[Instruction, Step], names: dict[Variable, str], *, in_text_order: bool
) -> tuple[Flow, int]:
    """The kernel in SSA form, in canonical order and without what nothing depends on, and how many registers the text needs. A
    block that only jumps once that is gone is left out, too."""
    registers = 0
    while True:
        rows = [[steps[one] for one in block.instructions] for block in blocks]
        ssa = plan(graph_of(blocks, rows))
        flow = Renamer(blocks, rows, ssa, registers=registers_of(blocks, rows), names=names).flow
        registers = registers or live_registers(flow)
        if in_text_order:
            return flow, registers
        numbering = Numbering(flow)
        empty = [
            block
            for block, made in zip(blocks, flow.blocks, strict=True)
            if block.kind == BRANCH and block.instructions and all(numbering.of[node.number] < 0 for node in made.nodes)
        ]
        if not empty:
            keep_arguments(flow, numbering.of)
            schedule(flow, numbering)
            return flow, registers
        for block in empty:
            block.instructions = []
        blocks = arrange(blocks)


def registers_of(blocks: list[Block], steps: list[list[Step]]) -> dict[int, Register]:
    """All registers that the kernel mentions, by index."""
    found: dict[int, Register] = {}
    for block, row in zip(blocks, steps, strict=True):
        for step in row:
            for operand in step.inputs:
                if not isinstance(operand, Address) and hasattr(operand, "register"):
                    found[operand.register.index] = operand.register
            for target in step.targets:
                if target is not None:
                    found[target.index] = target
            if step.instruction.guard is not None:
                found[step.instruction.guard.register.index] = step.instruction.guard.register
        if block.condition is not None:
            found[block.condition.register.index] = block.condition.register
    return found


def graph_of(blocks: list[Block], steps: list[list[Step]]) -> Graph:
    """The control-flow graph with what each block reads and writes."""
    reads: list[int] = []
    writes: list[int] = []
    for block, row in zip(blocks, steps, strict=True):
        read, written = set[int](), set[int]()
        for step in row:
            read.update(index for index in step.reads() if index not in written)
            written.update(step.writes())
        if block.condition is not None and block.condition.register.index not in written:
            read.add(block.condition.register.index)
        reads.append(_bit_set(read))
        writes.append(_bit_set(written))
    return Graph([block.successors for block in blocks], [block.predecessors for block in blocks], reads, writes)


def _bit_set(elements: set[int]) -> int:
    """A set of small integers as the bits of one."""
    data = bytearray(max(elements, default=0) // 8 + 1)
    for element in elements:
        data[element >> 3] |= 1 << (element & 7)
    return int.from_bytes(data, "little")


def _variable_names(source: Source, steps: Iterable[Step]) -> dict[Variable, str]:
    """The variables that the kernel mentions, module ones first, each with a unique name: its own where that is free. No other
    variable has the name of one of the module, for the contract may set those."""
    used = {operand.variable for step in steps for operand in step.inputs if isinstance(operand, Address)}
    of_module = [one for one in source.variables.values() if one in used]
    of_kernel = sorted(used.difference(of_module), key=lambda one: one.order)
    names: dict[Variable, str] = {}
    taken = {one.name for one in used}
    for one in [*of_module, *of_kernel]:
        name, count = one.name, 0
        while name in names.values() or (count and name in taken) or (name in source.variables and one not in of_module):
            count += 1
            name = f"{one.name}__{count}"
        names[one] = name
    return names
