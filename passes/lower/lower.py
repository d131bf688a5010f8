"""The stage `lower`: PTX text to a `ptx` module of one entry, and its line table."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.ptx.structure import KernelOp, Param, VariableOp
from volta_pipe.passes.lower.build import Builder
from volta_pipe.passes.lower.flow import Block, build_blocks, check_end
from volta_pipe.passes.lower.lexer import Lexer
from volta_pipe.passes.lower.parser import parse
from volta_pipe.passes.lower.places import build_lines
from volta_pipe.passes.lower.resolve import Address, Resolver, Step
from volta_pipe.passes.lower.ssa import Graph, plan
from volta_pipe.passes.lower.tree import Register, Source, Variable


@dataclass(frozen=True)
class Lowered:
    """A module of one kernel; `lines` is indexed by the walk order of its operations (`walk_kernel`)."""

    module: ModuleOp
    lines: LineTable


def list_entries(text: str, file: str) -> list[tuple[str, tuple[Param, ...]]]:
    """The entries of a PTX text with their parameters, in order."""
    return list(parse(text, file).entries.items())


def kernel_signature(text: str, file: str, entry: str) -> tuple[Param, ...]:
    """The parameters of one entry; raises InputError listing the entries there are."""
    entries = parse(text, file).entries
    if entry not in entries:
        known = ", ".join(entries) or "none"
        raise InputError(f"there is no entry {entry!r}; the entries are: {known}", Place(file))
    return entries[entry]


def lower(text: str, file: str, entry: str) -> Lowered:
    """Lower one entry; raises InputError on bad PTX and UnsupportedError on what the table does not know."""
    source = parse(text, file, entry)
    kernel = source.kernel
    assert kernel is not None
    positions = Lexer(text, file)
    blocks = build_blocks(kernel, positions.place)
    resolver = Resolver(source, kernel, positions.place)
    steps: list[list[Step]] = []
    for block in blocks:
        steps.append([resolver.step(one) for one in block.instructions])
        if block.end is not None:
            check_end(block.end, positions.place)
    names = _variable_names(source, steps)
    ssa = plan(_graph(blocks, steps))
    builder = Builder(blocks, steps, ssa, registers=_registers(blocks, steps), names=names)
    variables = [
        VariableOp.make(name, one.space, align=one.align, size=one.size, extern=one.extern, init=one.init)
        for one, name in names.items()
    ]
    kernel_op = KernelOp.make(
        kernel.name,
        kernel.params,
        builder.region,
        version=source.version,
        target=source.target,
        address_size=source.address_size,
        limits=kernel.limits,
    )
    lines = build_lines(file, source, builder.walk, positions.position)
    return Lowered(ModuleOp([*variables, kernel_op]), lines)


def _registers(blocks: list[Block], steps: list[list[Step]]) -> dict[int, Register]:
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


def _graph(blocks: list[Block], steps: list[list[Step]]) -> Graph:
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


def _variable_names(source: Source, steps: list[list[Step]]) -> dict[Variable, str]:
    """The variables that the kernel mentions, module ones first, each with a unique name: its own where that is free."""
    used = {operand.variable for row in steps for step in row for operand in step.inputs if isinstance(operand, Address)}
    of_module = [one for one in source.variables.values() if one in used]
    of_kernel = sorted(used.difference(of_module), key=lambda one: one.order)
    names: dict[Variable, str] = {}
    taken = {one.name for one in used}
    for one in [*of_module, *of_kernel]:
        name, count = one.name, 0
        while name in names.values() or (count and name in taken):
            count += 1
            name = f"{one.name}__{count}"
        names[one] = name
    return names
