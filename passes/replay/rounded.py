"""Sums and products rounded once by float64 arithmetic, where that is exact enough: the short ways beside exact.py.

Error-free transformations: Knuth's two-sum and Dekker's product with Veltkamp's splitting (Muller and others, Handbook of
Floating-Point Arithmetic, chapter 4), and rounding to odd (Boldo and Melquiond, Emulation of FMA and correctly rounded sums:
proved algorithms using rounding to odd, IEEE TC 2008). Lanes that could overflow or underflow on the way go to exact.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.passes.replay import exact
from volta_pipe.passes.replay.bits import U64, full
from volta_pipe.passes.replay.encode import encode
from volta_pipe.passes.replay.formats import F64, Format

Array = np.ndarray[Any, np.dtype[Any]]
# Veltkamp's splitter for 53 bits, 2^27 + 1.
_SPLITTER = 134217729.0
# Between these magnitudes no step of `fused_double` overflows or loses a bit below the subnormals (with room to spare).
_FACTOR, _LEAST, _MOST = 2.0**500, 2.0**-900, 2.0**1000


def two_sum(x: Array, y: Array) -> tuple[Array, Array]:
    """(fl(x + y), the exact error)."""
    s = x + y
    back = s - x
    return s, (x - (s - back)) + (y - back)


def two_product(x: Array, y: Array) -> tuple[Array, Array]:
    """(fl(x · y), the exact error)."""
    p = x * y
    c = _SPLITTER * x
    xh = c - (c - x)
    c = _SPLITTER * y
    yh = c - (c - y)
    xl, yl = x - xh, y - yh
    return p, xl * yl - (((p - xh * yh) - xl * yh) - xh * yl)


def to_odd(value: Array, error: Array) -> Array:
    """The float64 nearest to value + error, changed to the neighbour with an odd last bit where the sum is not exact: a later
    rounding to a format with at least two bits less then gives what one rounding would, in every mode."""
    raw = value.view(np.int64)
    lost = (np.abs(error) > 0) & ((raw & 1) == 0)
    if not lost.any():
        return value
    outwards = (error > 0) == (value > 0)
    step = np.where(lost, np.where(outwards, np.int64(1), np.int64(-1)), np.int64(0))
    return (raw + step).view(np.float64)


def fused(x: Array, y: Array, z: Array, fmt: Format, mode: str) -> Array:
    """x · y + z of float64 arrays that hold numbers of the format, rounded once: bits."""
    if fmt is not F64:
        return _fused_short(x, y, z, fmt) if mode == "rn" else _fused_odd(x * y, z, fmt, mode)
    return _fused_double(x, y, z) if mode == "rn" else exact.fused(x, y, z, fmt, mode)


def product(x: Array, y: Array, fmt: Format, mode: str) -> Array:
    """x · y, likewise; of formats of at most 26 bits the product is exact in float64."""
    return exact.product(x, y, fmt, mode) if fmt is F64 else encode(x * y, fmt, mode)


def _fused_odd(p: Array, z: Array, fmt: Format, mode: str) -> Array:
    """p + z of an exact product, in a directed mode."""
    value, error = two_sum(p, z)
    if mode == "rm":  # an exact zero is -0, unless both are +0
        value = np.where((value == 0) & (np.signbit(p) | np.signbit(z)), -0.0, value)
    return encode(to_odd(value, error), fmt, mode)


def _fused_short(x: Array, y: Array, z: Array, fmt: Format) -> Array:
    """To nearest, ties to even. The product is exact in float64. The sum is rounded to float64 and again to the format, which
    goes wrong only where the first rounding lands on the middle between two numbers of the format, or the result is subnormal:
    those lanes are looked at again."""
    p = x * y
    wide = p + z
    bits = encode(wide, fmt)
    drop = 52 - fmt.fraction
    doubtful = (wide.view(np.uint64) & full(drop)) == U64(1 << (drop - 1))
    least = 2.0 ** (2 - fmt.bias)
    size = np.abs(wide)
    if not (size.min() >= least) or doubtful.any():
        at = np.flatnonzero(doubtful | ((size < least) & (size != 0)))
        if len(at):
            value, error = two_sum(p[at], z[at])
            bits[at] = encode(to_odd(value, error), fmt)
    return bits


def _fused_double(a: Array, b: Array, c: Array) -> Array:
    """float64 to nearest (Boldo and Melquiond, algorithm 5)."""
    p, e = two_product(a, b)
    uh, ul = two_sum(c, e)
    th, tl = two_sum(p, uh)
    bits = encode(th + to_odd(*two_sum(tl, ul)), F64)
    size, addend = np.abs(p), np.abs(c)
    safe = (np.maximum(np.abs(a), np.abs(b)) < _FACTOR) & (size >= _LEAST) & (addend < _MOST)
    safe &= (addend >= _LEAST) | (addend == 0)
    if not safe.all():
        at = np.flatnonzero(~safe)
        bits[at] = exact.fused(a[at], b[at], c[at], F64, "rn")
    return bits
