"""Solutions that are kept somewhere, by all that they depend on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from volta_pipe.passes.canon.compare import Effort
from volta_pipe.passes.canon.units.glance import seem_equal
from volta_pipe.passes.canon.units.solution import Solution, Solve, compute
from volta_pipe.passes.canon.units.unit import Unit

T = TypeVar("T")
_EQUAL = ("equal", "cases")


class Memory(Protocol):
    """Keeps plain data by plain data. What it gives may come from anywhere: `read` raises ArtifactError where it is not what
    was asked for, and None comes back then, as where nothing is kept. `did`: classes that were solved, or found."""

    def find(self, parts: Any, read: Callable[[Any], T]) -> T | None: ...

    def keep(self, parts: Any, data: dict[str, Any]) -> None: ...

    def did(self, pieces: int, *, computed: bool) -> None: ...


def remembering(memory: Memory) -> Solve:
    """Gives what is kept of a unit, or else what `compute` gives, which is kept then, unless a budget ran out or the unit is
    too small. Most solutions do not depend on what earlier units say, but for literals, and are kept for any."""

    def solve(unit: Unit, before: Effort) -> Solution:
        if not unit.kept:
            memory.did(len(unit.roots), computed=True)
            return compute(unit, before)
        general = [unit.digest, list(before.read)]
        special = [*general, before.apart, before.unsettled, before.unequal]
        found = memory.find(general, lambda data: Solution.from_dict(data, unit, before, general=True))
        if found is None:
            found = memory.find(special, lambda data: Solution.from_dict(data, unit, before, general=False))
        if found is not None and not _credible(found, unit):
            found = None
        memory.did(len(unit.roots), computed=found is None)
        if found is None:
            found = compute(unit, before)
            if not found.spent:
                memory.keep(general if found.general else special, found.to_dict(unit))
        return found

    return solve


def _credible(found: Solution, unit: Unit) -> bool:
    """Whether nothing is told to be equal that does not look so: whoever can write a solution can write anything."""
    return all(seem or outcome not in _EQUAL for seem, (outcome, _, _) in zip(seem_equal(unit), found.outcomes, strict=True))
