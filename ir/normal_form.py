"""Normal forms: rational functions whose numerators and denominators are sums of c · monomial · 2^polynomial.

The exp-rational normal form of the paper (arXiv 2511.12638, Theorem 7 and Corollary 8) over the interned parts of `parts`.

Denominators stay products of interned factors whose leading term is 1 (the unit goes to the numerator), so that what one step
divides by cancels when a later step multiplies by it. The order that picks the leading term is invariant under
multiplication by units: lexicographic on powers and on exponent vectors."""

from __future__ import annotations

from collections import Counter

from volta_pipe.ir.parts import (
    ATOM,
    FACTOR,
    FORM,
    MASK,
    MAXIMUM,
    MONOMIAL,
    NAMED,
    POLYNOMIAL,
    PREDICATE,
    ROOT,
    Coef,
    Form,
    Parts,
    Terms,
    add_into,
    rational,
    tidy,
)  # fmt: skip

__all__ = [
    "ATOM", "FACTOR", "FORM", "MASK", "MAXIMUM", "MONOMIAL", "NAMED", "POLYNOMIAL", "PREDICATE", "ROOT",
    "Coef", "Form", "Table", "Terms", "add_into", "rational", "tidy",
]  # fmt: skip
_COSTLY_DIVISION = 20_000  # terms × terms beyond which a numerator is not divided by a factor


