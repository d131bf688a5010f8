"""Both sides of a contract on concrete inputs, and how far their outputs are apart."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.dtypes import DTYPES
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.inputs import random_contents
from volta_pipe.driver.library import load_reference
from volta_pipe.driver.pipeline import Combination
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.replay import from_bytes, from_numbers, replay, tensor_bytes, to_numbers

Array = np.ndarray[Any, np.dtype[Any]]
# How large a difference may be, relative to the largest number of the output: rounding errors of some hundred operations.
TOLERANCE = {
    "f64": 1e-11, "f32": 1e-4, "tf32": 1e-2, "f16": 1e-2, "bf16": 5e-2, "e4m3": 0.25, "e5m2": 0.5,
}  # fmt: skip


@dataclass(frozen=True)
class Side:
    """Outputs of one side by name: numbers (float64, or integers), and which elements hold a value. rounded: float formats that
    the side rounds to on the way."""

    numbers: dict[str, Array]
    written: dict[str, Array]
    rounded: tuple[str, ...] = ()


class SideError(UnsupportedError):
    """What the kernel of one side does that has no concrete meaning."""

    def __init__(self, side: str, error: UnsupportedError) -> None:
        super().__init__(error.message, error.place, instruction=error.instruction, kind=error.kind)
        self.side = side


@dataclass(frozen=True)
class Difference:
    """How far an output is apart. `largest`: absolute, inf where one side has a NaN, another infinity, or no value;
    `relative`: to the largest finite number of the reference; `element`: where; `compared`: elements; `allowed`: relative."""

    tensor: str
    largest: float
    relative: float
    element: tuple[int, ...]
    compared: int
    allowed: float

    @property
    def close(self) -> bool:
        return self.relative <= self.allowed


def differences(one: Combination, engine: Engine, seed: int, tolerance: float | None = None) -> list[Difference]:
    """Runs both sides of a combination whose stages up to `check` have run and found nothing.

    Without a reference: no differences, but the candidate has run. Errors: SideError."""
    sides = both_sides(one, engine, random_contents(one.plan.candidate, seed))
    if sides is None:
        return []
    candidate, wanted = sides
    dtypes = {t.spec.name: t.spec.dtype for t in one.plan.candidate.tensors}
    return [
        difference(
            name, dtypes[name], candidate, wanted, allowed(dtypes[name], candidate, wanted) if tolerance is None else tolerance
        )
        for name in candidate.numbers
    ]


def both_sides(one: Combination, engine: Engine, contents: Mapping[str, Array]) -> tuple[Side, Side] | None:
    """(candidate, reference) on these inputs; None without a reference, but the candidate has run. Errors: SideError."""
    candidate = run_kernel(one, engine, "candidate", contents)
    reference = one.plan.reference
    if reference is None:
        return None
    if not isinstance(reference, SpecReference):
        return candidate, run_kernel(one, engine, "reference", contents)
    wanted = run_spec(reference, one.plan.candidate.launch(), contents)
    if one.plan.candidate.ctas is not None:  # only what the chosen CTAs write can be compared
        wanted = Side(wanted.numbers, candidate.written)
    return candidate, wanted


def allowed(dtype: str, candidate: Side, wanted: Side) -> float:
    """The tolerance of the coarsest format among the output's and those that a side rounds to; integers have none."""
    if dtype not in TOLERANCE:
        return 0.0
    return max(TOLERANCE[name] for name in (dtype, *candidate.rounded, *wanted.rounded))


def run_kernel(one: Combination, engine: Engine, side: str, contents: Mapping[str, Array]) -> Side:
    """One side's kernel, from the values of its `lower` and `unroll` steps."""
    kernel = one.plan.candidate if side == "candidate" else one.plan.reference
    assert isinstance(kernel, KernelPlan)
    module = engine.value(one.steps[side, "lower"]).module
    try:
        done = replay(module, engine.value(one.steps[side, "unroll"]), kernel.launch(), contents)
    except UnsupportedError as error:
        raise SideError(side, error) from None
    dtypes = {t.spec.name: t.spec.dtype for t in kernel.tensors}
    numbers = {name: to_numbers(array, dtypes[name]) for name, array in done.outputs.items()}
    return Side(numbers, done.written, done.rounded)


