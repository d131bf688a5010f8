"""Random pairs by valid rewriting and with one mutation (`make fuzz` runs more), and the judge of their verdicts."""

from __future__ import annotations

import random
from fractions import Fraction

from decision_expressions import LN2, LOG2E
from decision_fuzz import decided, differing, made, mistake, run
from decision_values import Unusable, apart, value

from volta_pipe.passes.decide import Counterexample, Decision

PAIRS = 150  # of each kind
X, Y = ("leaf", 0), ("leaf", 1)


def test_rewritten_pairs_are_equivalent() -> None:
    tally = run("rewritten", range(PAIRS))
    assert not tally.wrong, tally.wrong
    assert tally.verdicts["rewritten", "equivalent"] >= 0.97 * PAIRS, tally


def test_pairs_with_one_mutation_are_refuted_or_confirmed_to_be_equal() -> None:
    tally = run("mutated", range(PAIRS))
    assert not tally.wrong, tally.wrong
    assert tally.verdicts["mutated", "not-equivalent"] > 0.7 * PAIRS
    assert tally.verdicts["mutated", "unknown"] < 0.05 * PAIRS, tally.reasons


def test_the_judge_sees_wrong_verdicts() -> None:
    other = ("add", X, ("const", 2.0**-30))
    assert "they differ" in mistake(X, other, Decision("equivalent"))
    at_zero = Counterexample("y", 0, {("x", 0): "0"}, "", "")
    assert "they agree" in mistake(X, ("mul", X, X), Decision("not-equivalent", counterexample=at_zero))
    assert "no value" in mistake(X, ("div", ("const", 1.0), X), Decision("not-equivalent", counterexample=at_zero))
    assert not mistake(X, other, Decision("not-equivalent", counterexample=at_zero))
    fast = ("ex2", ("mul", X, LOG2E))
    assert "no assumption" in mistake(("exp", X), fast, Decision("equivalent"))
    assert not mistake(("exp", X), fast, decided(("exp", X), fast))
    nowhere = ("log", ("sub", ("const", -1.0), ("mul", X, X)))
    assert "points confirm" in mistake(nowhere, nowhere, Decision("equivalent"))


def test_values_from_their_definition() -> None:
    half, two = Fraction(1, 2), Fraction(2)
    assert value(("add", ("mul", X, X), ("div", X, ("const", 3.0))), (half,)) == Fraction(5, 12)
    assert value(("sqrt", ("mul", X, X)), (-two,)) == 2 and value(("ex2", X), (-two,)) == Fraction(1, 4)
    assert value(("select", ("lt", X, Y), X, ("div", Y, ("const", 0.0))), (half, two)) == half
    assert apart(("exp", ("mul", ("log", X), LOG2E)), X, (two,)) and not apart(("mul", ("lg2", X), LN2), ("log", X), (two,))
    assert apart(("mul", ("lg2", X), LN2), ("log", X), (two,), reals=False)
    for undefined in (("log", ("neg", X)), ("sqrt", ("neg", X)), ("div", X, ("sub", X, X)), ("rsqrt", ("sub", X, X))):
        try:
            value(undefined, (two,))
        except Unusable:
            continue
        raise AssertionError(undefined)


def test_pairs_are_made_again_from_their_numbers() -> None:
    state = random.getstate()
    assert made("mutated", 7) == made("mutated", 7) and random.getstate() == state
    assert sum(differing(*made("mutated", n)) != "" for n in range(20)) > 10
