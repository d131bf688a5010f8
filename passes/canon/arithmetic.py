"""Rules for what every operator needs: constants and literals, division, opaque functions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from flint import fmpq

from volta_pipe.ir.domains import NONZERO
from volta_pipe.ir.normal_form import MASK, NAMED, Coef, Form, Table, Terms, add_into, rational, tidy
from volta_pipe.passes.canon import literals
from volta_pipe.passes.canon.divisors import regular
from volta_pipe.passes.canon.fingerprints import Fingerprints
from volta_pipe.passes.canon.integers import Integers
from volta_pipe.passes.canon.names import Names
from volta_pipe.passes.canon.readings import Reading
from volta_pipe.passes.canon.signs import POSITIVE, Signs

__all__ = ["NONZERO", "ONE", "POSITIVE", "ZERO", "Arithmetic", "Undecidable"]

ZERO = Form({}, ())
ONE = Form({0: 1}, ())


class Undecidable(Exception):  # noqa: N818 (an outcome, no error)
    """The expression holds something that has no normal form; the message says what."""


class Arithmetic:
    """Operators over one table, with names for sums or without; forms are immutable to everybody but the caller that made
    one. `assumptions`: conditions of the rules that were used, in words.

    readings: literals that stand for real numbers everywhere. facts: sums that are positive (or only ≥ 0, with False); a form
    then is the function's where they hold."""

    def __init__(
        self,
        table: Table,
        *,
        named: bool = True,
        names: Names | None = None,
        readings: Mapping[float, Reading] | None = None,
        facts: Iterable[tuple[Terms, bool]] = (),
    ) -> None:
        self.table = table
        self.names = names
        self.named = named
        self.readings = readings or {}
        self.integers = Integers(table)
        self.signs = Signs(table, facts)
        self._fingerprints = names.fingerprints if names is not None else Fingerprints(table)
        self.assumptions: set[str] = set()
        self.angles: dict[int, tuple[Form, Form]] = {}  # sine and cosine of forms, by number
        self.roundings: dict[tuple[str, int], Form] = {}  # by function and number of its argument
        self._log2e_literals = {known[0] for v in self.readings if (known := literals.named(v))}
        self.log2e = table.of_atom(table.atom("lambda"))

    def constant(self, value: float) -> Form:
        if not math.isfinite(value):
            raise Undecidable(f"the constant {value} is left in the expression")
        if value in self.readings and not literals.named(value):
            return self.real(self.readings[value])
        known = literals.named(value) if self.named and value else None
        if known:
            atom = self.table.atom(known[0])
            return Form({self.table.monomial(((atom, 1),)): known[1]}, ())
        return Form({0: literals.exact(value)} if value else {}, ())

    def number(self, c: Coef) -> Form:
        """The form of a rational number."""
        return Form({0: c}, ()) if c else ZERO

    def power(self, x: Form, n: int) -> Form:
        result = ONE
        if n < 0:
            x = self.inverse(x)
        for _ in range(abs(n)):
            result = self.table.mul(result, x)
        return result

    def divisor_is_positive(self, factor: int) -> bool:
        """Whether a factor of a denominator is known to be positive."""
        return self.signs.positive(Form(self.table.items[factor], ()))

    # Rules of one family that another one uses.

    def real(self, reading: Reading) -> Form:
        """What a literal stands for."""
        raise NotImplementedError

    def absolute(self, x: Form) -> Form:
        raise NotImplementedError

    def flattened(self, x: Form) -> list[int]:
        """Numbers of the forms of which x is the maximum."""
        raise NotImplementedError

    def exp2(self, x: Form) -> Form:
        raise NotImplementedError

    def sqrt(self, x: Form) -> Form:
        raise NotImplementedError

    def maximum(self, x: Form, y: Form) -> Form:
        raise NotImplementedError

    def less(self, x: Form, y: Form) -> Form:
        raise NotImplementedError

    def visible(self, x: Form) -> None:
        """Errors: Undecidable where a form might be identically 0 although it has terms."""
        raise NotImplementedError

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
                total = t.mul(total, self._reciprocal(self.exact(Form(t.items[f], ()))))
            return self.exact(total)
        if not self._holds(x.num, NAMED):
            return t.simplified(x) if x.den else x
        num: dict[int, Coef] = {}
        for k, c in x.num.items():
            if t.flags.get(k & MASK, 0) & NAMED:
                powers = []
                log2e = 0
                for a, p in t.items[k & MASK]:
                    if t.items[a][0] in self._log2e_literals:
                        ((m, _),) = self.log2e.num.items()
                        log2e = t.times(log2e, t.power(m, p))
                        self.assumptions.add(literals.ASSUMPTIONS[t.items[a][0]])
                    elif t.flags.get(a, 0) & NAMED:
                        n, d = rational(literals.exact(literals.VALUES[t.items[a][0]]))
                        c = c * (fmpq(n, d) if p > 0 else fmpq(d, n)) ** abs(p)
                    else:
                        powers.append((a, p))
                k = k & ~MASK | t.times(t.monomial(tuple(powers)), log2e)
            add_into(num, {k: tidy(c)})
        return t.simplified(Form(num, x.den)) if num else ZERO

    def _holds(self, terms: dict[int, Coef], flag: int) -> bool:
        flags = self.table.flags
        return any(flags.get(k & MASK, 0) & flag for k in terms)

    def inverse(self, x: Form) -> Form:
        if not x.num:
            raise Undecidable("division by an expression that is identically 0")
        if not self._never_zero(x):
            self.assumptions.add(NONZERO)
        return self._reciprocal(x)

    def _reciprocal(self, x: Form) -> Form:
        """1/x, and 0 for values of the predicates in x for which that is identically 0."""
        x, zero = self.regular(x)
        below = self.table.inverse(self.whole(x))
        return self.table.mul(below, self.table.add(ONE, zero, -1)) if zero.num else below

    def regular(self, x: Form) -> tuple[Form, Form]:
        """(y, z): y is no zero divisor and is x where z, a predicate, is 0; x is 0 where z is 1."""
        return regular(self.table, self._fingerprints, x)

    def whole(self, x: Form) -> Form:
        """The form as a unit times a name where names are used and it is a sum that may have one."""
        return self.names.named(x, POSITIVE) if self.names is not None and self.names.can(x) else x

    def _never_zero(self, x: Form) -> bool:
        """Whether the numerator is one power of two times a constant, or a sum of such with the same sign."""
        t = self.table
        same_sign = len({c > 0 for c in x.num.values()}) == 1
        known = self.names.positive if self.names is not None else ()
        atoms = {a for k in x.num for a, _ in t.items[k & MASK]}
        return same_sign and all(t.items[a][0] in POSITIVE or a in known for a in atoms)

    def content(self, x: Form) -> tuple[int, int]:
        """(p, q): the largest positive rational p/q of which every coefficient is an integer multiple; (0, 1) for 0."""
        p, q = 0, 1
        for c in x.num.values():
            n, d = rational(c)
            p, q = math.gcd(p, n), math.lcm(q, d)
        return p, q

    def function(self, name: str, *arguments: Form) -> Form:
        """An atom: a function of normal forms about which no more is known."""
        t = self.table
        return t.of_atom(t.atom(name, *(t.form(self.exact(x)) for x in arguments)))
