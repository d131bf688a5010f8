"""Whether linear conditions contradict each other: Farkas' lemma in exact arithmetic.

Conditions are sums over keys that count as free variables. Sums s₁ > 0, …, w₁ ≥ 0, … have no common solution where some
combination of them with coefficients that are not negative, one of a strict one being positive, is 0 for all values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from volta_pipe.ir.normal_form import MASK, Coef, Table, rational

Sum = dict[int, Coef]
_FREE = ("leaf", "scalar", "name")  # atoms of which no more is known than a sign
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
    matrix = [[fmpq(*rational(rows[i].get(k, 0))) for i in alive] for k in keys]
    matrix.append([fmpq(int(i < len(strict))) for i in alive])
    return _solvable(matrix, [fmpq(0)] * len(keys) + [fmpq(1)])


def has_free_term(table: Table, sums: Sequence[Sum], sign: Callable[[int], int]) -> bool:
    """Whether all sums, over terms, are positive where one input, or one sum that has a name, is large enough or small enough:
    it is in one term alone, to an odd power, and that term counts alike in all sums. They do not contradict each other then.

    sign: what is known of an atom's sign, 0 for nothing."""
    where: dict[int, int] = {}  # the term that an atom is in, -1 for several
    for k in {k for terms in sums for k in terms}:
        if k > MASK or any(table.items[a][0] not in _FREE for a, _ in table.items[k]):
            return False
        for a, _ in table.items[k]:
            where[a] = -1 if a in where else k
    for a, k in where.items():
        if k >= 0 and all(k in terms for terms in sums) and len({terms[k] > 0 for terms in sums}) == 1:
            power = next(p for b, p in table.items[k] if b == a)
            if power % 2 and not sign(a):
                return True
    return False


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


def _solvable(matrix: list[list[Any]], right: list[Any]) -> bool:
    """Whether matrix · w = right has a solution w ≥ 0, for a right side ≥ 0: the first phase of the simplex method.

    The entering and leaving variables are chosen by Bland's rule, which cannot cycle; slack that left does not come back."""
    rows, width = len(matrix), len(matrix[0])
    table = [[*row, right[i]] for i, row in enumerate(matrix)]
    basis = list(range(width, width + rows))
    cost = [sum((row[j] for row in table), fmpq(0)) for j in range(width + 1)]
    while cost[-1] > 0:
        enter = next((j for j in range(width) if cost[j] > 0), None)
        if enter is None:
            return False
        leave = min((row[-1] / row[enter], basis[i], i) for i, row in enumerate(table) if row[enter] > 0)[2]
        pivot = table[leave][enter]
        pivoted = table[leave] = [v / pivot if v else v for v in table[leave]]
        used = [j for j, v in enumerate(pivoted) if v]
        for row in (*(row for i, row in enumerate(table) if i != leave), cost):
            factor = row[enter]
            if factor:
                for j in used:
                    row[j] -= factor * pivoted[j]
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
