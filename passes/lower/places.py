"""Line information: from the `.loc` of each instruction to the line table of the lowered kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from volta_pipe.ir.lines import LineTable
from volta_pipe.passes.lower.tree import Instruction, Source


def build_lines(
    file: str, source: Source, walk: Sequence[Instruction | None], position: Callable[[int], tuple[int, int]]
) -> LineTable:
    """The table for operations in walk order, each with the instruction it came from, or None."""
    numbers = {number: index for index, number in enumerate(source.files)}
    ptx: list[tuple[int, int]] = []
    places: list[tuple[int, int]] = []
    chains: list[tuple[tuple[int, int], ...]] = []
    for one in walk:
        loc = one.loc if one is not None else None
        ptx.append(position(one.offset) if one is not None else (0, 0))
        known = loc is not None and loc.line > 0 and loc.file in numbers
        places.append((numbers[loc.file], loc.line) if known and loc is not None else (-1, 0))
        callers = loc.callers if known and loc is not None else ()
        chains.append(tuple((numbers[number], line) for number, line in callers if number in numbers))
    return LineTable(file, tuple(source.files.values()), tuple(ptx), tuple(places), tuple(chains))
