"""Random pairs against their values: verdicts counted, wrong ones shrunk. Pairs are made from their numbers."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from decision_expressions import ATOMS, THEMES, expression, size
from decision_mutation import mutated, places, put, taken
from decision_random import LEAVES, Expression, conditions
from decision_rewriting import rewritten
from decision_values import Point, Unusable, apart, points

from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import Decision, decide

KINDS = ("rewritten", "mutated")
_POINTS, _DRAWN = 24, 400  # points that are compared, and that are drawn at most to find so many
_ENOUGH = 8  # points at which two sides must agree before a proof that they are equal counts as confirmed
_STEPS = 400  # tries of shrinking


@dataclass
class Tally:
    """verdicts: (kind, verdict); reasons: of `unknown`, (kind, reason); wrong: (kind, number, what is wrong); slowest: seconds
    and pair."""

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[tuple[str, int, str]] = field(default_factory=list)
    slowest: tuple[float, str, int] = (0.0, "", 0)

    def add(self, other: Tally) -> None:
        self.verdicts += other.verdicts
        self.reasons += other.reasons
        self.wrong += other.wrong
        self.slowest = max(self.slowest, other.slowest)


def made(kind: str, number: int) -> tuple[Expression, Expression]:
    """The two sides of a pair. Both have values at some points: others say nothing, so they are drawn again."""
    rng = random.Random(f"{kind} {number}")
    while True:
        e = expression(rng, rng.choice(THEMES), rng.choice((2, 2, 3)))
        if 3 <= size(e) <= 40:
            f = rewritten(rng, e, rng.choice((0.15, 0.3, 0.5)))
            f = f if kind == "rewritten" else mutated(rng, f)
            if len(compared(e, f)) >= _ENOUGH:
                return e, f


def decided(e: Expression, f: Expression) -> Decision:
    x, y = conditions(e), conditions(f)
    return decide(canon(x, y), x, y)


@lru_cache(maxsize=64)
def compared(e: Expression, f: Expression, reals: bool = True) -> tuple[tuple[Point, bool], ...]:
    """Points at which both sides have a value, and whether they differ there."""
    found = []
    draws = points(random.Random("points"), LEAVES)
    for _ in range(_DRAWN):
        point = next(draws)
        try:
            found.append((point, apart(e, f, point, reals=reals)))
        except Unusable:
            continue
        if len(found) == _POINTS:
            break
    return tuple(found)


def differing(e: Expression, f: Expression, reals: bool = True) -> str:
    """A point at which the two differ, "" where there is none."""
    return next((shown(point) for point, differ in compared(e, f, reals) if differ), "")


def mistake(e: Expression, f: Expression, d: Decision) -> str:
    """What is wrong with the verdict, "" where nothing is."""
    if d.verdict == "equivalent":
        point = differing(e, f)
        if point:
            return f"equivalent, and they differ at {point}"
        if len(compared(e, f)) < _ENOUGH:
            return f"equivalent, and only {len(compared(e, f))} points confirm it"
        if differing(e, f, reals=False) and not any("stands for" in a for a in d.assumptions):
            return "equivalent, as a literal stands for a real number, and no assumption says so"
    if d.verdict == "not-equivalent":
        if d.counterexample is None:
            return "refuted without a counterexample"
        inputs = {element: Fraction(text) for (_, element), text in d.counterexample.inputs.items()}
        at = tuple(inputs.get(i, Fraction(0)) for i in range(LEAVES))
        try:
            if not (apart(e, f, at) and apart(e, f, at, reals=False)):
                return f"refuted, and they agree at the counterexample {shown(at)}"
        except Unusable:
            return f"refuted where one side has no value: {shown(at)}"
    return ""


def shown(point: Point) -> str:
    return "(" + ", ".join(map(str, point)) + ")"


def run(kind: str, numbers: Iterable[int]) -> Tally:
    tally = Tally()
    for number in numbers:
        e, f = made(kind, number)
        start = time.perf_counter()
        d = decided(e, f)
        tally.slowest = max(tally.slowest, (time.perf_counter() - start, kind, number))
        tally.verdicts[kind, d.verdict] += 1
        why = mistake(e, f, d)
        if not why and kind == "rewritten" and (d.verdict == "not-equivalent" or differing(e, f)):
            why = f"the rewriting itself is wrong, at {differing(e, f) or 'the counterexample'}"
        if why:
            tally.wrong.append((kind, number, why))
        elif d.verdict == "unknown":
            told = "; they differ" if differing(e, f) else ""
            tally.reasons[kind, reason(d) + told] += 1
    return tally


def reason(d: Decision) -> str:
    """Without the element and without numbers."""
    return re.sub(r"\d+", "n", re.sub(r"^\w+\[\d+\]: ", "", d.unknown[0]))


def shrunk(e: Expression, f: Expression) -> tuple[Expression, Expression, str]:
    """A small pair whose verdict is wrong in itself, and how, found by taking parts for wholes."""
    why = mistake(e, f, decided(e, f))
    sides, steps, again = (e, f), 0, bool(why)
    while again and steps < _STEPS:
        again = False
        for smaller in _smaller(*sides):
            steps += 1
            told = mistake(*smaller, decided(*smaller))
            if told and _sort(told) == _sort(why):
                sides, why, again = smaller, told, True
                break
    return (*sides, why)


def _sort(why: str) -> str:
    """A mistake without the point."""
    return re.sub(r"\(.*|\d+", "", why)


def _smaller(e: Expression, f: Expression) -> Iterator[tuple[Expression, Expression]]:
    for side in (0, 1):
        whole = (e, f)[side]
        for at in places(whole):
            part = taken(whole, at)
            if part[0] in (*ATOMS, "lt", "le", "eq", "not"):
                continue
            for new in (("const", 1.0), ("leaf", 0), *part[1:]):
                if new[0] not in ("lt", "le", "eq", "not"):
                    yield (put(e, at, new), f) if side == 0 else (e, put(f, at, new))
