"""Candidate points for a counterexample: patterns of 0, ±1 and small integers, then points of the domains, then random ones.

Points near case boundaries are made in ties.py, from points of this file. All depend on the seed alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from flint import fmpq

from volta_pipe.passes.decide.domains import Domain, Domains, Key, Point

# What the input at a place is; the domain's nearest number to it is taken.
_PATTERNS: tuple[Callable[[int], int], ...] = (
    lambda i: 0,
    lambda i: 1,
    lambda i: i % 2,
    lambda i: (i + 1) % 2,
    lambda i: -1,
    lambda i: i % 3 + 1,
    lambda i: (-1) ** i,
)
_FEW = 8  # inputs, up to which each one alone is 1
# How the inputs of a random point are drawn: small rationals of both signs, positive ones, patterns of 0 and ±1, wider ones.
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
_STEPS = 16  # parts of a range, whose ends are drawn
WAYS = len(_DRAWS)


def patterns(keys: Sequence[Key], domains: Domains) -> Iterator[Point]:
    """The same few points for any seed."""
    for pattern in _PATTERNS:
        yield {key: domains[key].near(fmpq(pattern(i))) for i, key in enumerate(keys)}
    if 2 < len(keys) <= _FEW:
        for one in keys:
            yield {key: domains[key].near(fmpq(int(key == one))) for key in keys}


def drawn(keys: Sequence[Key], domains: Domains, seed: int, turn: int) -> Point:
    """A random point: the ways to draw take turns twice, then each input is drawn in a way of its own."""
    rng = random.Random(f"{seed}/{turn}")
    way = turn % WAYS if turn < 2 * WAYS else None
    return {key: _number(rng, domains[key], way) for key in keys}


def _number(rng: random.Random, domain: Domain, way: int | None) -> Any:
    if domain.whole:
        draw = rng.choice(_INTEGER_DRAWS) if way is None else _INTEGER_DRAWS[way]
        return domain.near(fmpq(draw(rng, int(domain.low.p), int(domain.high.p))))
    value = (rng.choice(_DRAWS) if way is None else _DRAWS[way])(rng)
    if domain.holds(value):
        return value
    return domain.low + (domain.high - domain.low) * fmpq(rng.randint(0, _STEPS), _STEPS)
