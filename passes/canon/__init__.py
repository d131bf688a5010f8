"""Stage `canon`: expressions of both sides → classes of output elements and normal forms of one representative each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.graph import ARTIFACT_OPS, Conditions, rooted
from volta_pipe.ir.normal_form import Table
from volta_pipe.passes.canon import classes, signatures
from volta_pipe.passes.canon.canonical import Canonical, EquivalenceClass, Unmatched
from volta_pipe.passes.canon.sides import Array
from volta_pipe.passes.canon.units.plan import LEAST
from volta_pipe.passes.inputs import integer_inputs

if TYPE_CHECKING:
    from volta_pipe.passes.canon.compare import Outcome
    from volta_pipe.passes.canon.units import Representative, Solution, Solve

__all__ = ["MAX_TERMS", "VERSION", "Canonical", "canon"]

VERSION = 10
MAX_TERMS = 4_000_000  # terms made per class and attempt, some seconds' worth
_PIECE = 1 << 16  # nodes that are looked at together: a larger array costs more than the look
_READINGS = ("named", "exact")
_TAINTS = {
    signatures.UNDEFINED: "it reads a value that was never written",
    signatures.NOT_FINITE: "it holds NaN or an infinity",
}


def canon(
    reference: Conditions, candidate: Conditions, *, constants: str = "named", max_terms: int = MAX_TERMS,
    solve: Solve | None = None, least: int = LEAST,
) -> Canonical:  # fmt: skip
    """Classes and normal forms of the output elements that both sides write.

    constants: "named" lets literals nearest to log2 e stand for it inside 2^x, and those nearest to ln 2, π, 1/3 and the like
    for these where equality needs it (assumptions); "exact" does not. solve: gives the solution of a unit of classes, which is
    that of `compute` (None) wherever it comes from; it is asked where there are several. least: nodes from which one is cut
    out.
    Errors: ArtifactError when the two sides do not index the same tensors and scalars, or are no graphs of artifacts."""
    if reference.tensors != candidate.tensors or reference.scalars != candidate.scalars:
        raise ArtifactError("the two sides have different tensors or scalars: they come from different contracts")
    if constants not in _READINGS:
        raise ValueError(f"constants must be one of {_READINGS}")
    if (reference.tensor_types, reference.scalar_types) != (candidate.tensor_types, candidate.scalar_types):
        raise ArtifactError("the two sides have other dtypes")
    for side in (reference, candidate):
        op = side.graph.op
        if not all(ARTIFACT_OPS[op[i : i + _PIECE]].all() for i in range(1, len(op), _PIECE)):
            raise ArtifactError("a graph has an operator that only vc itself understands")
    elements, only_reference, only_candidate = elements_of(reference, candidate)
    groups = list(classes.groups(elements, reference, candidate))
    todo = [i for i, group in enumerate(groups) if not group.taint and not group.identical]
    outcomes: list[Outcome] = []
    solutions: list[Solution] = []
    if todo:
        # Here, so that trees which are the same are told so without what compares others, which takes longer to load.
        from volta_pipe.passes.canon.units import compute, solved

        outcomes, solutions = solved(
            (reference.graph, candidate.graph), [_representative(elements, groups[i]) for i in todo],
            integer_inputs(reference.tensor_types, reference.scalar_types), named=constants == "named", max_terms=max_terms,
            solve=solve or compute, least=least,
        )  # fmt: skip
    found = dict(zip(todo, outcomes, strict=True))
    made = []
    for i, group in enumerate(groups):
        members = elements.tensor[group.members].astype(np.int32), elements.element[group.members].astype(np.int32)
        outcome, why, forms = found.get(i, ("identical", "", (0, 0)))
        if group.taint:
            outcome, why = "undecidable", _TAINTS[group.taint]
        renaming = None if outcome == "undecidable" else group.renaming
        made.append(EquivalenceClass(*members, group.sizes, outcome, why, forms, renaming))
    stats = {"elements": len(elements.tensor), "classes": len(made)}
    tables = tuple(s.table for s in solutions) or (Table(),)
    parts = sum(s.parts for s in solutions) if solutions else len(tables[0].items)
    stats |= {"terms": sum(s.terms for s in solutions), "parts": parts}
    assumptions = tuple(sorted({a for s in solutions for a in s.assumptions}))
    return Canonical(
        tuple(made), tables, reference.tensors, reference.scalars, constants, only_reference,
        only_candidate, assumptions, stats, tuple(s.pack for s in solutions),
    )  # fmt: skip


def _representative(elements: classes.Elements, group: classes.Group) -> Representative:
    from volta_pipe.passes.canon.units import Representative

    i = group.members[0]
    roots = int(elements.reference[i]), int(elements.candidate[i])
    return Representative(roots, group.sizes, (int(elements.tensor[i]), int(elements.element[i])))


def elements_of(reference: Conditions, candidate: Conditions) -> tuple[classes.Elements, Unmatched, Unmatched]:
    """Elements that both sides write, and those that one side alone does."""
    columns: list[tuple[Array, ...]] = []
    alone = [Unmatched(), Unmatched()]
    for tensor in sorted({*reference.outputs, *candidate.outputs}):
        sides = [c.outputs.get(tensor) for c in (reference, candidate)]
        size = max(len(s) for s in sides if s is not None)
        if any(s is not None and len(s) != size for s in sides):
            raise ArtifactError(f"the two sides have different sizes of {reference.tensors[tensor]}")
        x, y = (np.zeros(size, np.int32) if s is None else s for s in sides)
        there = rooted(x), rooted(y)
        same = np.array_equal(*there)
        both = there[0] if same else np.intersect1d(*there, assume_unique=True)
        columns.append((np.full(len(both), tensor, np.int64), both, x[both], y[both]))
        for side in () if same else (0, 1):
            where = np.setdiff1d(there[side], both, assume_unique=True)
            if len(where):
                old = alone[side]
                first = (old.tensor, old.element) if old.count else (tensor, int(where[0]))
                alone[side] = Unmatched(old.count + len(where), *first)
    empty = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))
    merged = [np.concatenate(parts) for parts in zip(empty, *columns, strict=True)]
    return classes.Elements(*merged), alone[0], alone[1]
