"""The terms that Z3 is given: every operator at rational points against its definition and our evaluation, every domain, and
every stated law of exp, log, … against the real functions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from expressions import Builder
from flint import arb, fmpq

from volta_pipe.ir.graph import ARTIFACT_OPS, Graph
from volta_pipe.ir.nodes import ARITY, Node
from volta_pipe.passes.canon.balls import Expression

z3: Any = pytest.importorskip("z3", reason="the extra [bench] is not installed")
from bench import z3_terms  # noqa: E402 (needs z3)

F = Fraction
POINTS = [F(0), F(1), F(-1), F(1, 2), F(-1, 2), F(3, 2), F(5, 2), F(-5, 2), F(7, 3), F(-7, 3), F(-3)]
NUMBERS: dict[Node, Callable[..., Any]] = {
    Node.ADD: lambda x, y: x + y,
    Node.SUB: lambda x, y: x - y,
    Node.MUL: lambda x, y: x * y,
    Node.FMA: lambda x, y, z: x * y + z,
    Node.DIV: lambda x, y: x / y if y else None,
    Node.RCP: lambda x: 1 / x if x else None,
    Node.NEG: lambda x: -x,
    Node.ABS: abs,
    Node.MAX: max,
    Node.MIN: min,
    Node.SAT: lambda x: min(max(x, F(0)), F(1)),
    Node.FLOOR: math.floor,
    Node.CEIL: math.ceil,
    Node.RINT: round,
    Node.TRUNC: math.trunc,
    Node.LT: lambda x, y: x < y,
    Node.LE: lambda x, y: x <= y,
    Node.EQ: lambda x, y: x == y,
    Node.NE: lambda x, y: x != y,
}
CONNECTIVES: dict[Node, Callable[..., bool]] = {
    Node.AND: lambda x, y: x and y,
    Node.OR: lambda x, y: x or y,
    Node.XOR: lambda x, y: x != y,
    Node.NOT: lambda x: not x,
}
REALS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt, "exp": math.exp, "ex2": lambda x: 2.0**x, "log": math.log, "lg2": math.log2,
    "sin": math.sin, "cos": math.cos, "tanh": math.tanh, "erf": math.erf,
}  # fmt: skip
FUNCTIONS = {getattr(Node, name.upper()): name for name in REALS}
ELSEWHERE = {Node.CONST, Node.LEAF, Node.SCALAR, Node.UNINIT, Node.SELECT, Node.RSQRT, Node.POW}
EMITTED_AS_OTHERS = {Node.LOG10, Node.LOG1P, Node.EXPM1}


def made(op: Node) -> tuple[Graph, int]:
    """The operator of leaves; a connective takes leaves compared with 0."""
    b = Builder()
    leaves: list[Any] = [b.leaf(0, i) for i in range(ARITY[op])]
    if op in CONNECTIVES:
        leaves = [b.op(Node.LT, 0.0, leaf) for leaf in leaves]
    conditions = b.done({3: b.op(op, *leaves)})
    return conditions.graph, int(conditions.outputs[3][0])


def at(term: Any, inputs: dict[tuple[int, int], Any], point: tuple[Fraction, ...]) -> Any:
    """The value of a term: a Fraction or a truth value."""
    values = [(v, z3_terms.number(point[key[1]])) for key, v in inputs.items()]
    found = z3.simplify(z3.substitute(term, *values))
    return z3.is_true(found) if z3.is_bool(found) else F(found.numerator_as_long(), found.denominator_as_long())


@pytest.mark.parametrize("op", [*NUMBERS, *CONNECTIVES], ids=lambda op: op.name)
def test_an_operator_is_its_definition_and_our_evaluation(op: Node) -> None:
    graph, root = made(op)
    terms = z3_terms.Terms()
    term, valid = terms.of(graph, root)
    expression = Expression(graph, root)
    arity = ARITY[op]
    seen = 0
    for point in itertools.product(POINTS if arity < 3 else POINTS[2:7], repeat=arity):
        expected = CONNECTIVES[op](*(x > 0 for x in point)) if op in CONNECTIVES else NUMBERS[op](*point)
        assert at(valid, terms.inputs, point) == (expected is not None), point
        if expected is None:
            continue
        value = at(term, terms.inputs, point)
        assert value == F(expected), point
        ours = expression.value({(0, i): fmpq(x.numerator, x.denominator) for i, x in enumerate(point)}, named=False)
        assert (ours * value.denominator).contains(arb(value.numerator)), point
        seen += 1
    assert seen >= len(POINTS) - 1


def test_every_operator_of_an_artifact_is_tested() -> None:
    held = {n for n in Node if ARTIFACT_OPS[n]}
    assert held - EMITTED_AS_OTHERS == {*NUMBERS, *CONNECTIVES, *FUNCTIONS, *ELSEWHERE}


@pytest.mark.parametrize("op", FUNCTIONS, ids=lambda op: op.name)
def test_a_function_is_its_own_at_the_argument(op: Node) -> None:
    terms = z3_terms.Terms()
    term, valid = terms.of(*made(op))
    assert str(term) == f"{FUNCTIONS[op]}(x0_0)"
    holds = [at(valid, terms.inputs, (x,)) for x in (F(-1), F(0), F(1))]
    assert holds == {"sqrt": [False, True, True]}.get(FUNCTIONS[op], [not FUNCTIONS[op].startswith("l")] * 2 + [True])


def test_reciprocal_roots_and_powers() -> None:
    terms = z3_terms.Terms()
    root, positive = terms.of(*made(Node.RSQRT))
    assert z3.eq(root, z3_terms.number(1) / terms.apply("sqrt", terms.inputs[0, 0]))
    power, base = terms.of(*made(Node.POW))
    assert str(power) == "pow(x0_0, x0_1)"
    assert not at(positive, terms.inputs, (F(0), F(0))) and not at(base, terms.inputs, (F(0), F(2)))
    assert at(positive, terms.inputs, (F(1), F(0))) and at(base, terms.inputs, (F(1), F(-2)))


def test_a_select_takes_its_arm_and_needs_that_arm_alone() -> None:
    b = Builder()
    x, y = b.leaf(0, 0), b.leaf(0, 1)
    conditions = b.done({3: b.op(Node.SELECT, b.op(Node.LT, x, 0.0), b.div(x, y), b.add(x, y))})
    terms = z3_terms.Terms()
    term, valid = terms.of(conditions.graph, int(conditions.outputs[3][0]))
    assert at(term, terms.inputs, (F(-3), F(2))) == F(-3, 2) and at(term, terms.inputs, (F(3), F(2))) == 5
    assert at(valid, terms.inputs, (F(3), F(0))) and not at(valid, terms.inputs, (F(-3), F(0)))


def test_literals_are_exact_and_infinities_have_no_term() -> None:
    b = Builder()
    conditions = b.done({3: b.const(0.1), 4: b.const(-math.inf)})
    terms = z3_terms.Terms()
    assert at(terms.of(conditions.graph, int(conditions.outputs[3][0]))[0], {}, ()) == F(0.1)
    with pytest.raises(z3_terms.Untranslated, match="inf"):
        terms.of(conditions.graph, int(conditions.outputs[4][0]))


def holds(term: Any, values: dict[str, float]) -> Any:
    """A law with the real functions at a point, by floats: equations within 1e-9 of their sides."""
    kind, name = term.decl().kind(), term.decl().name()
    if name == "=>":  # what holds trivially need not have a value
        premise, conclusion = term.children()
        return not holds(premise, values) or holds(conclusion, values)
    if z3.is_rational_value(term):
        return float(term.as_fraction())
    if term.num_args() == 0:
        return values[name]
    x = [holds(child, values) for child in term.children()]
    if name in REALS:
        return REALS[name](*x)
    if kind in (z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT):
        return math.isclose(*x, rel_tol=1e-9, abs_tol=1e-9) == (kind == z3.Z3_OP_EQ)
    table = {"+": sum, "*": math.prod, "-": lambda v: v[0] - sum(v[1:]) if len(v) > 1 else -v[0], "/": lambda v: v[0] / v[1]}
    table |= {">=": lambda v: v[0] >= v[1], ">": lambda v: v[0] > v[1], "and": all}
    return table[name](x)


@pytest.mark.parametrize("name", [name for name in REALS if name != "erf"])
def test_the_laws_are_true_of_the_real_functions(name: str) -> None:
    x, y = z3.Reals("x y")
    points = [(0.5, 0.75), (1.0, 0.25), (2.0, 1.0), (0.125, 3.0)]
    arguments = [x, x + y, x - y, -x, z3_terms.number(2) * x, x * y, x / y]
    inverse = {"log": "exp", "lg2": "ex2"}.get(name)
    arguments += [] if inverse is None else [z3.Function(inverse, z3.RealSort(), z3.RealSort())(x)]
    stated = 0
    for argument in arguments:
        terms = z3_terms.Terms()
        value = terms.apply(name, argument)
        laws = terms.laws(value, x)
        stated += len(laws)
        for law, (a, b) in itertools.product(laws, points):
            values = {"x": a, "y": b}
            if name in ("log", "lg2", "sqrt") and holds(argument, values) <= 0:
                continue
            assert holds(law, values), (law, a, b)
    assert stated > len(arguments) - 1
