"""Making a counterexample short: as many inputs as possible 0, then 1, the others short numbers; and which of them matter.

Budgets count evaluations, never time: a verdict is the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import fmpq

from volta_pipe.passes.decide.domains import Domain, Domains, Key, Point

_ROUNDS = 3
# Tried in this order for an input that is neither 0 nor 1: all of them are exact in every float format.
_SHORT = (*map(fmpq, (-1, 2, -2, 3, 4, -3, -4)), *(fmpq(p, 2) for p in (1, -1, 3, -3)))
_ROUNDED = (1, 2, 4, 16, 64)  # then the input itself, rounded to multiples of 1 divided by these


def minimised(point: Point, domains: Domains, differs: Callable[[Point], bool], evaluations: int) -> Point:
    """A point where `differs` still holds, which does at `point`. Greedy: no single input could be made 0 at its turn.

    evaluations: how often `differs` may be called."""
    work = _Shortening(point, domains, differs, evaluations)
    for _ in range(_ROUNDS):
        before = work.point
        for goal in (0, 1):
            work.towards(fmpq(goal))
        work.singly()
        if work.point == before:
            break
    return work.point


class _Shortening:
    def __init__(self, point: Point, domains: Domains, differs: Callable[[Point], bool], left: int) -> None:
        self.point, self._domains, self._differs, self._left = point, domains, differs, left

    def _accepts(self, change: Point) -> bool:
        """Takes a change over where the sides still differ."""
        if self._left <= 0:
            return False
        self._left -= 1
        changed = self.point | change
        if self._differs(changed):
            self.point = changed
            return True
        return False

    def towards(self, goal: Any) -> None:
        """Inputs that get shorter by it become `goal`, or the nearest number that they can be: all at once, then by halves."""
        wanted = {key: self._domains[key].near(goal) for key in self.point}
        todo = [key for key, value in self.point.items() if _length(wanted[key]) < _length(value)]
        size = len(todo)
        while todo and size and self._left > 0:
            kept: list[Key] = []
            for start in range(0, len(todo), size):
                part = todo[start : start + size]
                if not self._accepts({key: wanted[key] for key in part}):
                    kept += part
            todo = kept
            size = min(size // 2, len(todo))

    def singly(self) -> None:
        """Each input that is neither 0 nor 1 becomes the first short number that will do."""
        for key, value in self.point.items():
            for other in _shorter(value, self._domains[key]):
                if self._accepts({key: other}):
                    break


def _shorter(value: Any, domain: Domain) -> list[Any]:
    rounded = [fmpq((value * q + fmpq(1, 2)).floor(), q) for q in _ROUNDED]
    numbers = dict.fromkeys(domain.near(number) for number in (*_SHORT, *rounded))
    return [number for number in numbers if _length(number) < _length(value)]


def _length(value: Any) -> tuple[Any, ...]:
    """0 first, then 1, then numbers whose denominator is a power of 2, and of these the ones with few digits."""
    p, q = int(value.p), int(value.q)
    return (p != 0, value != 1, q & (q - 1) != 0, len(str(abs(p))) + (len(str(q)) if q > 1 else 0), abs(p), p < 0, q)


def mattering(
    point: Point, domains: Domains, difference: Callable[[Point], Any], evaluations: int
) -> tuple[tuple[Key, ...], bool]:
    """(inputs whose change was seen to change the difference of the two sides; whether all were changed). Other inputs may
    change it at points not tried.

    difference: a ball, or None where there is none; evaluations: how often it may be called."""
    start = difference(point)
    left = evaluations
    tried_all = True
    found: list[Key] = []

    def changes(keys: Sequence[Key]) -> bool:
        """Several inputs change by different amounts, so that they do not cancel."""
        nonlocal left, tried_all
        for sign in (1, -1):
            change = {key: _other(point[key], domains[key], sign * (1 + i % 3)) for i, key in enumerate(keys)}
            if left <= 0 or start is None:
                tried_all = False
                return False
            if all(point[key] == value for key, value in change.items()):
                return False
            left -= 1
            there = difference(point | change)
            if there is None and len(keys) > 1:
                return True  # ask for each
            if there is not None and there.is_finite() and not there.overlaps(start):
                return True
        return False

    nonzero = [key for key, value in point.items() if value != 0]
    zero = [key for key, value in point.items() if value == 0]
    todo: list[Sequence[Key]] = [*([key] for key in nonzero), zero] if zero else [[key] for key in nonzero]
    todo.reverse()
    while todo:
        keys = todo.pop()
        if changes(keys):
            if len(keys) == 1:
                found += keys
            else:
                half = len(keys) // 2
                todo += [keys[half:], keys[:half]]
    return tuple(sorted(found)), tried_all


def _other(value: Any, domain: Domain, step: int) -> Any:
    """Another number that the input can be, where there is one."""
    for change in (step, -step, fmpq(step, 4), -fmpq(step, 4), 1, -1):
        if domain.holds(value + change):
            return value + change
    return domain.near(value + step)
