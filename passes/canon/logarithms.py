"""Rules for logarithms: what is known to be positive comes out of products.

An atom lg2(y) stands for log2 y where y is positive, which its domain says."""

from __future__ import annotations

import math

from flint import fmpq

from volta_pipe.ir.domains import LOGS
from volta_pipe.ir.normal_form import MASK, Form, Terms, rational, tidy
from volta_pipe.passes.canon.arithmetic import ONE, ZERO, Arithmetic, Undecidable
from volta_pipe.passes.canon.factors import factors
from volta_pipe.passes.canon.polynomials import factored


class Logarithms(Arithmetic):
    """log2 and log."""

    def lg2(self, x: Form) -> Form:
        """log2 x; what is known to be positive comes out of a product: log2(c · m · 2^p · f / g) is log2 c + … − log2 g."""
        t = self.table
        x = self.exact(x)
        if not x.num:
            raise Undecidable("the logarithm of 0")
        self.visible(x)
        self.assumptions.add(LOGS)
        total, x = self._powers_of_sums(x)
        if x == ONE:
            return total
        x = self.whole(x)
        f, unit = t.split(x.num)
        ((k, c),) = unit.items()
        total = t.add(total, Form(dict(t.polynomial_of[k >> 32]), ()))
        powers, rest = self._parted(k & MASK)
        for atom, p in powers:
            total = t.add(total, t.scaled(self._lg2_of(atom), p))
        below = [g for g in x.den if not self.divisor_is_positive(g)]
        for g in x.den:
            if g not in below:
                total = t.add(total, self.lg2(Form(t.items[g], ())), -1)
        if f and self.signs.positive(Form(t.items[f], ())) and (rest or below):
            total = t.add(total, self._lg2_atom(Form(t.items[f], ())))
            f = 0
        p, q = rational(c)
        total = t.add(total, self._lg2_rational(abs(p), q))
        if rest and not f and not below and c > 0:
            return t.add(total, self._lg2_power(rest))
        inside: Terms = {t.monomial(tuple(rest)): 1 if p > 0 else -1}
        inside = t.product(inside, t.items[f]) if f else inside
        if inside == {0: 1} and not below:
            return total
        if inside == {0: -1} and not below:
            raise Undecidable("the logarithm of a negative number")
        return t.add(total, self._lg2_atom(Form(inside, tuple(below))))

    def _powers_of_sums(self, x: Form) -> tuple[Form, Form]:
        """(a, y) with log2 x = a + log2 y, where powers of sums and sums that are positive have left x.

        log2(s²·y) is 2 log2 |s| + log2 y wherever it has a value: s is not 0 there. An odd power that is alone with what is
        positive is positive itself: log2 s³ is 3 log2 s."""
        t = self.table
        p, q = self.content(x)
        found = factored(t, t.scaled(x, tidy(fmpq(q, p))).num, exponentials=True)
        if found is None or sum(power for _, power in found[1]) < 2:
            return ZERO, x
        unit, sums = found
        total, left = ZERO, []
        for terms, power in sums:
            one = Form(terms, ())
            negative = self.signs.positive(t.scaled(one, -1))
            if negative or self.signs.positive(one):
                total = t.add(total, t.scaled(self.lg2(t.scaled(one, -1) if negative else one), power))
                unit = t.scaled(Form(unit, ()), -1).num if negative and power % 2 else unit
            else:
                left.append((one, power))
        rest = Form(unit, x.den)
        alone = len(left) == 1 and self.signs.positive(rest)
        for one, power in left:
            if alone and power % 2:
                return t.add(total, t.scaled(self.lg2(one), power)), t.scaled(rest, tidy(fmpq(p, q)))
            if power > 1:
                total = t.add(total, t.scaled(self.lg2(self.absolute(one)), power // 2 * 2))
            if power % 2:
                rest = Form(t.product(rest.num, one.num), rest.den)
        return total, t.scaled(rest, tidy(fmpq(p, q)))

    def _lg2_atom(self, x: Form) -> Form:
        return self.table.of_atom(self.table.atom("lg2", self.table.form(x)))

    def _lg2_of(self, atom: int) -> Form:
        """log2 of a positive atom."""
        t = self.table
        kind, *arguments = t.items[atom]
        if kind == "rsqrt":  # its argument is positive, too
            return t.scaled(self._lg2_atom(t.items[arguments[0]]), fmpq(-1, 2))
        return self._lg2_atom(Form({t.monomial(((atom, 1),)): 1}, ()))

    def _lg2_rational(self, p: int, q: int) -> Form:
        """log2 p/q through the logarithms of primes, as far as these are small."""
        total = ZERO
        for n, sign in ((p, 1), (q, -1)):
            for prime, power in factors(n):
                one = ONE if prime == 2 else self._lg2_atom(Form({0: prime}, ()))
                total = self.table.add(total, self.table.scaled(one, sign * power))
        return total

    def _parted(self, m: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """(positive atoms, the others) of a monomial, with their powers."""
        t = self.table
        powers: list[tuple[int, int]] = list(t.items[m])
        known = {a for a, _ in powers if self._positive_atom(a)}
        return [f for f in powers if f[0] in known], [f for f in powers if f[0] not in known]

    def _positive_atom(self, atom: int) -> bool:
        return self.signs.positive(Form({self.table.monomial(((atom, 1),)): 1}, ()))

    def _lg2_power(self, powers: list[tuple[int, int]]) -> Form:
        """log2 of a monomial y^n: n · log2 y where n is odd, as y is positive then, and n · log2 |y| where it is even."""
        n = math.gcd(*(p for _, p in powers))
        if len(powers) == 1 and powers[0][1] < 0:
            n = -n  # log 1/x = −log x
        y = Form({self.table.monomial(tuple((a, p // n) for a, p in powers)): 1}, ())
        return self.table.scaled(self._lg2_atom(self.absolute(y) if n % 2 == 0 else y), n)

    def log(self, x: Form) -> Form:
        return self.table.mul(self.lg2(x), self.table.inverse(self.log2e))
