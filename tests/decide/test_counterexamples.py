"""Counterexamples are short, in the contract's ranges where they can be, and rest on no approximation. Values are by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from expressions import Builder, attention
from flint import fmpq

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import canon
from volta_pipe.passes.canon.balls import Expression
from volta_pipe.passes.decide import Counterexample, Decision, decide
from volta_pipe.passes.decide.domains import Domain, Domains
from volta_pipe.passes.decide.minimise import mattering, minimised
from volta_pipe.passes.decide.refute import SATFINITE, SIGNED_ZERO
from volta_pipe.passes.decide.ties import near_ties
from volta_pipe.passes.unroll import assumptions

N = Node
Make = Callable[[Builder, Any, Any], Any]
X, Y = ("Q", 0), ("K", 0)  # names of the two leaves


def side(make: Make, dtype: str = "", assumptions: tuple[str, ...] = ()) -> Conditions:
    b = Builder()
    made = b.done({3: [make(b, b.leaf(0, 0), b.leaf(1, 0))]})
    types = (dtype, "f32", "f32", "f32") if dtype else ()
    return replace(made, assumptions=assumptions, tensor_types=types, scalar_types=("f32",) if dtype else ())


def decided(x: Conditions, y: Conditions, **ranges: tuple[float, float]) -> Decision:
    return decide(canon(x, y), x, y, ranges=ranges)


def found(x: Conditions, y: Conditions, **ranges: tuple[float, float]) -> Counterexample:
    d = decided(x, y, **ranges)
    assert d.verdict == "not-equivalent" and d.counterexample is not None, d
    return d.counterexample


# Two functions of x and y, the shortest point at which they differ, their values there, and which inputs matter there.
BY_HAND: list[tuple[Make, Make, dict[Any, str], tuple[float, float], set[Any]]] = [
    (lambda b, x, y: b.add(x, y), lambda b, x, y: b.sub(x, y), {X: "0", Y: "1"}, (1, -1), {Y}),  # differ by 2y
    (lambda b, x, y: b.mul(x, y), lambda b, x, y: x, {X: "1", Y: "0"}, (0, 1), {X, Y}),  # by x(y - 1)
    (lambda b, x, y: b.div(y, x), lambda b, x, y: b.div(b.neg(y), x), {X: "1", Y: "1"}, (1, -1), {X, Y}),  # no value at x = 0
    (lambda b, x, y: b.add(x, 1.0), lambda b, x, y: b.add(b.mul(x, 1.0), 2.0), {X: "0"}, (1, 2), set()),  # everywhere
    (lambda b, x, y: b.max(x, 1.0), lambda b, x, y: b.max(x, 1.5), {X: "0"}, (1, 1.5), set()),
    (lambda b, x, y: b.mul(x, x), lambda b, x, y: x, {X: "-1"}, (1, -1), {X}),  # the same at 0 and 1
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(BY_HAND)))
def test_short_points_by_hand(case: int) -> None:
    left, right, point, values, matters = BY_HAND[case]
    c = found(side(left), side(right))
    assert (c.inputs, c.complete, c.outside) == (point, True, ())
    assert set(c.matters) >= matters  # where the functions differ by a constant, nothing does
    if case in (0, 1, 3, 5):
        assert set(c.matters) == matters
    assert (float(c.reference), float(c.candidate)) == values


def test_of_many_inputs_all_but_a_few_are_0() -> None:
    """The mutant forgets to rescale the sum: one score above the others, in a later block, shows it."""
    c = found(attention(4, 4, 4), attention(4, 4, 4, block=2, mutant="rescale"))
    assert len(c.inputs) == 25 and set(c.inputs.values()) == {"0", "1"}
    nonzero = [name for name, value in c.inputs.items() if value != "0"]
    assert sorted(name for name, _ in nonzero) == ["K", "Q", "V", "scale"] and set(nonzero) <= set(c.matters)


@pytest.mark.parametrize(
    ("low", "high", "at"), [(2.0, 4.0, "2"), (-4.0, -0.5, "-1"), (0.25, 0.75, "1/2"), (-1.0, 1.0, "1"), (3.25, 3.25, "13/4")]
)
def test_points_in_the_range_come_first(low: float, high: float, at: str) -> None:
    """x + y and x + 2y differ by y, and y is the number of its range that is shortest."""
    c = found(side(lambda b, x, y: b.add(x, y)), side(lambda b, x, y: b.fma(y, 2.0, x)), K=(low, high))
    assert (c.inputs[X], c.outside) == ("0", ())
    assert low <= Fraction(c.inputs[Y]) <= high
    assert abs(Fraction(c.inputs[Y])) <= abs(Fraction(at)) or c.inputs[Y] == at


def test_a_point_outside_the_range_is_called_so() -> None:
    """max(x, 0) is x from 0 on: only a point that the range does not hold refutes it."""
    x, y = side(lambda b, x, y: x), side(lambda b, x, y: b.max(x, 0.0))
    d = decided(x, y, Q=(0.0, 8.0))
    assert d.counterexample is not None
    assert (d.counterexample.inputs, d.counterexample.outside) == ({X: "-1"}, (X,))
    assert d.findings[0].message.endswith("; inputs lie outside the range of Q")
    within = decided(x, y, Q=(-8.0, 8.0))
    assert within.counterexample is not None and not within.counterexample.outside
    assert "range" not in within.findings[0].message


def test_integers_stay_integers_of_their_dtype_and_range() -> None:
    x, y = side(lambda b, x, y: x, "u8"), side(lambda b, x, y: b.min(x, 254.0), "u8")
    assert found(x, y).inputs == {X: "255"}
    z = side(lambda b, x, y: b.mul(x, x), "s8")
    assert found(side(lambda b, x, y: x, "s8"), z).inputs == {X: "-1"}
    assert found(side(lambda b, x, y: x, "s8"), z, Q=(2.5, 9.5)).inputs == {X: "3"}
    assert found(side(lambda b, x, y: x, "s8"), z, Q=(0.25, 0.75)).inputs == {X: "-1"}  # a range that holds no integer


def step(b: Builder, x: Any, at: float) -> Any:
    return b.op(N.SELECT, b.op(N.LT, x, at), b.const(0.0), b.const(1.0))


# Two functions that differ beyond or between numbers far from what is drawn (333 at most), and where they do.
BOUNDARIES: list[tuple[Make, Make, Callable[[Any, Any], bool]]] = [
    (lambda b, x, y: b.min(x, 1000.0), lambda b, x, y: x, lambda x, y: x > 1000),
    (lambda b, x, y: x, lambda b, x, y: b.max(x, -70000.0), lambda x, y: x < -70000),
    (lambda b, x, y: step(b, x, 5000.0), lambda b, x, y: step(b, x, 5000.25), lambda x, y: 5000 <= x < 5000.25),
    (lambda b, x, y: step(b, b.sub(x, y), 900.0), lambda b, x, y: b.const(0.0), lambda x, y: x - y >= 900),
    (lambda b, x, y: b.op(N.ABS, b.sub(b.mul(x, 2.0), 3000.0)), lambda b, x, y: b.fma(x, -2.0, 3000.0), lambda x, y: x > 1500),
]


@pytest.mark.parametrize("case", range(len(BOUNDARIES)))
def test_points_near_case_boundaries(case: int) -> None:
    left, right, where = BOUNDARIES[case]
    c = found(side(left), side(right))
    assert where(Fraction(c.inputs[X]), Fraction(c.inputs.get(Y, "0")))


def test_boundaries_are_found_along_one_input() -> None:
    """2x - 6 is 3 at x = 9/2."""
    b = Builder()
    x = b.leaf(0, 0)
    c = b.done({3: [b.max(b.sub(b.mul(x, 2.0), 6.0), 3.0)]})
    spent: list[int] = []
    e = Expression(c.graph, int(c.outputs[3][0]))
    points = list(near_ties(e, {(0, 0): fmpq(1)}, Domains(), spent.append))
    assert [p[0, 0] for p in points] == [fmpq(9, 2), fmpq(37, 8), fmpq(35, 8), fmpq(11, 2), fmpq(7, 2)]
    assert spent == [len(e)] * 2
    whole = Domains({(0, -1): Domain(fmpq(-128), fmpq(127), whole=True)})
    assert {p[0, 0] for p in near_ties(e, {(0, 0): fmpq(1)}, whole, spent.append)} == {fmpq(4), fmpq(5), fmpq(6)}


def test_minimising_counts_evaluations() -> None:
    point = {(0, i): fmpq(7, 3) for i in range(16)}
    calls = 0

    def differs(other: Any) -> bool:
        nonlocal calls
        calls += 1
        return bool(other[0, 3] != 0 and other[0, 11] not in (0, 1))

    short = minimised(point, Domains(), differs, 1000)
    assert {key: value for key, value in short.items() if value != 0} == {(0, 3): fmpq(1), (0, 11): fmpq(-1)}
    assert calls < 60
    assert minimised(point, Domains(), differs, 1000) == short
    for limit in (0, 1, 5):
        calls = 0
        assert differs(minimised(point, Domains(), differs, limit))
        assert calls <= limit + 1


def test_what_matters_is_seen_or_not_claimed() -> None:
    point = {(0, i): fmpq(0) for i in range(40)} | {(1, 0): fmpq(1)}

    def difference(other: Any) -> Any:
        from flint import arb

        return arb(other[0, 7] + 2 * other[0, 31] + other[1, 0])

    assert mattering(point, Domains(), difference, 500) == (((0, 7), (0, 31), (1, 0)), True)
    few, complete = mattering(point, Domains(), difference, 4)
    assert few == ((1, 0),) and not complete


def test_a_sign_of_zero_refutes_nothing() -> None:
    """copysign(3, x) is 3 for x = 0 and -3 for x = -0: against a function that is not 3 there, 0 proves nothing."""

    def sign(b: Builder, x: Any, y: Any) -> Any:
        return b.op(N.SELECT, b.op(N.LT, x, 0.0), b.const(-3.0), b.const(3.0))

    def other(b: Builder, x: Any, y: Any) -> Any:
        return b.op(N.SELECT, b.op(N.LE, x, 0.0), b.const(-3.0), b.const(3.0))

    assert found(side(sign), side(other)).inputs == {X: "0"}
    d = decided(side(sign, assumptions=(SIGNED_ZERO,)), side(other))
    assert (d.verdict, d.counterexample) == ("unknown", None) and SIGNED_ZERO in d.unknown[0]
    wrong = side(lambda b, x, y: b.neg(sign(b, x, y)))
    assert found(side(sign, assumptions=(SIGNED_ZERO,)), wrong).inputs[X] != "0"


def test_what_a_saturating_conversion_holds_refutes_nothing_beyond_its_format() -> None:
    """A conversion that saturates is x where x fits e4m3, whose largest number is 448."""
    x = side(lambda b, x, y: x, assumptions=(SATFINITE,))
    far, near = (side(lambda b, x, y, most=most: b.min(x, most)) for most in (500.0, 440.0))
    assert found(side(lambda b, x, y: x), far).inputs
    d = decided(x, far)
    assert (d.verdict, d.counterexample) == ("unknown", None) and SATFINITE in d.unknown[0]
    assert 440 < Fraction(found(x, near).inputs[X]) <= 448


def test_the_assumptions_are_spelled_as_unroll_has_them() -> None:
    assert (assumptions._ASSUME_SIGN, assumptions._ASSUME_FINITE) == (SIGNED_ZERO, SATFINITE)
