"""Units of comparison: classes that are compared together, apart from all others, so that what comes of them can be kept.

A unit is cut out of the graphs of both sides and put into canonical order (`unit`), by a plan that depends on the graphs alone
(`plan`). Its solution (`solution`) depends on the unit and a few numbers from earlier units, and on nothing else: one that was
computed and one that was kept are the same. Names are imported when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from volta_pipe.ir.lazy import lazily

if TYPE_CHECKING:
    from volta_pipe.passes.canon.units.plan import LEAST
    from volta_pipe.passes.canon.units.remembered import remembering
    from volta_pipe.passes.canon.units.solution import Solution, Solve, compute
    from volta_pipe.passes.canon.units.solving import Representative, solved
    from volta_pipe.passes.canon.units.unit import Cutter, Unit

__all__ = ["LEAST", "Cutter", "Representative", "Solution", "Solve", "Unit", "compute", "remembering", "solved"]

# Where each name is.
__getattr__ = lazily(
    __name__,
    {
        "plan": "LEAST",
        "remembered": "remembering",
        "solution": "Solution Solve compute",
        "solving": "Representative solved",
        "unit": "Cutter Unit",
    },
)
