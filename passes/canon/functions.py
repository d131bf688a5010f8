"""Rules for functions that stay atoms: the odd erf, and roundings."""

from __future__ import annotations

from volta_pipe.ir.normal_form import Form, rational
from volta_pipe.passes.canon.angles import Angles


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
        value = self.is_constant(self.exact(x))
        if value is not None and rational(value)[1] == 1:
            return self.exact(x)
        x, t = self.exact(x), self.table
        if name != "floor" and x.num[t.lead(x.num)] < 0:  # odd
            return t.scaled(self.rounding(name, t.scaled(x, -1)), -1)
        whole = self._integer(x, 2 if name == "rint" else 1) if name != "trunc" else 0  # ties go to even: even shifts keep them
        if whole:
            return t.add(self.rounding(name, t.add(x, Form({0: whole}, ()), -1)), Form({0: whole}, ()))
        return self.function(name, x)

    def _integer(self, x: Form, step: int) -> int:
        """The multiple of `step` in the constant term of a sum."""
        p, q = rational(x.num.get(0, 0)) if not x.den else (0, 1)
        return p // q // step * step
