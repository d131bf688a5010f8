"""Expression graphs as terms of Z3 over the reals, and the question whether two elements differ.

Exact: + − × ÷, max, min, abs, select, comparisons, roundings; literals are the rationals that they are. A square root is a
function with r ≥ 0 and r² = x where x ≥ 0. exp, log, sin, … are uninterpreted functions with laws that are stated for the
arguments that occur (ground instances, no quantifiers):

* e^t > 0, e^0 = 1; of sums, differences and negations the product law, again for the parts; the same for 2^t, with 2^1 = 2;
* log 1 = 0, log e^t = t; e^(log x) = x where x > 0; log of products and quotients of positive numbers; the same with base 2;
* where a logarithm occurs, two sides that differ have different powers of e;
* tanh t · (e^2t + 1) = e^2t − 1;
* sin² + cos² = 1, sin 0 = 0, cos 0 = 1; of sums, differences, negations and doubles the angle sums;
* none for erf and for powers that are no literal.

Needs z3-solver."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import z3

from volta_pipe.ir.graph import Graph
from volta_pipe.ir.nodes import Node

Term = Any  # a real or Boolean term of Z3
_FUNCTIONS = {
    Node.SQRT: "sqrt", Node.EXP: "exp", Node.EX2: "ex2", Node.LOG: "log", Node.LG2: "lg2",
    Node.SIN: "sin", Node.COS: "cos", Node.TANH: "tanh", Node.ERF: "erf",
}  # fmt: skip
_INVERSE = {"log": "exp", "lg2": "ex2"}
_ADD, _SUB, _NEG, _MUL, _DIV = (z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_MUL, z3.Z3_OP_DIV)


class Untranslated(Exception):  # noqa: N818 (an outcome, no error)
    """The expression holds what has no term; the message says what."""


def number(value: Fraction | int) -> Term:
    return z3.RealVal(str(Fraction(value)))


def _real(x: Term) -> Term:
    return z3.If(x, number(1), number(0)) if z3.is_bool(x) else x


def _truth(x: Term) -> Term:
    return x if z3.is_bool(x) else x != 0


def _floor(x: Term) -> Term:
    return z3.ToReal(z3.ToInt(x))


def _rint(x: Term) -> Term:
    below = z3.ToInt(x)
    rest, above = x - z3.ToReal(below), z3.ToReal(below + 1)
    tie = z3.If(below % 2 == 0, z3.ToReal(below), above)
    return z3.If(rest < number(Fraction(1, 2)), z3.ToReal(below), z3.If(rest > number(Fraction(1, 2)), above, tie))


_OPERATORS: dict[int, Callable[..., Term]] = {
    Node.ADD: lambda x, y: x + y,
    Node.SUB: lambda x, y: x - y,
    Node.MUL: lambda x, y: x * y,
    Node.FMA: lambda x, y, z: x * y + z,
    Node.DIV: lambda x, y: x / y,
    Node.RCP: lambda x: number(1) / x,
    Node.NEG: lambda x: -x,
    Node.ABS: lambda x: z3.If(x >= 0, x, -x),
    Node.MAX: lambda x, y: z3.If(x >= y, x, y),
    Node.MIN: lambda x, y: z3.If(x <= y, x, y),
    Node.SAT: lambda x: z3.If(x <= 0, number(0), z3.If(x >= 1, number(1), x)),
    Node.FLOOR: _floor,
    Node.CEIL: lambda x: -_floor(-x),
    Node.RINT: _rint,
    Node.TRUNC: lambda x: z3.If(x >= 0, _floor(x), -_floor(-x)),
    Node.LT: lambda x, y: x < y,
    Node.LE: lambda x, y: x <= y,
    Node.EQ: lambda x, y: x == y,
    Node.NE: lambda x, y: x != y,
}
_CONNECTIVES: dict[int, Callable[..., Term]] = {Node.AND: z3.And, Node.OR: z3.Or, Node.XOR: z3.Xor, Node.NOT: z3.Not}
_DOMAINS: dict[int, Callable[..., Term]] = {
    Node.DIV: lambda x, y: y != 0,
    Node.RCP: lambda x: x != 0,
    Node.SQRT: lambda x: x >= 0,
    Node.RSQRT: lambda x: x > 0,
    Node.LOG: lambda x: x > 0,
    Node.LG2: lambda x: x > 0,
    Node.POW: lambda x, y: x > 0,
}


class Terms:
    """Terms of expressions that share their inputs. inputs: (tensor, element), or (-1, scalar) → variable."""

    def __init__(self) -> None:
        self.inputs: dict[tuple[int, int], Term] = {}
        self._applied: dict[tuple[str, int], tuple[Term, Term]] = {}  # (function, id of the argument) → argument, value
        self._new: list[tuple[str, Term, Term]] = []

    def of(self, graph: Graph, root: int) -> tuple[Term, Term]:
        """The term of a node, and the condition under which it has a value: an arm that a select does not take need not have
        one. Errors: Untranslated."""
        found, stack = {root}, [root]
        while stack:
            for operand in graph.operands(stack.pop()):
                if operand not in found:
                    found.add(operand)
                    stack.append(operand)
        terms: dict[int, Term] = {}
        valid: dict[int, Term] = {}
        for node in sorted(found):
            op, places = int(graph.op[node]), graph.operands(node)
            operands = [terms[i] for i in places]
            terms[node] = self._term(graph, node, op, operands)
            if op == Node.SELECT:
                taken, first, second = (valid[i] for i in places)
                valid[node] = _all([taken, z3.If(_truth(operands[0]), first, second)])
            else:
                own = [_DOMAINS[op](*map(_real, operands))] if op in _DOMAINS else []
                valid[node] = _all([*(valid[i] for i in places), *own])
        return _real(terms[root]), valid[root]

    def _term(self, graph: Graph, node: int, op: int, operands: list[Term]) -> Term:
        a, b = int(graph.a[node]), int(graph.b[node])
        if op in (Node.LEAF, Node.SCALAR):
            key = (a, b) if op == Node.LEAF else (-1, a)
            return self.inputs.setdefault(key, z3.Real(f"x{key[0]}_{key[1]}"))
        if op == Node.CONST:
            value = graph.constant(node)
            if not math.isfinite(value):
                raise Untranslated(f"the literal {value}")
            return number(Fraction(value))
        if op == Node.SELECT:
            first, second = operands[1:]
            if not (z3.is_bool(first) and z3.is_bool(second)):
                first, second = _real(first), _real(second)
            return z3.If(_truth(operands[0]), first, second)
        if op in _CONNECTIVES:
            return _CONNECTIVES[op](*map(_truth, operands))
        reals = [_real(x) for x in operands]
        if op in _OPERATORS:
            return _OPERATORS[op](*reals)
        if op in _FUNCTIONS:
            return self.apply(_FUNCTIONS[Node(op)], reals[0])
        if op == Node.RSQRT:
            return number(1) / self.apply("sqrt", reals[0])
        if op == Node.POW:
            return z3.Function("pow", z3.RealSort(), z3.RealSort(), z3.RealSort())(*reals)
        raise Untranslated(f"the operator {Node(op).name}")

    def apply(self, name: str, x: Term) -> Term:
        """The function at an argument, whose laws are still to be stated."""
        key = name, x.get_id()
        if key not in self._applied:
            value = z3.Function(name, z3.RealSort(), z3.RealSort())(x)
            self._applied[key] = x, value
            self._new.append((name, x, value))
        return self._applied[key][1]

    def laws(self, left: Term, right: Term) -> list[Term]:
        """The laws of the functions at all arguments that occur and that laws bring in; left, right: the two sides."""
        found: list[Term] = []
        for name in {_INVERSE[f] for f, _ in self._applied if f in _INVERSE}:
            found.append(z3.Implies(left != right, self.apply(name, left) != self.apply(name, right)))
        while self._new:
            name, x, value = self._new.pop()
            found += self._laws_of(name, x, value)
        return found

    def _laws_of(self, name: str, x: Term, value: Term) -> list[Term]:
        if name == "sqrt":
            return [z3.Implies(x >= 0, z3.And(value >= 0, value * value == x))]
        if name in ("exp", "ex2"):
            return [value > 0, *self._power(name, x, value)]
        if name in _INVERSE:
            return self._logarithm(name, x, value)
        if name in ("sin", "cos"):
            return self._angle(x)
        if name == "tanh":
            square = self.apply("exp", x + x)
            return [value * (square + 1) == square - 1]
        return []

    def _power(self, name: str, x: Term, value: Term) -> list[Term]:
        laws = [z3.Implies(x == 0, value == 1)]
        if name == "ex2":
            laws.append(z3.Implies(x == 1, value == 2))
        kind, parts = x.decl().kind(), x.children()
        if kind in (_ADD, _SUB, _NEG):
            powers = [self.apply(name, part) for part in parts]
            if kind == _ADD:
                laws.append(value == z3.Product(powers))
            else:
                laws.append(value * z3.Product(powers) == 1 if kind == _NEG else value * z3.Product(powers[1:]) == powers[0])
        return laws

    def _logarithm(self, name: str, x: Term, value: Term) -> list[Term]:
        inverse = _INVERSE[name]
        laws = [z3.Implies(x > 0, self.apply(inverse, value) == x), z3.Implies(x == 1, value == 0)]
        if name == "lg2":
            laws.append(z3.Implies(x == 2, value == 1))
        kind, parts = x.decl().kind(), x.children()
        if x.decl().name() == inverse:
            laws.append(value == parts[0])
        if kind in (_MUL, _DIV):
            first, *rest = (self.apply(name, part) for part in parts)
            total = first + z3.Sum(rest) if kind == _MUL else first - z3.Sum(rest)
            laws.append(z3.Implies(z3.And([part > 0 for part in parts]), value == total))
        return laws

    def _angle(self, x: Term) -> list[Term]:
        sin, cos = self.apply("sin", x), self.apply("cos", x)
        laws = [sin * sin + cos * cos == 1, z3.Implies(x == 0, z3.And(sin == 0, cos == 1))]
        kind, parts = x.decl().kind(), x.children()
        if kind == _NEG:
            laws += [sin == -self.apply("sin", parts[0]), cos == self.apply("cos", parts[0])]
        if kind == _MUL and z3.is_rational_value(parts[0]) and parts[0].as_fraction() == 2:
            kind, parts = _ADD, [parts[1], parts[1]]
        if kind in (_ADD, _SUB) and len(parts) == 2:
            (s, c), (t, d) = ((self.apply("sin", part), self.apply("cos", part)) for part in parts)
            t = -t if kind == _SUB else t
            laws += [sin == s * d + c * t, cos == c * d - s * t]
        return laws


def _all(conditions: list[Term]) -> Term:
    chosen = {c.get_id(): c for c in conditions if not z3.is_true(c)}
    return z3.And(list(chosen.values())) if len(chosen) > 1 else next(iter(chosen.values()), z3.BoolVal(True))


def difference(x: tuple[Graph, int], y: tuple[Graph, int]) -> tuple[list[Term], dict[tuple[int, int], Term]]:
    """What holds at a point where both elements have a value and the values differ, with the laws; and its variables.

    Errors: Untranslated."""
    terms = Terms()
    (left, left_valid), (right, right_valid) = terms.of(*x), terms.of(*y)
    return [left_valid, right_valid, left != right, *terms.laws(left, right)], terms.inputs
