"""Stage `check`: program -> safety findings (races, bounds, alignment, frame, outputs never written, what `unroll` met).

Everything is exact for the launch that was run: a finding names accesses that the program performs, and a program without
findings has none of these faults on any schedule. Two stores of a CTA that nothing orders are a race, unless both write one
value to the same bytes, which `vc`'s expressions tell (then they are a remark)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from volta_pipe.ir.findings import Step
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.passes.check.report import VERSION, SafetyReport

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

__all__ = ["VERSION", "SafetyReport", "check"]


def check(program: Program, launch: Launch, module: Callable[[], ModuleOp] | None = None) -> SafetyReport:
    """Checks a program. `module`: gives what it was unrolled from; with it, findings of addresses say how these were computed,
    and an address that may be of several variables is traced to one of them.
    Errors: BudgetError where the touched memory, or the expressions of stores, do not fit."""
    # Here, so that reading a report does not load the compiled loops.
    from volta_pipe.passes.check.agreement import agreement
    from volta_pipe.passes.check.explain import report_of
    from volta_pipe.passes.check.run import run

    result = run(program, launch, again=_again(program, launch, module) if module is not None else None)
    told = agreement(program, launch, result.claims) if len(result.claims) else None
    return report_of(program, launch, result, told, _how(program, launch, module) if module is not None else lambda *_: ())


def _again(program: Program, launch: Launch, module: Callable[[], ModuleOp]) -> Callable[[], Program]:
    def again() -> Program:
        from volta_pipe.passes.check.origins import GAP
        from volta_pipe.passes.unroll import unroll

        return unroll(module(), launch, max_steps=program.steps + 1, gap=GAP)

    return again


def _how(program: Program, launch: Launch, module: Callable[[], ModuleOp]) -> Callable[[int, int], tuple[Step, ...]]:
    def how(row: int, thread: int) -> tuple[Step, ...]:
        from volta_pipe.passes.check.arithmetic import how_computed

        return how_computed(module(), launch, program, row, thread)

    return how
