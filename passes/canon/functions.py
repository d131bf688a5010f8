"""Rules for functions that stay atoms: the odd erf, and roundings."""

from __future__ import annotations

from functools import reduce

from volta_pipe.ir.normal_form import MASK, MAXIMUM, Form, rational
from volta_pipe.passes.canon.angles import Angles
from volta_pipe.passes.canon.integers import rounded

_OPERANDS = 4  # of a maximum up to which its rounding is that of each: clamps, not the running maximum of a row


class Functions(Angles):
    """erf, floor, rint and trunc over sin and cos."""

    def erf(self, x: Form) -> Form:
        """Odd: the sign of the leading coefficient comes out."""
        t = self.table
        x = self.exact(x)
        if x.num and x.num[t.lead(x.num)] < 0:
            return t.scaled(self.function("erf", t.scaled(x, -1)), -1)
        return self.function("erf", x)

    def rounding(self, name: str, x: Form) -> Form:
        """floor, rint or trunc. Integers leave a floor; where bounds leave one value or two, there is no rounding; and as
        roundings are monotone, that of a maximum is the maximum of roundings. trunc is floor of what is not negative."""
        x = self.exact(x)
        key = name, self.table.form(x)
        if key not in self.roundings:
            self.roundings[key] = self._rounding_of(name, x)
        return self.roundings[key]

    def _rounding_of(self, name: str, x: Form) -> Form:
        t = self.table
        if self.integers.integral(x):
            return x
        if name == "floor":
            whole, rest = self.integers.split(x)
            for integer, left in (({}, x.num), self.integers.split(x, around_zero=True)):
                low, high = (rounded(name, bound) for bound in self.integers.bounds(Form(left, x.den)))
                if low is not None and low == high:
                    return t.add(Form(integer, ()), self.number(int(low)))
            return t.add(Form(whole, ()), self._rounding(name, Form(rest, x.den)))
        if x.num[t.lead(x.num)] < 0:  # odd
            return t.scaled(self.rounding(name, t.scaled(x, -1)), -1)
        if name == "rint" and not x.den:  # ties go to even: even shifts keep them
            p, q = rational(x.num.get(0, 0))
            even = p // q // 2 * 2
            if even:
                return t.add(self.rounding(name, t.add(x, Form({0: even}, ()), -1)), Form({0: even}, ()))
        return self._rounding(name, x)

    def _rounding(self, name: str, x: Form) -> Form:
        t = self.table
        low, high = (rounded(name, bound) for bound in self.integers.bounds(x))
        if low is not None and low == high:
            return self.number(int(low))
        if name == "floor" and low is not None and low + 1 == high:
            return t.add(self.number(int(high)), self.less(x, self.number(int(high))), -1)
        inner = self._floor_within(x) if name == "floor" else None
        if inner is not None:
            return self.rounding(name, inner)
        if name == "trunc":
            for sign in (1, -1):
                if self.signs.nonnegative(t.scaled(x, sign)):
                    return t.scaled(self.rounding("floor", t.scaled(x, sign)), sign)
        for sign in (1, -1):  # of a minimum, the minimum
            operands = self.flattened(t.scaled(x, sign)) if self._is_short(x) else []
            if 1 < len(operands) <= _OPERANDS:
                each = [t.scaled(self.rounding(name, t.scaled(t.items[i], sign)), sign) for i in operands]
                return t.scaled(reduce(self.maximum, each), sign)
        return self.function(name, x)

    def _is_short(self, x: Form) -> bool:
        """Whether all maxima in a form have few operands."""
        t = self.table
        atoms = {a for k in x.num if t.flags.get(k & MASK, 0) & MAXIMUM for a, _ in t.items[k & MASK]}
        return all(len(t.items[a]) <= 1 + _OPERANDS for a in atoms if t.items[a][0] == "max")

    def _floor_within(self, x: Form) -> Form | None:
        """(y + m) / n of (floor(y) + m) / n with integers m and n: both have the same floor."""
        t = self.table
        if x.den:
            return None
        for k, c in x.num.items():
            argument = self.integers.floor(k)
            p, q = rational(c)
            if argument and p == 1 and q > 1:
                rest = Form({i: v for i, v in x.num.items() if i != k}, ())
                if self.integers.integral(t.scaled(rest, q)):
                    return t.add(rest, t.scaled(t.items[argument], c))
        return None
