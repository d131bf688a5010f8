"""Stage `check`: program -> safety findings (races, bounds, alignment, frame, outputs never written, what `unroll` met).

Everything is exact for the launch that was run: a finding names accesses that the program performs, and a program without
findings has none of these faults on any schedule. Two stores of the same value that are not ordered are reported as a race: to
call them harmless takes their values, which this stage does not look at."""

from __future__ import annotations

from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.passes.check.report import VERSION, SafetyReport

__all__ = ["VERSION", "SafetyReport", "check"]


def check(program: Program, launch: Launch) -> SafetyReport:
    """Checks a program. Errors: BudgetError where the touched memory does not fit."""
    # Here, so that reading a report does not load the compiled loops.
    from volta_pipe.passes.check import explain
    from volta_pipe.passes.check.run import run

    result = run(program, launch)
    found = explain.findings(*explain.certain(program, launch, result))
    notes = tuple(explain.notes(program, launch, result))
    return SafetyReport(found, notes, result.accesses, result.barriers, result.clocked)
