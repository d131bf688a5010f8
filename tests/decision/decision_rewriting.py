"""Valid rewritings: each rule keeps the value at every point where both spellings have one.

Rules that also change where there is a value (log a² for 2 log a, sqrt a · sqrt b for sqrt ab) come last, and not below an
operator that hides what has no value: the minimum of NaN and y is y in PTX, and an arm that is not taken counts for nothing.
There the two spellings are different functions: min(y, log a) is y for a negative a, and min(y, log(a²)/2) may be less."""

from __future__ import annotations

import random
from collections.abc import Callable

from decision_expressions import ATOMS, HALF, LN2, LOG2E, ONE, TWO, ZERO, size
from decision_random import Expression, const, leaf

_COMPARISONS = ("lt", "le", "eq", "not")
_HIDING = ("max", "min", "select")


def rewritten(rng: random.Random, e: Expression, rate: float = 0.5, limit: int = 120) -> Expression:
    """Another spelling, of about `limit` nodes at most."""
    return _elsewhere(rng, _respelled(rng, e, rate, limit), rate, limit)


def _elsewhere(rng: random.Random, e: Expression, rate: float, limit: int) -> Expression:
    """Another spelling, which may have values at other points, where that is not hidden."""
    if e[0] in ATOMS or e[0] in _HIDING:
        return e
    new = (e[0], *[_elsewhere(rng, x, rate, limit // 2) for x in e[1:]])
    options = _moved(new)
    if options and rng.random() < rate:
        spelling = rng.choice(options)
        return spelling if size(spelling) <= limit else new
    return new


def _moved(e: Expression) -> list[Expression]:
    op, a = e[0], e[1]
    if op == "log":
        options: list[Expression] = [("mul", HALF, ("log", ("mul", a, a)))]
        if a[0] in ("mul", "div"):
            options += [("add" if a[0] == "mul" else "sub", ("log", a[1]), ("log", a[2]))] * 2
        return options
    return [("mul", ("sqrt", a[1]), ("sqrt", a[2]))] if op == "sqrt" and a[0] == "mul" else []


def _respelled(rng: random.Random, e: Expression, rate: float, limit: int) -> Expression:
    """Another spelling with values at the same points, but for the zeros of roots and divisors."""
    if e[0] in ATOMS:
        new = e
    else:
        new = (e[0], *[_respelled(rng, x, rate, limit // 2) for x in e[1:]])
    while rng.random() < rate:
        spelling = rng.choice(_comparisons(new) if new[0] in _COMPARISONS else _spellings(rng, new))
        if size(spelling) > limit:
            break
        new = spelling
    return new


def _comparisons(e: Expression) -> list[Expression]:
    op, *args = e
    options: list[Expression] = [("not", ("not", e))]
    if op == "not":
        return options
    a, b = args
    if op == "eq":
        return [*options, ("eq", b, a), ("eq", ("sub", a, b), ZERO)]
    other = "le" if op == "lt" else "lt"
    return [
        *options,
        ("not", (other, b, a)),
        (op, ("neg", b), ("neg", a)),
        (op, ("sub", a, b), ZERO),
        (op, ("mul", TWO, a), ("mul", TWO, b)),
    ]


def _spellings(rng: random.Random, e: Expression) -> list[Expression]:
    y = leaf(rng)
    d: Expression = rng.choice((("exp", y), ("add", ONE, ("exp", y)), ("add", ONE, ("mul", y, y))))
    everywhere: list[Expression] = [
        ("neg", ("neg", e)),
        ("sub", ("add", e, y), y),
        ("add", y, ("sub", e, y)),
        ("mul", e, ONE),
        ("add", ("mul", HALF, e), ("mul", e, HALF)),
        ("div", ("mul", e, d), d),
        ("mul", d, ("div", e, d)),
        ("max", e, e),
        ("add", ("max", ("sub", e, y), ZERO), ("min", e, y)),
        ("select", ("lt", y, ZERO), e, e),
    ]
    special = _RULES.get(e[0])
    own = special(e) if special else []
    if e[0] == "const":
        part = rng.choice((0.25, 0.5, 1.0, 2.0, -3.0))
        own = [
            ("add", const(e[1] - part), const(part)),
            ("mul", const(e[1] * 4), const(0.25)),
            ("div", const(e[1] * 3), const(3.0)),
        ]
    return own if own and rng.random() < 0.75 else everywhere


def _add(e: Expression) -> list[Expression]:
    _, a, b = e
    options: list[Expression] = [("add", b, a), ("sub", a, ("neg", b))]
    if b[0] == "add":
        options += [("add", ("add", a, b[1]), b[2])] * 2
    if a[0] == "add":
        options += [("add", a[1], ("add", a[2], b))] * 2
    if a[0] == "div":
        options += [("div", ("add", a[1], ("mul", b, a[2])), a[2])] * 2
    if a[0] == b[0] == "mul" and a[1] == b[1]:
        options += [("mul", a[1], ("add", a[2], b[2]))] * 2
    if a[0] == b[0] == "div":
        options += [("div", ("add", ("mul", a[1], b[2]), ("mul", b[1], a[2])), ("mul", a[2], b[2]))] * 2
    return options


def _sub(e: Expression) -> list[Expression]:
    _, a, b = e
    return [("add", a, ("neg", b)), ("neg", ("sub", b, a)), ("add", ("mul", const(-1.0), b), a)]


def _mul(e: Expression) -> list[Expression]:
    _, a, b = e
    square: Expression = ("mul", ("add", a, b), ("add", a, b))
    options: list[Expression] = [
        ("mul", b, a),
        ("mul", ("neg", a), ("neg", b)),
        ("mul", HALF, ("sub", square, ("add", ("mul", a, a), ("mul", b, b)))),
    ]
    for x, z in ((a, b), (b, a)):
        if z[0] in ("add", "sub"):
            options += [(z[0], ("mul", x, z[1]), ("mul", x, z[2]))] * 2
        if z[0] == "mul":
            options.append(("mul", ("mul", x, z[1]), z[2]))
        if z[0] == "div":
            options.append(("div", ("mul", x, z[1]), z[2]))
        if z[0] in ("max", "min") and x[0] == "const":
            other = {"max": "min", "min": "max"}[z[0]]
            options += [(z[0] if x[1] > 0 else other, ("mul", x, z[1]), ("mul", x, z[2]))] * 2
    return [*options, ("mul", ("abs", a), ("abs", a))] if a == b else options


def _div(e: Expression) -> list[Expression]:
    _, a, b = e
    options: list[Expression] = [
        ("mul", a, ("div", ONE, b)),
        ("div", ("neg", a), ("neg", b)),
        ("div", ("mul", a, TWO), ("mul", b, TWO)),
    ]
    if a[0] in ("add", "sub"):
        options += [(a[0], ("div", a[1], b), ("div", a[2], b))] * 2
    if a[0] == "div":
        options += [("div", a[1], ("mul", a[2], b))] * 2
    if a[0] == b[0] == "exp":
        options += [("exp", ("sub", a[1], b[1])), ("div", ONE, ("exp", ("sub", b[1], a[1])))]
    if a[0] == "exp" and b[0] == "add" and a in b[1:]:  # softmax with the maximum out
        (_, x), z = a, b[2] if a == b[1] else b[1]
        if z[0] == "exp":
            m = ("max", x, z[1])
            new = ("exp", ("sub", x, m))
            options += [
                ("div", new, ("add", new, ("exp", ("sub", z[1], m)))),
                ("div", ONE, ("add", ONE, ("exp", ("sub", z[1], x)))),
            ] * 2
    return options


def _exp(e: Expression) -> list[Expression]:
    a = e[1]
    half: Expression = ("exp", ("mul", HALF, a))
    options: list[Expression] = [("div", ONE, ("exp", ("neg", a))), ("mul", half, half), ("ex2", ("mul", a, LOG2E))]
    if a[0] in ("add", "sub"):
        options += [("mul" if a[0] == "add" else "div", ("exp", a[1]), ("exp", a[2]))] * 2
    if a[0] in ("max", "min"):
        options += [(a[0], ("exp", a[1]), ("exp", a[2]))] * 2
    return options


def _log(e: Expression) -> list[Expression]:
    a = e[1]
    options: list[Expression] = [
        ("neg", ("log", ("div", ONE, a))),
        ("mul", ("lg2", a), LN2),
    ]
    if a[0] == "exp":
        options += [a[1]] * 2
    if a[0] == "add" and a[1][0] == a[2][0] == "exp":  # log-sum-exp
        x, z = a[1][1], a[2][1]
        m = ("max", x, z)
        options += [("add", m, ("log", ("add", ("exp", ("sub", x, m)), ("exp", ("sub", z, m)))))] * 2
    return options


def _sqrt(e: Expression) -> list[Expression]:
    a = e[1]
    options: list[Expression] = [("exp", ("mul", HALF, ("log", a))), ("div", ONE, ("rsqrt", a)), ("mul", a, ("rsqrt", a))]
    return [*options, ("div", ("sqrt", ("mul", const(4.0), a)), TWO)]


def _rsqrt(e: Expression) -> list[Expression]:
    a = e[1]
    return [("div", ONE, ("sqrt", a)), ("div", ("sqrt", a), a), ("sqrt", ("div", ONE, a))]


def _tanh(e: Expression) -> list[Expression]:
    a = e[1]
    up, down = ("exp", a), ("exp", ("neg", a))
    options: list[Expression] = [("neg", ("tanh", ("neg", a))), ("div", ("sub", up, down), ("add", up, down))]
    return [*options, ("sub", ONE, ("div", TWO, ("add", ("exp", ("mul", TWO, a)), ONE)))]


def _extremum(e: Expression) -> list[Expression]:
    op, a, b = e
    other, sign = ("min", "add") if op == "max" else ("max", "sub")
    options: list[Expression] = [(op, b, a), ("neg", (other, ("neg", a), ("neg", b))), ("sub", ("add", a, b), (other, a, b))]
    options += [("select", ("lt", a, b), *((b, a) if op == "max" else (a, b))), ("add", b, (op, ("sub", a, b), ZERO))]
    options += [
        ("mul", HALF, (sign, ("add", a, b), ("abs", ("sub", a, b)))),
        ("mul", TWO, (op, ("mul", HALF, a), ("mul", b, HALF))),
    ]
    return [*options, (op, (op, a, b[1]), b[2])] if b[0] == op else options


def _abs(e: Expression) -> list[Expression]:
    a = e[1]
    return [("max", a, ("neg", a)), ("select", ("lt", a, ZERO), ("neg", a), a), ("sqrt", ("mul", a, a)), ("abs", ("neg", a))]


def _select(e: Expression) -> list[Expression]:
    _, c, a, b = e
    options: list[Expression] = [("select", ("not", c), b, a), ("add", b, ("select", c, ("sub", a, b), ZERO))]
    if c[0] in ("lt", "le"):
        options.append(("select", ("le" if c[0] == "lt" else "lt", c[2], c[1]), b, a))
    return options


_RULES: dict[str, Callable[[Expression], list[Expression]]] = {
    "add": _add, "sub": _sub, "mul": _mul, "div": _div, "exp": _exp, "log": _log, "sqrt": _sqrt, "rsqrt": _rsqrt, "tanh": _tanh,
    "max": _extremum, "min": _extremum, "abs": _abs, "select": _select,
}  # fmt: skip
