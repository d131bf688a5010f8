"""Searching for a counterexample: rational points at which the two balls are disjoint, which certifies that the sides differ.

Where literals may stand for real numbers, the balls must be disjoint however they are read: a difference that rests on how a
literal is read is no counterexample."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from flint import ctx, fmpq

from volta_pipe.passes.canon.balls import Expression, Open, Outside, readings_of

Point = dict[tuple[int, int], Any]
PRECISIONS = (64, 192, 640)  # bits, tried in turn
_DIGITS = 20
# How the inputs of a try are drawn: small rationals of both signs, positive ones, patterns of 0 and ±1, wider ones.
_DRAWS: tuple[Callable[[random.Random], Any], ...] = (
    lambda r: fmpq(r.randint(-8, 8), 4),
    lambda r: fmpq(r.randint(1, 8), 4),
    lambda r: fmpq(r.randint(-1, 1)),
    lambda r: fmpq(r.randint(1, 16), 16),
    lambda r: fmpq(r.randint(0, 1)),
    lambda r: fmpq(r.randint(-99, 99), 7),
    lambda r: fmpq(r.randint(-16, 16), 64),
    lambda r: fmpq(r.randint(1, 999), 3),
)
TRIES = 2 * len(_DRAWS)
MORE_TRIES = 8 * len(_DRAWS)  # of small expressions
_SMALL = 2_000  # nodes


@dataclass(frozen=True)
class Witness:
    """A point and the two balls there (literals as they are), as decimal intervals."""

    point: Point
    reference: str
    candidate: str


@dataclass
class Search:
    """Refutation of pairs of expressions; `spent` counts evaluated nodes and stops the search over `budget`."""

    seed: int = 0
    budget: int = 20_000_000
    spent: int = 0

    def refute(self, x: Expression, y: Expression, *, named: bool) -> tuple[Witness | None, str]:
        """(a witness, "") or (None, why there is none)."""
        keys = sorted({*x.leaves, *y.leaves, *((-1, s) for s in (*x.scalars, *y.scalars))})
        readings = readings_of(x, y, named=named)
        why = "the normal forms differ, but no tried point tells the two sides apart"
        tries = 1 if not keys else TRIES if len(x) + len(y) > _SMALL else MORE_TRIES
        for turn in range(tries):
            if self.spent > self.budget:
                return None, "the search for a counterexample ran out of its budget"
            rng = random.Random(f"{self.seed}/{turn}")
            draw = _DRAWS[turn % len(_DRAWS)]
            mixed = turn >= TRIES  # each input in a way of its own
            point = {key: (rng.choice(_DRAWS) if mixed else draw)(rng) for key in keys}
            try:
                shown = []
                for reading in readings:
                    shown.append(self._apart(x, y, point, reading))
                    if shown[-1] is None:
                        break
            except Outside as reason:
                why = f"no tried point tells the two sides apart; at some of them: {reason}"
                continue
            first = shown[0]
            if first is not None and None not in shown:
                return Witness(point, *first), ""
        return None, why

    def _apart(self, x: Expression, y: Expression, point: Point, named: bool | Collection[float]) -> tuple[str, str] | None:
        """The two balls where they are disjoint, else None."""
        for bits in PRECISIONS:
            with ctx.workprec(bits):
                try:
                    self.spent += len(x) + len(y)
                    left, right = x.value(point, named=named), y.value(point, named=named)
                except Open:
                    continue
                if not (left.is_finite() and right.is_finite()):
                    continue
                if not left.overlaps(right):
                    digits = _DIGITS if bits == PRECISIONS[0] else bits // 3
                    return str(left.str(digits)), str(right.str(digits))
                if left.is_exact() and right.is_exact():
                    return None
        return None
