"""Searching for a counterexample: rational points at which the two balls are disjoint, which certifies that the sides differ.

Where literals may stand for real numbers, the balls must be disjoint however they are read: a difference that rests on how a
literal is read is no counterexample."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from flint import ctx, fmpq

from volta_pipe.ir.launch import DTYPES
from volta_pipe.passes.canon.balls import Expression, Open, Outside, readings_of

Key = tuple[int, int]  # (tensor, element), or (-1, scalar)
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
# The same for an integer between two bounds; the second half reaches all of them.
_INTEGER_DRAWS: tuple[Callable[[random.Random, int, int], int], ...] = (
    lambda r, low, high: r.randint(-8, 8),
    lambda r, low, high: r.randint(1, 8),
    lambda r, low, high: r.randint(-1, 1),
    lambda r, low, high: r.randint(low, high),
    lambda r, low, high: r.randint(0, 1),
    lambda r, low, high: r.choice((low, high, low + 1, high - 1)),
    lambda r, low, high: r.randint(-99, 99),
    lambda r, low, high: r.randint(low, high),
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
    """Refutation of pairs of expressions; `spent` counts evaluated nodes and stops the search over `budget`. `bounds`: least
    and largest value of inputs that are integers, by (tensor, -1) or (-1, scalar)."""

    seed: int = 0
    bounds: dict[Key, tuple[int, int]] = field(default_factory=dict)
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
            way = None if turn >= TRIES else turn % len(_DRAWS)  # None: each input in a way of its own
            point = {key: self._drawn(rng, key, way) for key in keys}
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

    def _drawn(self, rng: random.Random, key: Key, way: int | None) -> Any:
        """A rational number, or an integer that the input can be."""
        bounds = self.bounds.get(key if key[0] < 0 else (key[0], -1))
        if bounds is None:
            return (rng.choice(_DRAWS) if way is None else _DRAWS[way])(rng)
        drawn = (rng.choice(_INTEGER_DRAWS) if way is None else _INTEGER_DRAWS[way])(rng, *bounds)
        return fmpq(min(max(drawn, bounds[0]), bounds[1]))

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


def bounds_of(tensors: Collection[str], scalars: Collection[str]) -> dict[Key, tuple[int, int]]:
    """`bounds` of Search for tensors and scalars of these dtypes."""
    keyed = [((t, -1), name) for t, name in enumerate(tensors)] + [((-1, s), name) for s, name in enumerate(scalars)]
    bounds = {}
    for key, name in keyed:
        size, kind = DTYPES[name]
        if kind != "f":
            bits = 8 * size
            bounds[key] = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind == "s" else (0, (1 << bits) - 1)
    return bounds
