"""Random functions of max, min, abs, select, log and roots, valid rewritings of them, and their values in float64.

An expression is a tuple (operator, *arguments); leaves are ("leaf", i) with inputs x0 … x2. Values are computed without the
stages."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from volta_pipe.ir.graph import FIXED, FIXED_CONSTANTS, Conditions, Graph
from volta_pipe.ir.nodes import Node

Expression = tuple[Any, ...]
LEAVES = 3
_NEAR = 1e-9
_NODES = {"add": Node.ADD, "sub": Node.SUB, "mul": Node.MUL, "max": Node.MAX, "min": Node.MIN, "abs": Node.ABS, "neg": Node.NEG}
_NODES |= {"log": Node.LOG, "exp": Node.EXP, "sqrt": Node.SQRT, "div": Node.DIV, "lt": Node.LT, "le": Node.LE, "eq": Node.EQ}
_NODES |= {"select": Node.SELECT, "not": Node.NOT, "lg2": Node.LG2, "ex2": Node.EX2, "rsqrt": Node.RSQRT, "tanh": Node.TANH}


def leaf(rng: random.Random) -> Expression:
    return ("leaf", rng.randrange(LEAVES))


def const(value: float) -> Expression:
    return ("const", value)


def expression(rng: random.Random, depth: int) -> Expression:
    if depth == 0 or rng.random() < 0.15:
        return leaf(rng) if rng.random() < 0.8 else const(rng.choice((0.0, 1.0, -1.0, 2.0, 0.5)))

    def inner() -> Expression:
        return expression(rng, depth - 1)

    op = rng.choice(("max", "max", "min", "abs", "select", "select", "add", "sub", "mul", "log", "sqrt", "neg"))
    if op == "select":
        return ("select", (rng.choice(("lt", "lt", "le", "eq")), inner(), inner()), inner(), inner())
    if op == "log":
        return ("log", rng.choice([leaf(rng), ("mul", leaf(rng), leaf(rng)), ("add", ("exp", leaf(rng)), ("exp", leaf(rng)))]))
    if op == "sqrt":
        return ("sqrt", rng.choice([leaf(rng), ("mul", leaf(rng), leaf(rng)), ("abs", inner())]))
    return (op, inner()) if op in ("abs", "neg") else (op, inner(), inner())


def rewritten(rng: random.Random, e: Expression) -> Expression:
    """Another spelling of the same function, equal wherever both are defined."""
    new = e if e[0] in ("leaf", "const") else (e[0], *[rewritten(rng, x) for x in e[1:]])
    return rng.choice(_spellings(rng, new)) if rng.random() < 0.6 and e[0] not in ("lt", "le", "eq") else new


def _spellings(rng: random.Random, e: Expression) -> list[Expression]:
    op, args = e[0], e[1:]
    y = leaf(rng)
    options: list[Expression] = [("neg", ("neg", e)), ("max", e, e), ("add", ("max", ("sub", e, y), const(0.0)), ("min", e, y))]
    if op in ("max", "min"):
        a, b = args
        other = "min" if op == "max" else "max"
        options += [(op, b, a), ("neg", (other, ("neg", a), ("neg", b))), ("sub", ("add", a, b), (other, a, b))]
        options += [("select", ("lt", a, b), *((b, a) if op == "max" else (a, b))), (op, (op, a, b), a)]
        half = ("mul", const(0.5), ("abs", ("sub", a, b)))
        options.append(("add" if op == "max" else "sub", ("mul", const(0.5), ("add", a, b)), half))
    if op == "abs":
        a = args[0]
        options += [
            ("max", a, ("neg", a)),
            ("select", ("lt", a, const(0.0)), ("neg", a), a),
            ("sqrt", ("mul", a, a)),
            ("max", e, const(0.0)),
        ]
    if op == "select" and args[0][0] in ("lt", "le"):
        (compare, a, b), x, z = args
        options += [("select", ("le" if compare == "lt" else "lt", b, a), z, x), ("select", ("not", args[0]), z, x)]
    if op == "log" and args[0][0] == "mul":
        options.append(("add", ("log", args[0][1]), ("log", args[0][2])))
    if op == "log" and args[0][0] == "add" and all(x[0] == "exp" for x in args[0][1:]):  # with the maximum out
        (_, p), (_, q) = args[0][1:]
        m = ("max", p, q)
        options.append(("add", m, ("log", ("add", ("exp", ("sub", p, m)), ("exp", ("sub", q, m))))))
    if op == "sqrt":
        options.append(("exp", ("mul", const(0.5), ("log", args[0]))))
    return options


def mutated(rng: random.Random, e: Expression) -> Expression:
    """One change somewhere."""
    if e[0] not in ("leaf", "const") and rng.random() < 0.75:
        i = rng.randrange(1, len(e))
        if not (e[0] == "select" and i == 1):
            return (*e[:i], mutated(rng, e[i]), *e[i + 1 :])
    swaps = {"max": "min", "min": "max", "add": "sub", "abs": "neg", "sqrt": "abs", "log": "abs", "mul": "add"}
    return (swaps[e[0]], *e[1:]) if e[0] in swaps else ("add", e, const(rng.choice((1.0, -0.25))))


def conditions(e: Expression) -> Conditions:
    """The expression as the one element of tensor 1."""
    rows: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)] + [(int(Node.CONST), i, 0, 0) for i in range(FIXED - 1)]
    constants = list(FIXED_CONSTANTS)
    known: dict[Expression, int] = {}

    def node(x: Expression) -> int:
        if x not in known:
            if x[0] in ("const", "named"):
                constants.append(x[1])
                row = (int(Node.CONST), len(constants) - 1, 0, 0)
            elif x[0] == "leaf":
                row = (int(Node.LEAF), 0, x[1], 0)
            else:
                operands = [node(y) for y in x[1:]]
                row = (int(_NODES[x[0]]), *operands, *[0] * (3 - len(operands)))
            rows.append(row)
            known[x] = len(rows) - 1
        return known[x]

    root = node(e)
    op, a, b, c = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    return Conditions(Graph(op.astype(np.uint8), a, b, c, np.array(constants)), {1: np.array([root], np.int32)}, ("x", "y"), ())


_VALUES: dict[str, Any] = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y, "max": max,
    "min": min, "abs": abs, "neg": lambda x: -x, "log": math.log, "lg2": math.log2, "exp": math.exp, "sqrt": math.sqrt,
    "lt": lambda x, y: x < y, "le": lambda x, y: x <= y, "eq": lambda x, y: x == y, "not": lambda x: not x,
}  # fmt: skip


def value(e: Expression, point: tuple[float, ...]) -> float | None:
    """The value in float64; None where there is none, or where rounding may decide a comparison. An arm that a select does not
    take need not have one."""
    if e[0] == "leaf":
        return point[e[1]]
    if e[0] == "const":
        return float(e[1])
    if e[0] == "select":
        chosen = value(e[1], point)
        return None if chosen is None else value(e[2] if chosen else e[3], point)
    inner = [value(x, point) for x in e[1:]]
    if None in inner or (e[0] in ("lt", "le", "eq") and 0 < abs(inner[0] - inner[1]) < _NEAR):
        return None
    try:
        return float(_VALUES[e[0]](*inner))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def points() -> list[tuple[float, ...]]:
    """A grid with ties, zeros and both signs."""
    axis = (-2.0, -1.0, -0.5, 0.0, 0.25, 1.0, 3.0)
    return [(x, y, z) for x in axis for y in axis for z in axis]
