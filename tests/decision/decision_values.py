"""Values of random expressions, from their definition: exact fractions where they stay so, else balls of Arb.

Nothing here is shared with the stages. A point where a side has no value (a division by 0, a root or logarithm outside its
domain) or where balls leave a comparison open says nothing; an arm that a select does not take need not have a value."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from math import isqrt
from typing import Any

from flint import arb, ctx, fmpq

Expression = tuple[Any, ...]
Point = tuple[Fraction, ...]
BITS = (512, 4096)  # precisions, tried in turn
_TIGHT = 2.0**-300  # balls that overlap agree where both are narrower than this
_HUGE = 1 << 20  # exponents beyond this are not evaluated
REALS = {
    "log2 e": lambda: 1 / arb.const_log2(),
    "ln 2": arb.const_log2,
}  # what a literal ("named", value, name) stands for


class Unusable(Exception):  # noqa: N818 (an outcome, no error)
    """No value at this point, or none that the balls tell."""


class Open(Unusable):
    """The balls do not tell a sign."""


def ball(x: Any) -> Any:
    return arb(fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else x


def _sign(x: Any) -> int:
    """-1, 0 or 1."""
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    if x.is_zero():
        return 0
    if x > 0 or x < 0:
        return 1 if x > 0 else -1
    raise Open


def _divide(x: Any, y: Any) -> Any:
    if _sign(y) == 0:
        raise Unusable
    return x / y if isinstance(x, Fraction) and isinstance(y, Fraction) else ball(x) / ball(y)


def _sqrt(x: Any) -> Any:
    if _sign(x) < 0:
        raise Unusable
    if isinstance(x, Fraction):
        p, q = isqrt(x.numerator), isqrt(x.denominator)
        if p * p == x.numerator and q * q == x.denominator:
            return Fraction(p, q)
    return ball(x).sqrt()


def _exp(x: Any) -> Any:
    if not abs(ball(x)) < _HUGE:
        raise Unusable
    return Fraction(1) if isinstance(x, Fraction) and x == 0 else ball(x).exp()


def _ex2(x: Any) -> Any:
    if isinstance(x, Fraction) and x.denominator == 1 and abs(x) < 64:
        return Fraction(2) ** int(x)
    return _exp(ball(x) * arb.const_log2())


def _log(x: Any) -> Any:
    if _sign(x) <= 0:
        raise Unusable
    return Fraction(0) if isinstance(x, Fraction) and x == 1 else ball(x).log()


def _lg2(x: Any) -> Any:
    return ball(_log(x)) / arb.const_log2()


def _most(x: Any, y: Any) -> Any:
    """The greater one itself, where it is known: a fraction stays one."""
    try:
        return x if _sign(_SUB(x, y)) >= 0 else y
    except Open:
        return ball(x).max(ball(y))


def _arithmetic(name: str) -> Any:
    def method(x: Any, y: Any) -> Any:
        if not (isinstance(x, Fraction) and isinstance(y, Fraction)):
            x, y = ball(x), ball(y)
        return {"add": lambda: x + y, "sub": lambda: x - y, "mul": lambda: x * y}[name]()

    return method


_SUB = _arithmetic("sub")
_FUNCTIONS: dict[str, Any] = {
    "add": _arithmetic("add"),
    "sub": _SUB,
    "mul": _arithmetic("mul"),
    "div": _divide,
    "neg": lambda x: -x,
    "abs": abs,
    "max": _most,
    "min": lambda x, y: -_most(-x, -y),
    "sqrt": _sqrt,
    "rsqrt": lambda x: _divide(Fraction(1), _sqrt(x)),
    "exp": _exp,
    "ex2": _ex2,
    "log": _log,
    "lg2": _lg2,
    "tanh": lambda x: x if isinstance(x, Fraction) and x == 0 else ball(x).tanh(),
    "lt": lambda x, y: _sign(_SUB(x, y)) < 0,
    "le": lambda x, y: _sign(_SUB(x, y)) <= 0,
    "eq": lambda x, y: _sign(_SUB(x, y)) == 0,
    "not": lambda x: not x,
}


def value(e: Expression, point: Point, *, reals: bool = True) -> Any:
    """A Fraction, a ball that holds the value, or a truth value. `reals`: a named literal is the number it stands for, else
    itself. Errors: Unusable."""
    op = e[0]
    if op == "leaf":
        return point[e[1]]
    if op == "const" or (op == "named" and not reals):
        return Fraction(e[1])
    if op == "named":
        return REALS[e[2]]()
    if op == "select":
        try:
            taken = [e[2] if value(e[1], point, reals=reals) else e[3]]
        except Open:  # either arm
            taken = [*e[2:]]
        arms = [value(x, point, reals=reals) for x in taken]
        return arms[0] if len(arms) == 1 else ball(arms[0]).union(ball(arms[1]))
    return _FUNCTIONS[op](*[value(x, point, reals=reals) for x in e[1:]])


def apart(e: Expression, f: Expression, point: Point, *, reals: bool = True) -> bool:
    """Whether the two certainly differ (True) or have one value as far as narrow balls tell (False). Errors: Unusable."""
    for bits in BITS:
        with ctx.workprec(bits):
            try:
                x, y = value(e, point, reals=reals), value(f, point, reals=reals)
            except Open:
                continue
            if isinstance(x, Fraction) and isinstance(y, Fraction):
                return bool(x != y)
            x, y = ball(x), ball(y)
            if not (x.is_finite() and y.is_finite()):
                continue
            if not x.overlaps(y):
                return True
            if x.rad() < _TIGHT and y.rad() < _TIGHT:
                return False
    raise Unusable


def points(rng: random.Random, leaves: int) -> Iterator[Point]:
    """Without end: small fractions of both signs, positive ones, patterns of 0 and ±1, ties, opposites."""
    draws = (
        lambda: Fraction(rng.randint(-24, 24), 8),
        lambda: Fraction(rng.randint(1, 24), 8),
        lambda: Fraction(rng.randint(-1, 1)),
        lambda: Fraction(rng.randint(-99, 99), 14),
        lambda: Fraction(rng.randint(1, 999), 100),
    )
    turn = 0
    while True:
        draw = draws[turn % len(draws)]
        point = [draw() for _ in range(leaves)]
        if turn % 3 == 2:
            i, j = rng.sample(range(leaves), 2)
            point[i] = rng.choice((1, -1)) * point[j]
        yield tuple(point)
        turn += 1