class Table(Parts):
    """Arithmetic of forms over interned parts."""

    def of_atom(self, atom: int, power: int = 1) -> Form:
        """The form of an atom to a power, after its rule."""
        return self.reduced(Form({self.monomial(((atom, power),)): 1}, ()))

    # ---- numerators

    def product(self, x: Terms, y: Terms) -> Terms:
        self.charge(len(x) * len(y))
        if len(x) > len(y):
            x, y = y, x
        if len(y) == 1:
            ((k1, c1),), ((k2, c2),) = x.items(), y.items()
            c = c1 * c2
            return {self.plus(k1 >> 32, k2 >> 32) << 32 | self.times(k1 & MASK, k2 & MASK): c if type(c) is int else tidy(c)}
        if len(x) == 1:  # a unit: terms that differ stay apart
            ((k1, c1),) = x.items()
            e1, m1 = k1 >> 32, k1 & MASK
            plus, times = self.plus, self.times
            if c1 == 1:
                return {plus(e1, k >> 32) << 32 | times(m1, k & MASK): c for k, c in y.items()}
            return {plus(e1, k >> 32) << 32 | times(m1, k & MASK): tidy(c1 * c) for k, c in y.items()}
        out: Terms = {}
        for k1, c1 in x.items():
            e1, m1 = k1 >> 32, k1 & MASK
            for k2, c2 in y.items():
                k = k2 if not k1 else k1 if not k2 else self.plus(e1, k2 >> 32) << 32 | self.times(m1, k2 & MASK)
                c = c1 * c2
                if k in out:
                    c += out[k]
                    if not c:
                        del out[k]
                        continue
                out[k] = c if type(c) is int else tidy(c)
        return out

    def split(self, num: Terms) -> tuple[int, Terms]:
        """(factor, unit) with num = unit · factor and leading term 1 in the factor; factor 0 where num is a unit itself."""
        if len(num) == 1:
            return 0, num
        k0 = self.lead(num)
        c0 = num[k0]
        if self.relations:  # a root or predicate has no inverse monomial: it leaves the factor only where all terms have it
            powers = self.items[k0 & MASK]
            ruled = [f for f in powers if self.flags.get(f[0], 0) & (ROOT | PREDICATE)]
            stay = [f for f in ruled if not all(f in self.items[k & MASK] for k in num)]
            k0 = k0 & ~MASK | self.monomial(tuple(f for f in powers if f not in stay))
        if not k0 and c0 == 1:
            return self.factor(num), {0: 1}
        unit: Terms = {k0: c0}
        return self.factor(self.product(num, self.inverse_unit(unit))), unit

    def inverse_unit(self, unit: Terms) -> Terms:
        from flint import fmpq  # not above: where both sides are the same trees, tables stay empty, and nothing loads it

        ((k, c),) = unit.items()
        p, q = rational(c)
        return {self.minus(k >> 32) << 32 | self.power(k & MASK, -1): tidy(fmpq(q, p))}

    # ---- forms

    def cancelled(self, form: Form) -> Form:
        """The form without a factor that its whole numerator equals."""
        num, den = form
        if den and len(num) > 1 and any(len(self.items[f]) == len(num) for f in den):
            f, unit = self.split(num)
            if f in den:
                rest = list(den)
                rest.remove(f)
                return Form(unit, tuple(rest))
        return form

    def simplified(self, form: Form) -> Form:
        """The form without the factors that divide its numerator exactly."""
        num, den = form.num, list(form.den)
        for f in form.den:
            quotient = self._quotient(num, self.items[f])
            if quotient is not None:
                num = quotient
                den.remove(f)
        return Form(num, tuple(den))

    def _quotient(self, num: Terms, below: Terms) -> Terms | None:
        """num / below where that is a sum again, by division from the leading term; None where it is not, or is costly."""
        if not num or len(num) < len(below) or len(num) * len(below) > _COSTLY_DIVISION:
            return None
        first = {self.lead(below): 1}
        last = self._last(below)
        if self.relations and any(self.flags.get(a, 0) & (ROOT | PREDICATE) for k in below for a, _ in self.items[k & MASK]):
            return None
        (k0,) = first
        inverse = self.inverse_unit({k0: below[k0]})
        (lowest,) = self.product({self._last(num): 1}, self.inverse_unit({last: 1}))
        rest = dict(num)
        quotient: Terms = {}
        while rest:
            lead = self.lead(rest)
            term = self.product({lead: rest[lead]}, inverse)
            (key,) = term
            if self._order(key) < self._order(lowest) or len(quotient) == 2 * len(num):
                return None  # the second: between two Laurent monomials lie infinitely many, so the order alone ends nothing
            quotient[key] = term[key]
            add_into(rest, self.product(term, below), -1)
        return quotient

    def mul(self, x: Form, y: Form) -> Form:
        if not x.num or not y.num:
            return Form({}, ())
        a, b = x.num, y.num
        den = x.den
        if x.den or y.den:
            a, rest = self.cancelled(Form(a, y.den))
            b, den = self.cancelled(Form(b, x.den))
            den = tuple(sorted(den + rest))
        return self.reduced(Form(self.product(a, b), den))

    def inverse(self, x: Form) -> Form:
        """1 / x for an x that is not 0."""
        f, unit = self.split(x.num)
        num = self.inverse_unit(unit)
        for g in x.den:
            num = self.product(num, self.items[g])
        return self.reduced(Form(num, (f,) if f else ()))

    def scaled(self, x: Form, c: Coef) -> Form:
        return x if c == 1 else Form({k: tidy(c * v) for k, v in x.num.items()}, x.den) if c else Form({}, ())

    def add(self, x: Form, y: Form, sign: int = 1, *, own: bool = False) -> Form:
        """x + sign · y; with `own`, x's numerator may be changed in place."""
        if x.den == y.den:
            num = x.num if own else dict(x.num)
            self.charge(len(y.num) if own else len(num) + len(y.num))
            add_into(num, y.num, sign)
            return self.cancelled(Form(num, x.den)) if num else Form({}, ())
        if not y.num:
            return x
        if not x.num:
            return self.scaled(y, sign)
        a, b = Counter(x.den), Counter(y.den)
        common = a | b
        p, q = x.num, y.num
        for f in (common - a).elements():
            p = self.product(p, self.items[f])
        for f in (common - b).elements():
            q = self.product(q, self.items[f])
        num = dict(p)
        add_into(num, q, sign)
        return self.cancelled(self.reduced(Form(num, tuple(sorted(common.elements()))))) if num else Form({}, ())

    def reduced(self, form: Form) -> Form:
        """Applies the power rules: rsqrt(x)^2 = 1/x, p^2 = p of a predicate p."""
        if not self.relations or not any(self.flags.get(k & MASK, 0) & (ROOT | PREDICATE) for k in form.num):
            return form
        total = Form({}, ())
        pending = [form]
        while pending:
            num, den = pending.pop()
            plain = {k: c for k, c in num.items() if not self.flags.get(k & MASK, 0) & (ROOT | PREDICATE)}
            if plain:
                total = self.add(total, Form(plain, den))
            for k, c in num.items():
                if k not in plain:
                    pending.append(self._one_rule(k, c, den))
        return total

    def _one_rule(self, key: int, c: Coef, den: tuple[int, ...]) -> Form:
        powers = dict(self.items[key & MASK])
        ruled = ((a, p) for a, p in powers.items() if self.flags.get(a, 0) & (ROOT | PREDICATE) and p != 1)
        atom, power = next(ruled)
        if self.flags[atom] & PREDICATE:  # a predicate that is divided by is not 0: it is 1
            powers[atom] = 1
            return Form({key & ~MASK | self.monomial(tuple(powers.items())): c}, den)
        halves, rest = divmod(power, 2)
        powers = {a: p for a, p in powers.items() if a != atom or rest} | ({atom: 1} if rest else {})
        base = Form({key & ~MASK | self.monomial(tuple(sorted(powers.items()))): c}, den)
        inside: Form = self.items[self.items[atom][1]]
        if halves > 0:
            f, unit = self.split(inside.num)
            inside = Form(self.inverse_unit(unit), (f,) if f else ())
            for g in self.items[self.items[atom][1]].den:
                inside = Form(self.product(inside.num, self.items[g]), inside.den)
        for _ in range(abs(halves)):
            base = self.cancelled(Form(self.product(base.num, inside.num), tuple(sorted(base.den + inside.den))))
        return base

    def equal(self, x: Form, y: Form) -> bool:
        """Whether the two are the same rational function: equal as they are, or after multiplying out the denominators."""
        if x.num == y.num and x.den == y.den:
            return True
        return not self.add(x, y, -1).num
