"""Two expressions of few integers, compared at every point: x/3 of a byte as a product and a shift, say.

Values are exact rationals. A point at which a side divides by 0 says nothing: denominators are assumed not to be 0."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from flint import fmpq

from volta_pipe.ir.graph import ARITY_TABLE, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.parts import Inputs
from volta_pipe.passes.canon.balls import Expression
from volta_pipe.passes.canon.integers import rounded

POINTS = 1 << 16  # points up to which they are all tried
_STEPS = 4_000_000  # nodes times points
_ZERO, _ONE = fmpq(0), fmpq(1)
_RULES: dict[int, Callable[..., Any]] = {
    Node.ADD: lambda x, y: x + y, Node.SUB: lambda x, y: x - y, Node.MUL: lambda x, y: x * y, Node.DIV: lambda x, y: x / y,
    Node.FMA: lambda x, y, z: x * y + z, Node.NEG: lambda x: -x, Node.ABS: abs, Node.MIN: min, Node.MAX: max,
    Node.RCP: lambda x: 1 / x, Node.SAT: lambda x: min(max(x, _ZERO), _ONE), Node.FLOOR: lambda x: rounded("floor", x),
    Node.CEIL: lambda x: -rounded("floor", -x), Node.RINT: lambda x: rounded("rint", x),
    Node.TRUNC: lambda x: rounded("trunc", x), Node.SELECT: lambda p, x, y: x if p else y,
    Node.LT: lambda x, y: _of(x < y), Node.LE: lambda x, y: _of(x <= y),
    Node.EQ: lambda x, y: _of(x == y), Node.NE: lambda x, y: _of(x != y), Node.AND: lambda p, q: p * q, Node.OR: max,
    Node.XOR: lambda p, q: _of(p != q), Node.NOT: lambda p: _ONE - p,
}  # fmt: skip

# With an operand that has no value these have none; others may have one, which is not followed.
_STRICT = frozenset({
    Node.ADD, Node.SUB, Node.MUL, Node.DIV, Node.FMA, Node.NEG, Node.ABS, Node.RCP, Node.SAT, Node.FLOOR, Node.CEIL, Node.RINT,
    Node.TRUNC,
})  # fmt: skip


class _Unsettled(Exception):  # noqa: N818 (an outcome, no error)
    """A comparison or maximum of something that has no value."""


def _of(truth: bool) -> Any:
    return _ONE if truth else _ZERO


def equal_everywhere(graphs: tuple[Graph, Graph], roots: tuple[int, int], inputs: Inputs) -> tuple[bool, bool]:
    """(whether two expressions have the same value wherever both have one, and have one somewhere; whether there are points
    where they have none). False where they have too many inputs, or others than integers, or operators whose values are no
    rationals."""
    sides = [Expression(graph, root) for graph, root in zip(graphs, roots, strict=True)]
    keys = sorted({key for side in sides for key in side.leaves})
    bounds = [inputs.get(("leaf", tensor)) for tensor, _ in keys]
    if any(side.scalars for side in sides) or None in bounds or not keys:
        return False, False
    ranges = [range(low, high + 1) for low, high in (b for b in bounds if b is not None)]
    programs = [_program(graph, root) for graph, root in zip(graphs, roots, strict=True)]
    points = math.prod(map(len, ranges))
    if None in programs or points > POINTS or points * sum(len(p or ()) for p in programs) > _STEPS:
        return False, False
    place = {key: i for i, key in enumerate(keys)}
    met, left_out = False, False
    for point in itertools.product(*ranges):
        numbers = [fmpq(v) for v in point]
        try:
            x, y = (_value(program or [], graph, numbers, place) for program, graph in zip(programs, graphs, strict=True))
        except _Unsettled:
            return False, False
        if x is None or y is None:
            left_out = True
        elif x != y:
            return False, False
        else:
            met = True
    return met, left_out


def _program(graph: Graph, root: int) -> list[int] | None:
    """The nodes under a root, operands first; None where one has no rational value."""
    found: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node in found:
            continue
        op = int(graph.op[node])
        if op == Node.CONST and not math.isfinite(graph.constant(node)):
            return None
        if op not in _RULES and op not in (Node.CONST, Node.LEAF):
            return None
        found.add(node)
        stack += graph.operands(node) if ARITY_TABLE[op] else ()
    return sorted(found)


def _value(program: list[int], graph: Graph, numbers: list[Any], place: dict[tuple[int, int], int]) -> Any:
    """The value of the last node, None where it has none. Errors: _Unsettled."""
    values: dict[int, Any] = {}
    for node in program:
        op = int(graph.op[node])
        if op == Node.CONST:
            values[node] = fmpq(*graph.constant(node).as_integer_ratio())
        elif op == Node.LEAF:
            values[node] = numbers[place[int(graph.a[node]), int(graph.b[node])]]
        else:
            operands = [values[i] for i in graph.operands(node)]
            if op == Node.SELECT and operands[0] is not None:  # the arm that is not taken needs no value
                values[node] = operands[1] if operands[0] else operands[2]
            elif None in operands:
                if op not in _STRICT:
                    raise _Unsettled
                values[node] = None
            elif (op == Node.DIV and not operands[1]) or (op == Node.RCP and not operands[0]):
                values[node] = None
            else:
                values[node] = _RULES[op](*operands)
    return values[program[-1]]
