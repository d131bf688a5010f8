"""Contradictions of linear conditions against Fourier and Motzkin's elimination, and sums of squares against points."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from volta_pipe.passes.canon.linear import contradictory, square_sum

Row = dict[int, int]


def feasible(strict: list[Row], weak: list[Row]) -> bool:
    """Whether some point satisfies all: variables are eliminated one by one, each row with whether it is strict."""
    rows = [({k: Fraction(c) for k, c in r.items()}, True) for r in strict] + [
        ({k: Fraction(c) for k, c in r.items()}, False) for r in weak
    ]
    for k in {k for r, _ in rows for k in r}:
        above = [r for r in rows if r[0].get(k, 0) > 0]
        below = [r for r in rows if r[0].get(k, 0) < 0]
        rows = [r for r in rows if not r[0].get(k, 0)]
        for (p, s), (q, u) in product(above, below):
            joined = {j: p.get(j, 0) / p[k] - q.get(j, 0) / q[k] for j in {*p, *q} - {k}}
            rows.append(({j: c for j, c in joined.items() if c}, s or u))
    return not any(is_strict for _, is_strict in rows)  # what is left says 0 > 0 or 0 ≥ 0


@pytest.mark.parametrize("seed", range(300))
def test_as_elimination_says(seed: int) -> None:
    rng = random.Random(seed)
    rows = [{k: c for k in range(rng.randint(1, 4)) if (c := rng.randint(-2, 2))} for _ in range(rng.randint(1, 6))]
    rows = [r for r in rows if r] or [{0: 1}]
    cut = rng.randint(0, len(rows))
    assert contradictory(rows[:cut], rows[cut:]) == (not feasible(rows[:cut], rows[cut:]))


def test_both_answers_occur() -> None:
    assert contradictory([{0: 1}], [{0: -1}]) and contradictory([{0: 1}, {0: -1}], [])
    assert not contradictory([], [{0: 1}, {0: -1}]) and not contradictory([{0: 1}], [{1: -1}])
    assert contradictory([{0: 1, 1: -1}, {1: 2, 2: -3}], [{2: 3, 0: -2}])


@pytest.mark.parametrize("seed", range(100))
def test_a_sum_of_squares_is_nowhere_negative(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 4)
    if seed % 2:  # a sum of squares by how it is made
        roots = [[Fraction(rng.randint(-3, 3), 2) for _ in range(n)] for _ in range(rng.randint(1, 3))]
        gram = [[sum((r[i] * r[j] for r in roots), Fraction(0)) for j in range(n)] for i in range(n)]
        assert square_sum(gram)
        gram[0][0] -= sum((r[0] ** 2 for r in roots), Fraction(0)) + 1
        assert not square_sum(gram)
        return
    gram = [[Fraction(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            gram[i][j] = gram[j][i] = Fraction(rng.randint(-3, 3))
    lowest = min(sum(gram[i][j] * x[i] * x[j] for i in range(n) for j in range(n)) for x in product(range(-3, 4), repeat=n))
    assert lowest >= 0 or not square_sum(gram)
