"""Proofs about integers: what holds because inputs are integers of a type, and what still does not.

Each pair says for which dtypes the two sides are equal and for which they are not; that is by hand, and checked here over all
values (of 8 bits) or many (of more) in exact rationals."""

# One case a line reads best; the expressions are made at once.
# ruff: noqa: E501, B023
from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from expressions import Builder
from flint import ctx, fmpq
from test_decide import decided

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.launch import DTYPES
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.normal_form import Table
from volta_pipe.passes.canon.balls import Expression
from volta_pipe.passes.canon.integers import Integers, rounded
from volta_pipe.passes.canon.rules import Rules
from volta_pipe.passes.canon.translate import Translator
from volta_pipe.passes.inputs import integer_inputs

N = Node
Make = Callable[[Any, Any, Any], Any]


def of_type(make: Make, dtype: str) -> Conditions:
    """make(builder, x, y) of two inputs of the type; the third tensor is of floats."""
    b = Builder()
    made = b.done({3: [make(b, b.leaf(0, 0), b.leaf(1, 0))]})
    return replace(made, tensor_types=(dtype, dtype, "f32", "f32"), scalar_types=("f32",))


def floor(b: Any, x: Any, bits: int) -> Any:
    return b.op(N.FLOOR, b.mul(x, 2.0**-bits))


def wrapped(b: Any, x: Any, bits: int, signed: bool = True) -> Any:
    part = b.mul(x, 2.0**-bits)
    return b.sub(x, b.mul(b.op(N.FLOOR, b.add(part, 0.5) if signed else part), 2.0**bits))


def clamp(b: Any, x: Any, low: float, high: float) -> Any:
    return b.min(b.max(x, low), high)


