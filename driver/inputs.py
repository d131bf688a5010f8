"""Random contents of a contract's tensors and scalars, for running kernels on concrete inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.driver.dtypes import DTYPES, integer_range
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.passes.replay import from_numbers

Array = np.ndarray[Any, np.dtype[Any]]
# Without a `range`: floats are multiples of 1/16 up to 2 (scalars above 0), integers from -8 to 8 or 0 to 8.
_STEPS, _LARGEST, _SMALL = 16, 2, 8


def random_contents(plan: KernelPlan, seed: int) -> dict[str, Array]:
    """Contents by name of every in and inout tensor without `values` and of every scalar without `value`.

    Each depends on the seed and on its own name alone, so that both sides get the same."""
    found: dict[str, Array] = {}
    for tensor in plan.tensors:
        spec = tensor.spec
        if spec.role in ("in", "inout") and spec.values is None:
            numbers = _numbers(_generator(seed, spec.name), spec.dtype, tensor.shape, spec.range, positive=False)
            found[spec.name] = from_numbers(numbers, spec.dtype)
    for name, dtype, value in plan.scalars:
        if value is None:
            found[name] = from_numbers(_numbers(_generator(seed, name), dtype, (1,), None, positive=True), dtype)
    return _shared(plan, found)


def _shared(plan: KernelPlan, found: dict[str, Array]) -> dict[str, Array]:
    """Tensors that share memory keep the contents of the first of them only."""
    for tensor in plan.tensors:
        if tensor.alias_of >= 0 and plan.tensors[tensor.alias_of].spec.name in found:
            found.pop(tensor.spec.name, None)
    return found


def _generator(seed: int, name: str) -> np.random.Generator:
    return np.random.default_rng([seed, *name.encode()])


def _numbers(
    rng: np.random.Generator, dtype: str, shape: tuple[int, ...], spread: tuple[float, float] | None, *, positive: bool
) -> Array:
    kind = DTYPES[dtype].kind
    if kind == "f":
        if spread is not None:
            return rng.uniform(*spread, shape)
        low = 1 if positive else -_LARGEST * _STEPS
        return rng.integers(low, _LARGEST * _STEPS + 1, shape) / _STEPS
    low, high = integer_range(DTYPES[dtype])
    first, last = (-_SMALL, _SMALL) if spread is None else (int(np.ceil(spread[0])), int(np.floor(spread[1])))
    if positive:
        first = 1
    return rng.integers(max(low, first), min(high, last) + 1, shape)
