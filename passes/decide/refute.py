"""Searching for a counterexample: rational points at which the two balls are disjoint, which certifies that the sides differ.

Where literals may stand for real numbers, the balls must be disjoint however they are read; and where programs make an
assumption about numbers (CAUTIONS), they must be disjoint without it: else the point is inconclusive, no counterexample."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import ctx

from volta_pipe.passes.canon.balls import Expression, Open, Outside, readings_of
from volta_pipe.passes.decide.domains import Domains, Key, Point
from volta_pipe.passes.decide.minimise import mattering, minimised
from volta_pipe.passes.decide.points import WAYS, drawn, patterns
from volta_pipe.passes.decide.ties import near_ties

Readings = Sequence[bool | Collection[float]]  # see readings_of
PRECISIONS = (64, 192, 640)  # bits, tried in turn
_DIGITS = 20
TRIES = 2 * WAYS  # random points
MORE_TRIES = 8 * WAYS  # of small expressions
_SMALL = 2_000  # nodes
_NEAR_TIES, _FEW_NEAR_TIES = 96, 8  # points near case boundaries, of small expressions and of others
# Evaluations that make a counterexample short, and as many again that tell what matters in it; fewer of large expressions.
_EVALUATIONS, _FEW_EVALUATIONS, _MINIMISING = 1_000, 12, 300_000
_VISIBLE = 2.0**-7  # relative difference that a shorter counterexample need not exceed
# What `unroll` says of values that its programs do not compute exactly so: that a sign's number is not -0, and that what is
# converted with .satfinite fits (the least of the formats' largest numbers is e4m3's).
SIGNED_ZERO = "an operand whose sign copysign takes is never -0"
SATFINITE = "conversions with .satfinite stay within the range of their format"
CAUTIONS = (SIGNED_ZERO, SATFINITE)
_FITS = 448


class Inconclusive(Outside):
    """The difference at this point rests on an assumption."""


@dataclass(frozen=True)
class Gap:
    """Disjoint balls of the two sides, found at a precision of `bits`."""

    left: Any
    right: Any
    bits: int

    def relative(self) -> float:
        """At least what the distance is of the larger magnitude."""
        with ctx.workprec(self.bits):
            most = max(self.left.abs_upper(), self.right.abs_upper())
            return float((abs(self.left - self.right) / most).abs_lower())

    def shown(self) -> tuple[str, str]:
        digits = _DIGITS if self.bits == PRECISIONS[0] else self.bits // 3
        return str(self.left.str(digits)), str(self.right.str(digits))


@dataclass(frozen=True)
class Witness:
    """A point and the two balls there (literals as they are), as decimal intervals; `matters`: inputs whose change was seen
    to change the difference; `complete`: all were tried; `outside`: inputs that lie outside the contract's ranges."""

    point: Point
    reference: str
    candidate: str
    matters: tuple[Key, ...] = ()
    complete: bool = True
    outside: tuple[Key, ...] = ()


