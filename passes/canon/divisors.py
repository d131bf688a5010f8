"""What forms may be divided by: sums that are no zero divisors.

A predicate is 0 or 1 and the square of a root is known, so products of forms that are not 0 can vanish: (1 − p)(1 − q)(p + q)
does. A common denominator p + q would thus take away what another arm holds where it is 0: in (p or q ? 1/(p + q) : 5) the 5.
So 1/(p + q) becomes (1 − z)/(p + q + z), with z = (1 − p)(1 − q) the predicate of where it vanishes, and a sum that is too
large to tell, or may vanish because of roots or of what names stand for, becomes an atom."""

from __future__ import annotations

from itertools import product

from volta_pipe.ir.normal_form import MASK, PREDICATE, ROOT, Coef, Form, Table, Terms, add_into
from volta_pipe.passes.canon.fingerprints import Fingerprints, P

_PREDICATES = 8  # of a divisor up to which it is looked into
_SPREAD = 64  # products of roots in it up to which it is
_ONE = Form({0: 1}, ())
_Cases = list[frozenset[int]]


def regular(t: Table, fingerprints: Fingerprints, x: Form) -> tuple[Form, Form]:
    """(y, z): y is no zero divisor and is x where z, a predicate, is 0; x is 0 where z is 1."""
    predicates, roots = _ruled(t, x.num, PREDICATE), _ruled(t, x.num, ROOT)
    if not predicates and not roots:
        return x, Form({}, ())
    shared = frozenset.intersection(*(_held(t, k, predicates) for k in x.num))  # 1/(p·y) is p/y
    predicates -= shared
    cases = vanishing(t, x.num, predicates)
    if cases is None:
        return t.of_atom(t.atom("value", t.form(x))), Form({}, ())
    zero = Form({}, ())
    for case in cases:
        zero = t.add(zero, _indicator(t, case, predicates))
    num = dict(x.num)
    if zero.num:
        add_into(num, t.product(zero.num, {t.monomial(tuple((a, 1) for a in sorted(shared))): 1}))
    if roots or any(t.items[a][0] == "name" for k in num for a, _ in t.items[k & MASK]):
        few = len(predicates) <= _PREDICATES
        if not few or not all(_has_norm(t, fingerprints, num, sorted(roots), shared | held) for held in _subsets(predicates)):
            return t.of_atom(t.atom("value", t.form(x))), Form({}, ())
    return Form(num, x.den), zero


def vanishing(t: Table, num: Terms, predicates: frozenset[int]) -> _Cases | None:
    """The sets of predicates for which a sum is identically 0 where these alone hold; None where there are too many to tell."""
    parts: dict[int, list[tuple[frozenset[int], Coef]]] = {}
    for k, c in num.items():
        held = _held(t, k, predicates)
        rest = t.monomial(tuple(f for f in t.items[k & MASK] if f[0] not in held)) if held else k & MASK
        parts.setdefault(k & ~MASK | rest, []).append((held, c))
    if any(len(part) == 1 and not part[0][0] for part in parts.values()):
        return []
    if len(predicates) > _PREDICATES:
        return None
    cases = _subsets(predicates)
    for part in parts.values():
        cases = [case for case in cases if not sum(c for held, c in part if held <= case)]
    return cases


def _subsets(atoms: frozenset[int]) -> _Cases:
    ordered = sorted(atoms)
    return [frozenset(a for a, s in zip(ordered, signs, strict=True) if s) for signs in product((0, 1), repeat=len(ordered))]


def _ruled(t: Table, num: Terms, flag: int) -> frozenset[int]:
    """Atoms of a kind that has a power rule."""
    if not t.relations:
        return frozenset()
    return frozenset(a for k in num for a, _ in t.items[k & MASK] if t.flags.get(a, 0) & flag)


def _held(t: Table, k: int, predicates: frozenset[int]) -> frozenset[int]:
    return frozenset(a for a, _ in t.items[k & MASK] if a in predicates)


def _indicator(t: Table, case: frozenset[int], predicates: frozenset[int]) -> Form:
    """The product of the predicates of a case and of the negations of the others."""
    found = _ONE
    for a in sorted(predicates):
        one = t.of_atom(a)
        found = t.mul(found, one if a in case else t.add(_ONE, one, -1))
    return found


def _has_norm(t: Table, fingerprints: Fingerprints, num: Terms, roots: list[int], held: frozenset[int]) -> bool:
    """Whether the norm of a sum over the field without the roots is certainly not 0, by its value modulo a prime, where of the
    predicates those `held` are 1."""
    squares = [fingerprints.of(t.of_atom(a, 2)) for a in roots]
    sums: dict[int, int] = {}  # values by the set of roots in a term, as bits
    for k, c in num.items():
        place, powers = 0, []
        for a, p in t.items[k & MASK]:
            if a in roots and p == 1:
                place |= 1 << roots.index(a)
            elif not t.flags.get(a, 0) & PREDICATE:
                powers.append((a, p))
            elif a not in held:
                break
        else:
            value = fingerprints.of(Form({k & ~MASK | t.monomial(tuple(powers)): c}, ()))
            if value is None:
                return False
            sums[place] = (sums.get(place, 0) + value) % P
    while len(sums) > 1 or sums.keys() != {0}:  # times the sum with one root negated: that root is gone
        bit = next((1 << i for i in range(len(roots)) if any(place >> i & 1 for place in sums)), 0)
        square = squares[bit.bit_length() - 1]
        if len(sums) > _SPREAD or square is None or not bit:
            return False
        without = {i: v for i, v in sums.items() if not i & bit}
        inside = {i ^ bit: v for i, v in sums.items() if i & bit}
        if without:
            sums = _squared(without, squares, 1, {})
            sums = _squared(inside, squares, -square, sums)
        else:
            sums = inside
    return bool(sums[0])


def _squared(x: dict[int, int], squares: list[int | None], scale: int, total: dict[int, int]) -> dict[int, int]:
    """total + scale · x², of sums over products of roots."""
    for i, u in x.items():
        for j, v in x.items():
            value = u * v * scale % P
            for bit, square in enumerate(squares):
                if i & j & 1 << bit:
                    value = value * (square or 0) % P
            total[i ^ j] = (total.get(i ^ j, 0) + value) % P
    return total
