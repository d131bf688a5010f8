"""Factors of a sum that is a polynomial in its atoms, with exact coefficients."""

from __future__ import annotations

from typing import Any

from flint import Ordering, fmpz_mpoly_ctx

from volta_pipe.ir.normal_form import MASK, PREDICATE, ROOT, Table, Terms

_TERMS, _ATOMS, _DEGREE = 256, 48, 16  # of sums up to which they are factored


def factored(t: Table, num: Terms) -> tuple[Terms, list[tuple[Terms, int]]] | None:
    """(unit, [(factor, power), …]) with num = unit · factor^power · …: the factors are irreducible sums over the integers, in
    some sign. None where the coefficients are no integers, or it holds exponentials, roots, predicates, or too much."""
    if not 2 <= len(num) <= _TERMS or any(k > MASK or type(c) is not int for k, c in num.items()):
        return None
    powers = [dict(t.items[k]) for k in num]
    atoms = sorted({a for p in powers for a in p})
    if not atoms or len(atoms) > _ATOMS or any(t.flags.get(a, 0) & (ROOT | PREDICATE) for a in atoms):
        return None
    least = [min(p.get(a, 0) for p in powers) for a in atoms]
    rows = [tuple(p.get(a, 0) - low for a, low in zip(atoms, least, strict=True)) for p in powers]
    if max(map(sum, rows)) > _DEGREE:
        return None
    ring = fmpz_mpoly_ctx.get([f"x{i}" for i in range(len(atoms))], Ordering.degrevlex)
    constant, found = ring.from_dict(dict(zip(rows, num.values(), strict=True))).factor()

    def terms(polynomial: Any) -> Terms:
        return {monomial(row): int(c) for row, c in polynomial.to_dict().items()}

    def monomial(row: Any) -> int:
        return t.monomial(tuple((a, int(p)) for a, p in zip(atoms, row, strict=True) if p))

    return {monomial(least): int(constant)}, [(terms(f), int(power)) for f, power in found]
