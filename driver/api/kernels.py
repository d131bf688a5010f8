"""A module and a program against the contract's launch: what is asked before a stage runs on an artifact from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

from volta_pipe.driver.arguments import Parameter, check_signature
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.globals import Variable, resolve
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.resources import launch_excesses
from volta_pipe.driver.stage import LoweredValue
from volta_pipe.driver.stage_summaries import plain
from volta_pipe.ir.errors import ArtifactError, InputError

if TYPE_CHECKING:
    from volta_pipe.ir.launch import Launch
    from volta_pipe.ir.program import Program


def kernel_parameters(module: Any) -> tuple[tuple[str, str, int], ...]:
    """(name, PTX type, bytes) of each parameter of a module's kernel. Errors: ArtifactError."""
    from xdsl.utils.exceptions import VerifyException

    from volta_pipe.ir.ptx.text import kernel_of

    try:
        return tuple((p.name, p.type, p.size) for p in kernel_of(module).parameters)
    except VerifyException as error:
        raise ArtifactError(str(error)) from None


def launched(contract: Contract, kernel: KernelPlan, value: LoweredValue) -> KernelPlan:
    """The kernel of the contract as a module of it can be launched, with the variables that the contract sets.

    Errors: InputError at the key of the contract that does not fit: arguments, a launch that fails, functions, variables;
    UnsupportedError for a parameter that nothing can fill."""
    source, side = contract.source, kernel.spec.side
    rows = value.parameters or kernel_parameters(value.module)
    check_signature(kernel, [Parameter(*row) for row in rows], source)
    for excess in launch_excesses(kernel, plain(value.resources)):
        raise source.error((side, excess.field), excess.message)
    for name, problem in value.externs:
        if problem:
            raise source.error(("externs", name), f"function {name} {problem}")
    if not contract.globals:
        return kernel
    if not value.parameters:
        name = contract.globals[0][0]
        raise source.error(("globals", name), "cannot be laid out: the module came without its .facts, which say its type")
    variables = [Variable(*row) for row in value.variables]
    return replace(kernel, globals=resolve(contract.globals, kernel, variables, source))


def check_program(program: Program, launch: Launch) -> None:
    """Whether a program can be of this launch. Errors: ArtifactError."""
    if (program.threads, tuple(program.block)) != (prod(launch.block), tuple(launch.block)):
        raise ArtifactError(f"the program has blocks of {list(program.block)}, the contract {list(launch.block)}")
    for region in program.regions:
        if region.tensor < 0:
            continue
        tensor = launch.tensors[region.tensor] if region.tensor < len(launch.tensors) else None
        if tensor is None or (tensor.name, tensor.role, tensor.extent) != (region.name, region.role, region.size):
            raise ArtifactError(
                f"the program has a tensor {region.name} ({region.role}, {region.size:,} bytes) of another contract"
            )
    ctas = {tuple(cta) for cta in program.cta_ids.tolist()}
    whole = prod(launch.grid) if launch.ctas is None else len(launch.ctas)
    inside = all(0 <= n < most for cta in ctas for n, most in zip(cta, launch.grid, strict=True))
    chosen = launch.ctas is None or ctas <= {tuple(cta) for cta in launch.ctas}
    if not inside or not chosen or len(ctas) != len(program.cta_ids) or (program.complete and len(ctas) != whole):
        raise ArtifactError(f"the program has {len(program.cta_ids)} CTAs, which are not those of the contract ({whole})")


def of_side(contract: Contract, kernel: Any, side: str) -> KernelPlan:
    """What stands on a side, which has to be a kernel. Errors: InputError."""
    if isinstance(kernel, KernelPlan):
        return kernel
    what = "a NumPy function, of which trace makes expressions" if contract.reference is not None else "absent"
    raise InputError(f"the contract's {side} is {what}: there is no kernel", contract.source.place((side,)))
