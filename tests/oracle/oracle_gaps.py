"""Where the checker does not answer as it should yet: each with what programs it concerns, and a smallest program.

test_oracle.py fails where such a program has come to be answered rightly; the entry then has to go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oracle_compare import disagreement
from oracle_program import Program
from oracle_ptx import answer
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


# An entry stays until the two agree on its program (test_oracle.py).
GAPS: tuple[Gap, ...] = ()


def closed(gap: Gap) -> str:
    """Why an entry has to go or is none; "" where it is right."""
    if not gap.concerns(gap.smallest):
        return f"{gap.name} does not concern its own program"
    wrong = disagreement(explore(gap.smallest), answer(gap.smallest))
    return "" if wrong.startswith(gap.wrong[0]) else f"{gap.name} is answered otherwise ({wrong or 'rightly'})"


def known(program: Program, wrong: str) -> str:
    """The names of the gaps that explain a disagreement; "" for none."""
    return ", ".join(gap.name for gap in GAPS if wrong.startswith(gap.wrong) and gap.concerns(program))
