"""Division and roots: div rcp sqrt rsqrt (PTX ISA 9.7.3.8, 9.7.3.13 to 9.7.3.17).

With a rounding modifier the result is exact and rounded once. The approximations (.approx, .full) are computed in double
precision and rounded to nearest: hardware may give other last bits, so these forms are marked approximate."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.passes.replay import exact
from volta_pipe.passes.replay.bits import U64, full
from volta_pipe.passes.replay.encode import encode, pack, unpack
from volta_pipe.passes.replay.formats import F32, F64, Format, decode, flush
from volta_pipe.passes.replay.meaning.arithmetic import ROUNDINGS, finish, format_of, natively, source
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]
# NaNs of the gross approximations of f64 (PTX ISA 9.7.3.14, 9.7.3.17).
_GROSS_NAN = U64(0x7FFFFFFF00000000)


def rounding(s: Spelling) -> str:
    """One of the roundings, or approx, or full; takes it. Errors: UnsupportedError without any."""
    mode = s.one_of(f"{ROUNDINGS} approx full")
    s.need(mode != "", "needs a rounding")
    if mode in ("approx", "full"):
        s.approximate = True
    return mode


@meaning_for("div", among("f32", "f64"))
def _div(s: Spelling) -> Function:
    fmt, mode = format_of(s), rounding(s)
    s.need(fmt is F32 or mode in ROUNDINGS.split())
    ftz = "ftz" in s.rest
    after = finish(s, fmt)
    read = source(ftz, fmt)

    def function(a: Array, b: Array) -> tuple[Array, ...]:
        if mode == "rn":
            if ftz:
                a, b = flush(a, fmt), flush(b, fmt)
            return (after(natively(np.divide, fmt, a, b)),)
        x, y = read(a), read(b)
        if mode in ("approx", "full"):
            out = encode(x / y, F32)
            return (after(_far_divisor(x, y, out) if mode == "approx" else out),)
        return (after(exact.quotient(x, y, fmt, mode)),)

    return function


def _far_divisor(x: Array, y: Array, out: Array) -> Array:
    """div.approx with 2^126 < |b| < 2^128 gives 0, or NaN for an infinite a."""
    far = (np.abs(y) > 2.0**126) & np.isfinite(y)
    if not far.any():
        return out
    zero = np.where(np.signbit(x) != np.signbit(y), F32.sign_bit, U64(0))
    special = np.where(np.isinf(x) | np.isnan(x), U64(F32.nan), zero)
    return np.where(far, special, out)


@meaning_for("rcp", among("f32", "f64"))
def _rcp(s: Spelling) -> Function:
    fmt, mode = format_of(s), rounding(s)
    if fmt is F64 and mode == "approx":
        s.need(s.flag("ftz"), "needs .ftz")
        return lambda a: (_gross(a, np.reciprocal),)
    ftz = "ftz" in s.rest
    after, read = finish(s, fmt), source(ftz, fmt)

    def function(a: Array) -> tuple[Array, ...]:
        x = read(a)
        if mode == "approx":
            return (after(encode(1.0 / x, F32)),)
        return (after(exact.quotient(np.ones(len(x)), x, fmt, mode)),)

    return function


@meaning_for("sqrt", among("f32", "f64"))
def _sqrt(s: Spelling) -> Function:
    fmt, mode = format_of(s), rounding(s)
    s.need(fmt is F32 or mode in ROUNDINGS.split())
    ftz = "ftz" in s.rest
    after, read = finish(s, fmt), source(ftz, fmt)

    def function(a: Array) -> tuple[Array, ...]:
        x = read(a)
        if mode == "approx":
            return (after(encode(np.sqrt(x), F32)),)
        if mode == "rn":
            return (after(natively(np.sqrt, fmt, flush(a, fmt) if ftz else a)),)
        return (after(exact.root(x, fmt, mode)),)

    return function


@meaning_for("rsqrt", among("f32", "f64"))
def _rsqrt(s: Spelling) -> Function:
    fmt, mode = format_of(s), rounding(s)
    s.need(mode == "approx")
    if fmt is F64 and s.flag("ftz"):
        return lambda a: (_gross(a, lambda x: 1.0 / np.sqrt(x)),)
    ftz = "ftz" in s.rest
    after, read = finish(s, fmt), source(ftz, fmt)

    def function(a: Array) -> tuple[Array, ...]:
        x = read(a)
        return (after(encode(1.0 / np.sqrt(x), fmt)),)

    return function


def _gross(a: Array, operate: Any) -> Array:
    """The gross approximations of f64: the upper word of a in, the upper word out, the lower word zero; subnormal inputs and
    results are zeros."""
    upper = flush(a & ~full(32), F64)
    x = decode(upper, F64)
    value = operate(x)
    # Rounded to the 20 fraction bits of the upper word.
    short = Format("upper word", 11, 20, 1023, 0x7FFFFFFF00000000, low=32)
    sign, mantissa, exponent = unpack(np.where(np.isfinite(value), value, 0.0))
    bits = pack(sign, mantissa, exponent, short, "rn")
    bits = np.where(np.isinf(value), np.ascontiguousarray(value).view(np.uint64), flush(bits, short))
    return np.where(np.isnan(value), _GROSS_NAN, bits)
