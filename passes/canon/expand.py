"""Whether a form vanishes once its names are replaced by what they stand for: the proof behind every use of names.

Names of terms are replaced from the newest to the oldest, and a power of a name by Horner's rule, so that what cancels between
s² and s · (x₁ + … + xₙ) is never multiplied out. Before each of them, the names in exponents that are not older are replaced,
all of them at once in each exponent: two terms that are equal but for these cancel before either is multiplied."""

from __future__ import annotations

from volta_pipe.ir.normal_form import MASK, MONOMIAL, Coef, Form, Table, Terms, add_into
from volta_pipe.passes.canon.fingerprints import Fingerprints

_LARGEST_POWER = 8  # of a name inside an exponent


def proved_equal(t: Table, x: Form, y: Form, values: Fingerprints | None = None) -> bool:
    """Whether the two forms are the same function wherever no name that is divided by is 0."""
    return t.equal(x, y) or vanishes(t, t.add(x, y, -1).num, values)


def vanishes(t: Table, num: Terms, values: Fingerprints | None = None) -> bool:
    """Whether a numerator is 0 after its names are expanded. No, where one that is divided by may be identically 0: times it,
    all else would be 0, too, also what an arm holds in which nothing is divided by it. Errors: BudgetError."""
    values = values or Fingerprints(t)
    newest = _Newest(t)
    while num:
        name = max(newest.of(m) for m in {k & MASK for k in num})
        inside = t.items[t.items[name][1]] if name else {}
        if any(f[0] == name and f[1] < 0 for k in num for f in t.items[k & MASK]) and not values.of(Form(inside, ())):
            return False
        num = _in_exponents(t, num, max(name, 1), newest)
        if not name or not num:
            return not num
        num = _in_monomials(t, num, name, inside)
    return True


class _Newest:
    """The name of the largest number in monomials and exponents; 0 where there is none. A name is younger than what it stands
    for, so those inside it have smaller numbers."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._known: dict[int, int] = {0: 0}

    def of(self, part: int) -> int:
        name = self._known.get(part)
        if name is None:
            t = self._table
            if t.kinds[part] == MONOMIAL:
                name = max((a for a, _ in t.items[part] if t.items[a][0] == "name"), default=0)
            else:
                name = max(map(self.of, t.polynomial_of[part]), default=0)
            self._known[part] = name
        return name


def _in_exponents(t: Table, num: Terms, least: int, newest: _Newest) -> Terms:
    """`num` with the names from number `least` on replaced in exponents."""
    exponents = {k >> 32 for k in num}
    new = {e: _expanded(t, e, least, newest) for e in exponents if newest.of(e) >= least}
    if all(e == x for e, x in new.items()):
        return num
    out: Terms = {}
    for k, c in num.items():
        add_into(out, {new.get(k >> 32, k >> 32) << 32 | k & MASK: c})
    return out


def _expanded(t: Table, exponent: int, least: int, newest: _Newest) -> int:
    """An exponent with the names from number `least` on replaced, the newest first. One stays where it is divided by, or where
    the exponent would hold an exponential: a name is as good as any other atom."""
    total: dict[int, Coef] = dict(t.polynomial_of[exponent])
    holders: dict[int, set[int]] = {}  # by name: monomials of the total, or once of it, that have no newer one
    for m in total:
        holders.setdefault(newest.of(m), set()).add(m)
    while (name := max(holders, default=0)) >= least:
        monomials = holders.pop(name)
        inside = t.items[t.items[name][1]]
        if any(k >> 32 for k in inside):
            continue
        for m in monomials:
            power, rest = _parted(t, m, name)
            if m not in total or not 0 <= power <= _LARGEST_POWER:
                continue
            term: Terms = {rest: total.pop(m)}
            for _ in range(power):
                term = t.product(term, inside)
            add_into(total, term)
            for k in term:
                holders.setdefault(newest.of(k), set()).add(k)
    return t.polynomial(total)


def _parted(t: Table, m: int, name: int) -> tuple[int, int]:
    """(power of the name, the monomial without it)."""
    powers = t.items[m]
    power = next((p for a, p in powers if a == name), 0)
    return power, t.monomial(tuple(f for f in powers if f[0] != name)) if power else m


def _in_monomials(t: Table, num: Terms, name: int, inside: Terms) -> Terms:
    """`num` times a power of the name with every power of it replaced."""
    by_power: dict[int, Terms] = {}
    for k, c in num.items():
        power, rest = _parted(t, k & MASK, name)
        by_power.setdefault(power, {})[k & ~MASK | rest] = c
    total: Terms = {}
    for power in range(max(by_power), min(*by_power, 0) - 1, -1):
        total = dict(t.product(total, inside))
        add_into(total, by_power.get(power, {}))
    return total
