"""Rules for comparisons and select. A predicate is the real 0 or 1, so select is p·x + (1 − p)·y."""

from __future__ import annotations

from flint import fmpq

from volta_pipe.ir.normal_form import Coef, Form, rational, tidy
from volta_pipe.passes.canon.arithmetic import ONE, ZERO
from volta_pipe.passes.canon.maxima import Maxima


class Predicates(Maxima):
    """Comparisons, negation and select."""

    def less(self, x: Form, y: Form) -> Form:
        """The predicate x < y as an atom over the difference, up to a positive factor."""
        t = self.table
        d = self.same_sign(self.exact(t.add(x, y, -1)))
        low, high = self.integers.bounds(d)
        if (low is not None and low >= 0) or self.signs.nonnegative(d):
            return ZERO
        if (high is not None and high < 0) or self.signs.positive(t.scaled(d, -1)):
            return ONE
        return t.of_atom(t.atom("lt0", t.form(d)))

    def equals(self, x: Form, y: Form) -> Form:
        t = self.table
        d = self.same_sign(self.exact(t.add(x, y, -1)))
        opposite = t.scaled(d, -1)
        above, below = self.signs.nonnegative(d), self.signs.nonnegative(opposite)
        if not d.num or (above and below):
            return ONE
        if self.signs.positive(d) or self.signs.positive(opposite):
            return ZERO
        if above or below:  # x = max(x, y) where it is not less
            return self.negation(t.of_atom(t.atom("lt0", t.form(opposite if above else d))))
        return t.of_atom(t.atom("eq0", t.form(d if d.num[t.lead(d.num)] > 0 else opposite)))

    def same_sign(self, x: Form) -> Form:
        """The form up to a positive factor."""
        t = self.table
        unit = self.positive_unit([x])
        if unit != ONE:
            x = t.mul(x, t.inverse(unit))
        p, q = self.content(x)
        return t.scaled(x, tidy(fmpq(q, p))) if p else x

    def negation(self, p: Form) -> Form:
        return self.table.add(ONE, p, -1)

    def select(self, p: Form, x: Form, y: Form) -> Form:
        """p·x + (1 − p)·y; a comparison of the two arms gives their maximum or minimum."""
        t = self.table
        if x == y:
            return x
        delta = t.add(x, y, -1)
        if not delta.num:
            return x
        d, sense = self._comparison(p)
        if d is not None and (ratio := self._ratio(self.same_sign(self.exact(delta)), d)):
            # d < 0 ? x : y with x − y a positive multiple of ratio·d: both agree at d = 0.
            return self.maximum(x, y) if (ratio < 0) == sense else self.minimum(x, y)
        return t.add(y, t.mul(p, delta))

    def _comparison(self, p: Form) -> tuple[Form | None, bool]:
        """(d, True) for the predicate d < 0, (d, False) for its negation."""
        t = self.table
        atoms = [k for k in p.num if k and k >> 32 == 0 and len(t.items[k]) == 1]
        if len(atoms) != 1 or p.den:
            return None, True
        atom, power = t.items[atoms[0]][0]
        if t.items[atom][0] != "lt0" or power != 1:
            return None, True
        if p.num == {atoms[0]: 1}:
            return t.items[t.items[atom][1]], True
        if p.num == {0: 1, atoms[0]: -1}:
            return t.items[t.items[atom][1]], False
        return None, True

    def _ratio(self, x: Form, d: Form) -> Coef:
        """c with x = c·d for a rational c, else 0."""
        if x.den != d.den or x.num.keys() != d.num.keys():
            return 0
        k = next(iter(d.num))
        c = fmpq(*rational(x.num[k])) / fmpq(*rational(d.num[k]))
        return c if all(x.num[j] == c * v for j, v in d.num.items()) else 0
