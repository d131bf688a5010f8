"""Rules for exponentials, powers, tanh, and the real numbers that literals stand for.

Sums in an exponent are products of exponentials (paper, Theorem 7); log2 e is an atom λ with e^x = 2^(λx); the other identities
are named at their rule."""

from __future__ import annotations

from flint import fmpq

from volta_pipe.ir.domains import POWERS
from volta_pipe.ir.normal_form import MASK, NAMED, Coef, Form, add_into, rational, tidy
from volta_pipe.passes.canon import literals
from volta_pipe.passes.canon.arithmetic import ONE
from volta_pipe.passes.canon.logarithms import Logarithms
from volta_pipe.passes.canon.readings import Reading
from volta_pipe.passes.canon.roots import Roots

_LARGEST_POWER = 64


class Exponentials(Logarithms, Roots):
    """exp, pow and tanh over logarithms and roots."""

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
                    result = t.mul(result, self.power(t.items[atom[1]], c))
                    continue
            elif self._half_of_log(m, c):  # 2^(n/2 log2 y) = sqrt(y)^n
                atom = t.items[t.items[m][0][0]]
                result = t.mul(result, self.power(self.sqrt(t.items[atom[1]]), rational(c)[0]))
                continue
            elif m == 0 and type(c) is int and abs(c) <= 1 << 12:
                result = t.scaled(result, 1 << c if c >= 0 else fmpq(1, 1 << -c))
                continue
            elif m == 0 and rational(c)[1] == 2 and abs(rational(c)[0]) <= _LARGEST_POWER:  # 2^(n/2) = sqrt(2)^n
                result = t.mul(result, self.power(self.sqrt(Form({0: 2}, ())), rational(c)[0]))
                continue
            exponent[m] = c
        return t.mul(result, Form({t.polynomial(exponent) << 32: 1}, ())) if exponent else result

    def _half_of_log(self, m: int, c: Coef) -> bool:
        """Whether a term of an exponent is an odd number of halves of a logarithm."""
        powers, (p, q) = self.table.items[m], rational(c)
        alone = len(powers) == 1 and powers[0][1] == 1
        return alone and q == 2 and abs(p) <= _LARGEST_POWER and self.table.items[powers[0][0]][0] == "lg2"

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

    def pow(self, x: Form, y: Form) -> Form:
        """x^y: a product for a small integer y, sqrt for a half; otherwise an atom."""
        c = self.is_constant(self.exact(y))
        if c is not None:
            p, q = rational(c)
            if q == 1 and abs(p) <= _LARGEST_POWER:
                return self.power(x, p)
            if q == 2 and abs(p) <= _LARGEST_POWER:
                return self.power(self.sqrt(x), p)
        self.assumptions.add(POWERS)
        return self.exp2(self.table.mul(self.exact(y), self.lg2(x)))

    def real(self, reading: Reading) -> Form:
        """The number that a literal stands for, of roots, log2 e, π and log2 10."""
        t, r = self.table, reading.real
        c = r.rational * reading.scale
        value = Form({0: tidy(fmpq(c.numerator, c.denominator))}, ())
        pi = t.of_atom(t.atom("pi"))
        for base, power in ((self.log2e, r.log2e), (pi, r.half_pi // 2), (self._lg2_rational(10, 1), r.log2_10)):
            value = t.mul(value, self.power(base, power)) if power else value
        if r.root != 1:
            value = t.mul(value, self.sqrt(Form({0: r.root}, ())))
        if r.half_pi % 2:
            value = t.mul(value, t.mul(pi, self._rsqrt_atom(pi)))
        return value

    def tanh(self, x: Form) -> Form:
        """tanh x = 1 − 2/(e^(2x) + 1); the denominator is positive."""
        t = self.table
        below = t.add(self.exp(t.scaled(self.exact(x), 2)), ONE)
        return t.add(ONE, t.scaled(t.inverse(below), 2), -1)
