"""Where the checker does not answer as it should yet: each with what programs it concerns, and a smallest program.

test_oracle.py fails where such a program has come to be answered rightly; the entry then has to go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oracle_program import Program


@dataclass(frozen=True)
class Gap:
    """concerns: programs on which a wrong answer counts as this, if the disagreement begins with one of `wrong`; smallest: one
    such program, on which it begins with the first."""

    name: str
    why: str
    concerns: Callable[[Program], bool]
    smallest: Program
    wrong: tuple[str, ...]


# None at present. An entry stays until the two agree on its program (test_oracle.py).
GAPS: tuple[Gap, ...] = ()


def known(program: Program, wrong: str) -> str:
    """The names of the gaps that explain a disagreement; "" for none."""
    return ", ".join(gap.name for gap in GAPS if wrong.startswith(gap.wrong) and gap.concerns(program))
