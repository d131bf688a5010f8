"""Random pairs against brute force: values on a grid in float64, computed without the stages."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

from decision_random import Expression, conditions, expression, mutated, points, rewritten, value

from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import Decision, decide

PAIRS = 100  # of each kind
GRID = points()


def decided(e: Expression, f: Expression) -> Decision:
    x, y = conditions(e), conditions(f)
    return decide(canon(x, y), x, y)


def differing(e: Expression, f: Expression) -> tuple[float, ...] | None:
    """A point of the grid where both have values, and these differ."""
    for point in GRID:
        a, b = value(e, point), value(f, point)
        if a is not None and b is not None and abs(a - b) > 1e-9 * max(1.0, abs(a), abs(b)):
            return point
    return None


def checked(e: Expression, f: Expression) -> Decision:
    """The verdict, which the values must not contradict."""
    d = decided(e, f)
    if d.verdict == "equivalent":
        assert differing(e, f) is None, (e, f, d, differing(e, f))
    if d.verdict == "not-equivalent":
        assert d.counterexample is not None
        inputs = {element: float(Fraction(text)) for (_, element), text in d.counterexample.inputs.items()}
        point = tuple(inputs.get(i, 0.0) for i in range(3))
        a, b = value(e, point), value(f, point)
        assert a is not None and b is not None and abs(a - b) > 1e-12, (e, f, d, a, b)
    return d


def test_rewritten_functions_are_proved_mostly_and_never_refuted() -> None:
    verdicts: Counter[str] = Counter()
    for seed in range(PAIRS):
        rng = random.Random(f"rewritten {seed}")
        e = expression(rng, 2)
        verdicts[checked(e, rewritten(rng, e)).verdict] += 1
    assert not verdicts["not-equivalent"] and verdicts["equivalent"] >= 0.9 * PAIRS, verdicts


def test_mutated_functions_are_refuted_mostly() -> None:
    told = wrong = 0
    for seed in range(PAIRS):
        rng = random.Random(f"mutated {seed}")
        e = expression(rng, 2)
        f = mutated(rng, rewritten(rng, e))
        d = checked(e, f)
        if differing(e, f) is not None:
            wrong += 1
            told += d.verdict == "not-equivalent"
    assert wrong > PAIRS / 2 and told >= 0.9 * wrong, (told, wrong)


def test_small_functions_that_have_nothing_to_do_with_each_other() -> None:
    verdicts: Counter[str] = Counter()
    for seed in range(PAIRS):
        rng = random.Random(f"unrelated {seed}")
        verdicts[checked(expression(rng, rng.randint(1, 2)), expression(rng, rng.randint(1, 2))).verdict] += 1
    assert verdicts["equivalent"] and verdicts["not-equivalent"] > PAIRS / 2, verdicts
