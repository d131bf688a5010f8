"""Integer arithmetic (PTX ISA 9.7.1) and packed 16-bit arithmetic; carries are in carry.py, bit work in bitwork.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.instructions import INTS, WIDTH
from volta_pipe.passes.replay.bits import U64, full, masked, number, signed, unsigned
from volta_pipe.passes.replay.exact import multiply_wide
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]
PAIRS = ("u16x2", "s16x2")


def low_part(x: Array, width: int) -> Array:
    """Bits of an int64 or uint64 array modulo 2^width."""
    return masked(x.view(np.uint64), width)


def pairwise(function: Function) -> Function:
    """A function on 16-bit values, applied to both halves of 32-bit ones."""

    def both(*operands: Array) -> tuple[Array, ...]:
        n, up, low = len(operands[0]), U64(16), full(16)
        (out,) = function(*(np.concatenate([x & low, (x >> up) & low]) for x in operands))
        return (out[:n] | out[n:] << up,)

    return both


def multiply_high(a: Array, b: Array, width: int, is_signed: bool) -> Array:
    """The upper half of the 2·width-bit product."""
    if width < 64:
        if is_signed:
            return masked((signed(a, width) * signed(b, width) >> np.int64(width)).view(np.uint64), width)
        return masked(a, width) * masked(b, width) >> U64(width)
    high, _ = multiply_wide(a, b)
    if is_signed:  # a - 2^64 for a negative a: take b off the upper half, and likewise for b
        zero = U64(0)
        high = high - np.where(a >> U64(63) == 1, b, zero) - np.where(b >> U64(63) == 1, a, zero)
    return high


def clamp_signed(x: Array, width: int) -> Array:
    """int64 clamped to the signed range of `width` bits."""
    return np.clip(x, -(1 << (width - 1)), (1 << (width - 1)) - 1)


@meaning_for("add sub", among(*INTS))
def _add(s: Spelling) -> Function:
    """.sat clamps, for .s32 only; .cc is in carry.py."""
    width, minus, sat = WIDTH[s.type], s.mnemonic == "sub", s.flag("sat")
    s.need(not sat or s.type == "s32", "has .sat, which its type has not")
    if "cc" in s.rest:
        from volta_pipe.passes.replay.meaning.carry import with_carry

        return with_carry(s)
    if sat:
        sign = -1 if minus else 1
        return lambda a, b: (unsigned(clamp_signed(signed(a, 32) + sign * signed(b, 32), 32), 32),)
    return (lambda a, b: (masked(a - b, width),)) if minus else (lambda a, b: (masked(a + b, width),))


@meaning_for("add min max", among(*PAIRS))
def _packed(s: Spelling) -> Function:
    kind, relu = s.type[0], s.mnemonic != "add" and s.flag("relu")
    s.need(not relu or kind == "s", "has .relu, which its type has not")
    if s.mnemonic == "add":
        return pairwise(lambda a, b: (masked(a + b, 16),))
    return pairwise(_extreme(s.mnemonic, kind, 16, relu))


def _extreme(mnemonic: str, kind: str, width: int, relu: bool) -> Function:
    choose = np.minimum if mnemonic == "min" else np.maximum

    def function(a: Array, b: Array) -> tuple[Array, ...]:
        out = choose(number(a, kind, width), number(b, kind, width))
        return (low_part(np.maximum(out, 0) if relu else out, width),)

    return function


@meaning_for("min max", among(*INTS))
def _min_max(s: Spelling) -> Function:
    relu = s.flag("relu")
    s.need(not relu or s.type == "s32", "has .relu, which its type has not")
    return _extreme(s.mnemonic, s.type[0], WIDTH[s.type], relu)


@meaning_for("mul mad", among(*INTS))
def _multiply(s: Spelling) -> Function:
    """.lo, .hi, .wide (16 and 32 bits); mad.hi.sat.s32 clamps the addition."""
    width, kind, mode = WIDTH[s.type], s.type[0], s.one_of("lo hi wide")
    s.need(mode != "", "needs .lo, .hi or .wide")
    s.need(mode != "wide" or width < 64, "has .wide, which its type has not")
    if "cc" in s.rest:
        from volta_pipe.passes.replay.meaning.carry import mad_with_carry

        return mad_with_carry(s, mode)
    sat = s.mnemonic == "mad" and s.flag("sat")
    s.need(not sat or (s.type == "s32" and mode == "hi"), "has .sat, which its type has not")
    product = product_of(width, kind, mode)
    if s.mnemonic == "mul":
        return lambda a, b: (product(a, b)[0],)
    if sat:
        return lambda a, b, c: (unsigned(clamp_signed(signed(product(a, b)[0], 32) + signed(c, 32), 32), 32),)
    out = 2 * width if mode == "wide" else width
    return lambda a, b, c: (masked(product(a, b)[0] + c, out),)


def product_of(width: int, kind: str, mode: str) -> Function:
    """The chosen part of the product, as one result."""
    if mode == "hi":
        return lambda a, b: (multiply_high(a, b, width, kind == "s"),)
    if mode == "lo":
        return lambda a, b: (masked(a * b, width),)

    def wide(a: Array, b: Array) -> tuple[Array, ...]:
        return (low_part(number(a, kind, width) * number(b, kind, width), 2 * width),)

    return wide


@meaning_for("mul24 mad24", among("u32", "s32"))
def _multiply24(s: Spelling) -> Function:
    """The product of the low 24 bits of both, of which bits 31..0 (.lo) or 47..16 (.hi) are taken."""
    kind, mode, sat = s.type[0], s.one_of("lo hi"), s.flag("sat")
    s.need(mode != "", "needs .lo or .hi")
    s.need(not sat or (s.mnemonic == "mad24" and s.type == "s32" and mode == "hi"), "has .sat, which its type has not")

    def product(a: Array, b: Array) -> Array:
        t = low_part(number(a, kind, 24) * number(b, kind, 24), 64)
        return masked(t if mode == "lo" else t >> U64(16), 32)

    if s.mnemonic == "mul24":
        return lambda a, b: (product(a, b),)
    if sat:
        return lambda a, b, c: (unsigned(clamp_signed(signed(product(a, b), 32) + signed(c, 32), 32), 32),)
    return lambda a, b, c: (masked(product(a, b) + c, 32),)


@meaning_for("sad", among(*INTS))
def _sad(s: Spelling) -> Function:
    width, kind = WIDTH[s.type], s.type[0]

    def function(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
        difference = np.where(number(a, kind, width) < number(b, kind, width), b - a, a - b)
        return (masked(c + difference, width),)

    return function


@meaning_for("div rem", among(*INTS))
def _divide(s: Spelling) -> Function:
    """Towards zero. The ISA leaves division by zero open, so a lane that does it is refused."""
    width, kind, wants_rest = WIDTH[s.type], s.type[0], s.mnemonic == "rem"
    refusal = f"{s} by zero, whose result the ISA leaves open"

    def function(a: Array, b: Array) -> tuple[Array, ...]:
        a, b = masked(a, width), masked(b, width)
        if (b == 0).any():
            raise UnsupportedError(refusal)
        if kind == "u":
            return (a % b if wants_rest else a // b,)
        top = U64(width - 1)
        minus_a, minus_b = a >> top == 1, b >> top == 1
        size_a, size_b = np.where(minus_a, masked(U64(0) - a, width), a), np.where(minus_b, masked(U64(0) - b, width), b)
        out = size_a % size_b if wants_rest else size_a // size_b
        minus = minus_a if wants_rest else minus_a != minus_b
        return (masked(np.where(minus, U64(0) - out, out), width),)

    return function


@meaning_for("abs neg", among("s16", "s32", "s64"))
def _abs_neg(s: Spelling) -> Function:
    """Both leave the least number unchanged: its negation wraps."""
    width = WIDTH[s.type]
    if s.mnemonic == "neg":
        return lambda a: (masked(U64(0) - a, width),)
    return lambda a: (masked(np.where(signed(a, width) < 0, U64(0) - a, a), width),)


def _lanes_of(x: Array, kind: str, width: int) -> list[Array]:
    """The parts of a 32-bit value as integers, lowest first, int64."""
    return [number(x >> U64(at), kind, width).astype(np.int64) for at in range(0, 32, width)]


@meaning_for("dp4a dp2a", among("u32", "s32"))
def _dot(s: Spelling) -> Function:
    """dp4a: four bytes of each; dp2a: two halves of a with the lower (.lo) or upper (.hi) two bytes of b."""
    s.need(len(s.types) == 2 and s.types[1] in ("u32", "s32"))
    first, second = (kind[0] for kind in s.types)
    half = s.one_of("lo hi") if s.mnemonic == "dp2a" else ""
    s.need(s.mnemonic == "dp4a" or half != "", "needs .lo or .hi")

    def function(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
        xs = _lanes_of(a, first, 8 if s.mnemonic == "dp4a" else 16)
        ys = _lanes_of(b, second, 8)[2 if half == "hi" else 0 :]
        total = masked(c, 32).view(np.int64)
        for x, y in zip(xs, ys, strict=False):
            total = total + x * y
        return (low_part(total, 32),)

    return function
