"""Float formats: their fields, decoding to float64 (always exact), and rounding into them.

NumPy's warnings about overflow and invalid operations mean nothing here: callers silence them (`np.errstate`).

Rounding starts from sign, a 64-bit integer and an exponent (`pack`): the value is integer · 2^exponent. Where bits were lost
below the integer its lowest bit is set (sticky), which is exact in every mode as long as the integer has three bits more
than the format (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", the same idea as rounding to odd)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.passes.replay.bits import U64, bit_length, full, shift_right_sticky, singles

Array = np.ndarray[Any, np.dtype[Any]]
MODES = ("rn", "rz", "rm", "rp", "rna")
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


def pack(sign: Array, mantissa: Array, exponent: Array, fmt: Format, mode: str, *, finite: bool = False) -> Array:
    """The format's bits of (-1)^sign · mantissa · 2^exponent, rounded.

    sign bool, mantissa uint64 with a sticky lowest bit, exponent int64. mode: one of MODES. `finite`: what is too large becomes
    the largest finite number (.satfinite) in every mode. Zero mantissas give zeros of the sign."""
    top = bit_length(mantissa) + exponent - 1  # exponent of the leading bit
    unit = np.maximum(top - fmt.fraction, fmt.least_exponent)  # of the last place of the result
    drop = unit - exponent
    # Two guard bits: the half and the sticky one. Where there are none to drop, the value is exact after a shift to the left.
    left = np.clip(2 - drop, 0, 63).astype(np.uint64)
    kept = np.where(drop < 2, mantissa << left, shift_right_sticky(mantissa, np.maximum(drop - 2, 0)))
    guard = kept & U64(3)
    whole = kept >> U64(2)
    if mode == "rn":
        up = (guard == 3) | ((guard == 2) & ((whole & _ONE) == 1))
    elif mode == "rna":
        up = guard >= 2
    elif mode == "rz":
        up = np.zeros(len(guard), np.bool_)
    else:
        up = (guard != 0) & (sign == (mode == "rm"))
    whole = whole + up.astype(np.uint64)
    # A normal number's leading bit adds one to the exponent field; rounding up to the next binade carries into it, too.
    field = (unit - fmt.least_exponent).astype(np.uint64)
    bits = ((field << U64(fmt.fraction)) + whole) << U64(fmt.low)
    bits = np.where(mantissa == 0, U64(0), bits)
    over = (bits > U64(fmt.largest)) | (unit - fmt.least_exponent >= (1 << fmt.exponent))
    if finite or mode == "rz":
        limit = np.full(len(bits), fmt.largest, np.uint64)
    else:
        beyond = U64(fmt.infinity if fmt.ieee else fmt.nan)
        towards = np.ones(len(bits), np.bool_) if mode in ("rn", "rna") else sign == (mode == "rm")
        limit = np.where(towards, beyond, U64(fmt.largest))
    bits = np.where(over & (mantissa != 0), limit, bits)
    return bits | np.where(sign, fmt.sign_bit, U64(0))


def unpack(x: Array) -> tuple[Array, Array, Array]:
    """(sign, mantissa, exponent) of finite float64 numbers: bool, uint64 below 2^53, int64; value = mantissa · 2^exponent."""
    raw = np.ascontiguousarray(x).view(np.uint64)
    field = (raw >> U64(52)) & U64(0x7FF)
    normal = field != 0
    mantissa = (raw & full(52)) | (normal.astype(np.uint64) << U64(52))
    exponent = np.where(normal, field, _ONE).astype(np.int64) - 1075
    return (raw >> U64(63)) == 1, mantissa, exponent


def encode(x: Array, fmt: Format, mode: str = "rn", *, finite: bool = False) -> Array:
    """float64 numbers rounded into the format: bits. Infinities stay, or become the largest finite number with `finite`;
    NaN becomes the canonical NaN."""
    if fmt is F64 or (mode == "rn" and not finite and fmt in (F32, F16)):
        bits = _native(x, fmt)
    elif mode == "rn" and not finite and fmt is BF16:
        bits = _brief(x)
    else:
        bits = pack(*unpack(x), fmt, mode, finite=finite)
        if np.isinf(x).any():
            edge = U64(fmt.largest if finite else fmt.infinity if fmt.ieee else fmt.nan)
            bits = np.where(np.isinf(x), edge | np.where(np.signbit(x), fmt.sign_bit, U64(0)), bits)
    nan = np.isnan(x)
    return np.where(nan, U64(fmt.nan), bits) if nan.any() else bits


def _native(x: Array, fmt: Format) -> Array:
    """Round to nearest by NumPy's own conversions from float64, which round once."""
    if fmt is F64:
        return np.ascontiguousarray(x).view(np.uint64).copy()
    bits = np.zeros(len(x), np.uint64)
    if fmt is F32:
        singles(bits)[:] = x
    else:
        bits[:] = x.astype(np.float16).view(np.uint16)
    return bits


def _brief(x: Array) -> Array:
    """Round to nearest bf16: the 45 lowest bits of the float64 are rounded away by an addition, which carries as it should;
    numbers so small that they are subnormal lose more, and are packed one by one."""
    raw = np.ascontiguousarray(x).view(np.uint64)
    rounded = (raw + (full(44) + ((raw >> U64(45)) & _ONE))) & ~full(45)
    bits = np.zeros(len(x), np.uint64)
    singles(bits)[:] = rounded.view(np.float64)
    bits >>= U64(16)
    small = (np.abs(x) < 2.0**-126) & (x != 0)
    if small.any():
        bits[small] = pack(*unpack(x[small]), BF16, "rn")
    infinite = np.isinf(x)
    return np.where(infinite, np.where(x < 0, U64(0xFF80), U64(0x7F80)), bits) if infinite.any() else bits


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
