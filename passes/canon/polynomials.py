"""Factors of a sum that is a polynomial in its atoms, with exact coefficients."""

from __future__ import annotations

import math
from typing import Any

from flint import Ordering, fmpq, fmpz_mpoly_ctx

from volta_pipe.ir.normal_form import MASK, PREDICATE, ROOT, Table, Terms, rational, tidy

_TERMS, _ATOMS, _DEGREE = 256, 48, 16  # of sums up to which they are factored


def factored(t: Table, num: Terms, *, exponentials: bool = False) -> tuple[Terms, list[tuple[Terms, int]]] | None:
    """(unit, [(factor, power), …]) with num = unit · factor^power · …: the factors are irreducible sums over the integers, in
    some sign. None where the coefficients are no integers, or it holds roots, predicates, or too much.

    exponentials: sums of powers of two are factored, too, 2^(g·m) being one more unknown for each monomial m of an exponent
    (g: what all differences of its coefficients are multiples of); None where there are any, without."""
    if not 2 <= len(num) <= _TERMS or any((k > MASK and not exponentials) or type(c) is not int for k, c in num.items()):
        return None
    powers = [dict(t.items[k & MASK]) for k in num]
    exponents = [t.polynomial_of[k >> 32] for k in num]
    atoms = sorted({a for p in powers for a in p})
    inside = sorted({m for e in exponents for m in e})
    if not 0 < len(atoms) + len(inside) <= _ATOMS or any(t.flags.get(a, 0) & (ROOT | PREDICATE) for a in atoms):
        return None
    lows = [min((fmpq(*rational(e.get(m, 0))) for e in exponents), default=fmpq(0)) for m in inside]
    above = [[fmpq(*rational(e.get(m, 0))) - low for e in exponents] for m, low in zip(inside, lows, strict=True)]
    steps = [_step(column) for column in above]
    least = [min(p.get(a, 0) for p in powers) for a in atoms]
    columns = [[p.get(a, 0) - low for p in powers] for a, low in zip(atoms, least, strict=True)]
    columns += [[int(c / g) for c in column] for column, g in zip(above, steps, strict=True)]
    if any(sum(column) == 1 for column in columns):  # linear in one unknown, in one term: the rest shares nothing with that
        return {0: 1}, [(num, 1)]
    rows = list(zip(*columns, strict=True))
    if max(map(sum, rows)) > _DEGREE:
        return None
    ring = fmpz_mpoly_ctx.get([f"x{i}" for i in range(len(columns))], Ordering.degrevlex)
    constant, found = ring.from_dict(dict(zip(rows, num.values(), strict=True))).factor()

    def terms(polynomial: Any) -> Terms:
        return {key(row): int(c) for row, c in polynomial.to_dict().items()}

    def key(row: Any) -> int:
        return unit(row[: len(atoms)], [g * int(p) for g, p in zip(steps, row[len(atoms) :], strict=True)])

    def unit(monomial: Any, exponent: list[fmpq]) -> int:
        high = {m: tidy(c) for m, c in zip(inside, exponent, strict=True) if c}
        low = t.monomial(tuple((a, int(p)) for a, p in zip(atoms, monomial, strict=True) if p))
        return (t.polynomial(high) << 32 if high else 0) | low

    return {unit(least, lows): int(constant)}, [(terms(f), int(power)) for f, power in found]


def _step(coefficients: list[fmpq]) -> fmpq:
    """The largest positive rational of which all are integer multiples; 1 where all are 0."""
    p, q = 0, 1
    for c in coefficients:
        p, q = math.gcd(p, int(c.p)), math.lcm(q, int(c.q))
    return fmpq(p, q) if p else fmpq(1)
