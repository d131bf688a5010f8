"""Stage `canon`: expressions of both sides → classes of output elements and normal forms of one representative each."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.errors import ArtifactError, BudgetError
from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.normal_form import Table
from volta_pipe.passes.canon import classes, walk
from volta_pipe.passes.canon.arithmetic import Undecidable
from volta_pipe.passes.canon.canonical import Canonical, EquivalenceClass, Unmatched
from volta_pipe.passes.canon.rules import Rules
from volta_pipe.passes.canon.translate import Translator

__all__ = ["MAX_TERMS", "VERSION", "Canonical", "canon"]

VERSION = 1
MAX_TERMS = 4_000_000  # terms made per class, some seconds' worth
_READINGS = ("named", "exact")
_TAINTS = {walk.UNDEFINED: "it reads a value that was never written", walk.NOT_FINITE: "it holds NaN or an infinity"}


def canon(reference: Conditions, candidate: Conditions, *, constants: str = "named", max_terms: int = MAX_TERMS) -> Canonical:
    """Classes and normal forms of the output elements that both sides write.

    constants: "named" lets literals nearest to log2 e stand for it inside 2^x (an assumption), "exact" does not.
    Errors: ArtifactError when the two sides do not index the same tensors and scalars."""
    if reference.tensors != candidate.tensors or reference.scalars != candidate.scalars:
        raise ArtifactError("the two sides have different tensors or scalars: they come from different contracts")
    if constants not in _READINGS:
        raise ValueError(f"constants must be one of {_READINGS}")
    elements, only_reference, only_candidate = _elements(reference, candidate)
    table = Table()
    rules = Rules(table, named=constants == "named")
    translators = (Translator(reference.graph, rules), Translator(candidate.graph, rules))
    found = []
    for group in classes.groups(elements, reference, candidate):
        members = elements.tensor[group.members].astype(np.int32), elements.element[group.members].astype(np.int32)
        outcome, why, forms = "identical", "", (0, 0)
        if group.taint:
            outcome, why = "undecidable", _TAINTS[group.taint]
        elif not group.identical:
            roots = int(elements.reference[group.members[0]]), int(elements.candidate[group.members[0]])
            outcome, why, forms = _compare(table, translators, roots, max_terms)
        found.append(EquivalenceClass(*members, group.sizes, outcome, why, forms))
    stats = {"elements": len(elements.tensor), "classes": len(found), "terms": table.work, "parts": len(table.items)}
    return Canonical(
        tuple(found), table, reference.tensors, reference.scalars, constants, only_reference, only_candidate,
        tuple(sorted(rules.assumptions)), stats,
    )  # fmt: skip


def _compare(
    table: Table, translators: tuple[Translator, Translator], roots: tuple[int, int], max_terms: int
) -> tuple[str, str, tuple[int, int]]:
    """(outcome, why, numbers of the two forms) of one representative."""
    table.budget = table.work + max_terms
    try:
        x, y = (translator.form(root) for translator, root in zip(translators, roots, strict=True))
        outcome = "equal" if table.equal(x, y) else "differ"
    except (Undecidable, BudgetError) as reason:
        return "undecidable", str(reason), (0, 0)
    finally:
        table.budget = 1 << 62
    return outcome, "", (table.form(x), table.form(y))


def _elements(reference: Conditions, candidate: Conditions) -> tuple[classes.Elements, Unmatched, Unmatched]:
    """Elements that both sides write, and those that one side alone does."""
    columns: list[tuple[classes.Array, ...]] = []
    alone = [Unmatched(), Unmatched()]
    for tensor in sorted({*reference.outputs, *candidate.outputs}):
        sides = [c.outputs.get(tensor) for c in (reference, candidate)]
        size = max(len(s) for s in sides if s is not None)
        if any(s is not None and len(s) != size for s in sides):
            raise ArtifactError(f"the two sides have different sizes of {reference.tensors[tensor]}")
        x, y = (np.zeros(size, np.int32) if s is None else s for s in sides)
        both = np.flatnonzero((x != 0) & (y != 0))
        columns.append((np.full(len(both), tensor, np.int64), both, x[both], y[both]))
        for side, lonely in enumerate(((x != 0) & (y == 0), (x == 0) & (y != 0))):
            where = np.flatnonzero(lonely)
            if len(where):
                old = alone[side]
                first = (old.tensor, old.element) if old.count else (tensor, int(where[0]))
                alone[side] = Unmatched(old.count + len(where), *first)
    empty = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))
    merged = [np.concatenate(parts) for parts in zip(empty, *columns, strict=True)]
    return classes.Elements(*merged), alone[0], alone[1]
