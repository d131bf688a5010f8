"""Roots of products and of squares of sums: pairs, neighbours that are refuted, conditions, divisors that vanish, and random
products against their values in Arb."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from decision_pairs import conditions
from flint import arb, ctx, fmpq

from volta_pipe.ir.normal_form import Form, Table
from volta_pipe.passes.canon import canon
from volta_pipe.passes.canon.polynomials import factored
from volta_pipe.passes.decide import Decision, decide

Q, A = np.sqrt, np.abs
Function = Callable[..., Any]
NAMES = ("x", "y", "z")
ROOTS = "x ≥ 0 where sqrt x is taken"


def decided(left: Function, right: Function, size: int = 1) -> Decision:
    sides = [conditions(f, NAMES, dict.fromkeys(NAMES, (size,))) for f in (left, right)]
    return decide(canon(sides[0], sides[1]), sides[0], sides[1])


def p(x: Any) -> Any:
    return x * x + 1


# rule: (one side, the other one, a wrong neighbour)
RULES: dict[str, tuple[Function, Function, Function]] = {
    "product": (lambda x, y: Q(p(x) * p(y)), lambda x, y: Q(p(x)) * Q(p(y)), lambda x, y: Q(p(x)) * Q(p(y) + 1)),
    "of three": (lambda x, y, z: Q(p(x) * p(y) * p(z)), lambda x, y, z: Q(p(x)) * Q(p(y) * p(z)), lambda x: Q(p(x) + 2)),
    "expanded": (lambda x, y: Q(x * x * y * y + x * x + p(y)), lambda x, y: Q(p(x) * p(y)), lambda x, y: Q(p(x) * y * y)),
    "one over it": (lambda x, y: 1 / Q(p(x) * p(y)), lambda x, y: 1 / Q(p(x)) / Q(p(y)), lambda x, y: 1 / Q(p(x)) * Q(p(y))),
    "two signs": (lambda x, y: Q(-p(x) * (-1 - y * y)), lambda x, y: Q(p(x)) * Q(p(y)), lambda x, y: -Q(p(x)) * Q(p(y))),
    "square": (lambda x, y: Q(x * x - 2 * x * y + y * y), lambda x, y: A(x - y), lambda x, y: x - y),
    "square times": (lambda x, y: Q((x - y) ** 2 * p(x)), lambda x, y: A(y - x) * Q(p(x)), lambda x, y: (y - x) * Q(p(x))),
    "cube": (lambda x: Q(p(x) ** 3), lambda x: p(x) * Q(p(x)), lambda x: p(x) ** 2 * Q(p(x))),
}


@pytest.mark.parametrize("name", RULES)
def test_rules(name: str) -> None:
    left, right, wrong = RULES[name]
    d = decided(left, right)
    assert d.verdict == "equivalent", (d, d.unknown)
    assert ROOTS in d.assumptions
    assert decided(left, wrong).verdict == "not-equivalent"


def test_what_is_not_known_to_be_positive_is_assumed() -> None:
    d = decided(lambda x, y: Q((x + 1) * (y + 1)), lambda x, y: Q(x + 1) * Q(y + 1))
    assert d.verdict == "equivalent" and d.assumptions == (ROOTS,)
    for left, right in (
        (lambda x, y: Q((x - 1) ** 2 * (y + 1)), lambda x, y: (x - 1) * Q(y + 1)),
        (lambda x, y: Q((x * x - 1) * (y * y - 1)), lambda x, y: Q(1 - x * x) * Q(1 - y * y) + Q(x * x + 1) - Q(1 + y * y)),
    ):
        assert decided(left, right).verdict == "not-equivalent"


def norm(x: Any) -> Any:
    return Q((x * x).sum())


def dot(x: Any, y: Any) -> Any:
    return (x * y).sum()


@pytest.mark.parametrize("size", [2, 8, 20])
def test_cosine_similarity(size: int) -> None:
    """With 20 elements the product of the two sums has 400 terms, too many to factor: it is seen as a product."""
    ways: list[Function] = [
        lambda x, y: dot(x, y) / (norm(x) * norm(y)),
        lambda x, y: dot(x, y) / Q(dot(x, x) * dot(y, y)),
        lambda x, y: dot(x / norm(x), y / norm(y)),
        lambda x, y: dot(x, y) / norm(x) / norm(y),
    ]
    for way in ways[1:]:
        d = decided(ways[0], way, size)
        assert d.verdict == "equivalent" and set(d.assumptions) == {ROOTS, "denominators are not zero"}
    assert decided(ways[0], lambda x, y: dot(x, y) / Q(dot(x, x) + dot(y, y)), size).verdict == "not-equivalent"


def test_what_is_0_by_maxima_or_roots_is_never_divided_by() -> None:
    zeros: list[Function] = [
        lambda x, y: A(x) * A(x) - x * x,
        lambda x, y: np.maximum(x, y) * np.minimum(x, y) - x * y,
        lambda x, y: Q(1 - np.sin(x)) * Q(1 + np.sin(x)) - A(np.cos(x)),
        lambda x, y: Q(p(x) * p(y)) - Q(p(x)) * Q(p(y)),
    ]
    for zero in zeros:
        assert decided(lambda x, y, zero=zero: zero(x, y) / zero(x, y), lambda x: 1 + 0 * x).verdict == "unknown"
        many = lambda x, y, z, zero=zero: A(z) * A(z) + zero(x, y) / zero(x, y)  # noqa: E731 - equal case by case
        assert decided(many, lambda z: z * z + 1).verdict == "unknown"
    for way in (lambda x, y: (x - y) / (x - y), lambda x, y: np.where(x > 99, (x - y) / (x - y), 1)):
        assert decided(way, lambda x: 1 + 0 * x).verdict == "equivalent"


def test_factors_multiply_to_the_sum() -> None:
    t = Table()
    atoms = [t.atom("leaf", 0, i) for i in range(3)]
    for seed in range(40):
        rng = random.Random(seed)
        form = Form({t.monomial(((atoms[0], rng.choice((-1, 1))),)): rng.choice((1, -3, 12))}, ())
        for _ in range(rng.randint(1, 4)):
            terms = {t.monomial(((a, rng.randint(1, 2)),)): rng.choice((-2, 1, 1, 3)) for a in rng.sample(atoms, 2)}
            form = t.mul(form, Form(terms | {0: rng.choice((1, -5))}, ()))
        found = factored(t, form.num)
        assert found is not None
        product = found[0]
        for terms, power in found[1]:
            for _ in range(power):
                product = t.product(product, terms)
        assert product == form.num


def test_random_products() -> None:
    equivalent = refuted = 0
    for seed in range(40):
        rng = random.Random(f"roots {seed}")
        factors = [tuple(rng.choice((-1, 0, 1, 2)) for _ in range(4)) for _ in range(rng.randint(2, 3))]

        def one(f: tuple[int, ...], v: Any) -> Any:
            """A square of a linear form plus a square, a number or nothing."""
            return (f[0] * v[0] + f[1] * v[1] + v[2]) ** 2 + f[2] ** 2 * v[0] * v[0] + f[3] ** 2

        def whole(v: Any, sqrt: Function, factors: Any = factors) -> Any:
            product = one(factors[0], v)
            for f in factors[1:]:
                product = product * one(f, v)
            return sqrt(product)

        def parts(v: Any, sqrt: Function, change: int = 0, factors: Any = factors) -> Any:
            product = sqrt(one(factors[0], v) + change)
            for f in factors[1:]:
                product = product * sqrt(one(f, v))
            return product

        for change in (0, 1):
            d = decided(lambda x, y, z: whole((x, y, z), Q), lambda x, y, z, c=change: parts((x, y, z), Q, c))
            with ctx.workprec(300):
                v = [arb(fmpq(rng.randint(1, 99), 32)) for _ in NAMES]
                apart = not (whole(v, arb.sqrt) - parts(v, arb.sqrt, change)).contains(0)
            assert apart == bool(change) and d.verdict != ("equivalent" if apart else "not-equivalent"), (factors, d)
            equivalent += d.verdict == "equivalent"
            refuted += d.verdict == "not-equivalent"
    assert equivalent >= 38 and refuted >= 38, (equivalent, refuted)
