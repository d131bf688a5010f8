"""Whether the two expressions of a representative agree at random points: modulo primes, or as balls."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.launch import DTYPES
from volta_pipe.passes.recheck.evaluate import evaluate
from volta_pipe.passes.recheck.expressions import Expression
from volta_pipe.passes.recheck.literals import Real
from volta_pipe.passes.recheck.primes import DEEPEST, chain
from volta_pipe.passes.recheck.reader import Class
from volta_pipe.passes.recheck.report import FAILED, NOT_CHECKED, PASSED
from volta_pipe.passes.recheck.values import NoRootError, NoValueError, Point, Value

POINTS = 3  # each with a prime of its own
_CASE_POINTS = 24  # of expressions that are made of pieces, as long as these are not large
_LARGE = 120_000  # nodes of all classes that are evaluated for more points than three
_CHAINS = 8
_ATTEMPTS = 16  # points tried for three
_ROOTED = 96  # the same where square roots occur: half of all numbers have none modulo a prime
_BITS = 256
_CLOSE = 100  # balls that agree must agree to so many bits
_SIZE = 1 << 22  # rationals are n / 2^20 or n / 2^22


@dataclass
class Agreement:
    """What was found of one representative. outcome: PASSED, FAILED, NOT_CHECKED; balls: why it was checked by ball arithmetic
    alone ("" where it was not); points: at how many; functions: that were arbitrary functions of their arguments; detail: for
    the rest."""

    outcome: str
    detail: str = ""
    balls: str = ""
    points: int = POINTS
    functions: frozenset[str] = frozenset()


@dataclass
class _Tally:
    """Counts of one reading."""

    primes: int = 0
    balls: int = 0
    differ: str = ""
    why: str = ""
    opaque: set[str] = field(default_factory=set)
    rooted: bool = False
    wild: bool = False  # residues differed where roots or functions may be why


class Agreeing:
    """Compares representatives, so many in all; `left` is how many nodes may still be evaluated."""

    def __init__(
        self, sides: tuple[Conditions, Conditions], literals: Mapping[float, Real], seed: str, classes: int, budget: int
    ) -> None:
        self.sides, self.literals, self.seed, self.classes, self.left = sides, literals, seed, max(classes, 1), budget

    def check(self, c: Class) -> Agreement:
        """The two expressions of the first member of a class."""
        roots = [int(s.outputs[int(c.tensors[0])][int(c.elements[0])]) for s in self.sides]
        both = [Expression(s.graph, root) for s, root in zip(self.sides, roots, strict=True)]
        cases = any(e.has_cases() for e in both)
        points = min(_CASE_POINTS, max(POINTS, _LARGE // (self.classes * sum(len(e) for e in both)))) if cases else POINTS
        tallies = []
        for reading in self._readings(both):
            tally = self._tally(both, reading, f"{self.seed}/{int(c.tensors[0])}/{int(c.elements[0])}", points)
            if tally.primes == points:
                return Agreement(PASSED, points=points, functions=frozenset(tally.opaque))
            if tally.balls >= points and not tally.differ:
                return Agreement(PASSED, balls=_reason(tally), points=points)
            tallies.append(tally)
            if self.left <= 0:
                return Agreement(NOT_CHECKED, "more nodes than are evaluated")
        if all(t.differ for t in tallies):
            return Agreement(FAILED, tallies[0].differ)
        return Agreement(NOT_CHECKED, next(t.why or "no point tells" for t in tallies if not t.differ))

    def _readings(self, both: list[Expression]) -> Iterator[dict[float, Real]]:
        """What literals stand for: all that may, then fewer."""
        met = both[0].literals() | both[1].literals()
        held = {value: real for value, real in self.literals.items() if value in met}
        yield held
        if held:
            yield {}
        if 1 < len(held) <= 6:
            for value, real in held.items():
                yield {v: r for v, r in held.items() if v != value}
                yield {value: real}

    def _tally(self, both: list[Expression], reading: dict[float, Real], seed: str, points: int) -> _Tally:
        tally = _Tally()
        levels = min(1 + max(e.depth() for e in both), DEEPEST)
        turn = 0
        attempts = _ATTEMPTS * points // POINTS
        while turn < (_ROOTED + attempts if tally.rooted else attempts):
            turn += 1
            self.left -= sum(len(e) for e in both)
            if self.left <= 0:
                tally.why = "more nodes than are evaluated"
                return tally
            bare = tally.rooted and tally.primes < points and turn > _ROOTED  # the last ones for balls alone
            primes = () if bare else chain(levels, f"{self.seed}/{turn % _CHAINS}")
            point = Point(self._drawing(f"{seed}/{turn}", turn, points > POINTS or turn > _ATTEMPTS), primes, turn, reading)
            with ctx.workprec(_BITS):
                try:
                    x, y = (evaluate(e, point) for e in both)
                except NoRootError:
                    continue
                except NoValueError as reason:
                    tally.why = str(reason)
                    continue
                finally:
                    tally.opaque |= point.opaque
                    tally.rooted |= point.rooted
                self._count(tally, x, y, primes)
            if tally.differ or tally.primes == points:
                break
            if tally.wild and tally.opaque and not tally.rooted and tally.balls >= points:
                break  # more primes will say the same
        return tally

    def _count(self, tally: _Tally, x: Value, y: Value, primes: tuple[int, ...]) -> None:
        if not (x[0].is_finite() and y[0].is_finite()):
            tally.why = "a value out of range"
        elif not x[0].overlaps(y[0]):
            tally.differ = f"at a random point one is {x[0].str(12)}, the other {y[0].str(12)}"
        else:
            scale = arb(1) + abs(x[0])
            tally.balls += bool(abs(x[0] - y[0]) < scale * arb(2) ** -_CLOSE)
            if x[1] and y[1]:
                if x[1][0] == y[1][0]:
                    tally.primes += 1
                elif tally.opaque or tally.rooted:
                    tally.wild = True
                else:
                    tally.differ = f"modulo {primes[0]} one is {x[1][0]}, the other {y[1][0]}"

    def _drawing(self, seed: str, turn: int, few: bool) -> Any:
        """The rational of each input: of both signs, positive, of `few` kinds in turn; integers where the dtype holds these."""

        rng = random.Random(seed)

        def draw(tensor: int, element: int) -> Fraction:
            types = self.sides[0].scalar_types if tensor < 0 else self.sides[0].tensor_types
            low, high = bounds(types[element if tensor < 0 else tensor]) if types else (0, 0)
            if low < high:
                return Fraction(rng.randint(max(low, -100), min(high, 100)) if turn % 2 else rng.randint(low, high))
            if turn % 2:
                return Fraction(rng.randint(-_SIZE, _SIZE), 1 << 20)
            if few and turn % 4:
                return Fraction(rng.randint(-6, 6), 2)  # so that arguments of comparisons meet, and roundings have integers
            return Fraction(rng.randint(1, _SIZE), 1 << 22)

        return draw


def bounds(dtype: str) -> tuple[int, int]:
    """Least and largest number of an integer dtype; (0, 0) for a float."""
    size, kind = DTYPES[dtype]
    if kind == "f":
        return 0, 0
    bits = 8 * size
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind == "s" else (0, (1 << bits) - 1)


def _reason(tally: _Tally) -> str:
    """Why residues did not settle it."""
    words = sorted(tally.opaque) + (["sqrt"] if tally.rooted else [])
    return ", ".join(words) or f"2^x nested more than {DEEPEST - 1} deep"


def refuting(sides: tuple[Conditions, Conditions], found: Mapping[str, Any]) -> str:
    """Why a counterexample is none, "" where the balls of both sides at it are disjoint, literals as they are."""
    reference = sides[0]
    index = {name: i for i, name in enumerate(reference.tensors)}
    scalars = {name: i for i, name in enumerate(reference.scalars)}
    inputs: dict[tuple[int, int], Fraction] = {}
    for name, element, text in found["inputs"]:
        key = (-1, scalars[name]) if element < 0 else (index[name], int(element))
        inputs[key] = Fraction(text)
        types = reference.scalar_types if element < 0 else reference.tensor_types
        low, high = bounds(types[key[1] if element < 0 else key[0]]) if types else (0, 0)
        if low < high and not (inputs[key].denominator == 1 and low <= inputs[key] <= high):
            return f"{name}[{element}] cannot be {text}"
    tensor, element = index[found["tensor"]], int(found["element"])
    both = [Expression(s.graph, int(s.outputs[tensor][element])) for s in sides]
    why = "the balls overlap"
    for bits in (256, 1024):
        point = Point(lambda t, e: inputs[t, e], (), 0, {})
        with ctx.workprec(bits):
            try:
                x, y = (evaluate(e, point)[0] for e in both)
            except NoValueError as reason:
                why = str(reason)
                continue
            if x.is_finite() and y.is_finite() and not x.overlaps(y):
                return ""
    return why
