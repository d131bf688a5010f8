"""Stage `check`: program -> safety findings (races, bounds, alignment, frame, outputs never written, what `unroll` met).

Everything is exact for the launch that was run: a finding names accesses that the program performs, and a program without
findings has none of these faults on any schedule. Two stores of a CTA that nothing orders are a race, unless both write one
value to the same bytes, which `vc`'s expressions tell (then they are a remark)."""

from __future__ import annotations

from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.passes.check.report import VERSION, SafetyReport

__all__ = ["VERSION", "SafetyReport", "check"]


def check(program: Program, launch: Launch) -> SafetyReport:
    """Checks a program. Errors: BudgetError where the touched memory, or the expressions of stores, do not fit."""
    # Here, so that reading a report does not load the compiled loops.
    from volta_pipe.passes.check.agreement import agreement
    from volta_pipe.passes.check.explain import report_of
    from volta_pipe.passes.check.run import run

    result = run(program, launch)
    return report_of(program, launch, result, agreement(program, launch, result.claims) if len(result.claims) else None)
