"""Float formats by number, and the value of the bits of those that neither NumPy nor numba computes with."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.compiled import float64, inner, int64

# A format's number is its width in bits; the second format of a width has one more.
F64, F32, F16, BF16, E4M3, E5M2 = int64(64), int64(32), int64(16), int64(17), int64(8), int64(9)
TF32 = int64(33)  # of what was rounded to it; registers hold it as a float32
# Format of each element type of a contract that is a float (tf32 is stored as a float32).
FORMATS = {"f64": 64, "f32": 32, "tf32": 32, "f16": 16, "bf16": 17, "e4m3": 8, "e5m2": 9}


@inner
def format_for(width: int, kind: int) -> int:
    """The format of a float type, or of the elements of a packed pair, from its width and kind (bytecode.signedness)."""
    if kind >= 4:
        width = width >> 1
    return int64(width if width >= 32 else width + (kind & 1))


@inner
def decode(bits: int, format: int) -> float:
    """The number that the low bits stand for (IEEE 754 binary16, bfloat16; OCP FP8: e4m3 has no infinity, e5m2 is like
    binary16)."""
    if format == F64:
        return float64(np.int64(bits).view(np.float64))
    if format == F32:
        return float64(np.int32(bits).view(np.float32))
    if format == BF16:
        return float64(np.int32(bits << 16).view(np.float32))
    width = int64(16) if format == F16 else int64(8)
    mantissa = int64(10) if format == F16 else int64(3) if format == E4M3 else int64(2)
    top = (int64(1) << (width - 1 - mantissa)) - 1  # the greatest exponent field
    fraction = bits & ((int64(1) << mantissa) - 1)
    exponent = (bits >> mantissa) & top
    sign = -1.0 if (bits >> (width - 1)) & 1 else 1.0
    if exponent == top and (format != E4M3 or fraction == 7):
        return sign * np.inf if fraction == 0 else np.nan
    bias = top >> 1
    if exponent == 0:
        return float64(sign * float64(fraction) * 2.0 ** float64(1 - bias - mantissa))
    return float64(sign * float64(fraction + (int64(1) << mantissa)) * 2.0 ** float64(exponent - bias - mantissa))
