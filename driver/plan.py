"""A contract at one combination of dims: everything a number, as plain data that gives cache keys and builds the `Launch`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any

from volta_pipe.driver.arguments import ArgumentPlan, plan_argument
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import KernelSpec, SpecReference
from volta_pipe.driver.expressions import ExpressionError, evaluate
from volta_pipe.driver.fields import Expression
from volta_pipe.driver.tensors import TensorPlan, forget_digests, plan_tensors
from volta_pipe.driver.toml_lines import Step
from volta_pipe.ir.errors import InputError

if TYPE_CHECKING:
    from volta_pipe.ir.launch import Launch

# Limits of CUDA (programming guide, compute capabilities 5.0 to 12.x).
MAX_GRID = ((1 << 31) - 1, 65535, 65535)
MAX_BLOCK = (1024, 1024, 64)
MAX_THREADS = 1024
MAX_SHARED = 227 * 1024


@dataclass(frozen=True)
class Global:
    """A module variable that the host sets: to what tensor number `tensor` holds, or (-1) to `content`. `text`: for people."""

    name: str
    text: str
    tensor: int
    content: bytes = b""

    def key(self) -> list[Any]:
        return [self.name, self.tensor, self.content.hex()]


@dataclass(frozen=True)
class KernelPlan:
    """One side's kernel, launched. `arguments` in parameter order; `ctas` None: all; `globals`: of the variables that its PTX
    declares, known once that is lowered; `key` is what caches depend on."""

    spec: KernelSpec
    tensors: tuple[TensorPlan, ...]
    scalars: tuple[tuple[str, str, float | int | None], ...]
    arguments: tuple[ArgumentPlan, ...]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    ctas: tuple[tuple[int, int, int], ...] | None
    flags: tuple[str, ...]
    globals: tuple[Global, ...] = ()

    def key(self) -> list[Any]:
        """All that a stage can see of the launch, for its cache key."""
        arguments = [argument.key() for argument in self.arguments]
        shape = [self.grid, self.block, self.shared, self.ctas, self.flags]
        return [self.data_key(), arguments, shape, *([one.key() for one in self.globals],) * bool(self.globals)]

    def data_key(self) -> list[Any]:
        """The part of the key that a spec sees: tensors and scalars."""
        return [[tensor.key() for tensor in self.tensors], self.scalars]

    def ranges(self) -> dict[str, tuple[float, float]]:
        """The tensors' ranges, which say where `decide` looks for a counterexample first."""
        return {t.spec.name: t.spec.range for t in self.tensors if t.spec.range is not None}

    def tolerances(self) -> dict[str, tuple[float | None, float | None]]:
        """rtol and atol of the outputs that have one of their own, for dynamic tests."""
        return {t.spec.name: (t.spec.rtol, t.spec.atol) for t in self.tensors if (t.spec.rtol, t.spec.atol) != (None, None)}

    def launch(self) -> Launch:
        """The launch with its arrays (imports NumPy). Errors: InputError on a .npy file that does not fit."""
        from volta_pipe.ir.launch import Argument, GlobalValue, Launch, Scalar

        return Launch(
            tuple(tensor.build() for tensor in self.tensors),
            tuple(Scalar(name, dtype, value) for name, dtype, value in self.scalars),
            tuple(Argument(a.kind, a.index, a.offset, a.number) for a in self.arguments),
            self.grid,
            self.block,
            self.shared,
            self.ctas,
            exited_threads_block_barriers="exited_threads_block_barriers" in self.flags,
            warp_collectives_order_memory="warp_collectives_order_memory" in self.flags,
            globals=tuple(GlobalValue(one.name, one.tensor, one.content) for one in self.globals),
        )


@dataclass(frozen=True)
class Plan:
    """One combination: dims, the candidate, and the reference (a kernel, a spec or None)."""

    dims: dict[str, int] = field(hash=False)
    candidate: KernelPlan
    reference: KernelPlan | SpecReference | None


