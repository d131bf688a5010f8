"""Measures a series: one size after the other from PTX to verdict, each in a new process with an empty store."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.paper.running import Outcome, medians, once
from bench.paper.variants import variant
from bench.scaling.studies import Series

RUNS = 3  # of the two largest sizes, between which the slope is; the others are run once
LIMIT = 20.0  # seconds of a process: a series ends before the first size that takes longer
MOST = 1.15  # the slope that we allow ourselves


@dataclass(frozen=True)
class Point:
    """One size. runs: how many its figures are the medians of."""

    size: int
    outcome: Outcome
    runs: int

    @property
    def seconds(self) -> float:
        """Of the stages from unroll to decide, added up over both sides: without starting Python and reading PTX."""
        return self.outcome.safety + self.outcome.proof

    @property
    def per_step(self) -> float:
        """Nanoseconds of these a thread-instruction."""
        return self.seconds / self.outcome.steps * 1e9


@dataclass(frozen=True)
class Curve:
    """A series as measured: its points by size; over: the size that took longer than `limit` seconds, if one did."""

    series: Series
    points: tuple[Point, ...]
    over: int | None = None
    limit: float = LIMIT

    @property
    def slope(self) -> float | None:
        """Of the last doubling; None where fewer than two sizes were measured."""
        return slope(*self.points[-2:]) if len(self.points) > 1 else None


def slope(small: Point, large: Point) -> float:
    """How many times the seconds grow, over how many times the executed thread-instructions grow: 1 is proportional."""
    return (large.seconds / small.seconds) / (large.outcome.steps / small.outcome.steps)


def curve(series: Series, runs: int = RUNS, limit: float = LIMIT, told: Callable[[int], object] = lambda size: None) -> Curve:
    """`told` hears each size before it is run. Errors: SystemExit where a verdict is not `equivalent`, or the tool fails."""
    taken: dict[int, list[Outcome]] = {}
    over = None
    for size in series.sizes:
        told(size)
        try:
            taken[size] = [_run(series, size, limit)]
        except TimeoutError:
            over = size
            break
    for size in list(taken)[-2:] if runs > 1 else ():
        told(size)
        taken[size] += [_run(series, size, None) for _ in range(runs - 1)]
    points = (Point(size, medians(f"{series.name}, {size}", all_of), len(all_of)) for size, all_of in taken.items())
    return Curve(series, tuple(points), over, limit)


def _run(series: Series, size: int, limit: float | None) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        outcome = once(variant(series.contract, Path(folder), series.at(size)), limit)
    if outcome.verdict != "equivalent":
        raise SystemExit(f"{series.name}, {size}: {' '.join([outcome.verdict, *outcome.kinds])}, expected equivalent")
    return outcome
