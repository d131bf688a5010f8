"""Line information: from the `.loc` of each instruction to the line table of the lowered kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from volta_pipe.ir.lines import LineTable
from volta_pipe.passes.lower.syntax import Loc as WrittenLoc
from volta_pipe.passes.lower.tree import Instruction, Loc, Source

# Deeper inlining than this is a cycle in damaged debug information.
_MAX_INLINING = 64


class Locations:
    """The `.loc` directives of a function; `loc` is the present one, and `outer` the places of the calls that led here,
    innermost first. A place that is inlined twice over is told by several directives, the outer ones first: the last one
    seen for a place is its caller."""

    def __init__(self, outer: tuple[tuple[int, int], ...]) -> None:
        self.loc: Loc | None = None
        self._outer = outer
        self._callers: dict[tuple[int, int, int], tuple[int, int, int]] = {}

    def read(self, written: WrittenLoc) -> None:
        """Go on to a place."""
        place, caller = written.place, written.inlined
        chain: list[tuple[int, int]] = []
        if caller is None:
            self._callers.pop(place, None)
        else:
            self._callers[place] = caller
        while caller is not None and len(chain) < _MAX_INLINING:
            chain.append(caller[:2])
            caller = self._callers.get(caller)
        self.loc = Loc(place[0], place[1], (*chain, *self._outer))

    def chain(self) -> tuple[tuple[int, int], ...]:
        """The places of a call that stands here and of those around it."""
        return ((self.loc.file, self.loc.line), *self.loc.callers) if self.loc is not None else self._outer


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
