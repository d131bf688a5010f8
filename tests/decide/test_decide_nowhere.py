"""What is equal only where the two sides have a value, and they have one for no input, proves nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from expressions import Builder

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import Decision, decide
from volta_pipe.passes.points import valued_somewhere

N = Node


def decided(x: Conditions, y: Conditions) -> Decision:
    return decide(canon(x, y), x, y)


def single(make: Any) -> Conditions:
    b = Builder()
    return b.done({3: [make(b, b.leaf(0, 0), b.leaf(1, 0))]})


def guarded(argument: Any, operator: Node, compared: Any) -> Conditions:
    """x where 0 ≤ what is compared, else 2 x: a run whose root is NaN takes the second."""

    def make(b: Builder, x: Any, y: Any) -> Any:
        f = compared(b, b.op(operator, argument(b, x, y)))
        return b.op(N.SELECT, b.op(N.LE, b.const(0.0), f), x, b.add(x, x))

    return single(make)


def square(b: Builder, f: Any) -> Any:
    return b.mul(f, f)


NOWHERE = [lambda b, x, y: b.op(N.NEG, b.add(b.mul(x, x), 1.0)), lambda b, x, y: b.sub(b.op(N.NEG, b.mul(y, y)), b.mul(x, x))]
SOMEWHERE = [lambda b, x, y: x, lambda b, x, y: b.sub(x, y), lambda b, x, y: b.sub(b.const(0.25), b.mul(x, x))]


@pytest.mark.parametrize("operator", [N.SQRT, N.LG2, N.LOG])
def test_a_condition_on_what_has_no_value(operator: Node) -> None:
    plain = single(lambda b, x, y: x)
    positive = square if operator != N.SQRT else lambda b, f: f
    for argument in NOWHERE:
        d = decided(plain, guarded(argument, operator, positive))
        assert d.verdict == "unknown" and d.stats["proved"] == 0
    for argument in SOMEWHERE:
        assert decided(plain, guarded(argument, operator, positive)).verdict == "equivalent"


def test_a_maximum_of_what_has_no_value() -> None:
    """max(−sqrt f − x, −x) is −x where sqrt f has a value."""

    def made(argument: Any) -> Conditions:
        def make(b: Builder, x: Any, y: Any) -> Any:
            root = b.op(N.SQRT, argument(b, x, y))
            return b.op(N.NEG, b.max(b.sub(b.op(N.NEG, root), x), b.op(N.NEG, x)))

        return single(make)

    plain = single(lambda b, x, y: x)
    assert decided(plain, made(NOWHERE[0])).verdict == "unknown"
    assert decided(plain, made(SOMEWHERE[0])).verdict == "equivalent"


def test_two_that_have_values_but_never_together() -> None:
    def apart(b: Builder, x: Any, y: Any) -> Any:
        roots = [b.op(N.SQRT, b.sub(x, 1.0)), b.op(N.SQRT, b.sub(b.op(N.NEG, x), 1.0))]
        both = b.add(square(b, b.op(N.LG2, roots[0])), square(b, b.op(N.LG2, roots[1])))
        return b.op(N.SELECT, b.op(N.LE, b.const(0.0), both), x, y)

    assert decided(single(lambda b, x, y: x), single(apart)).verdict != "equivalent"


def test_one_class_of_two() -> None:
    """The other one is proved all the same."""
    b, plain = Builder(), Builder()
    x = [b.leaf(0, i) for i in range(2)]
    never = b.op(N.SQRT, b.op(N.NEG, b.add(b.mul(x[1], x[1]), 1.0)))
    chosen = b.op(N.SELECT, b.op(N.LE, b.const(0.0), never), x[1], b.add(x[1], x[1]))
    candidate = b.done({3: [b.add(b.mul(x[0], 2.0), x[0]), chosen]})
    reference = plain.done({3: [plain.mul(plain.leaf(0, 0), 3.0), plain.leaf(0, 1)]})
    d = decided(reference, candidate)
    assert d.verdict == "unknown" and d.stats["proved"] == 1
    assert "have both sides a value" in d.unknown[0] and len(d.unknown) == 1


def test_points_are_the_same_on_both_sides() -> None:
    """x − y − 1/8 and y − x − 1/8 have roots, but never both."""
    one = single(lambda b, x, y: b.op(N.SQRT, b.sub(b.sub(x, y), 0.125)))
    other = single(lambda b, x, y: b.op(N.SQRT, b.sub(b.sub(y, x), 0.125)))
    graphs, root = (one.graph, other.graph), [int(side.outputs[3][0]) for side in (one, other)]
    assert valued_somewhere((one.graph,), np.array([root[:1]]), {}).all()
    assert valued_somewhere((other.graph,), np.array([root[1:]]), {}).all()
    assert not valued_somewhere(graphs, np.array([root]), {}).any()


def test_what_is_zero_but_for_rounding_is_no_denominator() -> None:
    """2^x · 2^−x − 1, in floating point some 1e-16."""
    product = lambda b, x: b.mul(b.op(N.EX2, x), b.op(N.EX2, b.op(N.NEG, x)))  # noqa: E731
    for number, found in ((1.0, False), (0.75, True)):
        one = single(lambda b, x, y, number=number: b.div(y, b.sub(product(b, x), number)))
        assert valued_somewhere((one.graph,), np.array([[int(one.outputs[3][0])]]), {})[0] == found


def test_integers_are_integers_within_their_bounds() -> None:
    """sqrt(−n − 1/2) has a value for a negative n alone."""
    one = single(lambda b, x, y: b.op(N.SQRT, b.sub(b.op(N.NEG, x), 0.5)))
    roots = np.array([[int(one.outputs[3][0])]])
    assert valued_somewhere((one.graph,), roots, {("leaf", 0): (-128, 127)})[0]
    assert not valued_somewhere((one.graph,), roots, {("leaf", 0): (0, 255)})[0]
