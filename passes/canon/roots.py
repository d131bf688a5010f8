"""Rules for square roots: powers of two, squares, and the primes of a rational factor come out.

An atom rsqrt(y) stands for 1/sqrt(y), and sqrt(y) is y · rsqrt(y); the table knows that rsqrt(y)² is 1/y."""

from __future__ import annotations

from flint import fmpq

from volta_pipe.ir.domains import ROOTS
from volta_pipe.ir.normal_form import MASK, Coef, Form, tidy
from volta_pipe.passes.canon import circles
from volta_pipe.passes.canon.arithmetic import NONZERO, ONE, ZERO, Arithmetic, Undecidable
from volta_pipe.passes.canon.factors import factors
from volta_pipe.passes.canon.polynomials import factored

_RULED = ("rsqrt", "cos", "lt0", "eq0")  # atoms with a power rule of their own


class Roots(Arithmetic):
    """sqrt and rsqrt."""

    def sqrt(self, x: Form) -> Form:
        """sqrt x = x · rsqrt x, but for what comes out."""
        t = self.table
        result, roots = self._root(self.exact(x))
        for inside in roots:
            result = t.mul(result, t.mul(inside, self._rsqrt_atom(inside)))
        return result

    def rsqrt(self, x: Form) -> Form:
        """1 / sqrt x."""
        x = self.exact(x)
        if not self._never_zero(x):
            self.assumptions.add(NONZERO)
        outside, roots = self._root(x)
        result = self.inverse(outside)
        for inside in roots:
            result = self.table.mul(result, self._rsqrt_atom(inside))
        return result

    def _rsqrt_atom(self, x: Form) -> Form:
        """1/sqrt x, and 0 for values of the predicates in x for which that is identically 0."""
        t = self.table
        x, zero = self.regular(x)
        root = t.of_atom(t.atom("rsqrt", t.form(x)))
        return t.mul(root, t.add(ONE, zero, -1)) if zero.num else root

    def _root(self, x: Form) -> tuple[Form, list[Form]]:
        """(a, [y, …]) with sqrt x = a · sqrt y · …: powers of two and squares come out, parts ≥ 0 have their own root."""
        t = self.table
        if not x.num:
            return ZERO, []
        value = self.is_constant(x)
        if value is None:
            self.assumptions.add(ROOTS)
        elif value < 0:
            raise Undecidable("the root of a negative number")
        if self.names is not None:
            x = self.whole(t.items[t.form(x)])
        outside = ONE
        _, first = t.split(x.num)
        exponent = t.polynomial_of[next(iter(first)) >> 32]
        if exponent:  # sqrt(2^p · y) = 2^(p/2) · sqrt(y)
            outside = Form({t.polynomial({m: tidy(fmpq(1, 2) * c) for m, c in exponent.items()}) << 32: 1}, ())
            x = t.mul(x, t.inverse(t.mul(outside, outside)))
        outside, x = self._cosines(outside, x)
        p, q = self.content(x)
        x = t.scaled(x, tidy(fmpq(q, p)))
        root: Coef = fmpq(1, q)  # sqrt(p/q · y) = sqrt(p·q) · sqrt(y) / q
        roots = []
        for prime, power in factors(p * q):
            root = root * prime ** (power // 2)
            if power % 2:
                roots.append(Form({0: prime}, ()))
        outside = t.scaled(outside, tidy(root))
        outside, x, more = self._sums(outside, x)
        roots += more
        outside, x, more = self._squares(outside, x)
        roots += more
        if self._is_reciprocal(x):  # sqrt 1/m = sqrt(m)/m: m is positive wherever 1/m has a root
            x = t.inverse(x)
            outside = t.mul(outside, t.inverse(x))
        return outside, roots if x == ONE else [*roots, x]

    def _is_reciprocal(self, x: Form) -> bool:
        """Whether a form is 1/m for a product m of atoms that are no roots, cosines or predicates."""
        t = self.table
        if len(x.num) != 1 or x.den:
            return False
        ((k, c),) = x.num.items()
        powers = t.items[k & MASK]
        plain = all(p < 0 and t.items[a][0] not in _RULED for a, p in powers)
        return k <= MASK and c == 1 and bool(powers) and plain

    def _cosines(self, outside: Form, x: Form) -> tuple[Form, Form]:
        """(a, y) where squares of cosines, 1 − sin², have left x: sqrt(cos² · y) = |cos| · sqrt y."""
        t = self.table
        if not self.angles:
            return outside, x
        sums = [x.num, *(t.items[f] for f in x.den)]
        sines = {a for terms in sums for k in terms for a, p in t.items[k & MASK] if abs(p) > 1 and t.items[a][0] == "sin"}
        for a in sorted(sines):
            factor, unit = t.split({0: 1, t.monomial(((a, 2),)): -1})  # cos² = unit · factor
            cosine = self.absolute(t.of_atom(circles.cosine(t, t.items[a][1])))
            while factor in x.den:
                below = list(x.den)
                below.remove(factor)
                x, outside = Form(t.product(x.num, unit), tuple(below)), t.mul(outside, self.inverse(cosine))
            while len(x.num) > 1 and not (above := t.simplified(Form(x.num, (factor,)))).den:
                x, outside = Form(t.product(above.num, t.inverse_unit(unit)), x.den), t.mul(outside, cosine)
        return outside, x

    def _sums(self, outside: Form, x: Form) -> tuple[Form, Form, list[Form]]:
        """(a, y, roots) where squares of sums have left x as absolute values, and sums ≥ 0 have roots of their own."""
        t = self.table
        found = factored(t, x.num)
        if found is None or sum(power for _, power in found[1]) < 2:
            return outside, x, []
        unit, sums = found
        rest, roots = Form(unit, x.den), []
        for terms, power in sums:
            one = Form(terms, ())
            if power > 1:
                outside = t.mul(outside, self.power(self.absolute(one), power // 2))
            if power % 2 and self.signs.nonnegative(one):
                roots.append(one)
            elif power % 2 and self.signs.nonnegative(t.scaled(one, -1)):
                roots.append(t.scaled(one, -1))
                rest = t.scaled(rest, -1)
            elif power % 2:
                rest = Form(t.product(rest.num, terms), rest.den)
        return outside, rest, roots

    def _squares(self, outside: Form, x: Form) -> tuple[Form, Form, list[Form]]:
        """(a, y, roots) where squares have left x, and atoms and divisors that are not negative have roots of their own."""
        t = self.table
        shared = None
        for k in x.num:
            powers = dict(t.items[k & MASK])
            shared = powers if shared is None else {a: min(p, powers[a]) for a, p in shared.items() if powers.get(a, 0) * p > 0}
        roots = []
        for a, p in (shared or {}).items():
            one = Form({t.monomial(((a, 1),)): 1}, ())
            kind = t.items[a][0]
            whole = self.signs.nonnegative(one)
            if kind in _RULED or abs(p) < 2 - whole:
                continue
            halves = p // 2 if p > 0 else -(-p // 2)
            gone = 2 * halves + (p % 2 if whole and p > 0 else -(-p % 2) if whole else 0)
            square = one if whole or halves % 2 == 0 else self.absolute(one)
            outside = t.mul(outside, self.power(square, halves)) if halves else outside
            if gone != 2 * halves:
                if gone < 0:
                    outside = t.mul(outside, self.inverse(one))
                roots.append(one)
            x = t.mul(x, t.of_atom(a, -gone))
        for g in x.den:
            if self.divisor_is_positive(g):  # sqrt(y/g) = sqrt(y) · sqrt(g) / g
                below = Form(t.items[g], ())
                x = t.mul(x, below)
                outside = t.mul(outside, t.inverse(below))
                roots.append(below)
        return outside, x, roots