class Numbers:
    """Evaluates a contract's expressions for one combination of dims, with errors that name the field."""

    def __init__(self, contract: Contract, dims: Mapping[str, int]) -> None:
        self.source = contract.source
        self.dims = dims
        self.scalar_types = {s.name: s.dtype for s in contract.scalars}

    def error(self, path: tuple[Step, ...], message: str) -> InputError:
        given = ", ".join(f"{name} = {value}" for name, value in self.dims.items())
        return self.source.error(path, f"{message} (at {given})" if given else message)

    def value(self, expression: Expression, *path: Step) -> int:
        if isinstance(expression, int):
            return expression
        try:
            return evaluate(expression, self.dims)
        except ExpressionError as error:
            raise self.error(path, str(error)) if error.at_dims else self.source.error(path, str(error)) from None

    def bounded(self, expression: Expression, low: int, high: int, *path: Step) -> int:
        value = self.value(expression, *path)
        if not low <= value <= high:
            shown = str(value) if isinstance(expression, int) else f"{expression} = {value}"
            empty = ": an empty launch runs no thread" if value == 0 and "grid" in path else ""
            raise self.error(path, f"{shown} is not within {low} to {high}{empty}")
        return value

    def values(self, expressions: tuple[Expression, ...], low: int, high: int, *path: Step) -> tuple[int, ...]:
        return tuple(self.bounded(e, low, high, *path, place) for place, e in enumerate(expressions))


def plan(contract: Contract, dims: Mapping[str, int]) -> Plan:
    """The contract at `dims`. Errors: InputError with file, line and field."""
    numbers = Numbers(contract, dims)
    tensors = plan_tensors(contract, numbers)
    candidate = _kernel(contract, contract.candidate, numbers, tensors)
    reference = contract.reference
    if isinstance(reference, KernelSpec):
        return Plan(dict(dims), candidate, _kernel(contract, reference, numbers, tensors))
    return Plan(dict(dims), candidate, reference)


def instantiate(contract: Contract, dims: Mapping[str, int]) -> tuple[Launch | None, Launch]:
    """(launch of the reference or None, launch of the candidate) at `dims`, from what the files hold now."""
    forget_digests()
    planned = plan(contract, dims)
    reference = planned.reference.launch() if isinstance(planned.reference, KernelPlan) else None
    return reference, planned.candidate.launch()


def _kernel(contract: Contract, spec: KernelSpec, numbers: Numbers, tensors: tuple[TensorPlan, ...]) -> KernelPlan:
    side = spec.side
    grid = _three(spec.grid, MAX_GRID, numbers, side, "grid")
    block = _three(spec.block, MAX_BLOCK, numbers, side, "block")
    if prod(block) > MAX_THREADS:
        raise numbers.error((side, "block"), f"{prod(block)} threads in a CTA (at most {MAX_THREADS})")
    shared = numbers.bounded(spec.shared, 0, MAX_SHARED, side, "shared")
    scalars = tuple((s.name, s.dtype, s.value) for s in contract.scalars)
    names = {name: place for place, (name, _, _) in enumerate(scalars)}
    arguments = tuple(plan_argument(arg, (side, "args", i), numbers, tensors, names) for i, arg in enumerate(spec.args))
    ctas = _ctas(spec, grid, numbers)
    return KernelPlan(spec, tensors, scalars, arguments, grid, block, shared, ctas, contract.assume)


def _three(
    expressions: tuple[Expression, ...], most: tuple[int, int, int], numbers: Numbers, side: str, field_name: str
) -> tuple[int, int, int]:
    x, *rest = (numbers.bounded(e, 1, most[i], side, field_name, i) for i, e in enumerate(expressions))
    y, z, *_ = (*rest, 1, 1)
    return x, y, z


def _ctas(spec: KernelSpec, grid: tuple[int, int, int], numbers: Numbers) -> tuple[tuple[int, int, int], ...] | None:
    if spec.ctas is None:
        return None
    chosen: list[tuple[int, int, int]] = []
    for place, cta in enumerate(spec.ctas):
        x, y, z = (numbers.bounded(e, 0, grid[axis] - 1, spec.side, "ctas", place, axis) for axis, e in enumerate(cta))
        if (x, y, z) in chosen:
            raise numbers.error((spec.side, "ctas", place), "is listed twice")
        chosen.append((x, y, z))
    return tuple(chosen)