def run_spec(spec: SpecReference, launch: Launch, contents: Mapping[str, Array]) -> Side:
    """The NumPy function on the same inputs, floats in double precision, so that its own rounding does not show."""
    from volta_pipe.passes.trace.spec import running

    source = load_reference(spec)
    values = {
        tensor.name: to_numbers(_array(launch, index, contents), tensor.dtype).copy()
        for index, tensor in enumerate(launch.tensors)
        if tensor.role in ("in", "inout")
    }
    for scalar in launch.scalars:
        given = contents[scalar.name] if scalar.value is None else from_numbers(np.array([scalar.value]), scalar.dtype)
        values[scalar.name] = to_numbers(given, scalar.dtype).reshape(-1)[0]
    parameters = inspect.signature(source.function).parameters.values()
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        values = {p.name: values[p.name] for p in parameters if p.name in values}
    with running(source.path):
        result = source.function(**values | dict(source.options))
    outputs = [t for t in launch.tensors if t.role in ("out", "inout")]
    result = source.by_name(result, [t.name for t in outputs])
    if not isinstance(result, dict) or any(t.name not in result for t in outputs):
        raise InputError(f"{spec.text} does not return a dict of every out and inout tensor")
    numbers = {t.name: np.broadcast_to(np.asarray(result[t.name]), t.shape) for t in outputs}
    return Side(numbers, {name: np.ones(array.shape, np.bool_) for name, array in numbers.items()})


def _array(launch: Launch, index: int, contents: Mapping[str, Array]) -> Array:
    """The contents of a tensor before the launch: given, known, or those of the tensor whose memory it shares."""
    tensor = launch.tensors[index]
    if tensor.values is not None:
        return from_numbers(np.broadcast_to(tensor.values, tensor.shape), tensor.dtype)
    if tensor.name in contents:
        return contents[tensor.name]
    root = launch.tensors[tensor.alias_of]
    window = np.zeros(root.extent, np.uint8)
    places = root.element_offsets()[:, None] + np.arange(root.itemsize)
    window[places.reshape(-1)] = tensor_bytes(root, _array(launch, tensor.alias_of, contents))
    return from_bytes(tensor, window[tensor.element_offsets()[:, None] + np.arange(tensor.itemsize)])


def difference(name: str, dtype: str, candidate: Side, reference: Side, allowed: float) -> Difference:
    """Compares one output element by element; NaN is equal to NaN, an infinity to itself."""
    found, wanted = candidate.numbers[name], reference.numbers[name]
    there, expected = candidate.written[name], reference.written[name]
    if not found.size or not (there | expected).any():
        return Difference(name, 0.0, 0.0, (), 0, allowed)
    with np.errstate(all="ignore"):
        if DTYPES[dtype].kind == "f":
            x, y = found.astype(np.float64), wanted.astype(np.float64)
            gap = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0.0, np.abs(x - y))
        else:  # integers wrap in neither: compared as Python's
            gap = np.abs(found.astype(object) - wanted.astype(object)).astype(np.float64)
            y = wanted.astype(np.float64)
    gap = np.where(np.isnan(gap), np.inf, gap)
    gap = np.where(there & expected, gap, np.where(there != expected, np.inf, 0.0))
    finite = np.abs(y[np.isfinite(y) & expected])
    scale = float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    worst = int(np.argmax(gap))
    element = tuple(int(i) for i in np.unravel_index(worst, gap.shape))
    largest = float(gap.reshape(-1)[worst])
    return Difference(name, largest, largest / scale, element, int((there | expected).sum()), allowed)
