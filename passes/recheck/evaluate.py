"""The operators of the expression graph at a point, and the value of an expression there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from volta_pipe.ir.nodes import Node
from volta_pipe.passes.recheck.expressions import Expression
from volta_pipe.passes.recheck.values import NoValueError, Point, Value

_TABLE: tuple[tuple[int, Callable[..., Value]], ...] = (
    (Node.ADD, Point.add),
    (Node.SUB, Point.sub),
    (Node.MUL, Point.mul),
    (Node.FMA, Point.fma),
    (Node.NEG, Point.neg),
    (Node.DIV, lambda point, x, y: point.mul(x, point.reciprocal(y))),
    (Node.RCP, Point.reciprocal),
    (Node.SQRT, Point.sqrt),
    (Node.RSQRT, lambda point, x: point.reciprocal(point.sqrt(x))),
    (Node.EX2, Point.exp2),
    (Node.EXP, Point.exp),
    (Node.TANH, Point.tanh),
    (Node.POW, Point.power),
    (Node.MAX, lambda point, x, y: point.chosen(x, y, 1)),
    (Node.MIN, lambda point, x, y: point.chosen(x, y, -1)),
    (Node.ABS, Point.absolute),
    (Node.SAT, Point.saturated),
    *((n, lambda point, x, n=n: point.whole(x, n)) for n in (Node.FLOOR, Node.CEIL, Node.RINT, Node.TRUNC)),
    (Node.LT, lambda point, x, y: point.truth(point.compare(x, y) < 0)),
    (Node.LE, lambda point, x, y: point.truth(point.compare(x, y) <= 0)),
    (Node.EQ, lambda point, x, y: point.truth(point.compare(x, y) == 0)),
    (Node.NE, lambda point, x, y: point.truth(point.compare(x, y) != 0)),
    (Node.AND, lambda point, x, y: point.truth(bool(x[0] == 1 and y[0] == 1))),
    (Node.OR, lambda point, x, y: point.truth(bool(x[0] == 1 or y[0] == 1))),
    (Node.XOR, lambda point, x, y: point.truth(bool(x[0] == 1) != bool(y[0] == 1))),
    (Node.NOT, lambda point, x: point.truth(bool(x[0] == 0))),
    *((n, lambda point, x, n=n: point.function(n, x)) for n in (Node.LG2, Node.LOG, Node.SIN, Node.COS, Node.ERF)),
)
_OPERATORS = {int(node): function for node, function in _TABLE}
_LEAF, _SCALAR, _CONST, _SELECT = int(Node.LEAF), int(Node.SCALAR), int(Node.CONST), int(Node.SELECT)


def evaluate(e: Expression, point: Point) -> Value:
    """The value of an expression. An arm that a select does not take need not have one.

    Errors: NoValueError, NoRootError."""
    g = e.graph
    values: list[Any] = []  # a value, or the reason why there is none
    for v, op, places in zip(e.nodes, e.ops, e.operands, strict=True):
        value: Any
        try:
            if op == _LEAF:
                value = point.input(int(g.a[v]), int(g.b[v]))
            elif op == _SCALAR:
                value = point.input(-1, int(g.a[v]))
            elif op == _CONST:
                value = point.constant(g.constant(v))
            elif op == _SELECT:
                taken = _defined(values[places[0]])[0] == 1
                value = values[places[1 if taken else 2]]
            elif op in _OPERATORS:
                operands = [values[i] for i in places]
                for operand in operands:
                    if type(operand) is not tuple:
                        raise operand
                value = _OPERATORS[op](point, *operands)
            else:
                raise NoValueError(f"the operator {Node(op).name} has no value")
        except NoValueError as reason:
            value = reason
        values.append(value)
    return _defined(values[-1])


def _defined(value: Any) -> Value:
    if isinstance(value, NoValueError):
        raise value
    found: Value = value
    return found
