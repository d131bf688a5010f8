"""Extern functions whose meaning the contract gives: computed in double precision and rounded to nearest.

What the function itself does to the last bits is not known, so all that round are marked approximate."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.passes.replay.bits import masked
from volta_pipe.passes.replay.encode import encode
from volta_pipe.passes.replay.formats import decode
from volta_pipe.passes.replay.meaning.arithmetic import format_of
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]


def _erf(x: Array) -> Array:
    return np.array([math.erf(value) for value in x.tolist()], np.float64)


_FUNCTIONS: dict[str, Callable[..., Array]] = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1.0 / np.sqrt(x), "rcp": lambda x: 1.0 / x, "tanh": np.tanh, "erf": _erf,
    "sin": np.sin, "cos": np.cos, "pow": np.power, "fma": lambda x, y, z: x * y + z, "add": np.add, "sub": np.subtract,
    "mul": np.multiply, "div": np.divide, "max": np.fmax, "min": np.fmin, "abs": np.abs, "neg": np.negative,
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint,
}  # fmt: skip
_EXACT = frozenset({"max", "min", "abs", "neg", "floor", "ceil", "trunc", "rint"})


@meaning_for("extern", among("f32", "f64"))
def _extern(s: Spelling) -> Function:
    fmt, name = format_of(s), s.one_of(" ".join(_FUNCTIONS))
    s.need(name != "" and len(s.types) == 1)
    operate = _FUNCTIONS[name]
    s.approximate = name not in _EXACT

    def function(*operands: Array) -> tuple[Array, ...]:
        return (encode(operate(*(decode(masked(x, fmt.width), fmt) for x in operands)), fmt),)

    return function
