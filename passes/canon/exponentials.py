"""Rules for exponentials, logarithms, roots, powers and the odd and even functions.

Sums in an exponent are products of exponentials (paper, Theorem 7); log2 e is an atom λ with e^x = 2^(λx); the other identities
are named at their rule."""

from __future__ import annotations

import math

from flint import fmpq

from volta_pipe.ir.normal_form import MASK, NAMED, Coef, Form, add_into, rational, tidy
from volta_pipe.passes.canon import literals
from volta_pipe.passes.canon.arithmetic import NONZERO, ONE, ZERO, Arithmetic, Undecidable

ROOTS = "x ≥ 0 where sqrt x is taken"
LOGS = "x > 0 where log x is taken"
POWERS = "x > 0 where x^y is taken with a y that is no integer"
_LARGEST_POWER = 64


class Exponentials(Arithmetic):
    """exp, log, sqrt, pow, tanh, and functions that stay atoms."""

    def exp2(self, x: Form) -> Form:
        """2^x: polynomial terms go to the exponent; a term with a denominator or an exponential goes there as an atom."""
        t = self.table
        if self._holds(x.num, NAMED):
            x = self._read_log2e(x)
        x = self.exact(x)
        exponent: dict[int, Coef] = {}
        result = ONE
        for k, c in x.num.items():
            m = k
            if k >> 32 or x.den:
                m = t.monomial(((t.atom("value", t.form(Form({k: 1}, x.den))), 1),))
            elif len(t.items[m]) == 1 and t.items[m][0][1] == 1 and type(c) is int and abs(c) <= _LARGEST_POWER:
                atom = t.items[t.items[m][0][0]]
                if atom[0] == "lg2":  # 2^(n log2 y) = y^n
                    result = t.mul(result, self._power(t.items[atom[1]], c))
                    continue
            elif m == 0 and type(c) is int and abs(c) <= 1 << 12:
                result = t.scaled(result, 1 << c if c >= 0 else fmpq(1, 1 << -c))
                continue
            exponent[m] = c
        return t.mul(result, Form({t.polynomial(exponent) << 32: 1}, ())) if exponent else result

    def exp(self, x: Form) -> Form:
        """e^x = 2^(x · log2 e)."""
        return self.exp2(self.table.mul(self.exact(x), self.log2e))

    def _read_log2e(self, x: Form) -> Form:
        """Inside 2^x: c·y for a literal c nearest to log2 e is log2 e · y, and c1·y + c2·y is, too."""
        t = self.table
        readable = {t.atom(kind): kind for kind in ("c1", "c2", "d1")}
        found: dict[str, dict[int, Coef]] = {"c1": {}, "c2": {}, "d1": {}}
        rest: dict[int, Coef] = {}
        for k, c in x.num.items():
            special = [(a, p) for a, p in t.items[k & MASK] if a in readable]
            if len(special) == 1 and special[0][1] == 1:
                m = t.monomial(tuple(f for f in t.items[k & MASK] if f[0] not in readable))
                found[readable[special[0][0]]][k & ~MASK | m] = c
            else:
                rest[k] = c
        low_half = t.monomial(((t.atom("c2"), 1),))
        log2e = next(iter(self.log2e.num))
        for kind in ("c1", "d1"):
            for k, c in found[kind].items():
                low = found["c2"].get(k) if kind == "c1" else None
                if low == c:
                    del found["c2"][k]
                    self.assumptions.add(literals.ASSUMPTIONS["c2"])
                else:
                    self.assumptions.add(literals.ASSUMPTIONS[kind])
                add_into(rest, {k & ~MASK | t.times(k & MASK, log2e): c})
        for k, c in found["c2"].items():
            add_into(rest, {k & ~MASK | t.times(k & MASK, low_half): c})
        return Form(rest, x.den)

    def lg2(self, x: Form) -> Form:
        """log2 x; of a product u · f with a unit u = c · m · 2^p: p + log2(c · m · f)."""
        t = self.table
        x = self.exact(x)
        if not x.num:
            raise Undecidable("the logarithm of 0")
        self.assumptions.add(LOGS)
        x = self.whole(x)
        f, unit = t.split(x.num)
        ((k, c),) = unit.items()
        exponent = Form(dict(t.polynomial_of[k >> 32]), ())
        rest = t.product({k & MASK: c}, t.items[f]) if f else {k & MASK: c}
        if rest == {0: 1} and not x.den:
            return exponent
        p, q = rational(c)
        if not f and not k & MASK and not x.den and q == 1 and p & (p - 1) == 0 and p > 0:
            return t.add(exponent, Form({0: p.bit_length() - 1}, ()))
        return t.add(exponent, t.of_atom(t.atom("lg2", t.form(Form(rest, x.den)))))

    def log(self, x: Form) -> Form:
        return self.table.mul(self.lg2(x), self.table.inverse(self.log2e))

    def sqrt(self, x: Form) -> Form:
        """sqrt x = x · rsqrt x, but for what comes out."""
        t = self.table
        outside, inside, root = self._root(self.exact(x))
        return t.mul(outside, t.mul(inside, root))

    def rsqrt(self, x: Form) -> Form:
        """1 / sqrt x."""
        x = self.exact(x)
        if not self._never_zero(x):
            self.assumptions.add(NONZERO)
        outside, _, root = self._root(x)
        return self.table.mul(self.inverse(outside), root)

    def _root(self, x: Form) -> tuple[Form, Form, Form]:
        """(a, y, r) with sqrt x = a · y · r, r = 1 / sqrt y an atom: powers of two and rational squares come out."""
        t = self.table
        if not x.num:
            return ZERO, ONE, ONE
        self.assumptions.add(ROOTS)
        if self.names is not None:
            x = self.whole(t.items[t.form(x)])
        outside = ONE
        _, first = t.split(x.num)
        exponent = t.polynomial_of[next(iter(first)) >> 32]
        if exponent:  # sqrt(2^p · y) = 2^(p/2) · sqrt(y)
            outside = Form({t.polynomial({m: tidy(fmpq(1, 2) * c) for m, c in exponent.items()}) << 32: 1}, ())
            x = t.mul(x, t.inverse(t.mul(outside, outside)))
        p, q = self.content(x)
        root: Coef = fmpq(1, q)  # sqrt(p/q · y) = sqrt(p·q · y) / q
        n = p * q
        r = math.isqrt(n)
        if r * r == n:
            root, n = root * r, 1
        for square in (4, 9, 25, 49):
            while n % square == 0:
                root, n = root * math.isqrt(square), n // square
        inside = t.scaled(x, tidy(fmpq(n * q, p)))
        outside = t.scaled(outside, tidy(root))
        return outside, inside, ONE if inside == ONE else t.of_atom(t.atom("rsqrt", t.form(inside)))

    def _power(self, x: Form, n: int) -> Form:
        result = ONE
        if n < 0:
            x = self.inverse(x)
        for _ in range(abs(n)):
            result = self.table.mul(result, x)
        return result

    def pow(self, x: Form, y: Form) -> Form:
        """x^y: a product for a small integer y, sqrt for a half; otherwise an atom."""
        c = self.is_constant(self.exact(y))
        if c is not None:
            p, q = rational(c)
            if q == 1 and abs(p) <= _LARGEST_POWER:
                return self._power(x, p)
            if q == 2 and abs(p) <= _LARGEST_POWER:
                return self._power(self.sqrt(x), p)
        self.assumptions.add(POWERS)
        return self.function("pow", x, y)

    def signed(self, name: str, x: Form, parity: int) -> Form:
        """An odd (parity −1) or even (1) function: the sign of the leading coefficient comes out."""
        t = self.table
        x = self.exact(x)
        if x.num and x.num[t.lead(x.num)] < 0:
            return t.scaled(self.function(name, t.scaled(x, -1)), parity)
        return self.function(name, x)

    def rounding(self, name: str, x: Form) -> Form:
        value = self.is_constant(self.exact(x))
        if value is not None and rational(value)[1] == 1:
            return self.exact(x)
        return self.function("floor", x) if name == "floor" else self.signed(name, x, -1)

    def tanh(self, x: Form) -> Form:
        """tanh x = 1 − 2/(e^(2x) + 1); the denominator is positive."""
        t = self.table
        below = t.add(self.exp(t.scaled(self.exact(x), 2)), ONE)
        return t.add(ONE, t.scaled(t.inverse(below), 2), -1)
