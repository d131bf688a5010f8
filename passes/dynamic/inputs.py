"""What a trial draws: contents of the in and inout tensors and of the scalars, from the kind of the trial and a seed.

Numbers are short in binary wherever the kind allows it, so that a counterexample can be read. A tensor's `range` holds for
every kind: what lies outside is clipped, as the contract promises that no such input comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from volta_pipe.ir.launch import Launch
from volta_pipe.passes.replay import from_numbers
from volta_pipe.passes.replay.formats import FORMATS, decode

Array = np.ndarray[Any, np.dtype[Any]]
# Kind and seed, the most telling first: fewer are run where a run is dear.
TRIALS = (
    ("normal", 0), ("uniform", 0), ("ones", 0), ("large", 0), ("one-hot", 0), ("zeros", 0), ("small", 0), ("normal", 1),
    ("uniform", 1), ("subnormal", 0), ("one-hot", 1), ("normal", 2),
)  # fmt: skip
# Where the contract's numerics.nonfinite is "ieee": one such number in one tensor, in the first, second or third of floats.
NONFINITE = tuple((kind, place) for place in range(3) for kind in ("infinity", "negative infinity", "nan"))
_SPECIAL = {"infinity": np.inf, "negative infinity": -np.inf, "nan": np.nan}
SCALE = {"large": 100.0, "small": 1 / 128}  # small: about 0.01, and exact in every format
_GRAIN = 64  # normal draws are multiples of 1/64
_USUAL = 2.0  # the bound of uniform draws without a range


def draw(launch: Launch, ranges: Mapping[str, tuple[float, float]], kind: str, seed: int) -> dict[str, Array]:
    """Contents by name, in the dtypes of `replay`. Each tensor depends on the seed and its own name, so that an order of the
    tensors means nothing. Tensors that share memory have the contents of the first of them."""
    found: dict[str, Array] = {}
    floats = [t.name for t in launch.tensors if t.role in ("in", "inout") and t.values is None and t.dtype in FORMATS]
    for tensor in launch.tensors:
        shared = tensor.alias_of >= 0 and launch.tensors[tensor.alias_of].name in found
        if tensor.role not in ("in", "inout") or tensor.values is not None or shared:
            continue
        rng = np.random.default_rng([seed, *tensor.name.encode()])
        if tensor.dtype not in FORMATS:
            found[tensor.name] = _integers(rng, kind, tensor.dtype, tensor.shape, ranges.get(tensor.name))
            continue
        numbers = _floats(rng, "normal" if kind in _SPECIAL else kind, tensor.dtype, tensor.shape, ranges.get(tensor.name))
        special = kind in _SPECIAL and (FORMATS[tensor.dtype].ieee or kind == "nan")
        if special and floats[seed % len(floats)] == tensor.name and numbers.size:
            numbers.reshape(-1)[rng.integers(numbers.size)] = _SPECIAL[kind]
        found[tensor.name] = from_numbers(numbers, tensor.dtype)
    for scalar in launch.scalars:
        if scalar.value is None:  # above 0, as scales and epsilons are
            rng = np.random.default_rng([seed, *scalar.name.encode()])
            number = rng.integers(1, 33, 1) / 16 if scalar.dtype in FORMATS else rng.integers(1, 9, 1)
            found[scalar.name] = from_numbers(number, scalar.dtype)
    return found


def largest(dtype: str) -> float:
    """The largest finite number of a float dtype."""
    return float(decode(np.array([FORMATS[dtype].largest], np.uint64), FORMATS[dtype])[0])


def integer_bounds(dtype: str) -> tuple[int, int]:
    """The least and the largest integer of an integer dtype."""
    bits = int(dtype[1:])
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dtype[0] == "s" else (0, (1 << bits) - 1)


def _floats(
    rng: np.random.Generator, kind: str, dtype: str, shape: tuple[int, ...], spread: tuple[float, float] | None
) -> Array:
    """float64 of the shape, before they are rounded to the dtype."""
    low, high = spread or (-_USUAL, _USUAL)
    form = FORMATS[dtype]
    numbers: Array
    if kind == "uniform":
        numbers = low + (high - low) * rng.integers(0, 1025, shape) / 1024
    elif kind == "zeros":
        numbers = np.zeros(shape)
    elif kind == "ones":
        numbers = np.ones(shape)
    elif kind == "one-hot":
        numbers = np.zeros(shape)
        numbers.reshape(-1)[rng.integers(max(numbers.size, 1))] = 1.0
    elif kind == "subnormal":
        below = 1 << form.fraction
        numbers = np.ldexp(rng.integers(-below + 1, below, shape).astype(np.float64), form.least_exponent)
    else:
        numbers = np.round(rng.standard_normal(shape) * _GRAIN) / _GRAIN * SCALE.get(kind, 1.0)
    if spread is not None:
        numbers = np.clip(numbers, *spread)
    most = largest(dtype)
    return np.clip(numbers, -most, most)


def _integers(
    rng: np.random.Generator, kind: str, dtype: str, shape: tuple[int, ...], spread: tuple[float, float] | None
) -> Array:
    """Integers of the shape and dtype. Uniform: the range, or all of the dtype; subnormal: the ends of it."""
    low, high = integer_bounds(dtype)
    first, last = (low, high) if spread is None else (max(low, int(np.ceil(spread[0]))), min(high, int(np.floor(spread[1]))))
    whole = np.dtype(np.uint64 if dtype == "u64" else np.int64)
    clip: Callable[[Array], Array] = lambda x: np.clip(x.astype(whole), first, last)  # noqa: E731
    if first > last:  # the contract's range holds no integer
        return from_numbers(np.zeros(shape, np.int64), dtype)
    if kind == "uniform":
        return from_numbers(rng.integers(first, last, shape, dtype=whole.type, endpoint=True), dtype)
    if kind == "subnormal":
        return from_numbers(rng.choice(np.array([first, last], whole), shape), dtype)
    numbers = np.zeros(shape, np.int64)
    if kind == "ones":
        numbers += 1
    elif kind == "one-hot" and numbers.size:
        numbers.reshape(-1)[rng.integers(numbers.size)] = 1
    elif kind == "small":
        numbers = rng.integers(-1, 2, shape)
    elif kind != "zeros":
        numbers = np.round(rng.standard_normal(shape) * 4 * SCALE.get(kind, 1.0)).astype(np.int64)
    return from_numbers(clip(np.maximum(numbers, min(first, 0)) if dtype[0] != "s" else numbers), dtype)
