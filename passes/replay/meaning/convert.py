"""Conversions: cvt among integers and floats of every width, packed and narrow formats, cvt.pack (PTX ISA 9.7.9.21, .22).

A source register may be wider than the source type: its low bits count. A destination register may be wider than the
destination type: signed integers are sign-extended into it, which the caller does by `widen`."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.instructions import INTS, WIDTH
from volta_pipe.passes.replay.bits import U64, full, masked, number, signed, unsigned
from volta_pipe.passes.replay.encode import encode, pack
from volta_pipe.passes.replay.formats import BF16, E4M3, E5M2, F16, F32, F64, TF32, Format, decode, flush
from volta_pipe.passes.replay.meaning.arithmetic import rectify, saturate
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]
_INTEGERS = ("s8", "u8", *INTS)
_FLOATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
_NARROW = {"e4m3x2": E4M3, "e5m2x2": E5M2}
_PAIRS = {"f16x2": F16, "bf16x2": BF16}
_INTEGRAL = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


@meaning_for("cvt", among(*_INTEGERS))
def _to_integer(s: Spelling) -> Function:
    if s.flag("pack"):
        return _pack(s)
    s.need(len(s.types) == 2)
    target, source = s.types
    if source in _FLOATS:
        return _float_to_integer(s, target, _FLOATS[source])
    s.need(source in _INTEGERS)
    sat = s.flag("sat")
    width, from_width = WIDTH[target], WIDTH[source]
    if not sat:
        return lambda a: (masked(number(a, source[0], from_width).view(np.uint64), width),)

    def clamp(a: Array) -> tuple[Array, ...]:
        x = number(a, source[0], from_width)
        if target[0] == "s":
            top = (1 << (width - 1)) - 1
            if source[0] == "u":
                return (np.minimum(x, U64(top)),)
            return (unsigned(np.clip(x, -top - 1, top), width),)
        if source[0] == "s":
            x = np.maximum(x, 0).view(np.uint64)
        return (np.minimum(x, full(width)),)

    return clamp


def _float_to_integer(s: Spelling, target: str, fmt: Format) -> Function:
    """Clamped to the range of the type. NaN: 0, or the highest bit alone where the source is f64 or the type has 64 bits."""
    mode, ftz = s.one_of(" ".join(_INTEGRAL)), s.flag("ftz")
    s.flag("sat")  # float to integer saturates without it
    s.need(mode != "", "needs an integer rounding")
    s.need(not ftz or fmt is F32, "has .ftz, which its types have not")
    width, operate = WIDTH[target], _INTEGRAL[mode]
    low = -(2.0 ** (width - 1)) if target[0] == "s" else 0.0
    high = 2.0 ** (width - (target[0] == "s"))  # the first number that is too large
    top = full(width - 1) if target[0] == "s" else full(width)
    bottom = U64(1 << (width - 1)) if target[0] == "s" else U64(0)
    of_nan = U64(1 << (width - 1)) if fmt is F64 or width == 64 else U64(0)

    def function(a: Array) -> tuple[Array, ...]:
        x = decode(flush(a, fmt) if ftz else masked(a, fmt.width), fmt)
        x = operate(x)
        inside = (x > low) & (x < high)
        value = np.where(inside, x, 0.0)
        # Numbers from 2^63 on do not fit int64: the excess is converted apart.
        big = value >= 2.0**63
        exact = np.where(big, value - 2.0**63, value).astype(np.int64).view(np.uint64)
        bits = masked(exact + (big.astype(np.uint64) << U64(63)), width)
        bits = np.where(inside, bits, np.where(x <= low, bottom, top))
        return (np.where(np.isnan(x), of_nan, bits),)

    return function


@meaning_for("cvt", among(*_FLOATS, "tf32"))
def _to_float(s: Spelling) -> Function:
    s.need(len(s.types) == 2)
    target, source = s.types
    fmt = TF32 if target == "tf32" else _FLOATS[target]
    if source in _INTEGERS:
        return _integer_to_float(s, fmt, source)
    s.need(source in _FLOATS and (fmt is not TF32 or source == "f32"))
    from_fmt = _FLOATS[source]
    ftz, sat, relu, finite = (s.flag(name) for name in ("ftz", "sat", "relu", "satfinite"))
    integral = s.one_of(" ".join(_INTEGRAL))
    mode = s.one_of("rn rz rm rp rna")
    s.need(not ftz or F32 in (fmt, from_fmt), "has .ftz, which its types have not")
    s.need(not (relu or finite) or (fmt in (F16, BF16, TF32) and mode in ("rn", "rz", "rna")), "has a bad modifier")
    s.need(not sat or fmt in (F16, F32, F64), "has .sat, which its type has not")
    s.need((mode == "rna") <= (fmt is TF32) and not (mode == "rna" and relu), "has .rna, which its type has not")
    s.need(not (integral and (mode or fmt is not from_fmt)), "rounds to an integer in another format")
    loses = fmt.fraction < from_fmt.fraction or fmt.exponent < from_fmt.exponent
    s.need(mode != "" or not loses or fmt is from_fmt, "needs a rounding")
    operate = _INTEGRAL.get(integral)

    def function(a: Array) -> tuple[Array, ...]:
        a = masked(a, from_fmt.width)
        x = decode(flush(a, from_fmt) if ftz and from_fmt is F32 else a, from_fmt)
        if operate is not None:
            x = operate(x)
        out = encode(x, fmt, mode or "rn", finite=finite)
        if ftz and fmt is F32:
            out = flush(out, fmt)
        if sat:
            out = saturate(out, fmt)
        return (rectify(out, fmt) if relu else out,)

    return function


def _integer_to_float(s: Spelling, fmt: Format, source: str) -> Function:
    """Exact integers rounded once. .sat: to [0, 1]."""
    mode, sat = s.one_of("rn rz rm rp"), s.flag("sat")
    s.flag("ftz")  # no integer becomes subnormal
    s.need(mode != "" and fmt is not TF32, "needs a rounding")
    s.need(not sat or fmt is not BF16, "has .sat, which its type has not")
    width = WIDTH[source]

    def function(a: Array) -> tuple[Array, ...]:
        x = masked(a, width)
        minus = signed(a, width) < 0 if source[0] == "s" else np.zeros(len(a), np.bool_)
        size = np.where(minus, masked(U64(0) - x, width), x)
        bits = pack(minus, size, np.zeros(len(a), np.int64), fmt, mode)
        return (saturate(bits, fmt) if sat else bits,)

    return function


@meaning_for("cvt", among(*_NARROW, *_PAIRS))
def _to_pair(s: Spelling) -> Function:
    """Two values in one register, the first input in the upper half."""
    s.need(len(s.types) == 2)
    target, source = s.types
    mode, relu, finite = s.one_of("rn rz"), s.flag("relu"), s.flag("satfinite")
    s.need(mode != "", "needs .rn or .rz")
    fmt = _NARROW.get(target) or _PAIRS[target]
    half = U64(fmt.width)

    def convert(x: Array) -> Array:
        bits = encode(x, fmt, mode, finite=finite)
        return rectify(bits, fmt) if relu else bits

    if target in _NARROW:
        s.need(mode == "rn" and finite, "needs .rn and .satfinite")
    if source == "f32":
        return lambda a, b: (convert(decode(a, F32)) << half | convert(decode(b, F32)),)
    from_fmt = _PAIRS.get(source) if target in _NARROW else _NARROW.get(source) if target == "f16x2" else None
    s.need(from_fmt is not None and (target in _NARROW or (mode == "rn" and not finite)))
    assert from_fmt is not None
    low, up = full(from_fmt.width), U64(from_fmt.width)
    return lambda a: (convert(decode((a >> up) & low, from_fmt)) << half | convert(decode(a & low, from_fmt)),)


_SUBBYTE = {"u2": 2, "s2": 2, "u4": 4, "s4": 4, "u8": 8, "s8": 8, "u16": 16, "s16": 16}


@meaning_for("cvt", among("u2", "s2", "u4", "s4"))
def _to_subbyte(s: Spelling) -> Function:
    s.need(s.flag("pack"))
    return _pack(s)


def _pack(s: Spelling) -> Function:
    """cvt.pack.sat: a and b clamped, a above b in the lowest bits; with a third operand its low bits above them."""
    s.need(s.flag("sat"), "needs .sat")
    kind, size = s.type[0], _SUBBYTE.get(s.type, 0)
    third = len(s.types) == 3
    s.need(size > 0 and s.types[1:] == (("s32", "b32") if third else ("s32",)) and third == (size < 16))
    low, high = (-(1 << (size - 1)), (1 << (size - 1)) - 1) if kind == "s" else (0, (1 << size) - 1)

    def function(a: Array, b: Array, *rest: Array) -> tuple[Array, ...]:
        first, second = (unsigned(np.clip(signed(x, 32), low, high), size) for x in (a, b))
        out = first << U64(size) | second
        return (masked(out | rest[0] << U64(2 * size), 32) if rest else out,)

    return function


def widen(bits: Array, kind: str, width: int) -> Array:
    """A converted value in a register of `width` bits: signed integers sign-extended, all else zero-extended."""
    if kind in _INTEGERS and kind[0] == "s" and width > WIDTH[kind]:
        return unsigned(signed(bits, WIDTH[kind]), width)
    return bits
