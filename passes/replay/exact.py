"""Sums, products, quotients and square roots rounded once, in any mode, to any format, from float64 operands.

All operands of all formats are exact float64 numbers. The arithmetic is on integers of 128 bits (two uint64 arrays) with a
sticky bit, which no case escapes: no overflow or underflow of intermediate results, no double rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.passes.replay.bits import U64, bit_length, full
from volta_pipe.passes.replay.encode import encode, pack, unpack
from volta_pipe.passes.replay.formats import Format

Array = np.ndarray[Any, np.dtype[Any]]
_32 = U64(32)
_LOW = full(32)


def multiply_wide(a: Array, b: Array) -> tuple[Array, Array]:
    """The 128-bit product of uint64 arrays: (high, low)."""
    a0, a1, b0, b1 = a & _LOW, a >> _32, b & _LOW, b >> _32
    t = a0 * b0
    u = a1 * b0 + (t >> _32)
    v = a0 * b1 + (u & _LOW)
    return a1 * b1 + (u >> _32) + (v >> _32), (v << _32) | (t & _LOW)


def _shift_left(high: Array, low: Array, by: Array) -> tuple[Array, Array]:
    """128-bit shift; `by` int64 from 0 to 127."""
    far = by >= 64
    n = (by & 63).astype(np.uint64)
    over = np.where(n == 0, U64(0), low >> ((U64(64) - n) & U64(63)))
    near_high = (high << n) | over
    return np.where(far, low << n, near_high), np.where(far, U64(0), low << n)


def _shift_right(high: Array, low: Array, by: Array) -> tuple[Array, Array]:
    """128-bit shift with a sticky lowest bit; `by` int64, 0 or more."""
    huge = by >= 128
    n = np.minimum(by, 127)
    far = n >= 64
    k = (n & 63).astype(np.uint64)
    over = np.where(k == 0, U64(0), high << ((U64(64) - k) & U64(63)))
    lost_low = low & ((U64(1) << k) - U64(1))
    lost_high = high & ((U64(1) << k) - U64(1))
    out_low = np.where(far, high >> k, (low >> k) | over)
    out_high = np.where(far, U64(0), high >> k)
    lost = np.where(far, (low != 0) | (lost_high != 0), lost_low != 0)
    lost = np.where(huge, (high != 0) | (low != 0), lost)
    zero = U64(0)
    return np.where(huge, zero, out_high), np.where(huge, zero, out_low) | lost.astype(np.uint64)


def _normalise(high: Array, low: Array, exponent: Array, bits: int = 126) -> tuple[Array, Array, Array]:
    """Shifts to `bits` bits (126: a sum of two has room); zeros get a very small exponent."""
    length = np.where(high != 0, bit_length(high) + 64, bit_length(low))
    up = bits - length
    high, low = _shift_left(high, low, np.where(length == 0, 0, up))
    return high, low, np.where(length == 0, -(1 << 40), exponent - up)


def _to_word(high: Array, low: Array, exponent: Array) -> tuple[Array, Array]:
    """A 128-bit integer as 64 bits with a sticky bit, and its exponent."""
    return high | (low != 0).astype(np.uint64), exponent + 64


def fused(a: Array, b: Array, c: Array, fmt: Format, mode: str) -> Array:
    """a·b + c of float64 arrays, rounded once: bits of the format. NaN is canonical. An exact zero is +0, or -0 when rounding
    down, unless product and c are zeros of one sign (IEEE 754, 6.3)."""
    with np.errstate(all="ignore"):  # a finite product may overflow here, but an infinite c decides
        native = np.where(np.isfinite(a) & np.isfinite(b), c, a * b + c)
    special = ~(np.isfinite(a) & np.isfinite(b) & np.isfinite(c))
    sa, ma, ea = unpack(a)
    sb, mb, eb = unpack(b)
    sc, mc, ec = unpack(c)
    sp = sa != sb
    ph, pl, pe = _normalise(*multiply_wide(ma, mb), ea + eb)
    ch, cl, ce = _normalise(np.zeros(len(mc), np.uint64), mc, ec)
    exponent = np.maximum(pe, ce)
    ph, pl = _shift_right(ph, pl, exponent - pe)
    ch, cl = _shift_right(ch, cl, exponent - ce)
    minus = sp != sc
    sum_low = pl + cl
    sum_high = ph + ch + (sum_low < pl).astype(np.uint64)
    bigger = (ph > ch) | ((ph == ch) & (pl >= cl))
    xh, xl = np.where(bigger, ph, ch), np.where(bigger, pl, cl)
    yh, yl = np.where(bigger, ch, ph), np.where(bigger, cl, pl)
    high = np.where(minus, xh - yh - (xl < yl).astype(np.uint64), sum_high)
    low = np.where(minus, xl - yl, sum_low)
    sign = np.where(bigger, sp, sc)
    zero = (high == 0) & (low == 0)
    sign = np.where(zero & minus, mode == "rm", sign)
    high, low, exponent = _normalise(high, low, exponent, 127)
    word, exponent = _to_word(high, low, exponent)
    bits = pack(sign, word, exponent, fmt, mode)
    return np.where(special, encode(np.where(special, native, 0.0), fmt), bits) if special.any() else bits


def product(a: Array, b: Array, fmt: Format, mode: str) -> Array:
    """a·b, rounded once."""
    with np.errstate(all="ignore"):
        native = a * b
    special = ~(np.isfinite(a) & np.isfinite(b))
    sa, ma, ea = unpack(a)
    sb, mb, eb = unpack(b)
    word, exponent = _to_word(*_normalise(*multiply_wide(ma, mb), ea + eb))
    bits = pack(sa != sb, word, exponent, fmt, mode)
    return np.where(special, encode(np.where(special, native, 0.0), fmt), bits) if special.any() else bits


def quotient(a: Array, b: Array, fmt: Format, mode: str) -> Array:
    """a/b, rounded once; long division, 11 bits of the quotient a step."""
    with np.errstate(all="ignore"):
        native = a / b
    special = ~(np.isfinite(a) & np.isfinite(b)) | (b == 0)
    sa, ma, ea = unpack(a)
    sb, mb, eb = unpack(np.where(b == 0, 1.0, b))
    # Both leading bits at 52, so that the quotient has 55 or 56 bits.
    up_a, up_b = 53 - bit_length(ma), 53 - bit_length(mb)
    up_a = np.where(ma == 0, 0, up_a)
    ma, mb = ma << up_a.astype(np.uint64), mb << up_b.astype(np.uint64)
    exponent = (ea - up_a) - (eb - up_b) - 55
    whole = ma // mb
    rest = ma - whole * mb
    for _ in range(5):
        rest = rest << U64(11)
        digit = rest // mb
        rest = rest - digit * mb
        whole = (whole << U64(11)) | digit
    word = (whole << U64(1)) | (rest != 0).astype(np.uint64)
    bits = pack(sa != sb, word, exponent - 1, fmt, mode)
    return np.where(special, encode(np.where(special, native, 0.0), fmt), bits) if special.any() else bits


def root(a: Array, fmt: Format, mode: str) -> Array:
    """The square root, rounded once: the float64 root gives the integer root of a 64-bit scaling, corrected exactly."""
    with np.errstate(all="ignore"):
        native = np.sqrt(a)
    special = ~(np.isfinite(a) & (a > 0))
    _, m, e = unpack(np.where(special, 1.0, a))
    # m · 2^e = M · 2^(2k) with M of 115 or 116 bits, even exponent: an integer root of 58 bits.
    up = 116 - bit_length(m)
    up = up - ((e - up) & 1)
    high, low = _shift_left(np.zeros(len(m), np.uint64), m, up)
    guess = np.sqrt(np.ldexp(high.astype(np.float64), 64) + low.astype(np.float64)).astype(np.uint64)
    # The guess is off by a few units of 2^-53 relative, some 2^6: move it by halving steps to the integer below.
    guess = guess - U64(64)
    for step in (64, 32, 16, 8, 4, 2, 1):
        h, l = multiply_wide(guess + U64(step), guess + U64(step))
        below = (h < high) | ((h == high) & (l <= low))
        guess = guess + np.where(below, U64(step), U64(0))
    h, l = multiply_wide(guess, guess)
    inexact = (h != high) | (l != low)
    word = (guess << U64(1)) | inexact.astype(np.uint64)
    bits = pack(np.zeros(len(m), np.bool_), word, (e - up) // 2 - 1, fmt, mode)
    return np.where(special, encode(np.where(special, native, 0.0), fmt), bits) if special.any() else bits
