"""Registers that some path may read before anything is written to them, for messages: the module has no names of registers."""

from __future__ import annotations

from collections.abc import Mapping

from volta_pipe.passes.lower.bind import Binder
from volta_pipe.passes.lower.expand import expand
from volta_pipe.passes.lower.flow import build_blocks
from volta_pipe.passes.lower.layout import arrange
from volta_pipe.passes.lower.lower import entry_of, graph_of, read_functions, registers_of
from volta_pipe.passes.lower.module import entry_limits, entry_params
from volta_pipe.passes.lower.resolve import Resolver
from volta_pipe.passes.lower.ssa import bits_of, plan


def unset_registers(text: str, file: str, entry: str, externs: Mapping[str, str]) -> list[tuple[str, int]]:
    """(name in the PTX, line of the first instruction in the text that reads it) of such registers, by line. An instruction
    under a guard reads what its results held before. Errors: those of `lower`."""
    source, positions = read_functions(text, file)
    function = entry_of(source, file, entry)
    kernel = Binder(source, positions, expand, externs).kernel(
        function, entry_params(function, positions), entry_limits(function, positions)
    )
    blocks = arrange(build_blocks(kernel, positions.place))
    resolver = Resolver(source, positions.place)
    rows = [[resolver.step(one) for one in block.instructions] for block in blocks]
    names = registers_of(blocks, rows)
    unset = {*bits_of(plan(graph_of(blocks, rows)).live_in[0])}
    lines: dict[int, int] = {}
    for row in rows:
        for step in row:
            line = positions.position(step.instruction.offset)[0]
            for index in unset & {*step.reads()}:
                lines[index] = min(line, lines.get(index, line))
    return sorted(((names[index].name, lines.get(index, 0)) for index in unset if index in names), key=lambda one: one[1])
