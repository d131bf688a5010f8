"""Names replaced in exponents and in monomials, against values in exact rationals at random points."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from volta_pipe.ir.normal_form import MASK, Form, Table, Terms, add_into, rational
from volta_pipe.passes.canon.expand import vanishes
from volta_pipe.passes.canon.names import Names

LEAVES = 12


class Value:
    """Values of parts at one point, leaves being small integers, so that 2^polynomial is a rational."""

    def __init__(self, t: Table, seed: int) -> None:
        rng = random.Random(seed)
        self.t = t
        self.leaves = [rng.choice((-1, 1, 2)) for _ in range(LEAVES)]

    def defined(self, terms: Terms) -> bool:
        """Whether no name that is divided by is 0."""
        try:
            self.terms(terms)
        except ZeroDivisionError:
            return False
        return True

    def monomial(self, m: int) -> Fraction:
        value = Fraction(1)
        for atom, power in self.t.items[m]:
            kind, *rest = self.t.items[atom]
            value *= (Fraction(self.leaves[rest[1]]) if kind == "leaf" else self.terms(self.t.items[rest[0]])) ** power
        return value

    def terms(self, terms: Terms) -> Fraction:
        total = Fraction(0)
        for k, c in terms.items():
            exponent = Fraction(0)
            for m, d in self.t.polynomial_of[k >> 32].items():
                exponent += Fraction(*rational(d)) * self.monomial(m)
            assert exponent.denominator == 1
            total += Fraction(*rational(c)) * self.monomial(k & MASK) * Fraction(2) ** int(exponent)
        return total


class Maker:
    """Sums twice: with names for parts of them, and multiplied out term by term."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.t = Table()
        self.names = Names(self.t)

    def leaf(self) -> Terms:
        return {self.t.monomial(((self.t.atom("leaf", 0, self.rng.randrange(LEAVES)), 1),)): 1}

    def linear(self, depth: int) -> tuple[Terms, Terms]:
        """A polynomial: leaves, and names of such polynomials, some of them squared."""
        x: Terms = {}
        y: Terms = {}
        for _ in range(self.rng.randint(2, 3)):
            c = self.rng.choice((-2, -1, 1, 2))
            if depth and self.rng.random() < 0.6:
                short, long = self.named(*self.linear(depth - 1))
                if depth == 1 and self.rng.random() < 0.3:
                    short, long = self.t.product(short, short), self.t.product(long, long)
            else:
                short = long = self.leaf()
            add_into(x, {k: c * v for k, v in short.items()})
            add_into(y, {k: c * v for k, v in long.items()})
        if not x or not y:  # its terms cancelled
            x = y = self.leaf()
        return x, y

    def named(self, x: Terms, y: Terms) -> tuple[Terms, Terms]:
        form = Form(x, ())
        return (self.names.named(form).num if self.names.can(form) else x), y

    def total(self, depth: int) -> tuple[Terms, Terms]:
        """A sum of c · polynomial · 2^polynomial; at a depth, of names of such sums times another one."""
        x: Terms = {}
        y: Terms = {}
        for _ in range(self.rng.randint(2, 3)):
            (e, f), (p, q) = self.linear(1), self.linear(1)
            short = self.t.product(p, {self.t.polynomial(e) << 32: 1})
            long = self.t.product(q, {self.t.polynomial(f) << 32: 1})
            if depth:
                inner, outer = self.named(*self.total(depth - 1))
                short, long = self.t.product(short, inner), self.t.product(long, outer)
            add_into(x, short)
            add_into(y, long)
        return x, y


@pytest.mark.parametrize("seed", range(24))
def test_what_vanishes_is_zero_and_what_is_nearly_equal_does_not(seed: int) -> None:
    maker = Maker(seed)
    x, y = maker.total(seed % 2)
    t = maker.t
    zero = dict(x)
    add_into(zero, y, -1)
    points = [point for s in range(6) if (point := Value(t, s)).defined(zero)]
    assert points and all(point.terms(zero) == 0 for point in points)
    assert vanishes(t, zero)
    for other in (_other_exponent(maker, zero), _other_coefficient(maker, zero)):
        if any(point.terms(other) for point in points):
            assert not vanishes(t, other)


def _other_exponent(maker: Maker, terms: Terms) -> Terms:
    """The same but for one leaf in one exponent."""
    if not terms:
        return terms
    k = maker.rng.choice(sorted(terms))
    exponent = dict(maker.t.polynomial_of[k >> 32])
    add_into(exponent, maker.leaf())
    out = dict(terms)
    c = out.pop(k)
    add_into(out, {maker.t.polynomial(exponent) << 32 | k & MASK: c})
    return out


def _other_coefficient(maker: Maker, terms: Terms) -> Terms:
    out = dict(terms)
    if out:
        add_into(out, {maker.rng.choice(sorted(out)): 1})
    return out


def sums(t: Table, count: int) -> Form:
    return Form({t.monomial(((t.atom("leaf", 0, i), 1),)): i + 1 for i in range(count)}, ())


def test_a_name_that_an_exponent_divides_by_or_that_holds_an_exponential_stays() -> None:
    t = Table()
    names = Names(t)
    x, y = sums(t, 8), sums(t, 10)
    (a,), (b,) = names.named(x).num, names.named(y).num
    power = Form({t.polynomial(x.num) << 32: 1, 0: 1}, ())
    (c,) = names.named(power).num
    for stays in (t.power(a, -1), c & MASK):
        # 2^(stays + s) − 2^stays · 2^s with a name for s on one side, and with another sum
        short = {t.polynomial({stays: 1, b: 1}) << 32: 1}
        assert vanishes(t, t.add(Form(short, ()), Form({t.polynomial({stays: 1, **y.num}) << 32: 1}, ()), -1).num)
        assert not vanishes(t, t.add(Form(short, ()), Form({t.polynomial({stays: 1, **x.num}) << 32: 1}, ()), -1).num)
    # it is not replaced where it stays, nor forgotten there: 2^(1/s) and 2^(2/s) differ
    assert not vanishes(t, {t.polynomial({t.power(a, -1): 1}) << 32: 1, t.polynomial({t.power(a, -1): 2}) << 32: -1})


def test_exponents_of_many_scores_take_no_more_than_their_sums() -> None:
    keys, width = 60, 16
    t = Table()
    names = Names(t)
    short: Terms = {}
    long: Terms = {}
    for j in range(keys):
        pairs = [(t.atom("leaf", 0, i), t.atom("leaf", 1, width * j + i)) for i in range(width)]
        score = Form({t.monomial(((p, 1), (q, 1))): 1 for p, q in pairs}, ())
        value = t.monomial(((t.atom("leaf", 2, j), 1),))
        (name,) = names.named(score).num
        short[t.polynomial({name: 1}) << 32 | value] = 1
        long[t.polynomial(score.num) << 32 | value] = 1
    t.work, t.budget = 0, 8 * keys * width
    assert vanishes(t, t.add(Form(short, ()), Form(long, ()), -1).num)
    first = next(iter(long))
    assert not vanishes(t, t.add(Form(short, ()), Form({**long, first: 2}, ()), -1).num)
