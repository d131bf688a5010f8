"""Each rule of the normal forms, on pairs whose equality was worked out by hand: one line a pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from expressions import Builder

from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import canon

N = Node
C1, C2 = float(np.uint32(0x3FB8AA3B).view(np.float32)), float(np.uint32(0x32A57060).view(np.float32))
LOG2E = 1.4426950408889634
Make = Callable[[Builder, Any, Any, Any], Any]


def powers(b: Builder, x: Any, y: Any, z: Any) -> Any:
    """What precise expf computes: 2^(c1·x + c2·x − j) · 2^j."""
    j = b.op(N.FLOOR, b.mul(x, 0.3))
    return b.mul(b.ex2(b.fma(x, C2, b.fma(x, C1, b.neg(j)))), b.ex2(j))


EQUAL: dict[str, tuple[Make, Make]] = {
    "commute": (lambda b, x, y, z: b.add(x, b.mul(y, z)), lambda b, x, y, z: b.fma(z, y, x)),
    "distribute": (lambda b, x, y, z: b.mul(b.add(x, y), z), lambda b, x, y, z: b.add(b.mul(x, z), b.mul(z, y))),
    "square": (lambda b, x, y, z: b.mul(b.add(x, y), b.sub(x, y)), lambda b, x, y, z: b.sub(b.mul(x, x), b.mul(y, y))),
    "x/x": (lambda b, x, y, z: b.div(x, x), lambda b, x, y, z: b.const(1.0)),
    "sum over itself": (lambda b, x, y, z: b.div(b.add(x, y), b.add(y, x)), lambda b, x, y, z: b.const(1.0)),
    "exact division": (
        lambda b, x, y, z: b.ex2(b.div(b.sub(b.mul(x, x), b.mul(y, y)), b.sub(x, y))),
        lambda b, x, y, z: b.mul(b.ex2(x), b.ex2(y)),
    ),
    "common denominator": (
        lambda b, x, y, z: b.add(b.div(x, b.add(y, z)), b.div(x, b.sub(y, z))),
        lambda b, x, y, z: b.div(b.mul(2.0, b.mul(x, y)), b.sub(b.mul(y, y), b.mul(z, z))),
    ),
    "exp of a sum": (lambda b, x, y, z: b.exp(b.sub(x, y)), lambda b, x, y, z: b.div(b.exp(x), b.exp(y))),
    "exp through ex2": (lambda b, x, y, z: b.exp(x), lambda b, x, y, z: b.ex2(b.mul(x, C1))),
    "exp through ex2 in float64": (lambda b, x, y, z: b.exp(x), lambda b, x, y, z: b.ex2(b.mul(LOG2E, x))),
    "log2 e times a power of two": (lambda b, x, y, z: b.exp(b.mul(x, -0.125)), lambda b, x, y, z: b.ex2(b.mul(x, -C1 / 8))),
    "precise expf": (lambda b, x, y, z: b.exp(x), powers),
    "max under a scale": (
        lambda b, x, y, z: b.exp(b.sub(x, b.max(x, y))),
        lambda b, x, y, z: b.ex2(b.sub(b.mul(x, C1), b.max(b.mul(x, C1), b.mul(y, C1)))),
    ),
    "2^3": (lambda b, x, y, z: b.ex2(b.add(x, 3.0)), lambda b, x, y, z: b.mul(b.ex2(x), 8.0)),
    "max of max": (lambda b, x, y, z: b.max(x, b.max(y, z)), lambda b, x, y, z: b.max(b.max(z, x), b.max(y, x))),
    "max of itself": (lambda b, x, y, z: b.max(x, x), lambda b, x, y, z: x),
    "min through max": (lambda b, x, y, z: b.min(x, y), lambda b, x, y, z: b.neg(b.max(b.neg(x), b.neg(y)))),
    "max, factor": (lambda b, x, y, z: b.mul(0.125, b.max(x, y)), lambda b, x, y, z: b.max(b.mul(y, 0.125), b.mul(x, 0.125))),
    "max, summand": (lambda b, x, y, z: b.max(b.add(x, z), b.add(y, z)), lambda b, x, y, z: b.add(z, b.max(x, y))),
    "abs": (lambda b, x, y, z: b.op(N.ABS, x), lambda b, x, y, z: b.max(b.neg(x), x)),
    "sat": (lambda b, x, y, z: b.op(N.SAT, x), lambda b, x, y, z: b.min(1.0, b.max(x, 0.0))),
    "max as select": (lambda b, x, y, z: b.op(N.SELECT, b.op(N.LT, y, x), x, y), lambda b, x, y, z: b.max(x, y)),
    "min as select": (lambda b, x, y, z: b.op(N.SELECT, b.op(N.LE, x, y), x, y), lambda b, x, y, z: b.min(x, y)),
    "leaky relu": (
        lambda b, x, y, z: b.op(N.SELECT, b.op(N.LT, 0.0, x), x, b.mul(x, 0.25)),
        lambda b, x, y, z: b.max(x, b.mul(x, 0.25)),
    ),
    "flipped select": (
        lambda b, x, y, z: b.op(N.SELECT, b.op(N.LT, x, y), z, b.mul(x, z)),
        lambda b, x, y, z: b.op(N.SELECT, b.op(N.NOT, b.op(N.LT, b.mul(2.0, x), b.mul(2.0, y))), b.mul(z, x), z),
    ),
    "equal arms": (
        lambda b, x, y, z: b.op(N.SELECT, b.op(N.EQ, x, y), b.add(z, x), b.add(x, z)),
        lambda b, x, y, z: b.add(x, z),
    ),
    "rcp": (lambda b, x, y, z: b.mul(x, b.op(N.RCP, y)), lambda b, x, y, z: b.div(x, y)),
    "sqrt squared": (
        lambda b, x, y, z: b.mul(b.op(N.SQRT, b.add(x, y)), b.op(N.SQRT, b.add(y, x))),
        lambda b, x, y, z: b.add(x, y),
    ),
    "rsqrt": (lambda b, x, y, z: b.div(x, b.op(N.SQRT, b.add(y, z))), lambda b, x, y, z: b.mul(x, b.op(N.RSQRT, b.add(y, z)))),
    "x rsqrt x": (
        lambda b, x, y, z: b.mul(b.add(x, y), b.op(N.RSQRT, b.add(x, y))),
        lambda b, x, y, z: b.op(N.SQRT, b.add(x, y)),
    ),
    "sqrt 4x": (lambda b, x, y, z: b.op(N.SQRT, b.mul(x, 4.0)), lambda b, x, y, z: b.mul(b.op(N.SQRT, x), 2.0)),
    "sqrt e^x": (lambda b, x, y, z: b.op(N.SQRT, b.exp(x)), lambda b, x, y, z: b.exp(b.mul(x, 0.5))),
    "log e^x": (lambda b, x, y, z: b.op(N.LOG, b.exp(x)), lambda b, x, y, z: x),
    "e^log x": (lambda b, x, y, z: b.exp(b.op(N.LOG, b.add(x, y))), lambda b, x, y, z: b.add(x, y)),
    "log-sum-exp": (
        lambda b, x, y, z: b.op(N.LOG, b.add(b.exp(x), b.exp(y))),
        lambda b, x, y, z: b.add(b.max(x, y), b.op(N.LOG, b.add(b.exp(b.sub(x, b.max(x, y))), b.exp(b.sub(y, b.max(x, y)))))),
    ),
    "tanh": (
        lambda b, x, y, z: b.op(N.TANH, x),
        lambda b, x, y, z: b.div(b.sub(b.exp(x), b.exp(b.neg(x))), b.add(b.exp(b.neg(x)), b.exp(x))),
    ),
    "sigmoid": (
        lambda b, x, y, z: b.div(1.0, b.add(1.0, b.exp(b.neg(x)))),
        lambda b, x, y, z: b.mul(0.5, b.add(1.0, b.op(N.TANH, b.mul(x, 0.5)))),
    ),
    "power": (lambda b, x, y, z: b.op(N.POW, b.add(x, y), b.const(2.0)), lambda b, x, y, z: b.mul(b.add(x, y), b.add(x, y))),
    "odd": (lambda b, x, y, z: b.op(N.SIN, b.sub(x, y)), lambda b, x, y, z: b.neg(b.op(N.SIN, b.sub(y, x)))),
    "even": (lambda b, x, y, z: b.op(N.COS, b.sub(x, y)), lambda b, x, y, z: b.op(N.COS, b.sub(y, x))),
    "ceil": (lambda b, x, y, z: b.op(N.CEIL, x), lambda b, x, y, z: b.neg(b.op(N.FLOOR, b.neg(x)))),
    "xor": (
        lambda b, x, y, z: b.op(N.XOR, b.op(N.LT, x, y), b.op(N.LT, x, y)),
        lambda b, x, y, z: b.const(0.0),
    ),
}
DIFFERENT: dict[str, tuple[Make, Make]] = {
    "max and one side": (lambda b, x, y, z: b.max(x, y), lambda b, x, y, z: x),
    "one ulp off log2 e": (
        lambda b, x, y, z: b.exp(x),
        lambda b, x, y, z: b.ex2(b.mul(x, float(np.nextafter(np.float32(C1), np.float32(2.0))))),
    ),
    "c2 alone": (lambda b, x, y, z: b.ex2(b.mul(x, C2)), lambda b, x, y, z: b.const(1.0)),
    "a literal that is near nothing": (lambda b, x, y, z: b.mul(x, C1), lambda b, x, y, z: b.mul(x, LOG2E + 2.0**-40)),
    "floors of different arguments": (
        lambda b, x, y, z: b.mul(b.ex2(b.op(N.FLOOR, x)), b.ex2(b.neg(b.op(N.FLOOR, y)))),
        lambda b, x, y, z: b.const(1.0),
    ),
    "abs": (lambda b, x, y, z: b.op(N.ABS, x), lambda b, x, y, z: x),
    "negative factor": (lambda b, x, y, z: b.mul(-1.0, b.max(x, y)), lambda b, x, y, z: b.max(b.neg(x), b.neg(y))),
    "arms in the other order": (
        lambda b, x, y, z: b.op(N.SELECT, b.op(N.LT, x, y), x, z),
        lambda b, x, y, z: b.op(N.SELECT, b.op(N.LT, x, y), z, x),
    ),
    "sqrt of a square": (lambda b, x, y, z: b.op(N.SQRT, b.mul(x, x)), lambda b, x, y, z: x),
    "exp of a product": (lambda b, x, y, z: b.exp(b.mul(x, y)), lambda b, x, y, z: b.mul(b.exp(x), b.exp(y))),
}


def outcome(pair: tuple[Make, Make], **options: Any) -> tuple[str, tuple[str, ...]]:
    sides = []
    for make in pair:
        b = Builder()
        sides.append(b.done({3: [make(b, b.leaf(0, 0), b.leaf(0, 1), b.leaf(1, 2))]}))
    result = canon(sides[0], sides[1], **options)
    (only,) = result.classes
    return only.outcome, result.assumptions


@pytest.mark.parametrize("name", EQUAL)
def test_equal(name: str) -> None:
    assert outcome(EQUAL[name])[0] in ("equal", "identical")


@pytest.mark.parametrize("name", DIFFERENT)
def test_different(name: str) -> None:
    assert outcome(DIFFERENT[name])[0] == "differ"


def test_assumptions_are_named() -> None:
    assert outcome(EQUAL["x/x"])[1] == ("denominators are not zero",)
    assert outcome(EQUAL["sqrt squared"])[1] == ("x ≥ 0 where sqrt x is taken",)
    assert outcome(EQUAL["exp through ex2"])[1] == ("the literal 0f3FB8AA3B stands for log2 e",)
    assert outcome(EQUAL["precise expf"])[1] == ("the literals 0f3FB8AA3B + 0f32A57060 stand for log2 e",)
    assert outcome(EQUAL["exp of a sum"])[1] == ()


def test_a_literal_outside_an_exponent_is_read_only_where_that_makes_the_sides_equal() -> None:
    pair: tuple[Make, Make] = (lambda b, x, y, z: b.mul(x, C1), lambda b, x, y, z: b.mul(x, LOG2E))
    found, assumptions = outcome(pair)
    assert found == "equal" and len(assumptions) == 2 and all("stands for log2 e" in a for a in assumptions)
    assert outcome(pair, constants="exact") == ("differ", ())
    assert outcome((pair[0], lambda b, x, y, z: b.mul(C1, x)))[1] == ()


def test_exact_constants_stand_for_nothing() -> None:
    assert outcome(EQUAL["exp through ex2"], constants="exact") == ("differ", ())


def test_term_budget_ends_in_undecidable() -> None:
    def squares(b: Builder, x: Any, y: Any, z: Any) -> Any:
        s = b.add(b.add(x, y), b.add(z, 1.0))
        for _ in range(5):
            s = b.mul(s, s)
        return s

    def steps(b: Builder, x: Any, y: Any, z: Any) -> Any:
        s = b.add(b.add(x, y), b.add(z, 1.0))
        total = s
        for _ in range(31):
            total = b.mul(total, s)
        return total

    assert outcome((squares, steps), max_terms=10_000)[0] == "undecidable"
