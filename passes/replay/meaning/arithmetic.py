"""Float arithmetic: add sub mul fma mad (PTX ISA 9.7.3, 9.7.4, 9.7.5), scalar and packed, exactly rounded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.passes.replay import rounded
from volta_pipe.passes.replay.bits import U64, full, singles
from volta_pipe.passes.replay.encode import encode
from volta_pipe.passes.replay.formats import BF16, F16, F32, F64, Format, decode, flush
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]
# Packed types: their format; the lower half is the first of the pair.
PACKED = {"f16x2": F16, "bf16x2": BF16, "f32x2": F32}
SCALAR = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
ROUNDINGS = "rn rz rm rp"


def is_float(kind: str) -> bool:
    """Whether a type is one of float arithmetic, scalar or packed."""
    return kind in SCALAR or kind in PACKED


def format_of(s: Spelling) -> Format:
    """The format of a form's first type, of one half where it is packed."""
    return PACKED.get(s.type) or SCALAR[s.type]


def halves(s: Spelling, function: Function) -> Function:
    """A function on scalars, applied to both halves where the type is packed."""
    if s.type not in PACKED:
        return function
    width = PACKED[s.type].width
    up, low = U64(width), full(width)

    def both(*operands: Array) -> tuple[Array, ...]:
        # One call on arrays of twice the length: half as many NumPy calls.
        n = len(operands[0])
        out = function(*(np.concatenate([x & low, (x >> up) & low]) for x in operands))
        return tuple(r[:n] | r[n:] << up for r in out)

    return both


def finish(s: Spelling, fmt: Format) -> Callable[[Array], Array]:
    """What follows the rounding: .ftz of the result, .sat, .relu. Takes these modifiers."""
    ftz, sat, relu = s.flag("ftz"), s.flag("sat"), s.flag("relu")
    s.need(not ftz or fmt in (F32, F16), "has .ftz, which its type has not")
    s.need(not (sat and relu), "has both .sat and .relu")
    sums = s.mnemonic in ("add", "sub", "mul", "fma", "mad")
    s.need(not sat or (sums and fmt in (F32, F16) and s.type != "f32x2"), "has .sat, which it has not")
    s.need(not relu or (s.mnemonic == "fma" and fmt in (F16, BF16)), "has .relu, which it has not")

    def apply(bits: Array) -> Array:
        if ftz:
            bits = flush(bits, fmt)
        if sat:
            bits = saturate(bits, fmt)
        if relu:
            bits = rectify(bits, fmt)
        return bits

    return apply


def saturate(bits: Array, fmt: Format) -> Array:
    """.sat: clamped to [0, 1]; NaN becomes +0."""
    value = decode(bits, fmt)
    one = encode(np.ones(1), fmt)[0]
    return np.where(value > 0, np.where(value > 1, one, bits), U64(0))


def rectify(bits: Array, fmt: Format) -> Array:
    """.relu: negative numbers, and -0, become +0; NaN the canonical NaN."""
    nan = np.isnan(decode(bits, fmt))
    return np.where(nan, U64(fmt.nan), np.where((bits & fmt.sign_bit) != 0, U64(0), bits))


def source(ftz: bool, fmt: Format) -> Callable[[Array], Array]:
    """Decodes an operand, flushed where .ftz asks for it."""
    if ftz:
        return lambda x: decode(flush(x, fmt), fmt)
    return lambda x: decode(x, fmt)


def native(bits: Array, fmt: Format) -> Array:
    """A float32 or float64 view of the bits, for arithmetic that NumPy rounds as IEEE 754 does."""
    return singles(bits) if fmt is F32 else bits.view(np.float64)


def natively(operate: Callable[..., Array], fmt: Format, *operands: Array) -> Array:
    """Bits of an operation that NumPy rounds to nearest, with the canonical NaN."""
    bits = np.zeros(len(operands[0]), np.uint64)
    values = native(bits, fmt)
    operate(*(native(x, fmt) for x in operands), out=values)
    nan = np.isnan(values)
    if nan.any():
        bits[nan] = fmt.nan
    return bits


_QUICK: dict[str, Callable[..., Array]] = {"add": np.add, "sub": np.subtract, "mul": np.multiply}


@meaning_for("add sub mul", is_float)
def _binary(s: Spelling) -> Function:
    """The rounding defaults to .rn."""
    fmt, mode, kind = format_of(s), s.one_of(ROUNDINGS, "rn"), s.mnemonic
    s.need(fmt in (F32, F64) or mode == "rn", "has a rounding that its type has not")
    ftz = "ftz" in s.rest
    after = finish(s, fmt)
    s.need(len(s.types) == 1)
    if mode == "rn" and fmt in (F32, F64):
        quick = _QUICK[kind]

        def fast(a: Array, b: Array) -> tuple[Array, ...]:
            if ftz:
                a, b = flush(a, fmt), flush(b, fmt)
            return (after(natively(quick, fmt, a, b)),)

        return halves(s, fast)
    read = source(ftz, fmt)

    def slow(a: Array, b: Array) -> tuple[Array, ...]:
        x, y = read(a), read(b)
        if kind == "mul":
            return (after(rounded.product(x, y, fmt, mode)),)
        return (after(rounded.fused(x, np.ones(len(x)), -y if kind == "sub" else y, fmt, mode)),)

    return halves(s, slow)


@meaning_for("fma mad", is_float)
def _fused(s: Spelling) -> Function:
    """`mad` of floats is the fused form on every target since sm_20."""
    fmt, mode = format_of(s), s.one_of(ROUNDINGS, "rn")
    s.need(fmt in (F32, F64) or mode == "rn", "has a rounding that its type has not")
    s.need(s.mnemonic == "fma" or fmt in (F32, F64))
    ftz, oob = "ftz" in s.rest, s.flag("oob")
    s.need(not oob or (s.mnemonic == "fma" and fmt in (F16, BF16)), "has .oob, which its type has not")
    after = finish(s, fmt)
    s.need(len(s.types) == 1)
    read = source(ftz, fmt)

    def function(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
        x, y, z = read(a), read(b), read(c)
        # .oob gives +0 where an operand is the NaN that marks what lies outside of a tensor; the ISA does not say its bits.
        s.need(not (oob and np.isnan([x, y, z]).any()), "meets a NaN, and the ISA does not say which one is out of bounds")
        return (after(rounded.fused(x, y, z, fmt, mode)),)

    return halves(s, function)
