"""Whether linear conditions contradict each other: Farkas' lemma in exact arithmetic.

Conditions are sums over keys that count as free variables. Sums s₁ > 0, …, w₁ ≥ 0, … have no common solution where some
combination of them with coefficients that are not negative, one of a strict one being positive, is 0 for all values."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from volta_pipe.ir.normal_form import Coef, rational

Sum = dict[int, Coef]
LARGEST = 48  # conditions or keys beyond which the answer is no


def contradictory(strict: Sequence[Sum], weak: Sequence[Sum]) -> bool:
    """Whether a combination of the strict and weak sums with coefficients ≥ 0, those of the strict ones not all 0, vanishes.

    False may also mean that there are too many."""
    rows = [*strict, *weak]
    alive = _presolved(rows)
    if not any(i < len(strict) for i in alive):
        return False
    keys = sorted({k for i in alive for k in rows[i]})
    if len(alive) > LARGEST or len(keys) > LARGEST:
        return False
    matrix = [[Fraction(*rational(rows[i].get(k, 0))) for i in alive] for k in keys]
    matrix.append([Fraction(int(i < len(strict))) for i in alive])
    return _solvable(matrix, [Fraction(0)] * len(keys) + [Fraction(1)])


def _presolved(rows: Sequence[Sum]) -> list[int]:
    """Rows without those that have a key that all others have with the same sign or not at all: their coefficient is 0."""
    alive = set(range(len(rows)))
    while True:
        signs: dict[int, int] = {}
        for i in alive:
            for k, c in rows[i].items():
                signs[k] = signs.get(k, 0) | (1 if c > 0 else 2)
        lonely = {k for k, s in signs.items() if s != 3}
        dead = {i for i in alive if not lonely.isdisjoint(rows[i])}
        if not dead:
            return sorted(alive)
        alive -= dead


def _solvable(matrix: list[list[Fraction]], right: list[Fraction]) -> bool:
    """Whether matrix · w = right has a solution w ≥ 0, for a right side ≥ 0: the first phase of the simplex method, the
    entering and leaving variables by Bland's rule, which cannot cycle."""
    rows, width = len(matrix), len(matrix[0])
    table = [[*row, *(Fraction(int(i == j)) for j in range(rows)), right[i]] for i, row in enumerate(matrix)]
    basis = list(range(width, width + rows))
    cost = (
        [sum((row[j] for row in table), Fraction(0)) for j in range(width)] + [Fraction(0)] * rows + [sum(right, Fraction(0))]
    )
    while cost[-1] > 0:
        enter = next((j for j in range(width) if cost[j] > 0), None)
        if enter is None:
            return False
        ratios = [(row[-1] / row[enter], basis[i], i) for i, row in enumerate(table) if row[enter] > 0]
        leave = min(ratios)[2]
        pivot = table[leave][enter]
        table[leave] = [v / pivot for v in table[leave]]
        for row in (*(row for i, row in enumerate(table) if i != leave), cost):
            factor = row[enter]
            if factor:
                row[:] = [v - factor * p for v, p in zip(row, table[leave], strict=True)]
        basis[leave] = enter
    return True


def square_sum(gram: list[list[Fraction]]) -> bool:
    """Whether a symmetric matrix is positive semidefinite: LDLᵀ without a square root."""
    a = [row[:] for row in gram]
    n = len(a)
    for i in range(n):
        if a[i][i] < 0:
            return False
        if not a[i][i]:
            if any(a[i][j] for j in range(i + 1, n)):
                return False
            continue
        for j in range(i + 1, n):
            factor = a[j][i] / a[i][i]
            if factor:
                a[j] = [v - factor * p for v, p in zip(a[j], a[i], strict=True)]
    return True
