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


def _filled_by_arrivals(program: Program) -> bool:
    """Whether enough warps arrive at some barrier to fill it without anybody who waits."""
    warps: dict[tuple[int, int], set[int]] = {}
    for t, ops in enumerate(program.threads):
        for op in ops:
            if op.kind == "arrive":
                warps.setdefault((op.number, op.count), set()).add(program.warp(t))
    return any(32 * len(found) >= count for (_, count), found in warps.items())


_ALONE = Program(
    (0, 33),
    ((Op("sync", 1, number=1, count=64), Op("sync", 2, number=2, count=32)),
     (Op("arrive", 0, number=2, count=32), Op("sync", 1, number=1, count=64))),
    listed=True,
)  # fmt: skip

# An entry stays until the two agree on its program (test_oracle.py).
GAPS: tuple[Gap, ...] = (
    Gap(
        "filled by arrivals",
        "bar.arrive alone fills a barrier, so nobody waits at it: the machine opens a barrier only for those who wait",
        _filled_by_arrivals,
        _ALONE,
        ("unsupported",),
    ),
)


def known(program: Program, wrong: str) -> str:
    """The names of the gaps that explain a disagreement; "" for none."""
    return ", ".join(gap.name for gap in GAPS if wrong.startswith(gap.wrong) and gap.concerns(program))
