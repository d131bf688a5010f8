"""Normal forms of the operators: what is ring arithmetic, what becomes an exponent, and what stays an atom.

Every rule holds for all real arguments for which both sides are defined; a condition that a rule needs beyond that is added to
`assumptions` when the rule is used. Sources: paper section on the decision procedure (Theorem 7, Corollary 8) for + − × ÷ exp;
max and min as flattened, idempotent sets; the rest by the textbook identity named at the rule."""

from __future__ import annotations

import math
from typing import Any

from flint import fmpq

from volta_pipe.ir.normal_form import MASK, MAXIMUM, NAMED, Coef, Form, Table, add_into, rational, tidy
from volta_pipe.passes.canon import literals

NONZERO = "denominators are not zero"
ROOTS = "x ≥ 0 where sqrt x is taken"
LOGS = "x > 0 where log x is taken"
POWERS = "x > 0 where x^y is taken with a y that is no integer"
ZERO = Form({}, ())
ONE = Form({0: 1}, ())
_POSITIVE = ("c1", "d1", "lambda")  # atoms known to be positive
_LARGEST_POWER = 64


class Undecidable(Exception):  # noqa: N818 (an outcome, no error)
    """The expression holds something that has no normal form; the message says what."""


class Rules:
    """Operators over one table; forms are immutable to everybody but the caller that made one."""

    def __init__(self, table: Table, *, named: bool = True) -> None:
        self.table = table
        self.named = named
        self.assumptions: set[str] = set()
        self._content: dict[int, tuple[int, int]] = {}
        self.log2e = table.of_atom(table.atom("lambda"))

    # ---- constants

    def constant(self, value: float) -> Form:
        if not math.isfinite(value):
            raise Undecidable(f"the constant {value} is left in the expression")
        known = literals.named(value) if self.named and value else None
        if known:
            atom = self.table.atom(known[0])
            return Form({self.table.monomial(((atom, 1),)): known[1]}, ())
        return Form({0: literals.exact(value)} if value else {}, ())

    def is_constant(self, x: Form) -> Coef | None:
        """The value of a form that is a rational constant (0 too), else None."""
        if not x.num:
            return 0
        return x.num[0] if len(x.num) == 1 and 0 in x.num and not x.den else None

    def exact(self, x: Form) -> Form:
        """The form with literals read as what they are, and without factors that divide the numerator."""
        t = self.table
        if any(self._holds(t.items[f], NAMED) for f in x.den):
            total = Form(x.num, ())
            for f in x.den:
                total = t.mul(total, t.inverse(self.exact(Form(t.items[f], ()))))
            return self.exact(total)
        if not self._holds(x.num, NAMED):
            return t.simplified(x) if x.den else x
        num: dict[int, Coef] = {}
        for k, c in x.num.items():
            if t.flags.get(k & MASK, 0) & NAMED:
                powers = []
                for a, p in t.items[k & MASK]:
                    if t.flags.get(a, 0) & NAMED:
                        n, d = rational(literals.exact(literals.VALUES[t.items[a][0]]))
                        c = c * (fmpq(n, d) if p > 0 else fmpq(d, n)) ** abs(p)
                    else:
                        powers.append((a, p))
                k = k & ~MASK | t.monomial(tuple(powers))
            add_into(num, {k: tidy(c)})
        return t.simplified(Form(num, x.den)) if num else ZERO

    def _holds(self, terms: dict[int, Coef], flag: int) -> bool:
        flags = self.table.flags
        return any(flags.get(k & MASK, 0) & flag for k in terms)

    # ---- division, exponentials, logarithms

    def inverse(self, x: Form) -> Form:
        if not x.num:
            raise Undecidable("division by an expression that is identically 0")
        if self.is_constant(self.exact(x)) is None:
            self.assumptions.add(NONZERO)
        return self.table.inverse(x)

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

    # ---- roots, powers

    def sqrt(self, x: Form) -> Form:
        """sqrt of a form; a positive rational factor that is a square comes out."""
        t = self.table
        x = self.exact(x)
        if not x.num:
            return ZERO
        self.assumptions.add(ROOTS)
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
        if inside == ONE:
            return Form({0: tidy(root)}, ())
        return t.scaled(t.of_atom(t.atom("sqrt", t.form(inside))), tidy(root))

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

    # ---- atoms

    def function(self, name: str, *arguments: Form) -> Form:
        """An atom: a function of normal forms about which no more is known."""
        t = self.table
        return t.of_atom(t.atom(name, *(t.form(self.exact(x)) for x in arguments)))

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

    # ---- predicates and select

    def less(self, x: Form, y: Form) -> Form:
        """The predicate x < y as an atom over the difference, up to a positive factor."""
        t = self.table
        d = self.exact(t.add(x, y, -1))
        c = self.is_constant(d)
        if c is not None:
            return ONE if c < 0 else ZERO
        p, q = self.content(d)
        return t.of_atom(t.atom("lt0", t.form(t.scaled(d, tidy(fmpq(q, p))))))

    def equals(self, x: Form, y: Form) -> Form:
        t = self.table
        d = self.exact(t.add(x, y, -1))
        c = self.is_constant(d)
        if c is not None:
            return ZERO if c else ONE
        p, q = rational(d.num[t.lead(d.num)])
        return t.of_atom(t.atom("eq0", t.form(t.scaled(d, tidy(fmpq(q, p))))))

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
        if d is not None and (ratio := self._ratio(self.exact(delta), d)):
            # d < 0 ? x : y with x − y = ratio·d: both agree at d = 0.
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

    # ---- maxima

    def content(self, x: Form) -> tuple[int, int]:
        """(p, q): the largest positive rational p/q of which every coefficient is an integer multiple; (0, 1) for 0."""
        p, q = 0, 1
        for c in x.num.values():
            n, d = rational(c)
            p, q = math.gcd(p, n), math.lcm(q, d)
        return p, q

    def minimum(self, x: Form, y: Form) -> Form:
        t = self.table
        return t.scaled(self.maximum(t.scaled(x, -1), t.scaled(y, -1)), -1)

    def absolute(self, x: Form) -> Form:
        return self.maximum(x, self.table.scaled(x, -1))

    def maximum(self, x: Form, y: Form) -> Form:
        """max(x, y) as an atom over a set: nested maxima flattened, equal arguments once, positive factors out."""
        t = self.table
        unit = self._positive_unit([x, y])
        if unit != ONE:
            inverse = t.inverse(unit)
            x, y = t.mul(x, inverse), t.mul(y, inverse)
        (p, q), (p2, q2) = self.content(x), self.content(y)
        p, q = math.gcd(p, p2), math.lcm(q, q2)
        if (p, q) not in ((1, 1), (0, 1)):
            x, y = t.scaled(x, tidy(fmpq(q, p))), t.scaled(y, tidy(fmpq(q, p)))
            unit = t.scaled(unit, tidy(fmpq(p, q)))
        arguments: dict[int, None] = {}
        for form in (x, y):
            arguments.update(dict.fromkeys(self._flattened(self.exact(form))))
        arguments = self._one_constant(arguments)
        p, q = 0, 1
        for number in arguments:
            known = self._content.get(number)
            if known is None:
                known = self._content[number] = self.content(t.items[number])
            p, q = math.gcd(p, known[0]), math.lcm(q, known[1])
        if (p, q) not in ((1, 1), (0, 1)):
            arguments = dict.fromkeys(t.form(t.scaled(t.items[i], tidy(fmpq(q, p)))) for i in arguments)
            unit = t.scaled(unit, tidy(fmpq(p, q)))
        self.table.charge(len(arguments))
        if len(arguments) == 1:
            return t.mul(unit, t.items[next(iter(arguments))])
        return t.mul(unit, t.of_atom(t.atom("max", *sorted(arguments))))

    def _positive_unit(self, forms: list[Form]) -> Form:
        """A common factor: log2 e or a literal near it where every term of every form has it once."""
        t = self.table
        for kind in _POSITIVE:
            atom = t.atom(kind)
            terms = [k for form in forms for k in form.num]
            if terms and all((atom, 1) in t.items[k & MASK] for k in terms):
                return Form({t.monomial(((atom, 1),)): 1}, ())
        return ONE

    def _flattened(self, x: Form) -> list[Any]:
        """Arguments of max that x stands for: rest + c · max(a, …) with c > 0 is max(rest + c·a, …)."""
        t = self.table
        maxima = [k for k in x.num if t.flags.get(k & MASK, 0) & MAXIMUM]
        if len(maxima) != 1 or x.den or maxima[0] >> 32 or len(t.items[maxima[0]]) != 1:
            return [t.form(x)]
        k, c = maxima[0], x.num[maxima[0]]
        atom, power = t.items[k][0]
        if power != 1 or c < 0:
            return [t.form(x)]
        inner = t.items[atom][1:]
        if len(x.num) == 1 and c == 1:
            return list(inner)
        rest = Form({i: v for i, v in x.num.items() if i != k}, ())
        return [t.form(t.add(rest, t.scaled(t.items[i], c))) for i in inner]

    def _one_constant(self, arguments: dict[int, None]) -> dict[int, None]:
        """Of several constants only the largest counts."""
        values = [(v, i) for i in arguments if (v := self.is_constant(self.table.items[i])) is not None]
        if len(values) < 2:
            return arguments
        largest = max(fmpq(*rational(v)) for v, _ in values)
        return {i: None for i in arguments if all(j != i or v == largest for v, j in values)}
