"""A counterexample on both sides with the rounding of PTX: does a difference between real functions show in floating point?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from volta_pipe.driver.dtypes import DTYPES
from volta_pipe.driver.elements import element_name, unravel
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.findings import shapes
from volta_pipe.driver.inputs import random_contents
from volta_pipe.driver.pipeline import Combination
from volta_pipe.driver.replaying import allowed, both_sides
from volta_pipe.passes.dynamic.minimise import zeros_of
from volta_pipe.passes.replay import from_numbers, to_numbers


@dataclass(frozen=True)
class Shown:
    """Both sides at a counterexample. `inputs`: element and value; `matters`: those whose change was seen to matter;
    `rounded`: those that their dtype does not hold exactly; `reference`, `candidate`: the numbers of the element; `relative`:
    their distance by the larger of the two; `allowed`: as of `replay`."""

    element: str
    inputs: dict[str, str]
    matters: tuple[str, ...]
    rounded: tuple[str, ...]
    reference: float | int
    candidate: float | int
    relative: float
    allowed: float

    @property
    def close(self) -> bool:
        return self.relative <= self.allowed


def counterexample_of(one: Combination) -> Mapping[str, Any] | None:
    """The counterexample that `decide` or `dynamic` found on a combination, in the form of the summary of `decide`; `zeros`:
    what it does not name is 0, or the nearest to it in its range."""
    step = one.steps.get(("both", "decide"))
    if step is not None and not step.error:
        return step.summary.get("counterexample")
    step = one.steps.get(("both", "dynamic"))
    if step is None or step.error or step.summary["mismatch"] is None:
        return None
    data = step.summary["mismatch"]
    return {**data, "matters": [(name, flat) for name, flat, _ in data["inputs"]], "zeros": True}


def replay_counterexample(one: Combination, engine: Engine, data: Mapping[str, Any], tolerance: float | None) -> Shown:
    """Runs both sides on the inputs of `data`; what neither side's element depends on is drawn at random.

    Errors: SideError where an instruction has no concrete meaning."""
    plan = one.plan.candidate
    known = shapes(one)
    dtypes = {t.spec.name: t.spec.dtype for t in plan.tensors} | {name: dtype for name, dtype, _ in plan.scalars}
    contents = random_contents(plan, 0)
    if data.get("zeros"):
        contents = zeros_of(contents, dtypes, plan.ranges())
    inputs: dict[str, str] = {}
    rounded: list[str] = []
    for name, flat, value in data["inputs"]:
        text = element_name(str(name), int(flat), known)
        inputs[text] = str(value)
        if name in contents and not _put(contents[name], int(flat), str(value), dtypes[name]):
            rounded.append(text)
    tensor = str(data["tensor"])
    index = tuple(unravel(int(data["element"]), known[tensor]))
    sides = both_sides(one, engine, contents)
    assert sides is not None  # without a reference there is no counterexample
    candidate, reference = (side.numbers[tensor][index].item() for side in sides)
    most = allowed(dtypes[tensor], *sides) if tolerance is None else tolerance
    element = element_name(tensor, int(data["element"]), known)
    matters = tuple(element_name(str(name), int(flat), known) for name, flat in data["matters"])
    return Shown(element, inputs, matters, tuple(rounded), reference, candidate, _distance(reference, candidate), most)


def _put(stored: Any, flat: int, text: str, dtype: str) -> bool:
    """Writes a number into contents, rounded to their dtype; whether it is exactly that number."""
    if text in ("inf", "-inf", "nan"):
        stored.reshape(-1)[max(flat, 0)] = from_numbers(np.array([float(text)]), dtype)[0]
        return True
    value = Fraction(text)
    number = float(value) if DTYPES[dtype].kind == "f" else round(value)
    one = from_numbers(np.array([number]), dtype)
    stored.reshape(-1)[max(flat, 0)] = one[0]
    held = to_numbers(one, dtype)[0].item()
    return bool(np.isfinite(held)) and Fraction(held) == value


def _distance(x: float | int, y: float | int) -> float:
    if x == y or (np.isnan(x) and np.isnan(y)):
        return 0.0
    gap, most = abs(float(x) - float(y)), max(abs(float(x)), abs(float(y)))
    return gap / most if np.isfinite(gap) else float("inf")
