"""Points near case boundaries: where the arguments of a max, min or comparison are equal, or that of a rounding is whole.

Along one input the difference of the two arguments is often linear: two evaluations then give the input at which it is 0, and
the points beside it lie in either case. Where it is not, the points are candidates like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from flint import ctx, fmpq

from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon.balls import Expression
from volta_pipe.passes.decide.domains import Domains, Key, Point

_BITS = 64
_DENOMINATOR = 1024  # of the input at a boundary, which may be rounded
_MOST = 12  # boundaries of an expression that are looked at, spread evenly over it
_BESIDE = (fmpq(0), fmpq(1, 8), fmpq(-1, 8), fmpq(1), fmpq(-1))
_PAIRED = (Node.MAX, Node.MIN, Node.LT, Node.LE, Node.EQ, Node.NE)
_ALONE = {Node.ABS: 0.0, Node.SAT: 1.0, Node.FLOOR: 0.0, Node.CEIL: 0.0, Node.TRUNC: 1.0, Node.RINT: 0.5}


def near_ties(x: Expression, point: Point, domains: Domains, spend: Callable[[int], None]) -> Iterator[Point]:
    """Points beside `point` at which cases of x change; `spend` is told how many nodes were evaluated."""
    ties = [i for i, (op, _, _) in enumerate(x.steps) if op in _PAIRED or op in _ALONE]
    step = max(1, -(-len(ties) // _MOST))
    by_key: dict[Key, list[int]] = {}
    for tie in ties[::step]:
        for key in _inputs(x, tie):
            by_key.setdefault(key, []).append(tie)
    if not by_key:
        return
    with ctx.workprec(_BITS):
        here = x.balls(point, named=False)
        spend(len(x))
    for key, near in sorted(by_key.items()):
        domain = domains[key]
        moved = point | {key: domain.near(point[key] + 1)}
        if moved[key] == point[key]:
            moved[key] = domain.near(point[key] - 1)
        with ctx.workprec(_BITS):
            there = x.balls(moved, named=False)
            spend(len(x))
            roots = {root for tie in near if (root := _root(x, tie, here, there, point[key], moved[key])) is not None}
        for root in sorted(roots):
            values = {domain.near(fmpq(root.numerator, root.denominator) + offset): None for offset in _BESIDE}
            yield from (point | {key: value} for value in values if value != point[key])


def _inputs(x: Expression, tie: int) -> set[Key]:
    """An input of each argument (the first one, in the order of the expression)."""
    found: set[Key] = set()
    for argument in x.steps[tie][1]:
        seen, stack = {argument}, [argument]
        while stack:
            place = stack.pop()
            if (key := x.key(place)) is not None:
                found.add(key)
                break
            new = [p for p in reversed(x.steps[place][1]) if p not in seen]
            seen.update(new)
            stack += new
    return found


def _root(x: Expression, tie: int, here: list[Any], there: list[Any], at: Any, then: Any) -> Fraction | None:
    """The value of an input, `at` here and `then` there, at which the boundary lies if its distance is linear."""
    first, second = (_distance(x, tie, balls) for balls in (here, there))
    if first is None or second is None or first == second or at == then:
        return None
    start, end = (Fraction(int(v.p), int(v.q)) for v in (at, then))
    root = start - first * (end - start) / (second - first)
    return root.limit_denominator(_DENOMINATOR) if abs(root) < 1 << 40 else None


def _distance(x: Expression, tie: int, balls: list[Any]) -> Fraction | None:
    """How far the arguments are from the boundary; of a rounding, from one whole (or half) number."""
    op, places, _ = x.steps[tie]
    values = [balls[p] for p in places]
    if any(isinstance(v, Exception) or not v.is_finite() for v in values):
        return None
    numbers = [v.mid().fmpq() for v in values]
    exact = [Fraction(int(q.p), int(q.q)) for q in numbers]
    return exact[0] - exact[1] if op in _PAIRED else exact[0] - Fraction(_ALONE[Node(op)])
