"""Units of comparison: classes that are compared together, apart from all others, so that what comes of them can be kept.

A unit is cut out of the graphs of both sides and put into canonical order (`unit`), by a plan that depends on the graphs alone
(`plan`). Its solution (`solution`) depends on the unit and a few numbers from earlier units, and on nothing else: one that was
computed and one that was kept are the same. Names are imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from volta_pipe.passes.canon.units.plan import LEAST
    from volta_pipe.passes.canon.units.remembered import remembering
    from volta_pipe.passes.canon.units.solution import Solution, Solve, compute
    from volta_pipe.passes.canon.units.solving import Representative, solved
    from volta_pipe.passes.canon.units.unit import Cutter, Unit

__all__ = ["LEAST", "Cutter", "Representative", "Solution", "Solve", "Unit", "compute", "remembering", "solved"]

# Where each name is.
_HOMES = {
    "plan": "LEAST",
    "remembered": "remembering",
    "solution": "Solution Solve compute",
    "solving": "Representative solved",
    "unit": "Cutter Unit",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found
    return found
