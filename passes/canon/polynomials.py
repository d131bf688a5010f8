"""Factors of a sum that is a polynomial in its atoms, with exact coefficients."""

from __future__ import annotations

import math
from typing import Any

from flint import Ordering, fmpq, fmpz_mpoly_ctx

from volta_pipe.ir.normal_form import MASK, PREDICATE, ROOT, Coef, Table, Terms, rational, tidy

_TERMS, _ATOMS, _DEGREE = 256, 48, 16  # of sums up to which they are factored


def factored(t: Table, num: Terms, *, exponentials: bool = False) -> tuple[Terms, list[tuple[Terms, int]]] | None:
    """(unit, [(factor, power), …]) with num = unit · factor^power · …: the factors are irreducible sums over the integers, in
    some sign. None where the coefficients are no integers, or it holds roots, predicates, or too much.

    exponentials: sums of powers of two are factored, too, 2^(g·m) being one more unknown for each monomial m of an exponent
    (g: what all its coefficients are multiples of); None where there are any, without."""
    if not 2 <= len(num) <= _TERMS or any((k > MASK and not exponentials) or type(c) is not int for k, c in num.items()):
        return None
    powers = [dict(t.items[k & MASK]) for k in num]
    exponents = [t.polynomial_of[k >> 32] for k in num]
    atoms = sorted({a for p in powers for a in p})
    inside = sorted({m for e in exponents for m in e})
    if not 0 < len(atoms) + len(inside) <= _ATOMS or any(t.flags.get(a, 0) & (ROOT | PREDICATE) for a in atoms):
        return None
    steps = [_step([e[m] for e in exponents if m in e]) for m in inside]
    rows = [
        [*(p.get(a, 0) for a in atoms), *(int(fmpq(*rational(e.get(m, 0))) / g) for m, g in zip(inside, steps, strict=True))]
        for p, e in zip(powers, exponents, strict=True)
    ]
    columns = list(zip(*rows, strict=True))
    least = [min(column) for column in columns]
    if any(column.count(0) == len(rows) - 1 and max(map(abs, column)) == 1 and min(column) == 0 for column in columns):
        return {0: 1}, [(num, 1)]  # linear in one unknown, its factor a single term that the rest does not share
    rows = [[p - low for p, low in zip(row, least, strict=True)] for row in rows]
    if max(map(sum, rows)) > _DEGREE:
        return None
    ring = fmpz_mpoly_ctx.get([f"x{i}" for i in range(len(columns))], Ordering.degrevlex)
    constant, found = ring.from_dict(dict(zip(map(tuple, rows), num.values(), strict=True))).factor()

    def terms(polynomial: Any) -> Terms:
        return {key(row): int(c) for row, c in polynomial.to_dict().items()}

    def key(row: Any) -> int:
        above = row[len(atoms) :]
        exponent = {m: tidy(g * int(p)) for m, g, p in zip(inside, steps, above, strict=True) if p}
        monomial = t.monomial(tuple((a, int(p)) for a, p in zip(atoms, row[: len(atoms)], strict=True) if p))
        return (t.polynomial(exponent) << 32 if exponent else 0) | monomial

    return {key(least): int(constant)}, [(terms(f), int(power)) for f, power in found]


def _step(coefficients: list[Coef]) -> fmpq:
    """The largest positive rational of which all are integer multiples."""
    p, q = 0, 1
    for c in coefficients:
        n, d = rational(c)
        p, q = math.gcd(p, n), math.lcm(q, d)
    return fmpq(p, q)
