# ruff: noqa: PLW0108 - both sides are spelled out
"""Sines and cosines: each rule with a pair, a neighbour that is refuted, divisors that vanish unseen, and random polynomials
against their values in Arb."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from decision_pairs import conditions
from flint import arb, ctx, fmpq

from volta_pipe.passes.canon import Canonical, canon
from volta_pipe.passes.canon.show import show
from volta_pipe.passes.decide import Decision, decide

F = np.float32
PI, HALF_PI = F(np.pi), F(np.pi / 2)
S, C = np.sin, np.cos
W, Q = np.where, np.sqrt
Function = Callable[..., Any]
NAMES = ("x", "y", "z")


def decided(left: Function, right: Function, **options: Any) -> Decision:
    sides = [conditions(f, NAMES, {}) for f in (left, right)]
    return decide(canon(sides[0], sides[1], **options), sides[0], sides[1])


# rule: (one side, the other one, a wrong neighbour)
RULES: dict[str, tuple[Function, Function, Function]] = {
    "odd and even": (lambda x, y: S(x - y) * C(y - x), lambda x, y: -C(x - y) * S(y - x), lambda x, y: S(y - x) * C(y - x)),
    "sum": (lambda x, y: C(x + y), lambda x, y: C(x) * C(y) - S(x) * S(y), lambda x, y: C(x) * C(y) + S(x) * S(y)),
    "three": (lambda x, y, z: S(x + y - z), lambda x, y, z: S(x) * C(y - z) + C(x) * S(y - z), lambda x, y, z: S(x + y) - S(z)),
    "multiple": (lambda x: C(3 * x), lambda x: 4 * C(x) ** 3 - 3 * C(x), lambda x: 4 * C(x) ** 3 - 3 * S(x)),
    "square": (lambda x: C(x) ** 4 - S(x) ** 4, lambda x: C(2 * x), lambda x: S(2 * x)),
    "halves": (lambda x: 2 * S(x / 2) * C(x / 2), lambda x: 2 * C(-x / 2) * S(x / 2), lambda x: S(x / 2) * C(x / 2)),
    "quotient": (lambda x: (1 - C(x)) / S(x), lambda x: S(x) / (1 + C(x)), lambda x: C(x) / (1 + S(x))),
    "reciprocal": (lambda x: 1 / C(x) ** 2, lambda x: 1 + (S(x) / C(x)) ** 2, lambda x: 1 - (S(x) / C(x)) ** 2),
    "a select": (lambda x, y, z: S(W(x > 0, y, z)), lambda x, y, z: W(x > 0, S(y), S(z)), lambda x, y, z: W(x > 0, S(z), S(y))),
    "an arm": (lambda x, y: C(W(x > 0, y, 0)), lambda x, y: W(x > 0, C(y), 1), lambda x, y: W(x > 0, C(y), 0)),
    "pi": (lambda x: S(x + PI), lambda x: -S(x), lambda x: S(x)),
    "half pi": (lambda x: S(x + HALF_PI), lambda x: C(x), lambda x: -C(x)),
    "zero": (lambda x: S(x - x) + C(0 * x), lambda x: 1 + 0 * x, lambda x: 0 * x),
    "root": (lambda x: Q(1 - S(x) ** 2), lambda x: np.abs(C(x)), lambda x: C(x)),
    "root below": (lambda x, y: Q(y * y / C(x) ** 2), lambda x, y: np.abs(y) / np.abs(C(x)), lambda x, y: y / np.abs(C(x))),
    "at least -1": (lambda x: np.maximum(0, 1 + C(x)), lambda x: 1 + C(x), lambda x: np.maximum(1, 1 + C(x))),
    "square ≥ 0": (lambda x: np.abs(C(x)) ** 2, lambda x: np.maximum(0, C(x) ** 2), lambda x: np.maximum(0, S(x) ** 2)),
    "in a divisor": (
        lambda x, y, z: 1 / (C(x - y) - C(x) * C(y) + z),
        lambda x, y, z: 1 / (S(x) * S(y) + z),
        lambda x, y, z: 1 / (S(x) * S(y) - z),
    ),
    "rotations compose": (
        lambda x, y, z: x * C(y + z) - S(y + z),
        lambda x, y, z: (x * C(y) - S(y)) * C(z) - (x * S(y) + C(y)) * S(z),
        lambda x, y, z: (x * C(y) - S(y)) * C(z) + (x * S(y) + C(y)) * S(z),
    ),
    "a rotation keeps length": (
        lambda x, y, z: Q((x * C(z) - y * S(z)) ** 2 + (x * S(z) + y * C(z)) ** 2),
        lambda x, y: Q(x * x + y * y),
        lambda x, y: Q(x * x + 2 * y * y),
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_rules(name: str) -> None:
    left, right, wrong = RULES[name]
    d = decided(left, right)
    assert d.verdict == "equivalent", (d, d.unknown)
    assert decided(left, wrong).verdict == "not-equivalent"


def test_conditions_are_named() -> None:
    assert decided(*RULES["sum"][:2]).assumptions == decided(*RULES["at least -1"][:2]).assumptions == ()
    assert decided(*RULES["quotient"][:2]).assumptions == ("denominators are not zero",)
    assert decided(*RULES["pi"][:2]).assumptions == ("the literal 0f40490FDB stands for π",)
    assert decided(*RULES["pi"][:2], constants="exact").verdict == "not-equivalent"
    assert decided(*RULES["root"][:2]).assumptions == ("x ≥ 0 where sqrt x is taken",)


def circle(x: Any) -> Any:
    return S(x) ** 2 + C(x) ** 2 - 1


def more(x: Any, y: Any) -> Any:
    return x * y + x * x + y * y


def r(x: Any) -> Any:
    return x * x + 1


ZEROS: dict[str, Function] = {
    "square": lambda x, y: circle(x),
    "square of a sum": lambda x, y: circle(x + 2 * y),
    "sum": lambda x, y: S(x + y) - S(x) * C(y) - C(x) * S(y),
    "double": lambda x, y: S(2 * x) - 2 * S(x) * C(x),
    "half": lambda x, y: S(x) - 2 * S(x / 2) * C(x / 2),
    "third": lambda x, y: S(x / 2) - 3 * S(x / 6) + 4 * S(x / 6) ** 3,
    "large multiple": lambda x, y: S(10 * x) - 2 * S(5 * x) * C(5 * x),
    "long sum": lambda x, y: S(more(x, y) + x + y) - S(more(x, y)) * C(x + y) - C(more(x, y)) * S(x + y),
    "of |x|": lambda x, y: C(np.abs(x)) - C(x),
    "of a select": lambda x, y: S(W(x > 0, x, y)) - W(x > 0, S(x), S(y)),
    "in an exponent": lambda x, y: np.exp(S(x) ** 2) - np.exp(1 - C(x) ** 2),
    "of a quotient": lambda x, y: S((x + y) / r(x)) - S(x / r(x)) * C(y / r(x)) - C(x / r(x)) * S(y / r(x)),
    "under a root": lambda x, y: Q(2 - C(x) ** 2) - Q(1 + S(x) ** 2),
    "of a named sum": lambda x, y: S(x + y) / (x + y) - (S(x) * C(y) + C(x) * S(y)) / (x + y),
}


@pytest.mark.parametrize("name", ZEROS)
def test_what_is_identically_0_is_never_divided_by(name: str) -> None:
    zero = ZEROS[name]
    for left, right in (
        (lambda x, y: zero(x, y) / zero(x, y), lambda x, y: 1 + 0 * x),
        (lambda x, y, z: z + y * zero(x, y) / zero(x, y), lambda x, y, z: z + y),
        (lambda x, y, z: z / zero(x, y), lambda x, y, z: (z + 1) / zero(x, y)),
        (lambda x, y: W(y > 0, x / zero(x, y), 5), lambda x, y: W(y > 0, y / zero(x, y), 5)),
        (lambda x, y: 1 / Q(zero(x, y) ** 2) - 1 / np.abs(zero(x, y)), lambda x, y: 7 + 0 * x),
    ):
        assert decided(left, right).verdict == "unknown"


def test_independent_angles_may_be_divided_by() -> None:
    assert decided(lambda x, y: y / (S(x) + C(y)), lambda x, y: y * (S(x) + C(y)) / (C(y) + S(x)) ** 2).verdict == "equivalent"
    assert decided(lambda x, y: np.exp(S(x)) / (np.exp(S(5 * x)) + np.exp(S(x))), lambda x, y: 1 / (1 + np.exp(S(5 * x) - S(x)))).verdict == "equivalent"  # fmt: skip # noqa: E501


def test_long_sums_stay_atoms() -> None:
    def many(x: Any, y: Any, z: Any) -> Any:
        return x + y + z + x * y + y * z + x * z + x * x

    assert decided(lambda x, y, z: S(many(x, y, z)), lambda x, y, z: -S(-many(x, y, z))).verdict == "equivalent"
    one = lambda x, y, z: S(x) * C(many(x, y, z) - x) + C(x) * S(many(x, y, z) - x)  # noqa: E731
    assert decided(lambda x, y, z: S(many(x, y, z)), one).verdict == "unknown"
    assert decided(lambda x, y, z: S(many(x, y, z)), lambda x, y, z: one(x, y, z) + x).verdict == "not-equivalent"


def test_a_cosine_is_read_back_whose_square_is_in_no_term() -> None:
    sides = [conditions(f, NAMES, {}) for f in (lambda x, y, z: y * C(x) + z * S(x), lambda x, y, z: z * S(x) - C(-x) * -y)]
    data = b"".join(bytes(chunk) for chunk in canon(sides[0], sides[1]).encode())
    again = Canonical.decode(data)
    assert again.classes[0].outcome == "equal" and "cos(x[0])" in show(again, again.classes[0].forms[0])
    assert b"".join(bytes(chunk) for chunk in again.encode()) == data


def test_cosines_are_read_back() -> None:
    sides = [conditions(f, NAMES, {}) for f in RULES["in a divisor"][:2]]
    made = canon(sides[0], sides[1])
    data = b"".join(bytes(chunk) for chunk in made.encode())
    again = Canonical.decode(data)
    assert b"".join(bytes(chunk) for chunk in again.encode()) == data
    assert decide(again, sides[0], sides[1]).verdict == "equivalent"
    number = again.classes[0].forms[0]
    assert show(again, number) == show(made, made.classes[0].forms[0]) and "sin(x[0])" in show(again, number)


# ---- random polynomials: an expression is (operator, *arguments), an angle a tuple of multiples of x, y and z


def angle(rng: random.Random) -> tuple[int, ...]:
    return tuple(rng.choice((0, 0, 1, -1, n)) for n in rng.choice(((1, 1, 2), (2, 1, 1), (1, 3, 0))))


def expression(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        kind = rng.choice(("sin", "cos", "sin", "cos", "leaf"))
        return (kind, rng.randrange(3)) if kind == "leaf" else (kind, angle(rng))
    return (rng.choice(("add", "sub", "mul", "mul")), expression(rng, depth - 1), expression(rng, depth - 1))


def rewritten(rng: random.Random, e: Any) -> Any:
    """Another spelling: angles split in two, ones that are sin² + cos²."""
    op = e[0]
    if op == "leaf":
        return e
    if op not in ("sin", "cos"):
        new = (op, *[rewritten(rng, x) for x in e[1:]])
        a = angle(rng)
        one = ("add", ("mul", ("sin", a), ("sin", a)), ("mul", ("cos", a), ("cos", a)))
        return ("mul", new, one) if rng.random() < 0.2 else new
    a = tuple(rng.choice((0, n, n // 2)) for n in e[1])
    b = tuple(i - j for i, j in zip(e[1], a, strict=True))
    if op == "sin":
        return ("add", ("mul", ("sin", a), ("cos", b)), ("mul", ("cos", a), ("sin", b)))
    return ("sub", ("mul", ("cos", a), ("cos", b)), ("mul", ("sin", a), ("sin", b)))


def mutated(rng: random.Random, e: Any) -> Any:
    if e[0] in ("sin", "cos"):
        return ("cos" if e[0] == "sin" else "sin", e[1])
    if e[0] == "leaf":
        return ("leaf", (e[1] + 1) % 3)
    i = rng.randrange(1, 3)
    return (*e[:i], mutated(rng, e[i]), *e[i + 1 :])


def value(e: Any, inputs: Any, sin: Function, cos: Function) -> Any:
    op = e[0]
    if op == "leaf":
        return inputs[e[1]]
    if op in ("sin", "cos"):
        return (sin if op == "sin" else cos)(sum((n * x for n, x in zip(e[1], inputs, strict=True) if n), 0 * inputs[0]))
    a, b = (value(x, inputs, sin, cos) for x in e[1:])
    return a + b if op == "add" else a - b if op == "sub" else a * b


def as_function(e: Any) -> Function:
    return lambda x, y, z: value(e, (x, y, z), S, C)


def differ(e: Any, f: Any, rng: random.Random) -> bool:
    """Whether values at three points are certainly apart; else they agree to 200 bits."""
    apart = False
    with ctx.workprec(300):
        for _ in range(3):
            point = [arb(fmpq(rng.randint(-99, 99), 32)) for _ in NAMES]
            gap = value(e, point, arb.sin, arb.cos) - value(f, point, arb.sin, arb.cos)
            apart |= not gap.contains(0)
            assert not gap.contains(0) or gap.rad() < arb(2) ** -200
    return apart


def test_random_polynomials() -> None:
    verdicts: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    for seed in range(40):
        rng = random.Random(f"angles {seed}")
        e = expression(rng, 2)
        f = rewritten(rng, e)
        assert not differ(e, f, rng)
        verdicts[decided(as_function(e), as_function(f)).verdict] += 1
        g = mutated(rng, f)
        verdict = decided(as_function(e), as_function(g)).verdict
        apart = differ(e, g, rng)
        assert verdict != ("equivalent" if apart else "not-equivalent"), (e, g)
        changed[verdict] += apart
    assert verdicts["equivalent"] >= 38 and not verdicts["not-equivalent"], verdicts
    assert changed["not-equivalent"] >= 26, changed
