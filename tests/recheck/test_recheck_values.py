"""Modular evaluation: laws of the functions hold in it, wrong ones do not, and what it says nothing about is said."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from expressions import Builder

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.recheck.agreement import Agreeing, Agreement
from volta_pipe.passes.recheck.literals import readings
from volta_pipe.passes.recheck.primes import chain, root
from volta_pipe.passes.recheck.reader import Class
from volta_pipe.passes.recheck.report import FAILED, PASSED

N = Node
Pair = Callable[[Builder, Any, Any], tuple[Any, Any]]


def compared(pair: Pair, assumptions: tuple[str, ...] = ()) -> Agreement:
    sides: list[Conditions] = []
    for number in (0, 1):
        b = Builder()
        sides.append(b.done({3: [pair(b, b.leaf(0, 0), b.leaf(0, 1))[number]]}))
    none = np.zeros(0, np.int32)
    one = Class(np.array([3], np.int32), np.array([0], np.int32), "equal", ("", ""), (), True, none, none, none, none, "")
    literals, wrong = readings(assumptions)
    assert not wrong
    return Agreeing((sides[0], sides[1]), literals, "test", 1, 1_000_000).check(one)


def squared(b: Builder, x: Any) -> Any:
    return b.mul(x, x)


# Equal pairs that primes decide: laws from any textbook.
LAWS: dict[str, Pair] = {
    "e^x e^y = e^(x+y)": lambda b, x, y: (b.mul(b.exp(x), b.exp(y)), b.exp(b.add(x, y))),
    "2^(x/2) squared": lambda b, x, y: (squared(b, b.ex2(b.mul(x, 0.5))), b.ex2(x)),
    "2^(x+3) = 8 2^x": lambda b, x, y: (b.ex2(b.add(x, 3.0)), b.mul(b.ex2(x), 8.0)),
    "e^x nested": lambda b, x, y: (b.exp(b.mul(b.exp(x), b.exp(y))), b.exp(b.exp(b.add(x, y)))),
    "tanh by exp": lambda b, x, y: (
        b.op(N.TANH, x),
        b.sub(1.0, b.div(2.0, b.add(b.exp(b.mul(x, 2.0)), 1.0))),
    ),
    "sqrt x sqrt x = x": lambda b, x, y: (squared(b, b.op(N.SQRT, x)), b.max(x, 0.0)),
    "rsqrt x = 1 / sqrt x": lambda b, x, y: (
        b.op(N.RSQRT, b.add(squared(b, x), 1.0)),
        b.op(N.RCP, b.op(N.SQRT, b.fma(x, x, 1.0))),
    ),
    "sqrt(4x) = 2 sqrt x": lambda b, x, y: (b.op(N.SQRT, b.mul(x, 4.0)), b.mul(b.op(N.SQRT, x), 2.0)),
    "sqrt(9x) = 3 sqrt x": lambda b, x, y: (b.op(N.SQRT, b.mul(x, 9.0)), b.mul(b.op(N.SQRT, x), 3.0)),
    "2^0.5 = sqrt 2": lambda b, x, y: (b.mul(x, b.ex2(b.const(0.5))), b.mul(x, b.op(N.SQRT, b.const(2.0)))),
    "max + min": lambda b, x, y: (b.add(b.max(x, y), b.min(x, y)), b.add(x, y)),
    "|x - y| = |y - x|": lambda b, x, y: (b.op(N.ABS, b.sub(x, y)), b.op(N.ABS, b.sub(y, x))),
    "select is max": lambda b, x, y: (b.op(N.SELECT, b.op(N.LT, x, y), y, x), b.max(x, y)),
    "an arm without a value": lambda b, x, y: (
        b.op(N.SELECT, b.op(N.EQ, squared(b, x), -1.0), b.div(y, 0.0), x),
        b.add(x, 0.0),
    ),
    "floor(x + 1)": lambda b, x, y: (b.op(N.FLOOR, b.add(x, 1.0)), b.add(b.op(N.FLOOR, x), 1.0)),
    "ceil x = -floor(-x)": lambda b, x, y: (b.op(N.CEIL, x), b.neg(b.op(N.FLOOR, b.neg(x)))),
    "x^3": lambda b, x, y: (b.op(N.POW, x, 3.0), b.mul(x, squared(b, x))),
    "x^-1.5": lambda b, x, y: (
        b.op(N.POW, b.op(N.ABS, x), -1.5),
        b.div(1.0, b.mul(b.op(N.ABS, x), b.op(N.SQRT, b.op(N.ABS, x)))),
    ),
    "saturation": lambda b, x, y: (b.op(N.SAT, x), b.min(b.max(x, 0.0), 1.0)),
    "log of the same": lambda b, x, y: (b.op(N.LOG, b.exp(b.add(x, y))), b.op(N.LOG, b.mul(b.exp(y), b.exp(x)))),
}
# Equal pairs that rest on a law of a function of which residues know nothing.
BY_BALLS: dict[str, tuple[Pair, str]] = {
    "log e^x = x": (lambda b, x, y: (b.op(N.LOG, b.exp(x)), b.add(x, 0.0)), "log"),
    "sin² + cos² = 1": (
        lambda b, x, y: (b.add(squared(b, b.op(N.SIN, x)), squared(b, b.op(N.COS, x))), b.const(1.0)), "cos, sin",
    ),
    "erf is odd": (lambda b, x, y: (b.op(N.ERF, b.neg(x)), b.neg(b.op(N.ERF, x))), "erf"),
    "x^y x = x^(y+1)": (
        lambda b, x, y: (b.mul(b.op(N.POW, b.exp(x), y), b.exp(x)), b.op(N.POW, b.exp(x), b.add(y, 1.0))), "pow",
    ),
    "e^e^e^(x/9)": (
        lambda b, x, y: tuple(b.exp(b.exp(b.exp(b.mul(z, 0.125)))) for z in (b.add(x, y), b.add(y, x))), "2^x nested",
    ),
}  # fmt: skip
# Pairs that differ, though at many points only a little, or only for some signs.
WRONG: dict[str, Pair] = {
    "e^x + e^y": lambda b, x, y: (b.mul(b.exp(x), b.exp(y)), b.exp(b.mul(x, y))),
    "one unit in the last place": lambda b, x, y: (b.mul(x, 1.0), b.mul(x, float(np.nextafter(1.0, 2.0)))),
    "2^-60 off": lambda b, x, y: (b.add(x, 2.0**-60), b.add(x, 0.0)),
    "sqrt x² = x": lambda b, x, y: (b.op(N.SQRT, squared(b, x)), b.add(x, 0.0)),
    "log(x + y)": lambda b, x, y: (b.op(N.LOG, b.exp(b.add(x, y))), b.mul(x, y)),
    "sin of another": lambda b, x, y: (b.op(N.SIN, x), b.op(N.SIN, y)),
    "max for min": lambda b, x, y: (b.max(x, y), b.min(x, y)),
    "trunc is floor": lambda b, x, y: (b.op(N.TRUNC, x), b.op(N.FLOOR, x)),
    "rint is floor of x + 1/2 but for ties": lambda b, x, y: (
        b.op(N.RINT, b.add(b.op(N.FLOOR, x), 0.5)),
        b.add(b.op(N.FLOOR, x), 1.0),
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_laws_hold_modulo_primes(name: str) -> None:
    found = compared(LAWS[name])
    assert (found.outcome, found.balls) == (PASSED, ""), found


@pytest.mark.parametrize("name", BY_BALLS)
def test_what_balls_alone_could_check_is_said(name: str) -> None:
    pair, functions = BY_BALLS[name]
    found = compared(pair)
    assert found.outcome == PASSED and found.balls.startswith(functions), found


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_law_is_found(name: str) -> None:
    assert compared(WRONG[name]).outcome == FAILED


def test_a_value_that_is_nowhere_defined_is_not_passed() -> None:
    found = compared(lambda b, x, y: (b.op(N.SQRT, b.sub(-1.0, squared(b, x))), b.op(N.SQRT, b.sub(-1.0, squared(b, x)))))
    assert found.outcome == "not checked" and "root of a negative number" in found.detail


def test_literals_are_read_as_the_assumptions_say() -> None:
    log2e, ln2 = float(np.float32(np.log2(np.e))), float(np.float32(np.log(2)))
    pair: Pair = lambda b, x, y: (b.exp(x), b.ex2(b.mul(x, log2e)))  # noqa: E731
    assert compared(pair).outcome == FAILED
    assert compared(pair, ("the literal 0f3FB8AA3B stands for log2 e",)).outcome == PASSED
    scaled: Pair = lambda b, x, y: (b.exp(b.mul(x, -0.25)), b.ex2(b.mul(x, -log2e / 4)))  # noqa: E731
    assert compared(scaled, ("the literal 0f3FB8AA3B stands for log2 e",)).outcome == PASSED
    third = float(np.float32(1 / 3))
    pair = lambda b, x, y: (b.div(x, 3.0), b.mul(x, third))  # noqa: E731
    assert compared(pair).outcome == FAILED
    assert compared(pair, ("the literal 0f3EAAAAAB stands for 1/3",)).outcome == PASSED
    pair = lambda b, x, y: (b.exp(b.mul(x, ln2)), b.ex2(x))  # noqa: E731
    assert compared(pair, ("the literal 0f3F317218 stands for ln 2",)).outcome == PASSED
    half = float(np.float32(np.sqrt(0.5)))
    pair = lambda b, x, y: (b.mul(x, half), b.div(x, b.op(N.SQRT, b.const(2.0))))  # noqa: E731
    assert compared(pair, ("the literal 0f3F3504F3 stands for 1/sqrt 2",)).outcome == PASSED
    for text, square in (
        ("0f3E16C740 stands for log2 e / sqrt 6 · 2^-2", 96.0),
        ("0f3D76384F stands for log2 e / 3 · 2^-3", 576.0),
    ):
        scale = float(np.float32(np.log2(np.e) / np.sqrt(square)))
        pair = lambda b, x, y, v=scale, n=square: (  # noqa: E731
            b.exp(b.div(x, b.op(N.SQRT, b.const(n)))),
            b.ex2(b.mul(x, v)),
        )
        assert compared(pair).outcome == FAILED
        assert compared(pair, (f"the literal {text}",)).outcome == PASSED


@pytest.mark.parametrize(
    "text",
    [
        "the literal 0f3FB8AA3C stands for log2 e",  # one unit in the last place off
        "the literals 0f3FB8AA3B + 0f32A57061 stand for log2 e",
        "the literal 0f3EAAAAAA stands for 1/3",
        "the literal 0f3F317218 stands for log2 e",
        "the literal 0f3E16C741 stands for log2 e / sqrt 6 · 2^-2",
    ],
)
def test_a_literal_that_is_not_the_nearest_one_is_found(text: str) -> None:
    _, (wrong,) = readings((text,))
    assert "not the nearest one" in wrong


def test_chains_of_primes() -> None:
    """Checked by trial: the properties that make 2^x a homomorphism."""
    for levels in (1, 2, 3):
        primes = chain(levels, "a seed")
        assert len(primes) == levels and primes[0].bit_length() == 61 and chain(levels, "another") != primes
        for p, q in pairwise(primes):
            assert p == 2 * q + 1 and pow(2, q, p) == 1
        for p in primes:
            assert p % 4 == 3 and all(pow(a, p - 1, p) == 1 for a in range(2, 40))
            assert root(4, p) in (2, p - 2) and Fraction(root(9, p) or 0) ** 2 % p == 9
