"""Rounding into a float format: of float64 numbers, and of integers times a power of two.

`pack` starts from sign, a 64-bit integer and an exponent: the value is integer · 2^exponent. Where bits were lost below the
integer its lowest bit is set (sticky), which is exact in every mode as long as the integer has three bits more than the format
(Boldo and Melquiond, the same idea as rounding to odd). NumPy's warnings mean nothing here: callers silence them."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.passes.replay.bits import U64, bit_length, full, shift_right_sticky, singles
from volta_pipe.passes.replay.formats import F16, F32, F64, Format

Array = np.ndarray[Any, np.dtype[Any]]
MODES = ("rn", "rz", "rm", "rp", "rna")
_ONE = U64(1)


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
    over = ((bits > U64(fmt.largest)) | (unit - fmt.least_exponent >= (1 << fmt.exponent))) & (mantissa != 0)
    if over.any():
        bits[over] = _limit(sign[over], fmt, mode, finite)
    return bits | np.where(sign, fmt.sign_bit, U64(0))


def _limit(sign: Array, fmt: Format, mode: str, finite: bool) -> Array:
    """What numbers beyond the largest one become, without the sign."""
    largest, beyond = U64(fmt.largest), U64(fmt.infinity if fmt.ieee else fmt.nan)
    if finite or mode == "rz":
        return np.full(len(sign), largest)
    if mode in ("rn", "rna"):
        return np.full(len(sign), beyond)
    return np.where(sign == (mode == "rm"), beyond, largest)


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
    else:
        bits = _round_bits(x, fmt, mode, finite)
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


def _round_bits(x: Array, fmt: Format, mode: str, finite: bool) -> Array:
    """Rounds on the bits of the float64: what the format has no room for is cut off after an addition that carries as it
    should. Numbers that are subnormal in the format lose more bits, and are packed one by one. NaN gives any bits."""
    raw = np.ascontiguousarray(x).view(np.uint64)
    drop = 52 - fmt.fraction
    rest, half = full(drop), U64(1 << (drop - 1))
    if mode == "rn":
        cut = raw + (full(drop - 1) + ((raw >> U64(drop)) & _ONE))
    elif mode == "rna":
        cut = raw + half
    elif mode == "rz":
        cut = raw
    else:  # any bit that is cut off carries, away from zero, where that is the direction
        cut = raw + np.where(np.signbit(x) == (mode == "rm"), rest, U64(0))
    bits = ((cut & full(63)) >> U64(drop)) - U64((1023 - fmt.bias) << fmt.fraction)
    bits = bits << U64(fmt.low)
    size = np.abs(x)
    least = 2.0 ** (1 - fmt.bias)
    if not (size.min() >= least):
        bits[size == 0] = 0
        small = np.flatnonzero((size < least) & (size != 0))
        if len(small):
            bits[small] = pack(*unpack(x[small]), fmt, mode, finite=finite) & ~fmt.sign_bit
    over = (bits > U64(fmt.largest)) & (size >= least)
    if over.any():
        bits[over] = _limit(np.signbit(x[over]), fmt, mode, finite)
    return bits | np.where(np.signbit(x), fmt.sign_bit, U64(0))
