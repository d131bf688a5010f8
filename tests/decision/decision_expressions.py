"""Random expressions in the manner of kernels.

An expression is a tuple (operator, *arguments) as in `decision_random`; ("named", literal, name) is a float32 literal that
stands for a real number."""

from __future__ import annotations

import random

import numpy as np
from decision_random import Expression, const, leaf

LOG2E = ("named", float(np.float32(1.44269504)), "log2 e")
LN2 = ("named", float(np.float32(0.693147182)), "ln 2")
ONE, TWO, ZERO, HALF = const(1.0), const(2.0), const(0.0), const(0.5)
ATOMS = ("leaf", "const", "named")
# What an expression is made of; a word more than once is drawn as often.
THEMES: tuple[tuple[str, ...], ...] = (
    ("add", "add", "sub", "mul", "mul", "div", "exp", "neg"),
    ("max", "min", "abs", "select", "add", "sub", "scale", "neg"),
    ("log", "sqrt", "exp", "tanh", "rsqrt", "mul", "add", "sub", "div"),
    ("max", "min", "abs", "select", "add", "sub", "mul", "div", "exp", "log", "sqrt", "scale", "softmax"),
)


def size(e: Expression) -> int:
    return 1 if e[0] in ATOMS else 1 + sum(size(x) for x in e[1:])


def number(rng: random.Random) -> Expression:
    return const(rng.choice((0.5, -0.5, 1.0, -1.0, 2.0, 3.0, 0.25, 1.5, -2.0, 0.375, 5.0)))


def _exponent(rng: random.Random) -> Expression:
    x, y = leaf(rng), leaf(rng)
    return rng.choice((x, ("sub", x, y), ("add", x, y), ("mul", number(rng), x), ("sub", x, ("max", x, y)), ("mul", x, y)))


def positive(rng: random.Random) -> Expression:
    """What is positive wherever it has a value; a bare leaf is an assumption of the verdict."""
    x = leaf(rng)
    grown = ("exp", _exponent(rng))
    return rng.choice(
        (x, grown, ("add", ONE, ("mul", x, x)), ("add", grown, ("exp", leaf(rng))), ("add", ONE, grown), ("mul", x, grown))
    )


def expression(rng: random.Random, theme: tuple[str, ...], depth: int) -> Expression:
    if depth == 0 or rng.random() < 0.1:
        return leaf(rng) if rng.random() < 0.8 else number(rng)

    def inner() -> Expression:
        return expression(rng, theme, depth - 1)

    op = rng.choice(theme)
    if op == "select":
        return ("select", (rng.choice(("lt", "lt", "le", "eq")), inner(), rng.choice((ZERO, leaf(rng)))), inner(), inner())
    if op == "scale":
        return ("mul", number(rng), inner())
    if op == "exp":
        return ("exp", _exponent(rng))
    if op == "softmax":
        x, y = leaf(rng), leaf(rng)
        return ("div", ("exp", x), ("add", ("exp", x), ("exp", y)))
    if op in ("log", "sqrt", "rsqrt"):
        return (op, positive(rng))
    if op == "div":
        return ("div", inner(), rng.choice((positive(rng), leaf(rng), ("add", leaf(rng), number(rng)))))
    return (op, inner()) if op in ("abs", "neg", "tanh") else (op, inner(), inner())
