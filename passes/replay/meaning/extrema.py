"""Floats without rounding: abs neg min max copysign testp (PTX ISA 9.7.3, 9.7.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.passes.replay.bits import U64, flags, masked
from volta_pipe.passes.replay.formats import F16, F32, F64, Format, decode, flush, is_subnormal
from volta_pipe.passes.replay.meaning.arithmetic import format_of, halves, is_float
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]


def _not_f32x2(kind: str) -> bool:
    return is_float(kind) and kind != "f32x2"


@meaning_for("abs neg", _not_f32x2)
def _sign(s: Spelling) -> Function:
    """NaN: of f64 passed through with its sign changed, of the others the canonical NaN (which one the ISA leaves open)."""
    fmt, ftz, positive = format_of(s), s.flag("ftz"), s.mnemonic == "abs"
    s.need(not ftz or fmt in (F32, F16), "has .ftz, which its type has not")

    def function(a: Array) -> tuple[Array, ...]:
        a = masked(a, fmt.width)
        out = a & ~fmt.sign_bit if positive else a ^ fmt.sign_bit
        if ftz:
            out = flush(out, fmt)
        if fmt is not F64:
            nan = np.isnan(decode(a, fmt))
            out = np.where(nan, U64(fmt.nan), out) if nan.any() else out
        return (out,)

    return halves(s, function)


def _choose(a: Array, b: Array, fmt: Format, largest: bool, nan_wins: bool) -> Array:
    """min or max of two: -0 is less than +0; a NaN loses, or wins where nan_wins; two give the canonical one."""
    x, y = decode(a, fmt), decode(b, fmt)
    nan_x, nan_y = np.isnan(x), np.isnan(y)
    first = (x > y) if largest else (x < y)
    negative = (a & fmt.sign_bit) != 0
    first = first | ((x == y) & (negative != largest))
    out = np.where(first, a, b)
    if (nan_x | nan_y).any():
        out = np.where(nan_x, b, np.where(nan_y, a, out))
        wrong = nan_x | nan_y if nan_wins else nan_x & nan_y
        out = np.where(wrong, U64(fmt.nan), out)
    return out


@meaning_for("min max", _not_f32x2)
def _min_max(s: Spelling) -> Function:
    """Two inputs, or three of f32. .abs compares magnitudes; .xorsign then gives the sign a ^ b."""
    fmt, largest = format_of(s), s.mnemonic == "max"
    ftz, nan_wins, xorsign, magnitude = (s.flag(name) for name in ("ftz", "NaN", "xorsign", "abs"))
    s.need(not ftz or fmt in (F32, F16), "has .ftz, which its type has not")
    s.need(not (nan_wins or magnitude) or fmt is not F64, "has modifiers that its type has not")
    s.need(magnitude or not xorsign, "has .xorsign without .abs")
    s.need(xorsign or not magnitude or fmt is F32, "has .abs without .xorsign")

    def function(a: Array, b: Array, *more: Array) -> tuple[Array, ...]:
        operands = [masked(x, fmt.width) for x in (a, b, *more)]
        if more:
            s.need(fmt is F32 and not xorsign, "has no form with three inputs")
        else:
            s.need(xorsign or not magnitude, "has .abs without .xorsign")
        if ftz:
            operands = [flush(x, fmt) for x in operands]
        sign = (operands[0] ^ operands[1]) & fmt.sign_bit
        if magnitude:
            operands = [x & ~fmt.sign_bit for x in operands]
        out = operands[0]
        for x in operands[1:]:
            out = _choose(out, x, fmt, largest, nan_wins)
        if xorsign:
            out = np.where(np.isnan(decode(out, fmt)), out, (out & ~fmt.sign_bit) | sign)
        return (out,)

    return halves(s, function)


@meaning_for("copysign", among("f32", "f64"))
def _copysign(s: Spelling) -> Function:
    """The sign bit of a with the rest of b."""
    fmt = format_of(s)
    return lambda a, b: (masked((a & fmt.sign_bit) | (b & ~fmt.sign_bit), fmt.width),)


@meaning_for("testp", among("f32", "f64"))
def _testp(s: Spelling) -> Function:
    """Zeros count as normal numbers."""
    fmt = format_of(s)
    name = s.one_of("finite infinite number notanumber normal subnormal")
    s.need(name != "", "needs a property")

    def function(a: Array) -> tuple[Array, ...]:
        value = decode(masked(a, fmt.width), fmt)
        if name == "finite":
            found = np.isfinite(value)
        elif name == "infinite":
            found = np.isinf(value)
        elif name in ("number", "notanumber"):
            found = np.isnan(value) == (name == "notanumber")
        else:
            small = is_subnormal(a, fmt)
            found = small if name == "subnormal" else np.isfinite(value) & ~small
        return (flags(found),)

    return function
