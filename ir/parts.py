"""The parts that normal forms are made of: atoms, monomials, exponent polynomials, factors, each interned in one table.

A term is c · monomial · 2^polynomial with an exact rational c (`int`, or `fmpq` where it is no integer); a monomial is a
product of integer powers of atoms; an exponent is a polynomial over monomials. Terms are identified by structure: equal parts
have equal numbers in one table, never by a hash.

A name is an atom that stands for a factor, so that sums which occur whole are not multiplied out (passes/canon/names.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from volta_pipe.ir.errors import BudgetError

Coef = Any  # int, or fmpq that is no integer
# (kind of atom: leaf or scalar, tensor or scalar) → least and largest value, of the inputs that are integers.
Inputs = Mapping[tuple[str, int], tuple[int, int]]
Terms = dict[int, Coef]  # key: exponent polynomial << 32 | monomial
MASK = (1 << 32) - 1
ATOM, MONOMIAL, POLYNOMIAL, FACTOR, FORM = range(5)
# Flags of atoms, and of monomials that hold them: a named constant; one over a square root; a predicate (0 or 1); a maximum.
NAMED, ROOT, PREDICATE, MAXIMUM = 1, 2, 4, 8
_KIND_FLAGS = {"c1": NAMED, "c2": NAMED, "d1": NAMED, "rsqrt": ROOT, "lt0": PREDICATE, "eq0": PREDICATE, "max": MAXIMUM}


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


class Parts:
    """Interned atoms, monomials, polynomials, factors and forms in one number space, in order of creation (parts first).
    Item 0 is the empty monomial (1) and the empty polynomial (0). `work` counts terms made; over `budget`: BudgetError.
    `inputs`: those that are integers.

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
        self.inputs: Inputs = {}
        self.resolve: Callable[[Form], int | None] | None = None  # finds the number of an equal form of another structure
        self._known: tuple[dict[Any, int], ...] = ({}, {(): 0}, {frozenset(): 0}, {}, {})
        self._equal_to: dict[Any, int] = {}
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
        known = self._known[MONOMIAL]
        number = known.get(powers)
        if number is None:
            number = known[powers] = len(self.items)
            self.items.append(powers)
            self.kinds.append(MONOMIAL)
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
        """Number of a form; with `resolve`, of one that is equal where there is any."""
        key = (_frozen(form.num), form.den)
        number = self._equal_to.get(key) or self._known[FORM].get(key)
        if number is None:
            if self.resolve is not None and (number := self.resolve(form)) is not None:
                self._equal_to[key] = number
            else:
                number = self._intern(FORM, key, Form(dict(form.num), form.den))
        return number

    def as_it_is(self, form: Form) -> int:
        """Number of a form of this very structure."""
        return self._intern(FORM, (_frozen(form.num), form.den), Form(dict(form.num), form.den))

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
        if len(p) == 1:
            p, q = q, p
        if len(q) == 1:
            a, j = q[0]
            place = 0
            for b, i in p:
                if b >= a:
                    if b == a:
                        return self.monomial(p[:place] + (((a, i + j),) if i + j else ()) + p[place + 1 :])
                    break
                place += 1
            return self.monomial(p[:place] + q + p[place:])
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

    def charge(self, terms: int) -> None:
        """Counts terms that are made. Errors: BudgetError."""
        self.work += terms
        if self.work > self.budget:
            raise BudgetError(f"the budget of {self.budget} terms ran out")

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
            self.charge(len(p))
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

    def _order(self, key: int) -> Any:
        return self._rank(key >> 32), self._rank(key & MASK)

    def _last(self, terms: Terms) -> int:
        return min(terms, key=self._order)

    def lead(self, terms: Terms) -> int:
        """Key of the leading term."""
        return max(terms, key=self._order)


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
