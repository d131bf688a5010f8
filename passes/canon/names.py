"""Names for sums that occur whole: x − mean is x − s/n with a name s for the sum of the row, 1/(e^a + e^b) a power of a name.

A name is an atom that stands for a factor. Forms with names that are equal as they are, are equal; forms that agree in value
modulo a prime are proved equal by expanding their difference, and then count as one."""

from __future__ import annotations

import math
from typing import Any

from flint import fmpq

from volta_pipe.ir.normal_form import MASK, NAMED, PREDICATE, ROOT, Form, Table, Terms, rational, tidy
from volta_pipe.passes.canon.expand import vanishes
from volta_pipe.passes.canon.fingerprints import Fingerprints

LONG = 8  # terms from which a sum that is used more than once gets a name


class Names:
    """Names over one table. `positive`: names of sums of positive terms."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.positive: set[int] = set()
        self.fingerprints = Fingerprints(table)
        self._forms: dict[int, list[int]] = {}
        self._names: dict[int, list[int]] = {}
        self._name_of: dict[int, int] = {}
        self._opaque: dict[int, bool] = {0: False}

    def can(self, x: Form) -> bool:
        """Whether a sum may have a name: it divides by nothing and holds no root, predicate or literal that is read twice."""
        if x.den or len(x.num) < 2:
            return False
        opaque = self._opaque
        for k in x.num:
            m = k & MASK
            known = opaque.get(m)
            if known is None:
                flags = self.table.flags
                known = opaque[m] = any(flags.get(a, 0) & (NAMED | ROOT | PREDICATE) for a, _ in self.table.items[m])
            if known:
                return False
        return True

    def named(self, x: Form, positive: tuple[str, ...] = ()) -> Form:
        """The form as a unit times the name of a factor."""
        t = self.table
        if any(k >> 32 for k in x.num):
            factor, unit = t.split(x.num)
        else:
            unit = self._unit(x.num)
            factor = t.factor(t.product(x.num, t.inverse_unit(unit)))
        name = self._name(factor)
        if name not in self.positive and self._is_positive(t.items[t.items[name][1]], positive):
            self.positive.add(name)
        return Form(t.product(unit, {t.monomial(((name, 1),)): 1}), ())

    def replaced(self, x: Form, y: Form) -> tuple[Form, Form] | None:
        """Two summands with the names of partial sums replaced by the sums, the first one a copy; None where there are none.

        A sum of exponentials is a partial sum of any other (the l of online softmax). Any other named sum is one next to at
        least about as many terms; next to a few it stays a name (x − mean)."""
        f, g = self._lone(x), self._lone(y)
        if not f and not g:
            return None
        items = self.table.items
        m, n = len(items[f] if f else x.num), len(items[g] if g else y.num)
        first = f and (self._exponential(f) or (m <= 2 * n and n >= LONG))
        second = g and (self._exponential(g) or (n <= 2 * m and m >= LONG))
        if not first and not second:
            return None
        return self._whole(x, f) if first else Form(dict(x.num), x.den), self._whole(y, g) if second else y

    def _lone(self, x: Form) -> int:
        """The factor in a form that is a unit times one name, else 0."""
        if len(x.num) != 1 or x.den:
            return 0
        t = self.table
        found = 0
        (k,) = x.num
        powers: tuple[tuple[int, int], ...] = t.items[k & MASK]
        for a, p in powers:
            if t.items[a][0] == "name":
                if found or p != 1:
                    return 0
                found = t.items[a][1]
        return found if self._exponential(found) or (k <= MASK and len(powers) == 1) else 0

    def _exponential(self, factor: int) -> bool:
        return bool(factor) and max(self.table.items[factor]) > MASK

    def _whole(self, x: Form, factor: int) -> Form:
        """A unit times a name, multiplied out."""
        t = self.table
        ((k, c),) = x.num.items()
        powers = tuple(f for f in t.items[k & MASK] if t.items[f[0]] != ("name", factor))
        return Form(t.product({k & ~MASK | t.monomial(powers): c}, t.items[factor]), ())

    def resolve(self, x: Form) -> int | None:
        """Number of a known form that is equal to x, which is new; for `Table.resolve`."""
        value = self.fingerprints.of(x)
        if value is None:
            return None
        t = self.table
        known = self._forms.setdefault(value, [])
        for number in known:
            y: Form = t.items[number]
            if vanishes(t, t.add(x, y, -1).num, self.fingerprints):
                return number
        known.append(t.as_it_is(x))
        return None

    def agree(self, x: Form, y: Form) -> bool:
        """Whether the values modulo a prime agree."""
        value = self.fingerprints.of(x)
        return value is not None and value == self.fingerprints.of(y)

    def _name(self, factor: int) -> int:
        """The atom of a factor, or of an earlier one that is equal."""
        t = self.table
        if factor in self._name_of:
            return self._name_of[factor]
        value = self.fingerprints.of(Form(t.items[factor], ()))
        known = self._names.setdefault(-1 if value is None else value, [])
        for other in known:
            difference = t.add(Form(t.items[factor], ()), Form({t.monomial(((other, 1),)): 1}, ()), -1)
            if value is not None and vanishes(t, difference.num, self.fingerprints):
                self._name_of[factor] = other
                return other
        name = self._name_of[factor] = t.atom("name", factor)
        known.append(name)
        return name

    def _unit(self, num: Terms) -> Terms:
        """The rational content, signed like the first term, times the powers that all terms share."""
        t = self.table
        p, q = 0, 1
        for c in num.values():
            n, d = rational(c)
            p, q = math.gcd(p, n), math.lcm(q, d)
        first = min(num)
        shared: dict[int, int] = dict(t.items[first])
        for k in num:
            if not shared:
                break
            powers: dict[int, Any] = dict(t.items[k])
            shared = {a: min(i, powers[a]) for a, i in shared.items() if a in powers}
        unit = t.monomial(tuple(sorted(shared.items())))
        return {unit: tidy(fmpq(p if num[first] > 0 else -p, q))}

    def _is_positive(self, terms: Terms, kinds: tuple[str, ...]) -> bool:
        t = self.table
        atoms = {a for k in terms for a, _ in t.items[k & MASK]}
        return all(c > 0 for c in terms.values()) and all(t.items[a][0] in kinds or a in self.positive for a in atoms)
