"""What the PTX of a side declares, and the contract speaks of: extern functions and variables of the module."""

from __future__ import annotations

from dataclasses import replace

from volta_pipe.driver.combination import SIDES, Combination
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.globals import Variable, resolve, unknown
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.step import Step


def with_globals(contract: Contract, one: Combination, side: str, kernel: KernelPlan, step: Step) -> KernelPlan:
    """The kernel with the variables of its PTX that the host sets, which is the side's from now on. Errors: InputError."""
    for name, problem in step.summary.get("externs") or ():
        if problem:
            raise contract.source.error(("externs", name), f"function {name} {problem}")
    if contract.globals:
        values = resolve(contract.globals, kernel, _variables(step), contract.source)
        kernel = replace(kernel, globals=values)
        with one.guard:
            one.plan = replace(one.plan, candidate=kernel) if side == "candidate" else replace(one.plan, reference=kernel)
    return kernel


def check_declared(contract: Contract, one: Combination) -> None:
    """Whether each extern function and variable of the contract is declared by the PTX of a side. Errors: InputError."""
    lowered = [one.steps[side, "lower"] for side in SIDES if (side, "lower") in one.steps]
    if not lowered or any(step.error for step in lowered):
        return
    functions = {name for step in lowered for name, _ in step.summary.get("externs") or ()}
    for name, _ in contract.externs:
        if name not in functions:
            raise contract.source.error(("externs", name), "the PTX declares no function of this name")
    variables = [variable for step in lowered for variable in _variables(step)]
    for name, _ in contract.globals:
        if name not in {variable.name for variable in variables}:
            raise unknown(name, variables, contract.source)


def _variables(step: Step) -> list[Variable]:
    """The variables that a PTX declares, from its `lower` step."""
    return [Variable(*variable) for variable in step.summary.get("variables") or ()]
