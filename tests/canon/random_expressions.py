"""Random expressions, random valid rewritings of them, and their nodes; an expression is a tuple (operator, *arguments)."""

from __future__ import annotations

import random
from typing import Any

from expressions import Builder

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node

Expression = tuple[Any, ...]
LEAVES = 5


def leaf(rng: random.Random) -> Expression:
    return ("leaf", rng.randrange(LEAVES))


def unit(rng: random.Random) -> Expression:
    """Something that is never identically 0 and whose inverse is a monomial."""
    return leaf(rng) if rng.random() < 0.5 else ("exp", leaf(rng))


def expression(rng: random.Random, depth: int) -> Expression:
    if depth == 0 or rng.random() < 0.1:
        return leaf(rng) if rng.random() < 0.75 else ("const", rng.choice((0.5, -1.0, 2.0, 3.0, 0.1)))
    op = rng.choice(("add", "add", "sub", "mul", "mul", "fma", "exp", "max", "min", "neg", "div", "sqrt", "abs", "sum"))
    if op == "exp":  # no towers: their values leave every range
        return ("exp", polynomial(rng, min(depth - 1, 2)))
    if op == "div":
        return ("div", expression(rng, depth - 1), unit(rng))
    if op == "sqrt":
        return ("sqrt", ("exp", leaf(rng)) if rng.random() < 0.5 else ("add", ("mul", *[leaf(rng)] * 2), ("const", 2.0)))
    if op == "sum":  # a sum as the denominator
        return ("div", expression(rng, depth - 1), ("add", ("exp", leaf(rng)), ("exp", leaf(rng))))
    count = {"fma": 3, "neg": 1, "abs": 1}.get(op, 2)
    return (op, *[expression(rng, depth - 1) for _ in range(count)])


def polynomial(rng: random.Random, depth: int) -> Expression:
    if depth == 0:
        return leaf(rng)
    return (rng.choice(("add", "sub", "mul", "max")), polynomial(rng, depth - 1), polynomial(rng, depth - 1))


def rewritten(rng: random.Random, e: Expression, *, inside: bool = False) -> Expression:
    """Another spelling of the same function; `inside`: under an atom, where sums of fractions have no single spelling."""
    if e[0] in ("leaf", "const"):
        new = e
    else:
        atom = inside or e[0] in ("exp", "max", "min", "abs", "sqrt")
        new = (e[0], *[rewritten(rng, x, inside=atom) for x in e[1:]])
    for _ in range(2):
        if rng.random() < 0.5:
            new = _rule(rng, new, inside)
    return new


def _rule(rng: random.Random, e: Expression, inside: bool) -> Expression:
    op, args = e[0], e[1:]
    options: list[Expression] = [("mul", e, ("const", 1.0)), ("neg", ("neg", e)), ("max", e, e)]
    y = unit(rng)
    options += [("div", ("mul", e, y), y), ("mul", ("mul", e, ("rcp", y)), y)]
    if op in ("add", "mul", "max", "min"):
        a, b = args
        options += [(op, b, a)] * 2
        if a[0] == op:
            options.append((op, a[1], (op, a[2], b)))
        if b[0] == op:
            options.append((op, (op, a, b[1]), b[2]))
    if op == "add":
        options.append(("sub", args[0], ("neg", args[1])))
        a, b = args
        if a[0] == b[0] == "mul" and a[1] == b[1]:
            options.append(("mul", a[1], ("add", a[2], b[2])))
        if a[0] == b[0] == "div" and not inside:
            options.append(("div", ("add", ("mul", a[1], b[2]), ("mul", b[1], a[2])), ("mul", a[2], b[2])))
    if op == "sub":
        options += [("add", args[0], ("neg", args[1])), ("neg", ("sub", args[1], args[0]))]
    if op == "mul":
        a, b = args
        for x, z in ((a, b), (b, a)):
            if z[0] in ("add", "sub"):
                options += [(z[0], ("mul", x, z[1]), ("mul", x, z[2]))] * 2
            if x[0] == "const" and x[1] > 0 and z[0] in ("max", "min"):
                options += [(z[0], ("mul", x, z[1]), ("mul", x, z[2]))] * 2
    if op == "fma":
        options += [("add", ("mul", args[0], args[1]), args[2])] * 2
    if op == "exp":
        a = args[0]
        options += [("ex2", ("mul", a, ("const", 1.44269502162933349609375)))]
        if a[0] == "add":
            options += [("mul", ("exp", a[1]), ("exp", a[2]))] * 2
        if a[0] == "sub":
            options += [("div", ("exp", a[1]), ("exp", a[2]))] * 2
    if op == "div":
        options.append(("mul", args[0], ("rcp", args[1])))
    if op == "sqrt":
        options += [("rcp", ("rsqrt", args[0])), ("mul", args[0], ("rsqrt", args[0]))]
    if op in ("max", "min"):
        a, b = args
        options.append(("neg", ("min" if op == "max" else "max", ("neg", a), ("neg", b))))
        options.append(("select", ("lt", a, b), b, a) if op == "max" else ("select", ("lt", b, a), b, a))
    if op == "abs":
        options.append(("max", args[0], ("neg", args[0])))
    return rng.choice(options)


_NODES = {"add": Node.ADD, "sub": Node.SUB, "mul": Node.MUL, "fma": Node.FMA, "exp": Node.EXP, "ex2": Node.EX2, "max": Node.MAX}
_NODES |= {"min": Node.MIN, "neg": Node.NEG, "div": Node.DIV, "rcp": Node.RCP, "sqrt": Node.SQRT, "rsqrt": Node.RSQRT}
_NODES |= {"abs": Node.ABS, "select": Node.SELECT, "lt": Node.LT}


def nodes(b: Builder, x: Expression) -> Any:
    if x[0] == "leaf":
        return b.leaf(0, x[1])
    return b.const(x[1]) if x[0] == "const" else b.op(_NODES[x[0]], *[nodes(b, y) for y in x[1:]])


def conditions(e: Expression) -> Conditions:
    """The expression as the one element of tensor 3."""
    b = Builder()
    return b.done({3: [nodes(b, e)]})


def places(e: Expression, at: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    found = [at]
    if e[0] not in ("leaf", "const"):
        for i, x in enumerate(e[1:], 1):
            found += places(x, (*at, i))
    return found


def replaced(e: Expression, at: tuple[int, ...], new: Any) -> Expression:
    if not at:
        return new(e)
    i = at[0]
    return (*e[:i], replaced(e[i], at[1:], new), *e[i + 1 :])


def mutated(rng: random.Random, e: Expression) -> Expression:
    """One random change somewhere; the function mostly changes with it."""

    def change(x: Expression) -> Expression:
        if x[0] == "leaf":
            return ("leaf", (x[1] + 1) % LEAVES)
        if x[0] == "const":
            return ("const", x[1] + 0.25)
        swap = {"add": "sub", "sub": "add", "max": "min", "min": "max", "mul": "add"}
        return (swap[x[0]], *x[1:]) if x[0] in swap else ("add", x, ("const", 1.0))

    return replaced(e, rng.choice(places(e)), change)
