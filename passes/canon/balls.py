"""Evaluating an expression in ball arithmetic (Arb): the exact value lies in the ball, whatever the precision.

What a ball leaves open is never guessed: an open comparison is the ball [0, 1], and a select on it holds both arms; an open
rounding or sign is Open, which asks for more precision. Outside says that the point is of no use (a division by 0, a root of a
negative number, a value that is not defined), unless a select does not take what is so."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import arb, fmpq

from volta_pipe.ir.graph import Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import literals
from volta_pipe.passes.canon.readings import Reading, readable

Ball = Any
_HUGE = 1 << 32  # exponents beyond this are no use as counterexamples


class Open(Exception):  # noqa: N818 (an outcome, no error)
    """The balls at this precision do not decide a rounding or sign."""


class Vanishing(Open):
    """The balls do not tell a divisor from 0."""


class Outside(Exception):  # noqa: N818
    """The expression has no value at this point."""


class ByZero(Outside):
    """It divides by 0 there."""


class Expression:
    """One root, ready to be evaluated many times: its nodes, operands first, with operands as places in that list."""

    def __init__(self, graph: Graph, root: int) -> None:
        operands: dict[int, tuple[int, ...]] = {}
        stack = [root]
        while stack:
            node = stack.pop()
            if node not in operands:
                operands[node] = graph.operands(node)
                stack += operands[node]
        order = sorted(operands)
        place = {node: i for i, node in enumerate(order)}
        self.steps = [(int(graph.op[n]), tuple(place[o] for o in operands[n]), n) for n in order]
        self._graph = graph
        self.leaves = [(int(graph.a[n]), int(graph.b[n])) for op, _, n in self.steps if op == Node.LEAF]
        self.scalars = [int(graph.a[n]) for op, _, n in self.steps if op == Node.SCALAR]

    @cached_property
    def readings(self) -> dict[float, Reading]:
        """Its literals that may stand for a real number."""
        return readable(self._graph, (n for op, _, n in self.steps if op == Node.CONST))

    @cached_property
    def named(self) -> bool:
        """Whether it has a literal that may be read in another way."""
        return bool(self.readings) or any(op == Node.CONST and self._is_correction(n) for op, _, n in self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def key(self, place: int) -> tuple[int, int] | None:
        """The input that a step is: (tensor, element), or (-1, scalar); None for any other step."""
        op, _, node = self.steps[place]
        a = int(self._graph.a[node])
        return (a, int(self._graph.b[node])) if op == Node.LEAF else (-1, a) if op == Node.SCALAR else None

    def _is_correction(self, node: int) -> bool:
        return abs(self._graph.constant(node)) == literals.LOG2E_LOW_32

    def value(self, inputs: dict[tuple[int, int], fmpq], *, named: bool | Collection[float]) -> Ball:
        """The ball at a point: leaf (tensor, element) or scalar (-1, index) → rational. `named`: whether literals near real
        numbers are these, the corrections of log2 e being 0; or which of them are. Precision: flint's context.
        Errors: Open, Outside."""
        last = self.balls(inputs, named=named)[-1]
        if isinstance(last, Exception):
            raise last
        return last

    def balls(
        self, inputs: dict[tuple[int, int], fmpq], *, named: bool | Collection[float], signs_open: bool = False
    ) -> list[Ball]:
        """As `value`, of every step: a ball, or the Open or Outside that says why there is none. `signs_open`: whether a
        number that is exactly 0 is below 0 is left open, as where it may be -0."""
        g = self._graph
        values: list[Ball] = []
        for op, places, node in self.steps:
            operands = [values[i] for i in places]
            value: Any
            try:
                if op == Node.LEAF:
                    value = arb(inputs[int(g.a[node]), int(g.b[node])])
                elif op == Node.SCALAR:
                    value = arb(inputs[-1, int(g.a[node])])
                elif op == Node.CONST:
                    value = self._constant(node, named)
                elif signs_open and op in (Node.LT, Node.LE) and _both_zero(operands):
                    value = _truth(false=False, true=False)
                else:
                    value = combined(op, operands)
            except (Open, Outside) as reason:
                value = reason
            values.append(value)
        return values

    def _constant(self, node: int, named: bool | Collection[float]) -> Ball:
        value = self._graph.constant(node)
        if not math.isfinite(value):
            raise Outside("it holds NaN or an infinity")
        if named is True and self._is_correction(node):
            return arb(0)
        known = self.readings.get(value)
        if known is None or named is False or (named is not True and value not in named):
            return arb(value)
        return known.ball()


def combined(op: int, operands: Sequence[Ball]) -> Ball:
    """What an operator makes of balls, or of the reasons why there are none. Errors: Open, Outside."""
    if op == Node.UNINIT:
        raise Outside("it reads a value that was never written")
    if op not in _OPERATORS:
        raise Outside(f"the operator {Node(op).name} cannot be evaluated")
    return _OPERATORS[op](*_defined(op, operands))


def _defined(op: int, operands: Sequence[Ball]) -> Sequence[Ball]:
    """The operands of a node, where all that it takes have a value; the arm that a select leaves out need not."""
    if op == Node.SELECT and not isinstance(operands[0], Exception) and (operands[0] == 1 or operands[0] == 0):
        operands = (operands[0], *[operands[1 if operands[0] == 1 else 2]] * 2)
    for operand in operands:
        if isinstance(operand, Outside):
            raise operand
    for operand in operands:
        if isinstance(operand, Open):
            raise operand
    return operands


def literals_under(graphs: tuple[Graph, Graph], roots: tuple[int, int]) -> dict[float, Reading]:
    """The literals under a root of each graph that may stand for real numbers."""
    x, y = (Expression(graph, root).readings for graph, root in zip(graphs, roots, strict=True))
    return x | y


def readings_of(*expressions: Expression, named: bool) -> list[bool | Collection[float]]:
    """The ways to read literals under which two sides must differ: as they are, all as real numbers, each one alone, and all
    but one."""
    if not named or not any(e.named for e in expressions):
        return [False]
    literal = sorted({v for e in expressions for v in e.readings})
    ways: list[bool | Collection[float]] = [False, True]
    if len(literal) > 1:
        ways += [{v} for v in literal] + [set(literal) - {v} for v in literal]
    return ways


def _divide(x: Ball, y: Ball) -> Ball:
    if y.is_zero():
        raise ByZero("a division by 0")
    if y.contains(0):
        raise Vanishing
    return x / y


def _positive(x: Ball) -> Ball:
    if x > 0:
        return x
    if x <= 0:
        raise Outside("a logarithm or root outside its domain")
    raise Open


def _sqrt(x: Ball) -> Ball:
    if x >= 0:
        return x.sqrt()
    return _positive(x).sqrt()


def _exp(x: Ball) -> Ball:
    if not abs(x) < _HUGE:
        raise Outside("an exponent out of range")
    return x.exp()


def _exp2(x: Ball) -> Ball:
    if not abs(x) < _HUGE:
        raise Outside("an exponent out of range")
    return arb(2) ** x


def _pow(x: Ball, y: Ball) -> Ball:
    if y.is_exact() and y.is_integer() and abs(y) < 1 << 16:
        n = int(y.unique_fmpz())
        return x**n if n >= 0 else _divide(arb(1), x**-n)
    return _exp(y * _positive(x).log())


def _whole(x: Ball) -> Ball:
    if not x.is_exact():
        raise Open
    return x


def _rint(x: Ball) -> Ball:
    if x.is_exact():
        q = x.fmpq()
        return arb(round(Fraction(int(q.p), int(q.q))))  # ties to even
    if (x + 0.5).contains_integer():
        raise Open
    return _whole((x + 0.5).floor())


def _trunc(x: Ball) -> Ball:
    if abs(x) < 1:
        return arb(0)
    return _whole(x.floor() if x > 0 else x.ceil() if x < 0 else x)


def _truth(true: bool, false: bool) -> Ball:
    """A predicate; [0, 1] where the balls leave it open."""
    return arb(1) if true else arb(0) if false else arb(0.5, 0.5)


def _both_zero(operands: Sequence[Ball]) -> bool:
    return all(not isinstance(x, Exception) and x.is_zero() for x in operands)


def _equals(x: Ball, y: Ball) -> Ball:
    same = x.is_exact() and y.is_exact() and bool(x == y)
    return _truth(same, not x.overlaps(y))


def _select(p: Ball, x: Ball, y: Ball) -> Ball:
    """The arm; the union of both where the predicate is open."""
    return x if p == 1 else y if p == 0 else x.union(y)


_OPERATORS: dict[int, Callable[..., Ball]] = {
    Node.ADD: lambda x, y: x + y,
    Node.SUB: lambda x, y: x - y,
    Node.MUL: lambda x, y: x * y,
    Node.FMA: lambda x, y, z: x * y + z,
    Node.DIV: _divide,
    Node.NEG: lambda x: -x,
    Node.ABS: abs,
    Node.MIN: lambda x, y: x.min(y),
    Node.MAX: lambda x, y: x.max(y),
    Node.RCP: lambda x: _divide(arb(1), x),
    Node.SQRT: _sqrt,
    Node.RSQRT: lambda x: _divide(arb(1), _sqrt(x)),
    Node.EX2: _exp2,
    Node.EXP: _exp,
    Node.LG2: lambda x: _positive(x).log() / arb.const_log2(),
    Node.LOG: lambda x: _positive(x).log(),
    Node.SIN: lambda x: x.sin(),
    Node.COS: lambda x: x.cos(),
    Node.TANH: lambda x: x.tanh(),
    Node.ERF: lambda x: x.erf(),
    Node.POW: _pow,
    Node.FLOOR: lambda x: _whole(x.floor()),
    Node.CEIL: lambda x: _whole(x.ceil()),
    Node.RINT: _rint,
    Node.TRUNC: _trunc,
    Node.SAT: lambda x: x.max(arb(0)).min(arb(1)),
    Node.SELECT: _select,
    Node.LT: lambda x, y: _truth(bool(x < y), bool(x >= y)),
    Node.LE: lambda x, y: _truth(bool(x <= y), bool(x > y)),
    Node.EQ: _equals,
    Node.NE: lambda x, y: 1 - _equals(x, y),
    Node.AND: lambda x, y: x * y,
    Node.OR: lambda x, y: x.max(y),
    Node.XOR: lambda x, y: abs(x - y),
    Node.NOT: lambda x: 1 - x,
}