@dataclass
class Search:
    """Refutation of pairs of expressions; `spent` counts evaluated nodes and stops the search over `budget`. `domains`: what
    the inputs can be; `ranges`: the same within the contract's ranges, looked at first; `cautions`: those of CAUTIONS that the
    two programs have."""

    seed: int = 0
    domains: Domains = field(default_factory=Domains)
    ranges: Domains = field(default_factory=Domains)
    cautions: Collection[str] = ()
    budget: int = 20_000_000
    spent: int = 0

    def refute(self, x: Expression, y: Expression, *, named: bool) -> tuple[Witness | None, str]:
        """(a witness, "") or (None, why there is none)."""
        keys = sorted({*x.leaves, *y.leaves, *((-1, s) for s in (*x.scalars, *y.scalars))})
        readings = readings_of(x, y, named=named)
        why = "the normal forms differ, but no tried point tells the two sides apart"
        bounded = any(self.ranges[key] != self.domains[key] for key in keys)
        for domains in (self.ranges, self.domains) if bounded else (self.domains,):
            most = self.spent + (self.budget - self.spent) // 2 if bounded and domains is self.ranges else self.budget
            for point in self._candidates(x, y, keys, domains):
                if self.spent > most:
                    break
                try:
                    found = self._apart(x, y, point, readings)
                except Outside as reason:
                    why = f"no tried point tells the two sides apart; at some of them: {reason}"
                    continue
                if found is not None:
                    return self._witness(x, y, point, found, readings, domains), ""
        if self.spent > self.budget:
            why = "the search for a counterexample ran out of its budget"
        return None, why

    def _candidates(self, x: Expression, y: Expression, keys: Sequence[Key], domains: Domains) -> Iterator[Point]:
        """Patterns, points near case boundaries, random points."""
        yield from patterns(keys, domains)
        if not keys:
            return
        small = len(x) + len(y) <= _SMALL
        left = _NEAR_TIES if small else _FEW_NEAR_TIES
        for turn in (0, 1):
            base = drawn(keys, domains, self.seed, turn)
            for side in (x, y):
                share = left // 4
                for point in near_ties(side, base, domains, self._spend):
                    if not share:
                        break
                    share -= 1
                    yield point
        for turn in range(MORE_TRIES if small else TRIES):
            yield drawn(keys, domains, self.seed, turn)

    def _spend(self, nodes: int) -> None:
        self.spent += nodes

    def _apart(
        self, x: Expression, y: Expression, point: Point, readings: Readings, precisions: Sequence[int] = PRECISIONS
    ) -> Gap | None:
        """The balls where they are disjoint under all readings and whatever the cautions say, else None.

        Errors: Outside, Inconclusive."""
        first = None
        for reading in readings:
            found = self._disjoint(x, y, point, reading, precisions)
            if found is None:
                return None
            first = first or found
        if first is not None:
            self._rests_on_nothing(x, y, point, first.bits)
        return first

    def _disjoint(
        self, x: Expression, y: Expression, point: Point, named: bool | Collection[float], precisions: Sequence[int]
    ) -> Gap | None:
        for bits in precisions:
            with ctx.workprec(bits):
                try:
                    self.spent += len(x) + len(y)
                    left, right = x.value(point, named=named), y.value(point, named=named)
                except Open:
                    continue
                if not (left.is_finite() and right.is_finite()):
                    continue
                if not left.overlaps(right):
                    return Gap(left, right, bits)
                if left.is_exact() and right.is_exact():
                    return None
        return None

    def _rests_on_nothing(self, x: Expression, y: Expression, point: Point, bits: int) -> None:
        """Errors: Inconclusive where an assumption about numbers is needed for the difference."""
        for caution in self.cautions:
            with ctx.workprec(bits):
                self.spent += len(x) + len(y)
                left, right = (side.balls(point, named=False, signs_open=caution == SIGNED_ZERO) for side in (x, y))
            if caution == SATFINITE:
                rests = any(not isinstance(ball, Exception) and not abs(ball) <= _FITS for ball in (*left, *right))
            else:
                rests = any(isinstance(side[-1], Exception) for side in (left, right)) or left[-1].overlaps(right[-1])
            if rests:
                raise Inconclusive(f"the difference may rest on an assumption ({caution})")

    def _witness(self, x: Expression, y: Expression, point: Point, found: Gap, readings: Readings, domains: Domains) -> Witness:
        """The point made short, so that the difference stays visible, at the precision at which it was found."""
        least = min(_VISIBLE, found.relative() / 16)
        spent = self.spent  # what is done with a counterexample takes nothing from the search for others
        limit = max(_FEW_EVALUATIONS, min(_EVALUATIONS, _MINIMISING // (len(x) + len(y))))

        def differs(other: Point) -> bool:
            try:
                gap = self._apart(x, y, other, readings, (found.bits,))
            except Outside:
                return False
            return gap is not None and gap.relative() >= least

        def difference(other: Point) -> Any:
            try:
                return x.value(other, named=False) - y.value(other, named=False)
            except (Open, Outside):
                return None

        short = minimised(point, domains, differs, limit)
        best = self._apart(x, y, short, readings) or found
        with ctx.workprec(found.bits):
            matters, complete = mattering(short, domains, difference, limit)
        outside = tuple(key for key, value in short.items() if not self.ranges[key].holds(value))
        self.spent = spent
        return Witness(short, *best.shown(), matters, complete, outside)
