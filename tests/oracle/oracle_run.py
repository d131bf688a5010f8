"""One program by its number: its schedules, the checker's answer, and whether the two agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from oracle_compare import disagreement, shrunk
from oracle_gaps import known
from oracle_program import Program
from oracle_ptx import answer
from oracle_random import program
from oracle_schedules import Outcome, explore


def difference(made: Program) -> str:
    """How the checker's answer differs from what the schedules do; "" where it does not."""
    return disagreement(explore(made), answer(made))


@dataclass
class Tally:
    """Programs by what their schedules do; by gap, those that the gap concerns and on which the two differ; and all others on
    which they differ, with how."""

    sorts: Counter[str] = field(default_factory=Counter)
    gaps: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[int, str]] = field(default_factory=list)
    states: int = 0


def sort_of(outcome: Outcome) -> str:
    """What schedules do, in words."""
    found = [word for word in ("races", "orders", "deadlocks", "undefined") if getattr(outcome, word)]
    return ", ".join([*found, *(["ambiguous"] if outcome.ambiguous else [])]) or "clean"


def compare(numbers: Iterable[int]) -> Tally:
    """Compares the programs of these numbers."""
    tally = Tally()
    for number in numbers:
        made = program(number)
        outcome = explore(made)
        tally.sorts[sort_of(outcome)] += 1
        tally.states += outcome.states
        wrong = disagreement(outcome, answer(made))
        if wrong and known(made, wrong):
            tally.gaps[known(made, wrong)] += 1
        elif wrong:
            tally.wrong.append((number, wrong))
    return tally


def told(number: int) -> str:
    """A disagreement in full, on a program that was made as small as it gets."""
    wrong = difference(program(number))
    begins = wrong[:30]
    least = shrunk(program(number), lambda made: difference(made)[:30] == begins)
    found = explore(least)
    what = {name: getattr(found, name) for name in ("races", "orders", "deadlocks", "undefined")}
    said = answer(least)
    lines = [f"program {number}: {wrong}", "smallest:", str(least)]
    lines += [f"  schedules: {name} {sorted(value)}" for name, value in what.items() if value]
    return "\n".join([*lines, f"  checker: {', '.join(sorted(said.kinds)) or 'safe'} {list(said.messages[:2])}"])