# name, left, right, dtypes of which they are equal, dtypes of which they are not
PAIRS: list[tuple[str, Make, Make, str, str]] = [
    ("a sum wraps once or at each step", lambda b, x, y: wrapped(b, b.add(wrapped(b, b.add(x, y), 32), x), 32),
     lambda b, x, y: wrapped(b, b.add(b.mul(x, 2.0), y), 32), "s32 u32 s8 f32", ""),
    ("a product wraps once or at each step", lambda b, x, y: wrapped(b, b.mul(wrapped(b, b.mul(x, y), 32), y), 32),
     lambda b, x, y: wrapped(b, b.mul(b.mul(x, y), y), 32), "s32 u32", "f32"),
    ("wrapping modulo less after more", lambda b, x, y: wrapped(b, wrapped(b, b.mul(x, y), 32), 8, False),
     lambda b, x, y: wrapped(b, b.mul(x, y), 8, False), "s32 u8 f32", ""),
    ("wrapping modulo more after less", lambda b, x, y: wrapped(b, wrapped(b, b.mul(x, y), 8), 32),
     lambda b, x, y: wrapped(b, b.mul(x, y), 32), "", "s32 s8"),
    ("a product that fits does not wrap", lambda b, x, y: wrapped(b, b.mul(x, y), 32), lambda b, x, y: b.mul(x, y), "s8 u8 s16", "s32 u32 u16"),
    ("a product that fits without a sign", lambda b, x, y: wrapped(b, b.mul(x, y), 32, False), lambda b, x, y: b.mul(x, y), "u8 u16", "s8 u32"),
    ("the low nibble and the high one", lambda b, x, y: b.add(b.mul(floor(b, x, 4), 16.0), b.sub(x, b.mul(floor(b, x, 4), 16.0))),
     lambda b, x, y: x, "u8 s8", ""),
    ("a nibble needs no mask of a byte", lambda b, x, y: wrapped(b, b.sub(x, b.mul(floor(b, x, 4), 16.0)), 8, False),
     lambda b, x, y: b.sub(x, b.mul(floor(b, x, 4), 16.0)), "u8 s8 s32", ""),
    ("a nibble needs a mask of 3 bits", lambda b, x, y: wrapped(b, b.sub(x, b.mul(floor(b, x, 4), 16.0)), 3, False),
     lambda b, x, y: b.sub(x, b.mul(floor(b, x, 4), 16.0)), "", "u8 s8"),
    ("a shift to the right twice", lambda b, x, y: floor(b, floor(b, x, 2), 2), lambda b, x, y: floor(b, x, 4), "s8 u8 s32 f32", ""),
    ("a floor within a floor", lambda b, x, y: b.op(N.FLOOR, b.mul(b.add(floor(b, x, 1), y), 0.25)),
     lambda b, x, y: b.op(N.FLOOR, b.mul(b.add(b.mul(x, 0.5), y), 0.25)), "s8 u8 s32", "f32"),
    ("a floor within a floor, not an n-th", lambda b, x, y: b.op(N.FLOOR, b.mul(floor(b, x, 1), 0.75)), lambda b, x, y: b.op(N.FLOOR, b.mul(x, 0.375)),
     "", "s8 u8"),
    ("the sign of a word is its top bit", lambda b, x, y: floor(b, x, 8), lambda b, x, y: b.neg(b.op(N.SELECT, b.op(N.LT, x, 0.0), 1.0, 0.0)),
     "s8", "s16"),
    ("no sign without one", lambda b, x, y: b.op(N.SELECT, b.op(N.LT, x, 0.0), 5.0, 7.0), lambda b, x, y: b.const(7.0), "u8 u32", "s8"),
    ("read without a sign", lambda b, x, y: wrapped(b, x, 8, False), lambda b, x, y: b.op(N.SELECT, b.op(N.LT, x, 0.0), b.add(x, 256.0), x),
     "s8 u8", "s16 u16"),
    ("rounding an integer", lambda b, x, y: b.op(N.RINT, b.mul(x, y)), lambda b, x, y: b.mul(x, y), "s8 u32", "f32"),
    ("rounding half an integer", lambda b, x, y: b.op(N.TRUNC, b.mul(x, 0.5)), lambda b, x, y: b.op(N.FLOOR, b.mul(x, 0.5)), "", "s8"),
    ("integers leave a floor", lambda b, x, y: b.op(N.FLOOR, b.add(b.mul(x, 0.75), b.mul(y, 3.0))),
     lambda b, x, y: b.add(b.mul(y, 3.0), b.op(N.FLOOR, b.mul(x, 0.75))), "s8 u32", "f32"),
    ("clamping twice", lambda b, x, y: clamp(b, clamp(b, x, -128.0, 127.0), -7.0, 8.0), lambda b, x, y: clamp(b, x, -7.0, 8.0), "f32 s32", ""),
    ("clamping in either order", lambda b, x, y: b.max(b.min(x, 8.0), -7.0), lambda b, x, y: clamp(b, x, -7.0, 8.0), "f32 s32 s8", ""),
    ("clamping the negative", lambda b, x, y: b.neg(clamp(b, b.neg(x), -8.0, 7.0)), lambda b, x, y: clamp(b, x, -7.0, 8.0), "f32 s32", ""),
    ("clamping to other bounds", lambda b, x, y: clamp(b, x, -7.0, 7.0), lambda b, x, y: clamp(b, x, -7.0, 8.0), "", "f32 s8"),
    ("clamping what is within", lambda b, x, y: clamp(b, x, -128.0, 127.0), lambda b, x, y: x, "s8", "u8 f32"),
    ("rounding and clamping", lambda b, x, y: clamp(b, b.op(N.RINT, b.mul(x, 0.3)), -8.0, 7.0),
     lambda b, x, y: b.op(N.RINT, clamp(b, b.mul(x, 0.3), -8.0, 7.0)), "f32 s32", ""),
    ("rounding and clamping at no integer", lambda b, x, y: clamp(b, b.op(N.RINT, b.mul(x, 0.3)), -8.0, 6.5),
     lambda b, x, y: b.op(N.RINT, clamp(b, b.mul(x, 0.3), -8.0, 6.5)), "", "f32 s32"),
    ("a third as a product and a shift", lambda b, x, y: b.op(N.FLOOR, b.div(x, 3.0)), lambda b, x, y: floor(b, b.mul(x, 171.0), 9), "u8", "u16"),
    ("a third as another product", lambda b, x, y: b.op(N.FLOOR, b.div(x, 3.0)), lambda b, x, y: floor(b, b.mul(x, 170.0), 9), "", "u8"),
    ("less, or less or equal to one less", lambda b, x, y: b.op(N.SELECT, b.op(N.LT, x, y), 1.0, 0.0),
     lambda b, x, y: b.op(N.SELECT, b.op(N.LE, x, b.sub(y, 1.0)), 1.0, 0.0), "u8 s8", "f32"),
    ("a square modulo 8", lambda b, x, y: wrapped(b, b.mul(b.add(b.mul(x, 2.0), 1.0), b.add(b.mul(x, 2.0), 1.0)), 3, False),
     lambda b, x, y: b.const(1.0), "u8 s8", "f32"),
    ("a quotient where it is taken", lambda b, x, y: b.op(N.SELECT, b.op(N.EQ, x, 0.0), 1.0, b.op(N.FLOOR, b.add(b.div(x, x), 0.25))),
     lambda b, x, y: b.const(1.0), "s8", ""),
    ("a quotient of other integers", lambda b, x, y: b.op(N.FLOOR, b.div(x, 7.0)), lambda b, x, y: b.op(N.TRUNC, b.div(x, 7.0)), "u8 u16", "s8"),
    ("a floor of a maximum", lambda b, x, y: b.op(N.FLOOR, b.max(b.mul(x, 0.3), b.mul(y, 0.7))),
     lambda b, x, y: b.max(b.op(N.FLOOR, b.mul(x, 0.3)), b.op(N.FLOOR, b.mul(y, 0.7))), "f32 s8", ""),
]  # fmt: skip
CASES = [
    (name, left, right, dtype, expected)
    for name, left, right, equal, unequal in PAIRS
    for dtypes, expected in ((equal, True), (unequal, False))
    for dtype in dtypes.split()
]


