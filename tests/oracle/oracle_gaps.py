"""Where the checker does not answer as it should yet: each with what programs it concerns, and a smallest program.

test_oracle.py fails where such a program has come to be answered rightly; the entry then has to go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oracle_program import Op, Program
from oracle_schedules import explore


@dataclass(frozen=True)
class Gap:
    """concerns: programs on which a wrong answer counts as this, if the disagreement begins with one of `wrong`; smallest: one
    such program, on which it begins with the first."""

    name: str
    why: str
    concerns: Callable[[Program], bool]
    smallest: Program
    wrong: tuple[str, ...]


def _first(number: int) -> Op:
    return Op("sync", number, number=1, count=64)


def _second(number: int) -> Op:
    return Op("sync", number, number=2, count=64)


GAPS: tuple[Gap, ...] = (
    Gap(
        "barriers by chance",
        "which warps meet at a barrier that is used again depends on the schedule; one pairing is taken for the only one",
        lambda program: explore(program).ambiguous,
        Program(
            (0, 32, 64, 96),
            ((Op("st", 0), _first(1)), (_first(2), Op("ld", 3)), (_second(4), _first(5)), (_second(6), _first(7))),
        ),
        ("safe, but there are races", "safe, but the schedules end in"),
    ),
)


def known(program: Program, wrong: str) -> str:
    """The names of the gaps that explain a disagreement; "" for none."""
    return ", ".join(gap.name for gap in GAPS if wrong.startswith(gap.wrong) and gap.concerns(program))
