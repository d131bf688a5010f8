"""Rules for max, min and abs.

max is an atom over a set of arguments: nested maxima flattened, equal arguments once, common summands and positive factors in
front."""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

from flint import fmpq

from volta_pipe.ir.normal_form import MASK, MAXIMUM, PREDICATE, ROOT, Coef, Form, Table, rational, tidy
from volta_pipe.passes.canon.arithmetic import ONE, ZERO, Arithmetic
from volta_pipe.passes.canon.signs import MORE, SPREAD

_UNIT = (1, 1)  # content of most sums


class Maxima(Arithmetic):
    """max, min and abs."""

    def __init__(self, table: Table, **options: Any) -> None:
        super().__init__(table, **options)
        self._content: dict[int, tuple[int, int]] = {}
        self._constants: dict[int, Coef] = {}  # by number of a form, None for one that is no constant

    def minimum(self, x: Form, y: Form) -> Form:
        t = self.table
        return t.scaled(self.maximum(t.scaled(x, -1), t.scaled(y, -1)), -1)

    def absolute(self, x: Form) -> Form:
        return self.maximum(x, self.table.scaled(x, -1))

    def maximum(self, x: Form, y: Form) -> Form:
        """max(x, y) as an atom over a set: nested maxima flattened, equal arguments once, positive factors out; an argument
        that is never the largest goes."""
        t = self.table
        x, y = (self.exact(form) if form.den else form for form in (x, y))
        unit = self.positive_unit([x, y])
        if unit != ONE:
            inverse = t.inverse(unit)
            x, y = t.mul(x, inverse), t.mul(y, inverse)
        (p, q), (r, s) = self.content(x), self.content(y)
        p, q = math.gcd(p, r), math.lcm(q, s)
        if (p, q) not in ((1, 1), (0, 1)):
            x, y = t.scaled(x, tidy(fmpq(q, p))), t.scaled(y, tidy(fmpq(q, p)))
            unit = t.scaled(unit, tidy(fmpq(p, q)))
        arguments: dict[int, None] = {}
        for form in (x, y):
            arguments.update(dict.fromkeys(self.flattened(self.exact(form))))
        arguments = self._largest(self._one_constant(arguments))
        powers = self._exponents(arguments)
        if powers is not None:
            return t.mul(unit, powers)
        inner = self._clamped(arguments)
        if inner is not None:
            return t.mul(unit, inner)
        common = self._common_summand(arguments)
        if common.num:
            arguments = dict.fromkeys(t.form(t.add(t.items[i], common, -1)) for i in arguments)
            if len(arguments) == 1:
                return t.mul(unit, t.add(common, t.items[next(iter(arguments))]))
            return t.mul(unit, t.add(common, self._maximum_of(arguments)))
        return t.mul(unit, self._maximum_of(arguments))

    def _maximum_of(self, arguments: dict[int, None]) -> Form:
        """The atom of a set of arguments, a positive rational factor in front."""
        t = self.table
        unit = ONE
        p, q = 0, 1
        for number in arguments:
            known = self._content.get(number)
            if known is None:
                known = self._content[number] = self.content(t.items[number])
            if known == _UNIT and p == 1:  # for the many arguments of a long maximum
                continue
            p, q = math.gcd(p, known[0]), math.lcm(q, known[1])
        if (p, q) not in ((1, 1), (0, 1)):
            arguments = dict.fromkeys(t.form(t.scaled(t.items[i], tidy(fmpq(q, p)))) for i in arguments)
            unit = t.scaled(unit, tidy(fmpq(p, q)))
        t.charge(len(arguments))
        if len(arguments) == 1:
            return t.mul(unit, t.items[next(iter(arguments))])
        return t.mul(unit, t.of_atom(t.atom("max", *sorted(arguments))))

    def positive_unit(self, forms: list[Form]) -> Form:
        """A common positive factor: what all terms of all forms share, and a denominator that all share."""
        t = self.table
        terms = [k for form in forms for k in form.num]
        if not terms:
            return ONE
        shared: dict[int, int] = dict(t.items[terms[0] & MASK])
        for k in terms:
            if not shared:
                break
            powers: dict[int, int] = dict(t.items[k & MASK])
            shared = {a: p for a, p in shared.items() if powers.get(a) == p}
        ruled = ROOT | PREDICATE
        positive = {a: p for a, p in shared.items() if self.signs.atom(a) == MORE and not t.flags.get(a, 0) & ruled}
        log2e = t.atom("lambda")  # its lowest power comes out: only some of the terms of x − log y have it
        positive[log2e] = min(dict(t.items[k & MASK]).get(log2e, 0) for k in terms)
        positive = {a: p for a, p in positive.items() if p}
        exponent = terms[0] >> 32 if len({k >> 32 for k in terms}) == 1 else 0
        with_terms = [form for form in forms if form.num]
        den = with_terms[0].den if len({form.den for form in with_terms}) == 1 else ()
        den = tuple(f for f in den if self.signs.definite(t.items[f], True))
        return Form({exponent << 32 | t.monomial(tuple(sorted(positive.items()))): 1}, den)

    def _largest(self, arguments: dict[int, None]) -> dict[int, None]:
        """Without the arguments that are never larger than all others."""
        if len(arguments) > SPREAD:  # not compared, and a running maximum comes here for each of its elements
            return arguments
        left = list(arguments)
        forms = [self.table.items[n] for n in left]
        i = 0
        while len(left) > 1 and i < len(left):
            if self._bounded(forms, i) or self.signs.below(forms, i):
                del left[i], forms[i]
            else:
                i += 1
        return dict.fromkeys(left)

    def _clamped(self, arguments: dict[int, None]) -> Form | None:
        """A clamp, max(c, min(h, y)) of numbers c ≤ h, as it is written: of one inside it the tighter bounds are left, and y
        starts with a positive coefficient, else it is −max(−h, min(−c, −y)). A maximum in y has a positive one: then −y, which
        the atom holds, is not taken apart, and the running maximum of a row is long. None where that changes nothing."""
        t = self.table
        if len(arguments) != 2:
            return None
        first, second = arguments
        low, x = (first, second) if self._constants[first] is not None else (second, first)
        c = self._constants[low]
        operands = self._scaled_maximum(t.items[x], -1) if c is not None else []
        highs = [h for h in map(self.is_constant, operands) if h is not None]
        if len(operands) != 2 or len(highs) != 1 or fmpq(*rational(highs[0])) < fmpq(*rational(c)):
            return None
        (h,) = highs
        (y,) = (y for y in operands if self.is_constant(y) is None)
        inner = self._scaled_maximum(y, 1)
        lows = [v for v in map(self.is_constant, inner) if v is not None]
        if lows:
            rest = reduce(self.maximum, (z for z in inner if self.is_constant(z) is None))
            tighter = max(fmpq(*rational(c)), fmpq(*rational(lows[0])))
            return self.maximum(self.number(tidy(tighter)), self.minimum(self.number(h), rest))
        maxima = [v for k, v in y.num.items() if t.flags.get(k & MASK, 0) & MAXIMUM]
        if (maxima[0] > 0) if len(maxima) == 1 else (y.num[t.lead(y.num)] > 0):
            return None
        turned = self.maximum(self.number(-h), self.minimum(self.number(-c), t.scaled(y, -1)))
        return t.scaled(turned, -1)

    def _scaled_maximum(self, x: Form, sign: int) -> list[Form]:
        """The operands of a form that is a number of that sign times a maximum; of a negative one x is the least of them."""
        t = self.table
        if x.den or len(x.num) != 1:
            return []
        ((k, c),) = x.num.items()
        powers = t.items[k & MASK]
        if k > MASK or c * sign < 0 or len(powers) != 1 or powers[0][1] != 1 or t.items[powers[0][0]][0] != "max":
            return []
        return [t.scaled(t.items[i], c) for i in t.items[powers[0][0]][1:]]

    def _bounded(self, forms: list[Form], i: int) -> bool:
        """Whether bounds say that argument i is never larger than another one."""
        high = self.integers.bounds(forms[i])[1]
        if high is None:
            return False
        lows = [self.integers.bounds(x)[0] for j, x in enumerate(forms) if j != i]
        return any(low is not None and high <= low for low in lows)

    def _exponents(self, arguments: dict[int, None]) -> Form | None:
        """max(2^p, 2^q, …) = 2^max(p, q, …), of nothing but powers of two."""
        t = self.table
        exponents = []
        for number in arguments:
            x = t.items[number]
            if x.den or len(x.num) != 1:
                return None
            ((k, c),) = x.num.items()
            if c != 1 or k & MASK:
                return None
            exponents.append(Form(dict(t.polynomial_of[k >> 32]), ()))
        if len(exponents) < 2:
            return None
        largest = exponents[0]
        for x in exponents[1:]:
            largest = self.maximum(largest, x)
        return self.exp2(largest)

    def flattened(self, x: Form) -> list[int]:
        """Arguments of max that x stands for: rest + c · max(a, …) is max(rest + c·a, …) for c > 0, and for c · log2 e."""
        t = self.table
        maxima = [k for k in x.num if t.flags.get(k & MASK, 0) & MAXIMUM]
        if len(maxima) != 1 or x.den or maxima[0] >> 32:
            return [t.form(x)]
        k, c = maxima[0], x.num[maxima[0]]
        others = [f for f in t.items[k] if t.items[f[0]][0] != "lambda"]
        outer = tuple(f for f in t.items[k] if f not in others)
        if len(others) != 1 or others[0][1] != 1 or c < 0:
            return [t.form(x)]
        inner = t.items[others[0][0]][1:]
        if len(x.num) == 1 and c == 1 and not outer:
            return list(inner)
        rest = Form({i: v for i, v in x.num.items() if i != k}, ())
        scale = Form({t.monomial(outer): c}, ())
        return [t.form(t.add(rest, t.mul(t.items[i], scale))) for i in inner]

    def _common_summand(self, arguments: dict[int, None]) -> Form:
        """The terms that all arguments share: max(r + a, r + b) = r + max(a, b)."""
        items = self.table.items
        if len(arguments) < 2 or any(items[i].den for i in arguments):
            return ZERO
        first, *others = arguments
        common = dict(items[first].num)
        for i in others:
            common = {k: c for k, c in common.items() if items[i].num.get(k) == c}
            if not common:
                break
        return Form(common, ())

    def _one_constant(self, arguments: dict[int, None]) -> dict[int, None]:
        """Of several constants only the largest counts."""
        constants, items = self._constants, self.table.items
        for i in arguments:
            if i not in constants:
                constants[i] = self.is_constant(items[i])
        values = [(v, i) for i in arguments if (v := constants[i]) is not None]
        if len(values) < 2:
            return arguments
        largest = max(fmpq(*rational(v)) for v, _ in values)
        return {i: None for i in arguments if all(j != i or v == largest for v, j in values)}
