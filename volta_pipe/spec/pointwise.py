"""Functions of each element by itself, and what all of the library starts with: an array in a format to compute in."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def wide(x: Array) -> Array:
    """x as floats of at least 32 bits: float16 as float32, float32 and float64 as they are, integers as NumPy widens them."""
    return x.astype(np.result_type(x.dtype, np.float32))


def erf(x: Array) -> Array:
    """2 / sqrt(pi) times the integral of e^(-t²) from 0 to x, elementwise; x of any shape.

    NumPy has none: plain arrays go through the standard library's, one element after the other. An array of another kind
    computes it itself, as `x.erf()`. Source: NIST Digital Library of Mathematical Functions, 7.2.1."""
    x = wide(x)
    own = getattr(x, "erf", None)
    if own is not None:
        result: Array = own()
        return result
    return np.asarray(np.vectorize(math.erf, otypes=[x.dtype])(x))


def relu(x: Array) -> Array:
    """max(x, 0), elementwise; x of any shape and dtype, which is kept."""
    return np.maximum(x, 0)


def silu(x: Array) -> Array:
    """x / (1 + e^-x), elementwise, also known as swish; x of any shape.

    Source: Elfwing, Uchibe, Doya, "Sigmoid-weighted linear units" (arXiv 1702.03118), section 2."""
    x = wide(x)
    return x / (1 + np.exp(-x))


def gelu(x: Array, approximate: Literal["none", "tanh"] = "none") -> Array:
    """x Φ(x), elementwise, Φ the distribution function of the standard normal; x of any shape.

    approximate "none": x/2 (1 + erf(x / sqrt 2)), which is exact; "tanh": x/2 (1 + tanh(sqrt(2/π) (x + 0.044715 x³))).
    Source: Hendrycks, Gimpel, "Gaussian error linear units" (arXiv 1606.08415), section 2."""
    x = wide(x)
    if approximate == "none":
        return x / 2 * (1 + erf(x * math.sqrt(0.5)))
    if approximate != "tanh":
        raise ValueError(f'approximate is "none" or "tanh", not {approximate!r}')
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))
