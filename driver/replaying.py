"""Both sides of a contract on concrete inputs, and how far their outputs are apart."""

from __future__ import annotations

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
from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.dynamic import Function, Kernel, Side, default_tolerance

Array = np.ndarray[Any, np.dtype[Any]]


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
        wanted = Side(wanted.numbers, candidate.stored)
        candidate = Side(candidate.numbers, candidate.stored, candidate.rounded)
    return candidate, wanted


def allowed(dtype: str, candidate: Side, wanted: Side) -> float:
    """The tolerance of the coarsest format among the output's and those that a side rounds to; integers have none."""
    return default_tolerance(dtype, (*candidate.rounded, *wanted.rounded))


def run_kernel(one: Combination, engine: Engine, side: str, contents: Mapping[str, Array]) -> Side:
    """One side's kernel, from the values of its `lower` and `unroll` steps."""
    kernel = one.plan.candidate if side == "candidate" else one.plan.reference
    assert isinstance(kernel, KernelPlan)
    flat = engine.value(one.steps[side, "lower"]).made.kernel
    try:
        return Kernel(flat, engine.value(one.steps[side, "unroll"]), kernel.launch())([contents])[0]
    except UnsupportedError as error:
        raise SideError(side, error) from None


def run_spec(spec: SpecReference, launch: Launch, contents: Mapping[str, Array]) -> Side:
    """The NumPy function on the same inputs, floats in double precision. Errors: InputError with its line."""
    return Function(load_reference(spec), launch)([contents])[0]


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
