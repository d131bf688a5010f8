"""All classes of two graphs: planned, cut out, solved, and put together again in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volta_pipe.ir.graph import Graph
from volta_pipe.ir.parts import Inputs
from volta_pipe.passes.canon.compare import Effort, Outcome
from volta_pipe.passes.canon.units.plan import planned
from volta_pipe.passes.canon.units.solution import Solution, Solve, compute
from volta_pipe.passes.canon.units.unit import Cutter, Roots, Unit


@dataclass(frozen=True)
class Representative:
    """Of a class: its roots on both sides, how many nodes are under them, and which output element it is: tensor, element."""

    roots: Roots
    sizes: tuple[int, int]
    place: tuple[int, int]


def solved(
    graphs: tuple[Graph, Graph], found: Sequence[Representative], inputs: Inputs, *, named: bool, max_terms: int, solve: Solve,
    least: int,
) -> tuple[list[Outcome], list[Solution]]:  # fmt: skip
    """(what comes of each class, forms being numbers as in `Canonical`; the solutions of the units, whose tables those are).

    Where all are one unit, its graphs are those of the sides as they are, and `solve` is not asked."""
    plan = planned(graphs, [r.roots for r in found], [r.sizes for r in found], [r.place for r in found], least=least)
    if len(plan) == 1:
        unit = Unit(graphs, tuple(r.roots for r in found), inputs, named, max_terms)
        solution = compute(unit, Effort())
        return list(solution.outcomes), [solution]
    cutter = Cutter(graphs, inputs, named=named, max_terms=max_terms)
    effort, start = Effort(), 0
    outcomes: dict[int, Outcome] = {}
    solutions = []
    for members, kept in plan:
        solution = solve(cutter.cut([found[i].roots for i in members], kept=kept), effort)
        for i, (outcome, why, (f, g)) in zip(members, solution.outcomes, strict=True):
            outcomes[i] = outcome, why, ((f + start, g + start) if f else (0, 0))
        effort, start = solution.effort, start + len(solution.table.items) - 1
        solutions.append(solution)
    return [outcomes[i] for i in range(len(found))], solutions
