"""Whether a form vanishes once its names are replaced by what they stand for: the proof behind every use of names.

Names are replaced from the newest to the oldest, and a power of a name by Horner's rule, so that what cancels between s² and
s · (x₁ + … + xₙ) is never multiplied out."""

from __future__ import annotations

from volta_pipe.ir.normal_form import MASK, Coef, Form, Table, Terms, add_into
from volta_pipe.passes.canon.fingerprints import Fingerprints

_LARGEST_POWER = 8  # of a name inside an exponent


def proved_equal(t: Table, x: Form, y: Form, values: Fingerprints | None = None) -> bool:
    """Whether the two forms are the same function wherever no name that is divided by is 0."""
    return t.equal(x, y) or vanishes(t, t.add(x, y, -1).num, values)


def vanishes(t: Table, num: Terms, values: Fingerprints | None = None) -> bool:
    """Whether a numerator is 0 after its names are expanded. No, where one that is divided by may be identically 0: times it,
    all else would be 0, too, also what an arm holds in which nothing is divided by it. Errors: BudgetError."""
    values = values or Fingerprints(t)
    while num:
        name = _newest(t, num)
        if not name:
            return False
        inside = t.items[t.items[name][1]]
        if any(f[0] == name and f[1] < 0 for k in num for f in t.items[k & MASK]) and not values.of(Form(inside, ())):
            return False
        replaced = _in_exponents(t, num, name, inside)
        if replaced is None:
            return False
        num = _in_monomials(t, replaced, name, inside) if replaced else replaced
    return True


def _names(t: Table, m: int) -> list[int]:
    return [a for a, _ in t.items[m] if t.items[a][0] == "name"]


def _newest(t: Table, num: Terms) -> int:
    """The name of the largest number; 0 where there is none."""
    monomials = {k & MASK for k in num}
    for e in {k >> 32 for k in num}:
        monomials.update(t.polynomial_of[e])
    return max((a for m in monomials for a in _names(t, m)), default=0)


def _in_exponents(t: Table, num: Terms, name: int, inside: Terms) -> Terms | None:
    """`num` with the name replaced in exponents; None where an exponent divides by it or would hold an exponential."""
    new: dict[int, int] = {}
    for e in {k >> 32 for k in num}:
        terms = t.polynomial_of[e]
        if not any(name in _names(t, m) for m in terms):
            continue
        total: dict[int, Coef] = {}
        for m, c in terms.items():
            power, rest = _parted(t, m, name)
            if not 0 <= power <= _LARGEST_POWER or (power and any(k >> 32 for k in inside)):
                return None
            term: Terms = {rest: c}
            for _ in range(power):
                term = t.product(term, inside)
            add_into(total, term)
        new[e] = t.polynomial(total)
    if not new:
        return num
    out: Terms = {}
    for k, c in num.items():
        add_into(out, {new.get(k >> 32, k >> 32) << 32 | k & MASK: c})
    return out


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
