"""What both sides of a contract compute on random inputs, each in two ways: run, and as the expressions of the proof."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from contracts_evaluate import evaluate

from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.dtypes import DTYPES
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.inputs import random_contents
from volta_pipe.driver.pipeline import Combination
from volta_pipe.driver.replaying import Side, allowed, difference, run_kernel, run_spec
from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.replay import from_numbers, to_numbers

Array = np.ndarray[Any, np.dtype[Any]]
# How far double precision, with the constants of the kernel's own format, is from the spec in double precision, relative to the
# largest number of the output.
EXACT = 1e-6


def inputs_of(launch: Launch, contents: Mapping[str, Array]) -> dict[str, Array]:
    """The numbers of all inputs whose contents are drawn, by name. Tensors that share memory have one shape here."""
    found = {}
    for tensor in launch.tensors:
        name = launch.tensors[tensor.alias_of].name if tensor.alias_of >= 0 else tensor.name
        if name in contents:
            assert contents[name].shape == tensor.shape
            found[tensor.name] = to_numbers(contents[name], tensor.dtype)
    return found | {s.name: to_numbers(contents[s.name], s.dtype) for s in launch.scalars if s.name in contents}


def evaluated(conditions: Conditions, launch: Launch, contents: Mapping[str, Array]) -> Side:
    """The expressions of one side at these contents."""
    shapes = {tensor.name: tensor.shape for tensor in launch.tensors}
    found = evaluate(conditions, inputs_of(launch, contents))
    return Side(
        {name: numbers.reshape(shapes[name]) for name, (numbers, _) in found.items()},
        {name: written.reshape(shapes[name]) for name, (_, written) in found.items()},
    )


class Sides:
    """What one combination computes on the contents of a seed. `spec`: by NumPy; `kernel`: by the executor; `of_spec`,
    `of_kernel`: the expressions of each, evaluated."""

    def __init__(self, one: Combination, engine: Engine, seed: int, factor: float = 1) -> None:
        plan = one.plan
        assert isinstance(plan.reference, SpecReference)
        launch = plan.candidate.launch()
        contents = random_contents(plan.candidate, seed)
        for tensor in launch.tensors:
            if factor != 1 and tensor.name in contents and DTYPES[tensor.dtype].kind == "f":
                numbers = to_numbers(contents[tensor.name], tensor.dtype)
                contents[tensor.name] = from_numbers(numbers * factor, tensor.dtype)
        self.dtypes = {tensor.name: tensor.dtype for tensor in launch.tensors}
        self.kernel = run_kernel(one, engine, "candidate", contents)
        self.spec = run_spec(plan.reference, launch, contents)
        self.of_spec = evaluated(engine.value(one.steps["reference", "trace"]), launch, contents)
        self.of_kernel = evaluated(engine.value(one.steps["candidate", "vc"]), launch, contents)
        assert self.kernel.numbers.keys() == self.spec.numbers.keys() == self.of_spec.numbers.keys()

    def apart(self, found: Side, wanted: Side, tolerance: float | None = None) -> list[str]:
        """The outputs in which two of them differ; without a tolerance that of the formats which the kernel rounds to."""
        lines = []
        for name, dtype in self.dtypes.items():
            if name not in self.kernel.numbers:
                continue
            most = allowed(dtype, self.kernel, self.spec) if tolerance is None else tolerance
            most = most if DTYPES[dtype].kind == "f" else 0
            gap = difference(name, dtype, found, wanted, most)
            assert gap.compared > 0
            if not gap.close:
                lines.append(f"{name}{list(gap.element)}: {gap.largest:g} apart, {gap.relative:g} of the largest")
        return lines
