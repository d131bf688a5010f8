"""Normal forms: rational functions whose numerators and denominators are sums of c · monomial · 2^polynomial.

The exp-rational normal form of the paper (arXiv 2511.12638, Theorem 7 and Corollary 8) with interned parts: c is an exact
rational (`int`, or `fmpq` where it is no integer), a monomial is a product of integer powers of atoms, an exponent is a
polynomial over monomials. Terms are identified by structure: equal parts have equal numbers in one table, never by a hash.

Denominators stay products of interned factors whose leading term is 1 (the unit goes to the numerator), so that what one step
divides by cancels when a later step multiplies by it. The order that picks the leading term is invariant under
multiplication by units: lexicographic on powers and on exponent vectors."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from flint import fmpq

from volta_pipe.ir.errors import BudgetError

Coef = Any  # int, or fmpq that is no integer
Terms = dict[int, Coef]  # key: exponent polynomial << 32 | monomial
MASK = (1 << 32) - 1
ATOM, MONOMIAL, POLYNOMIAL, FACTOR, FORM = range(5)
# Flags of atoms, and of monomials that hold them: a named constant; a square root; a predicate (0 or 1); a maximum.
NAMED, ROOT, PREDICATE, MAXIMUM = 1, 2, 4, 8
_COSTLY_DIVISION = 20_000  # terms × terms beyond which a numerator is not divided by a factor
_KIND_FLAGS = {"c1": NAMED, "c2": NAMED, "d1": NAMED, "sqrt": ROOT, "lt0": PREDICATE, "eq0": PREDICATE, "max": MAXIMUM}


class Form(NamedTuple):
    """num / product of the factors `den` (sorted numbers, with repetition); an empty `num` is 0."""

    num: Terms
    den: tuple[int, ...]


def tidy(c: Coef) -> Coef:
    """The coefficient as `int` where it is one."""
    return c if type(c) is int else int(c.p) if c.q == 1 else c


def rational(c: Coef) -> tuple[int, int]:
    """(numerator, denominator) of a coefficient."""
    return (c, 1) if type(c) is int else (int(c.p), int(c.q))


def _frozen(terms: Terms) -> frozenset[Any]:
    # fmpq's own hash takes microseconds: pairs of integers instead.
    return frozenset((k, c) if type(c) is int else (k, int(c.p), int(c.q)) for k, c in terms.items())


class Table:
    """Interned atoms, monomials, polynomials, factors and forms in one number space, in order of creation (parts first).
    Item 0 is the empty monomial (1) and the empty polynomial (0). `work` counts terms made; over `budget`: BudgetError.

    Items: an atom is (kind, *arguments), the arguments being numbers of forms except for leaves; a monomial is
    ((atom, power), …) by atom; a polynomial {monomial: c}; a factor a numerator; a form a Form."""

    def __init__(self, budget: int = 1 << 62) -> None:
        self.items: list[Any] = [()]
        self.kinds: list[int] = [MONOMIAL]
        self.polynomial_of: dict[int, dict[int, Coef]] = {0: {}}
        self.flags: dict[int, int] = {}
        self.relations = False  # whether any atom has a power rule
        self.work = 0
        self.budget = budget
        self._known: tuple[dict[Any, int], ...] = ({}, {(): 0}, {frozenset(): 0}, {}, {})
        self._sums: dict[int, int] = {}
        self._ranks: dict[int, tuple[Any, ...]] = {0: ((0, 0),)}

    def _intern(self, kind: int, key: Any, item: Any) -> int:
        known = self._known[kind]
        number = known.get(key)
        if number is None:
            number = known[key] = len(self.items)
            self.items.append(item)
            self.kinds.append(kind)
        return number

    # ---- parts

    def atom(self, *key: Any) -> int:
        number = self._intern(ATOM, key, key)
        flag = _KIND_FLAGS.get(key[0], 0)
        if flag:
            self.flags[number] = flag
            self.relations |= bool(flag & (ROOT | PREDICATE))
        return number

    def monomial(self, powers: tuple[tuple[int, int], ...]) -> int:
        """Number of a monomial; `powers` sorted by atom, no power 0."""
        number = self._known[MONOMIAL].get(powers)
        if number is None:
            number = self._intern(MONOMIAL, powers, powers)
            flag = 0
            for atom, power in powers:
                f = self.flags.get(atom, 0)
                if f & ROOT and power == 1:
                    f &= ~ROOT  # flagged only where a rule applies
                if f & PREDICATE and power == 1:
                    f &= ~PREDICATE
                flag |= f
            if flag:
                self.flags[number] = flag
        return number

    def polynomial(self, terms: dict[int, Coef]) -> int:
        number = self._intern(POLYNOMIAL, _frozen(terms), terms)
        self.polynomial_of[number] = terms
        return number

    def factor(self, terms: Terms) -> int:
        key = _frozen(terms)
        number = self._known[FACTOR].get(key)
        return self._intern(FACTOR, key, dict(terms)) if number is None else number  # a copy: totals change in place

    def form(self, form: Form) -> int:
        key = (_frozen(form.num), form.den)
        number = self._known[FORM].get(key)
        return self._intern(FORM, key, Form(dict(form.num), form.den)) if number is None else number

    def of_atom(self, atom: int, power: int = 1) -> Form:
        """The form of an atom to a power, after its rule."""
        return self.reduced(Form({self.monomial(((atom, power),)): 1}, ()))

    # ---- monomials, exponents

    def times(self, x: int, y: int) -> int:
        """Product of two monomials."""
        if not x or not y:
            return x or y
        p, q = self.items[x], self.items[y]
        if len(p) == 1 and len(q) == 1:
            (a, i), (b, j) = p[0], q[0]
            if a != b:
                return self.monomial((p[0], q[0]) if a < b else (q[0], p[0]))
            return self.monomial(((a, i + j),)) if i + j else 0
        powers = dict(p)
        for a, j in q:
            i = powers.get(a, 0) + j
            if i:
                powers[a] = i
            else:
                del powers[a]
        return self.monomial(tuple(sorted(powers.items())))

    def power(self, x: int, n: int) -> int:
        return self.monomial(tuple((a, i * n) for a, i in self.items[x])) if n else 0

    def plus(self, x: int, y: int) -> int:
        """Sum of two exponent polynomials."""
        if not x or not y:
            return x or y
        pair = x << 32 | y if x < y else y << 32 | x
        number = self._sums.get(pair)
        if number is None:
            p, q = self.polynomial_of[x], self.polynomial_of[y]
            if len(p) < len(q):
                p, q = q, p
            total = dict(p)
            add_into(total, q)
            self.work += len(p)
            number = self._sums[pair] = self.polynomial(total)
        return number

    def minus(self, x: int) -> int:
        return self.polynomial({m: -c for m, c in self.polynomial_of[x].items()})

    def _rank(self, item: int) -> tuple[Any, ...]:
        """Sort key of a monomial or polynomial that compares like its dense vector, lowest number first."""
        rank = self._ranks.get(item)
        if rank is None:
            content = self.items[item]
            pairs = content if self.kinds[item] == MONOMIAL else sorted(content.items())
            entries: list[Any] = [(MASK - i, v) if v > 0 else (i - MASK, v) for i, v in pairs]
            rank = self._ranks[item] = (*entries, (0, 0))
        return rank

    def lead(self, terms: Terms) -> int:
        """Key of the leading term."""
        return max(terms, key=self._order)

    # ---- numerators

    def product(self, x: Terms, y: Terms) -> Terms:
        self.charge(len(x) * len(y))
        if len(x) > len(y):
            x, y = y, x
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

    def charge(self, terms: int) -> None:
        self.work += terms
        if self.work > self.budget:
            raise BudgetError(f"the normal form needs more than {self.budget} terms")

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

    def _order(self, key: int) -> Any:
        return self._rank(key >> 32), self._rank(key & MASK)

    def _last(self, terms: Terms) -> int:
        return min(terms, key=self._order)

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
        """Applies the power rules: sqrt(x)^2 = x, p^2 = p of a predicate p."""
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
        if halves < 0:
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


def add_into(total: dict[int, Coef], terms: dict[int, Coef], sign: int = 1) -> None:
    """total += sign · terms, in place."""
    for k, c in terms.items():
        if k in total:
            v = total[k] + c if sign == 1 else total[k] - c
            if v:
                total[k] = v if type(v) is int else tidy(v)
            else:
                del total[k]
        else:
            total[k] = c if sign == 1 else -c