def _values(dtype: str, rng: random.Random) -> list[Any]:
    size, kind = DTYPES[dtype]
    if kind == "f":
        return [fmpq(rng.randint(-3000, 3000), 8) for _ in range(40)] + [
            fmpq(13, 2),
            fmpq(-127, 2),
            *(fmpq(rng.randint(-1 << 40, 1 << 40), 8) for _ in range(20)),
            *(fmpq(v, 8) for v in range(-16, 17)),
        ]
    low = -(1 << (8 * size - 1)) if kind == "s" else 0
    high = low + (1 << 8 * size) - 1
    if size == 1:
        return [fmpq(v) for v in range(low, high + 1)]
    return [fmpq(v) for v in (low, low + 1, high, high - 1, 0, 1, 200, 255, 257, *(rng.randint(low, high) for _ in range(40)))]


@pytest.mark.parametrize(("name", "left", "right", "dtype", "expected"), CASES, ids=[f"{c[0]}-{c[3]}" for c in CASES])
def test_integers(name: str, left: Make, right: Make, dtype: str, expected: bool) -> None:
    x, y = of_type(left, dtype), of_type(right, dtype)
    found = decided(x, y)
    assert found.verdict == ("equivalent" if expected else "not-equivalent"), found.unknown
    rng = random.Random(1)
    sides = [Expression(c.graph, int(c.outputs[3][0])) for c in (x, y)]
    values = _values(dtype, rng)
    differ = 0
    for value in values:
        point = {(0, 0): value, (1, 0): rng.choice(values)}
        with ctx.workprec(400):
            differ += not sides[0].value(point, named=False).overlaps(sides[1].value(point, named=False))
    assert (differ == 0) == expected


@pytest.mark.parametrize("dtype", ("s8", "u8", "s32"))
def test_bounds_hold(dtype: str) -> None:
    """Of random expressions, at random integers of the type and its ends."""
    rng = random.Random(5)
    for _ in range(150):
        b = Builder()
        terms = [b.leaf(0, 0), b.leaf(1, 0)]
        for _ in range(rng.randint(1, 7)):
            p, q = rng.choice(terms), rng.choice(terms)
            number = rng.choice((-2.0, 0.25, 0.75, 3.0, 0.0625, 16.0))
            terms.append(
                rng.choice([
                    lambda p=p, q=q: b.add(p, q), lambda p=p, q=q: b.sub(p, q), lambda p=p, q=q: b.mul(p, q),
                    lambda p=p, q=q: b.max(p, q), lambda p=p, q=q: b.min(p, q), lambda p=p, v=number: b.mul(p, v),
                    lambda p=p: b.op(N.FLOOR, p), lambda p=p: b.op(N.TRUNC, p), lambda p=p: b.op(N.RINT, p),
                    lambda p=p, q=q: b.op(N.SELECT, b.op(N.LT, p, q), p, q),
                ])()
            )  # fmt: skip
        made = replace(b.done({3: [terms[-1]]}), tensor_types=(dtype, dtype, "f32", "f32"), scalar_types=("f32",))
        table = Table()
        table.inputs = integer_inputs(made.tensor_types, made.scalar_types)
        rules = Rules(table)
        form = Translator(made.graph, rules).form(int(made.outputs[3][0]))
        low, high = Integers(table).bounds(form)
        whole = Integers(table).integral(form)
        side = Expression(made.graph, int(made.outputs[3][0]))
        values = _values(dtype, rng)
        for _ in range(25):
            with ctx.workprec(2000):
                value = side.value({(0, 0): rng.choice(values), (1, 0): rng.choice(values)}, named=False)
                assert value.is_exact()
                mantissa, exponent = value.man_exp()
            number = int(mantissa) * Fraction(2) ** int(exponent)
            assert low is None or Fraction(int(low.p), int(low.q)) <= number
            assert high is None or number <= Fraction(int(high.p), int(high.q))
            assert not whole or number.denominator == 1


def test_roundings_of_rationals() -> None:
    for p in range(-12, 13):
        for q in (1, 2, 3, 4):
            exact = Fraction(p, q)
            for kind, expected in (("floor", math.floor(exact)), ("trunc", math.trunc(exact)), ("rint", round(exact))):
                assert int(rounded(kind, fmpq(p, q))) == expected
    assert rounded("floor", None) is None
