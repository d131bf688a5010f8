"""One change somewhere in an expression: what somebody writing a kernel gets wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator

from decision_expressions import ATOMS
from decision_random import LEAVES, Expression, const

_SWAPS = {"max": "min", "min": "max", "add": "sub", "sub": "add", "mul": "div", "div": "mul", "abs": "neg", "sqrt": "log"}
_SWAPS |= {"log": "sqrt", "rsqrt": "sqrt", "exp": "ex2", "ex2": "exp", "lg2": "log", "tanh": "exp", "lt": "eq", "le": "lt"}
_ULP = 2.0**-23


def places(e: Expression, at: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Paths to all subexpressions."""
    yield at
    if e[0] not in ATOMS:
        for i, x in enumerate(e[1:], 1):
            yield from places(x, (*at, i))


def taken(e: Expression, at: tuple[int, ...]) -> Expression:
    for i in at:
        e = e[i]
    return e


def put(e: Expression, at: tuple[int, ...], new: Expression) -> Expression:
    return (*e[: at[0]], put(e[at[0]], at[1:], new), *e[at[0] + 1 :]) if at else new


def mutated(rng: random.Random, e: Expression) -> Expression:
    at = rng.choice(list(places(e)))
    return put(e, at, rng.choice(_changes(rng, taken(e, at))))


def _changes(rng: random.Random, e: Expression) -> list[Expression]:
    op, args = e[0], e[1:]
    if op == "not":
        return [args[0]]
    if op == "eq":
        return [("not", e), ("lt", *args)]
    if op in ("lt", "le"):
        return [(op, args[1], args[0]), (_SWAPS[op], *args), (op, args[0], ("add", args[1], const(0.5)))]
    if op == "leaf":
        return [("leaf", (args[0] + 1 + rng.randrange(LEAVES - 1)) % LEAVES), ("mul", const(2.0), e), ("neg", e)]
    if op in ("const", "named"):
        return [
            const(args[0] + rng.choice((1.0, -0.25))),
            const((args[0] or 1.0) * (1 + rng.choice((1, -1)) * 2 * _ULP)),
            const(0.0),
        ]
    options: list[Expression] = [
        ("add", e, const(rng.choice((1.0, 2.0**-20)))),
        ("neg", e),
        ("mul", e, const(1 + _ULP)),
        ("abs", e),
    ]
    if op in _SWAPS:
        options += [(_SWAPS[op], *args)] * 2
    if op in ("sub", "div"):
        options += [(op, args[1], args[0])]
    if len(args) == 2:
        options += [args[0], args[1]]
    return [("select", args[0], args[2], args[1]), args[1], args[2]] if op == "select" else options
