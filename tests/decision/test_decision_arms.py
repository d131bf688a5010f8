# ruff: noqa: E501 - a pair is a line; both sides are spelled out
"""Arms that are not taken: what divides by 0 there, or has no root there, must not take along what the other arm holds.

Each left side equals the right one; the third function differs from both only where the arm without a value is not taken."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from decision_pairs import Pair, decided, pair
from decision_random import Expression, conditions, const, leaf, points, value

from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import decide

F = np.float32
PAIRS = 160
GRID = points()


def count(x: Any, y: Any) -> Any:
    return (x > 0).astype(F) + (y > 0).astype(F)


def masked_mean(x: Any, y: Any, z: Any, other: float) -> Any:
    """The mean of z and z² over those of the two that count, and another value where none does."""
    return np.where((x > 0) | (y > 0), (np.where(x > 0, z, F(0)) + np.where(y > 0, z * z, F(0))) / count(x, y), F(other))


def masked_mean_again(x: Any, y: Any, z: Any) -> Any:
    one = 1 / np.maximum((y > 0).astype(F) + (x > 0).astype(F), 1)
    return np.where((y > 0) | (x > 0), one * (np.where(y > 0, z * z, F(0)) + np.where(x > 0, z, F(0))), F(5))


def weight(x: Any, y: Any) -> Any:
    return np.where(x > 0, np.exp(y), F(0)) + np.where(y > 0, np.exp(x), F(0))


def norm(x: Any, y: Any, other: float) -> Any:
    scale = np.where((x > 0) | (y > 0), 1 / np.sqrt(weight(x, y)), F(other))
    return scale * scale


def square(x: Any, other: float, *, again: bool = False) -> Any:
    """sqrt (x + 1)², multiplied out, is |x + 1|: the quotient of 2 roots less 1 divisor is 0 where x > -1."""
    root, inverse = np.sqrt(x * x + 2 * x + 1), 1 / (x + 1)
    quotient = (1 / root - inverse) if not again else -(inverse - 1 / root)
    return np.where(x + 1 < 0, 1 / quotient, 0) + (1 / root + inverse) * F(other)


def zero(x: Any, y: Any, z: Any, other: float, *, again: bool = False) -> Any:
    """A divisor that is 0 for all inputs, in names; 1/(x + y) is what brings them about."""
    s = x + y
    t, below = 1 / s, s * s - x * x - 2 * x * y - y * y
    above = s if again else (y + z + x) - z
    return np.where(x == 0, F(other), above / below + t)


def both(u: Any) -> Any:
    return np.maximum(u, F(2)) + np.minimum(u, F(2))


def shared(x: Any, y: Any, z: Any, *, wrong: bool = False) -> Any:
    """Arms that are the same sum, which grows elsewhere before the arms are used."""
    s = x + y
    chosen = s + z if wrong else np.where(z > 0, s, y + x)
    total = s + z
    return chosen * 2 + total * 3


def rounded(x: Any, z: Any) -> Any:
    s = x + 3 - x
    whole = np.floor(s)
    total = s + z
    return whole * 2 + total * 3


def arms(below: Any, other: Any) -> Any:
    """`other` where `below` is 0, else 1/below + 2; the quotient comes first, and so do its cases."""
    quotient = both(1 / below)
    return np.where(below == 0, other, quotient)


def arms_again(below: Any, other: Any) -> Any:
    quotient = 1 / below + 2
    return np.where(below == 0, other, quotient)


ARMS = [
    pair("a mean of what counts", "(1 − p)(1 − q)(p + q) = 0", lambda x, y, z: masked_mean(x, y, z, 5), masked_mean_again, lambda x, y, z: masked_mean(x, y, z, 7)),
    pair("a root of what counts", "the square of a root divides", lambda x, y: norm(x, y, 5), lambda x, y: np.where((y > 0) | (x > 0), 1 / weight(x, y), F(25)), lambda x, y: norm(x, y, 7)),
    pair("divided by a condition less 1", "p(p − 1) = 0", lambda x, z: np.where(x > 0, F(5), z / ((x > 0).astype(F) - 1)), lambda x, z: np.where(x <= 0, -z, F(5)), lambda x, z: np.where(x > 0, F(7), -z)),
    pair("divided by an arm that is 0", "p(1 − p) = 0", lambda x, y, z: np.where(x > 0, F(5), z / np.where(x > 0, F(0), y)), lambda x, y, z: np.where(x > 0, F(5), z / y), lambda x, y, z: np.where(x > 0, F(7), z / np.where(x > 0, F(0), y))),
    pair("1/x in a case", "a case holds x = 0, too", lambda x, y, z: arms(x, y * z), lambda x, y, z: arms_again(x, z * y), lambda x, y: arms_again(x, 0 * y)),
    pair("1/x² in a case", "a case holds x = 0, too", lambda x, y, z: arms(x * x, y * z), lambda x, y, z: arms_again(x * x, z * y), lambda x, y: arms_again(x * x, 0 * y)),
    pair("1/(x + y) in a case", "a case holds x = −y, too", lambda x, y, z: arms(x + y, z * z), lambda x, y, z: arms_again(y + x, z * z), lambda x, y, z: arms_again(x + y, 0 * z)),
    pair("1/xy in a case", "a case holds xy = 0, too", lambda x, y, z: arms(x * y, z * z), lambda x, y, z: arms_again(y * x, z * z), lambda x, y, z: arms_again(x * y, 0 * z)),
    pair("a sum that grows", "arms that are equal", shared, lambda x, y, z: (x + y) * 2 + (x + y + z) * 3, lambda x, y, z: shared(x, y, z, wrong=True)),
    pair("a rounded sum that grows", "floor of a whole number", rounded, lambda z: 15 + 3 * z, lambda z: 15 + 5 * z),
]  # fmt: skip
# Sides that are divided by what is 0 almost everywhere: nothing is proved, and the third function is refuted.
WRONG = [
    pair("a hidden square", "roots are no free variables", lambda x: square(x, 5), lambda x: square(x, 5, again=True), lambda x: square(x, 7)),
    pair("a hidden zero", "names are no free variables", lambda x, y, z: zero(x, y, z, 5), lambda x, y, z: zero(x, y, z, 5), lambda x, y, z: zero(x, y, z, 7, again=True)),
]  # fmt: skip


@pytest.mark.parametrize("p", ARMS, ids=lambda p: p.name)
def test_equal_arms_are_proved(p: Pair) -> None:
    d = decided(p, p.right)
    assert d.verdict == "equivalent", (d.unknown, d.counterexample)


@pytest.mark.parametrize("p", [*ARMS, *WRONG], ids=lambda p: p.name)
def test_what_differs_in_one_arm_is_refuted(p: Pair) -> None:
    d = decided(p, p.wrong)
    assert d.verdict == "not-equivalent", (d.verdict, d.assumptions)


# ---- random ones, against values on a grid


def _condition(rng: random.Random) -> Expression:
    x, y = leaf(rng), leaf(rng)
    return rng.choice((("lt", const(0.0), x), ("eq", x, const(0.0)), ("le", x, y), ("eq", ("mul", x, x), const(1.0))))


def _guarded(rng: random.Random) -> tuple[Expression, Expression]:
    """select(g, N/D, M) with sums over conditions in D, and the same with another M, in one of several places."""
    masks = [_condition(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
    parts = (const(1.0), leaf(rng), ("exp", leaf(rng)), ("add", leaf(rng), const(1.0)), ("abs", leaf(rng)))

    def term(mask: Expression) -> Expression:
        one = rng.choice(parts)
        return rng.choice((("select", mask, one, const(0.0)), ("select", mask, const(0.0), one), ("mul", mask, one)))

    below = term(masks[0])
    for mask in masks[1:]:
        below = (rng.choice(("add", "sub", "mul")), below, term(mask))
    if rng.random() < 0.3:
        below = ("sub", below, rng.choice(parts))
    guard = masks[0] if rng.random() < 0.8 else ("not", masks[0])
    for mask in masks[1:]:
        guard = ("select", guard, const(1.0), mask)  # or
    above = rng.choice((*parts, below))
    taken = rng.choice((("div", above, below), ("div", above, ("sqrt", below)), ("max", ("div", above, below), leaf(rng))))
    arm = rng.choice((const(5.0), *parts))
    place = rng.choice(("alone", "alone", "mul", "add", "times"))

    def whole(m: Expression) -> Expression:
        e: Expression = ("select", guard, *((taken, m) if swap else (m, taken)))
        return {"alone": e, "mul": ("mul", e, e), "add": ("add", e, above), "times": ("mul", e, below)}[place]

    swap = rng.random() < 0.7
    return whole(arm), whole(rng.choice((const(7.0), ("add", arm, const(1.0)), ("neg", arm))))


def test_random_arms() -> None:
    verdicts: Counter[str] = Counter()
    for seed in range(PAIRS):
        e, f = _guarded(random.Random(f"arms {seed}"))
        x, y = conditions(e), conditions(f)
        d = decide(canon(x, y), x, y)
        verdicts[d.verdict] += 1
        apart = None
        for point in GRID:
            a, b = value(e, point), value(f, point)
            if a is not None and b is not None and abs(a - b) > 1e-9 * max(1.0, abs(a), abs(b)):
                apart = point
        assert d.verdict != "equivalent" or apart is None, (e, f, apart, d.assumptions)
        if d.verdict == "not-equivalent":
            assert d.counterexample is not None
            inputs = {i: float(Fraction(text)) for (_, i), text in d.counterexample.inputs.items()}
            point = (inputs.get(0, 0.0), inputs.get(1, 0.0), inputs.get(2, 0.0))
            assert value(e, point) != value(f, point), (e, f, point)
    assert verdicts["not-equivalent"] > PAIRS / 2, verdicts
