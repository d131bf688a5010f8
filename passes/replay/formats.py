"""Float formats: their fields, decoding to float64 (always exact), and flushing of subnormals.

NumPy's warnings about overflow and invalid operations mean nothing here: callers silence them (`np.errstate`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.passes.replay.bits import U64, full, singles

Array = np.ndarray[Any, np.dtype[Any]]
_ONE = U64(1)


@dataclass(frozen=True)
class Format:
    """`exponent`, `fraction`: bits of the fields; `bias`; `nan`: the canonical NaN (PTX ISA 9.7.3, 9.7.4, 9.7.9.21);
    `low`: zero bits below the fraction (tf32 lies in the upper 19 bits of 32). `ieee`: the top exponent holds infinities and
    NaNs; without it (e4m3, OCP FP8) only the all-ones pattern is a NaN and there are no infinities."""

    name: str
    exponent: int
    fraction: int
    bias: int
    nan: int
    low: int = 0
    ieee: bool = True

    @property
    def width(self) -> int:
        """Bits of a value, with those below the fraction."""
        return 1 + self.exponent + self.fraction + self.low

    @property
    def sign_bit(self) -> np.uint64:
        return U64(1 << (self.width - 1))

    @property
    def infinity(self) -> int:
        """The bits of +infinity."""
        return ((1 << self.exponent) - 1) << (self.fraction + self.low)

    @property
    def largest(self) -> int:
        """The bits of the largest finite number."""
        if self.ieee:
            return self.infinity - (1 << self.low)
        return (1 << (self.exponent + self.fraction)) - 2

    @property
    def least_exponent(self) -> int:
        """Exponent of the unit in the last place of subnormals."""
        return 1 - self.bias - self.fraction


F64 = Format("f64", 11, 52, 1023, 0x7FF8000000000000)
F32 = Format("f32", 8, 23, 127, 0x7FFFFFFF)
TF32 = Format("tf32", 8, 10, 127, 0x7FFFE000, low=13)
F16 = Format("f16", 5, 10, 15, 0x7FFF)
BF16 = Format("bf16", 8, 7, 127, 0x7FFF)
E4M3 = Format("e4m3", 4, 3, 7, 0x7F, ieee=False)
E5M2 = Format("e5m2", 5, 2, 15, 0x7F)
FORMATS = {f.name: f for f in (F64, F32, TF32, F16, BF16, E4M3, E5M2)}


def decode(x: Array, fmt: Format) -> Array:
    """Bits to float64, exactly; NaNs to NaN. The bits above the format's width are ignored."""
    if fmt is F64:
        return np.ascontiguousarray(x).view(np.float64)
    if fmt is not E4M3:
        return _native_value(x, fmt).astype(np.float64)
    field = (x >> U64(fmt.fraction)) & full(fmt.exponent)
    fraction = x & full(fmt.fraction)
    normal = field != 0
    mantissa = (fraction + (normal.astype(np.uint64) << U64(fmt.fraction))).astype(np.float64)
    power = np.where(normal, field, _ONE).astype(np.int32) - np.int32(fmt.bias + fmt.fraction)
    value = np.ldexp(mantissa, power)
    value = np.where((x & full(fmt.width - 1)) == full(fmt.width - 1), np.nan, value)
    return np.where((x & fmt.sign_bit) != 0, -value, value)


def _native_value(x: Array, fmt: Format) -> Array:
    """A float32 or float16 array of the same values: bf16 is the upper half of an f32, e5m2 the upper byte of an f16."""
    if fmt is BF16:
        return (x.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if fmt is F16:
        return x.astype(np.uint16).view(np.float16)
    if fmt is E5M2:
        return (x.astype(np.uint16) << np.uint16(8)).view(np.float16)
    return singles(np.ascontiguousarray(x))


def is_subnormal(x: Array, fmt: Format) -> Array:
    """Where bits are a subnormal number of the format."""
    field = (x >> U64(fmt.fraction + fmt.low)) & full(fmt.exponent)
    small: Array = (field == 0) & ((x & full(fmt.fraction + fmt.low)) != 0)
    return small


def flush(x: Array, fmt: Format) -> Array:
    """Subnormal numbers become zeros of their sign (.ftz)."""
    if fmt is F32 and np.abs(singles(x)).min() >= np.float32(2.0**-126):  # the usual case; false where there is a NaN
        return x
    small = is_subnormal(x, fmt)
    return np.where(small, x & fmt.sign_bit, x) if small.any() else x
