"""Where the checker does not answer as it should yet: each with what programs it concerns, and a smallest program.

test_oracle.py fails where such a program has come to be answered rightly; the entry then has to go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oracle_program import Op, Program


@dataclass(frozen=True)
class Gap:
    """concerns: programs on which a wrong answer counts as this, if the disagreement begins with one of `wrong`; smallest: one
    such program, on which it begins with the first."""

    name: str
    why: str
    concerns: Callable[[Program], bool]
    smallest: Program
    wrong: tuple[str, ...]


def _synchronising(program: Program, thread: int) -> list[tuple[str, int, int, int]]:
    ops = program.threads[thread]
    return [(op.kind, op.number, op.count, op.mask) for op in ops if op.kind in ("sync", "arrive", "warpsync")]


def _by_warp(program: Program) -> list[list[int]]:
    warps = sorted({program.warp(t) for t in range(len(program.tids))})
    return [[t for t in range(len(program.tids)) if program.warp(t) == w] for w in warps]


def torn(program: Program) -> bool:
    """Threads of a warp that come to different barriers, one of them with a count."""
    for mates in _by_warp(program):
        if any(_synchronising(program, t) != _synchronising(program, mates[0]) for t in mates):
            counted = any(op.count for t in mates for op in program.threads[t])
            if counted:
                return True
    return False


def scattered(program: Program) -> bool:
    """A bar.arrive in a warp whose threads do not all synchronise alike."""
    for mates in _by_warp(program):
        alike = all(_synchronising(program, t) == _synchronising(program, mates[0]) for t in mates)
        if not alike and any(op.kind == "arrive" for t in mates for op in program.threads[t]):
            return True
    return False


def apart(program: Program) -> bool:
    """Threads of a warp whose bar.warp.sync are different instructions."""
    for mates in _by_warp(program):
        seen = [[op.static for op in program.threads[t] if op.kind == "warpsync"] for t in mates]
        if any(one != seen[0] for one in seen):
            return True
    return False


def unlike(program: Program) -> bool:
    """Threads that give different masks to one bar.warp.sync."""
    masks: dict[tuple[int, int], set[int]] = {}
    for t, ops in enumerate(program.threads):
        for op in ops:
            if op.kind == "warpsync":
                masks.setdefault((program.warp(t), op.static), set()).add(op.mask)
    return any(len(given) > 1 for given in masks.values())


def crowded(program: Program) -> bool:
    """More warps use a barrier than it counts."""
    users: dict[int, set[int]] = {}
    counts: dict[int, set[int]] = {}
    for t, ops in enumerate(program.threads):
        for op in ops:
            if op.kind in ("sync", "arrive"):
                users.setdefault(op.number, set()).add(program.warp(t))
                counts.setdefault(op.number, set()).add(op.count or 1 << 20)
    return any(32 * len(users[number]) > min(counts[number]) for number in users)


def _first(number: int) -> Op:
    return Op("sync", number, number=1, count=64)


def _second(number: int) -> Op:
    return Op("sync", number, number=2, count=64)


_OPEN = "unsupported, and nothing is open"
# What comes of going past a barrier that does not open, and of stopping where one does.
_PASSED = ("safe, but there are deadlocks", "a deadlock is missed", "a race that is none", _OPEN)
_STOPPED = ("deadlock where no schedule is stuck", "a race is missed", "an outcome that depends on the order")
GAPS: tuple[Gap, ...] = (
    Gap(
        "torn warps",
        "a warp counts as arrived at a barrier with a count while others of its threads are elsewhere (PTX ISA 9.7.13.1: a "
        "thread waits for all threads of its warp that have not exited)",
        torn,
        Program((0, 1), ((Op("sync", 0, number=1, count=32, aligned=False),), (Op("warpsync", 1, mask=3),))),
        _PASSED,
    ),
    Gap(
        "bar.warp.sync apart",
        "threads wait for each other only at one instruction, where the same mask at another would do (PTX ISA 9.7.13.2)",
        apart,
        Program((0, 1), ((Op("warpsync", 0, mask=3),), (Op("warpsync", 1, mask=3),))),
        _STOPPED,
    ),
    Gap(
        "masks unlike",
        "threads at one bar.warp.sync with different masks go on, where each waits for its own mask (PTX ISA 9.7.13.2)",
        unlike,
        Program((0, 1), ((Op("warpsync", 0, mask=3),), (Op("warpsync", 0, mask=7),)), listed=True),
        _PASSED,
    ),
    Gap(
        "scattered arrivals",
        "a bar.arrive that only a part of a warp has come to is unsupported, even if the others come or exit later",
        scattered,
        Program((0, 1), ((), (Op("arrive", 1, number=1, count=32),)), listed=True),
        (_OPEN,),
    ),
    Gap(
        "crowded barriers",
        "a barrier that two warps use one after the other, each alone with a count of 32, is unsupported",
        crowded,
        Program((0, 32), ((Op("sync", 0, number=1, count=32),), (Op("sync", 1, number=1, count=32),))),
        (_OPEN,),
    ),
)


def known(program: Program, wrong: str) -> str:
    """The names of the gaps that explain a disagreement; "" for none."""
    return ", ".join(gap.name for gap in GAPS if wrong.startswith(gap.wrong) and gap.concerns(program))
