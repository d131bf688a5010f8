"""Stage `decide`: normal forms → verdict. Equal forms prove a class; a certified counterexample refutes it; else: unknown."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from volta_pipe.ir.errors import ArtifactError, BudgetError
from volta_pipe.ir.findings import Finding
from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import MAX_TERMS, elements_of
from volta_pipe.passes.canon.canonical import Canonical, EquivalenceClass, Unmatched
from volta_pipe.passes.canon.sides import Side, identical
from volta_pipe.passes.canon.written import where_written
from volta_pipe.passes.decide.certificate import OPEN, REFUTED
from volta_pipe.passes.decide.certify import certify
from volta_pipe.passes.decide.decision import EQUIVALENT, NOT_EQUIVALENT, UNKNOWN, Counterexample, Decision
from volta_pipe.passes.inputs import integer_inputs
from volta_pipe.passes.points import PARTIAL, POINTS, valued_somewhere

# What compares forms and looks for counterexamples is imported where it is called: trees that are the same need none of it.
if TYPE_CHECKING:
    from volta_pipe.passes.canon.units import Cutter, Solve
    from volta_pipe.passes.decide.domains import Ranges
    from volta_pipe.passes.decide.refute import Witness

__all__ = ["VERSION", "Counterexample", "Decision", "decide"]

VERSION = 5


def decide(
    canonical: Canonical, reference: Conditions, candidate: Conditions, *, seed: int = 0, ranges: Ranges | None = None,
    chosen: bool = False, solve: Solve | None = None,
) -> Decision:  # fmt: skip
    """The verdict on the elements of `canonical`, which was made from these two conditions. ranges: of tensors, by name; a
    counterexample lies within them where one was found there. chosen: only what the candidate writes is compared. solve: gives
    the solution of a class that is proved case by case, which is that of `compute` (None) wherever it comes from; it is asked
    where there are several classes.

    Errors: ArtifactError when it was not."""
    if canonical.tensors != reference.tensors or canonical.tensors != candidate.tensors:
        raise ArtifactError("the normal forms belong to other conditions")
    if (reference.tensor_types, reference.scalar_types) != (candidate.tensor_types, candidate.scalar_types):
        raise ArtifactError("the two sides have other dtypes")
    _whole(canonical, *(where_written(reference, candidate) if chosen else (reference, candidate)))
    sides = (Side(reference.graph), Side(candidate.graph))
    cases = _Cases(canonical, reference, candidate, solve)
    proved, open_classes = 0, []
    claims: list[str] = []
    for c in canonical.classes:
        roots = _roots(c, reference, candidate)
        if cases.proved(roots) if c.outcome == "cases" else _proved(canonical, c, sides, roots):
            proved += len(c.elements)
            claims.append(c.outcome)
        else:
            open_classes.append(c)
            claims.append(OPEN)
    elements = sum(len(c.elements) for c in canonical.classes)
    stats = {"elements": elements, "classes": len(canonical.classes), "proved": proved}
    findings = _unmatched(canonical)
    unknown: list[str] = []
    counterexample = None
    if open_classes:
        refuted, counterexample, unknown = _refuted(canonical, open_classes, reference, candidate, ranges or {}, seed)
        if refuted is not None and counterexample is not None:
            findings.append(_mismatch(canonical, refuted, counterexample))
            claims[next(i for i, other in enumerate(canonical.classes) if other is refuted)] = REFUTED
    if not findings and not unknown:
        for i in _nowhere(canonical, reference, candidate):
            c, claims[i] = canonical.classes[i], OPEN
            unknown.append(_reason(canonical, c, f"at none of {POINTS} inputs that were tried have both sides a value"))
            stats["proved"] -= len(c.elements)
    verdict = NOT_EQUIVALENT if findings else UNKNOWN if unknown else EQUIVALENT
    if not elements and not findings:
        verdict = UNKNOWN
        unknown.append("no output element was compared")
    elif verdict == EQUIVALENT and all(_untouched(c, side) for c in canonical.classes for side in (reference, candidate)):
        verdict = UNKNOWN
        unknown.append("neither side changes an output element")
    assumptions = tuple(sorted({*canonical.assumptions}))
    certificate = certify(canonical, claims)
    return Decision(verdict, tuple(findings), counterexample, tuple(unknown), assumptions, stats, certificate)


def _whole(canonical: Canonical, reference: Conditions, candidate: Conditions) -> None:
    """Errors: ArtifactError unless each element that both sides write is in one class, and no other is."""
    elements, *alone = elements_of(reference, candidate)
    empty = np.zeros(0, np.int32)
    tensors = np.concatenate([empty, *(c.tensors for c in canonical.classes)])
    members = np.concatenate([empty, *(c.elements for c in canonical.classes)])
    order = np.lexsort((members, tensors))
    same = np.array_equal(tensors[order], elements.tensor) and np.array_equal(members[order], elements.element)
    if not same or alone != [canonical.only_reference, canonical.only_candidate]:
        raise ArtifactError("the normal forms are of other elements")


def _roots(c: EquivalenceClass, reference: Conditions, candidate: Conditions) -> tuple[int, int]:
    """Root nodes of the representative."""
    tensor, element = int(c.tensors[0]), int(c.elements[0])
    found = []
    for side in (reference, candidate):
        roots = side.outputs.get(tensor)
        if roots is None or element >= len(roots) or not roots[element]:
            raise ArtifactError("the normal forms belong to other conditions")
        found.append(int(roots[element]))
    return found[0], found[1]


def _proved(canonical: Canonical, c: EquivalenceClass, sides: tuple[Side, Side], roots: tuple[int, int]) -> bool:
    """Whether the class is proved; what `canon` noted is checked again, not believed."""
    if c.outcome == "identical":
        return identical(sides, roots)
    if c.outcome != "equal":
        return False
    from volta_pipe.passes.canon.expand import proved_equal

    table, _ = canonical.place(c.forms[0])
    if table is not canonical.place(c.forms[1])[0]:
        return False
    table.budget = table.work + MAX_TERMS
    try:
        return proved_equal(table, canonical.form(c.forms[0]), canonical.form(c.forms[1]))
    except BudgetError:
        return False
    finally:
        table.budget = 1 << 62


def _refuted(
    canonical: Canonical, classes: list[EquivalenceClass], reference: Conditions, candidate: Conditions, ranges: Ranges,
    seed: int,
) -> tuple[EquivalenceClass | None, Counterexample | None, list[str]]:  # fmt: skip
    """(the first of some classes, small ones first, that is refuted; by what; why those before it are neither)."""
    from volta_pipe.passes.canon.balls import Expression
    from volta_pipe.passes.decide.domains import domains_of, within
    from volta_pipe.passes.decide.refute import CAUTIONS, Search

    domains = domains_of(reference.tensor_types, reference.scalar_types)
    cautions = [c for c in CAUTIONS if c in reference.assumptions or c in candidate.assumptions]
    search = Search(seed, domains, within(domains, reference.tensors, ranges), cautions)
    unknown: list[str] = []
    for c in sorted(classes, key=lambda c: sum(c.sizes)):
        roots = _roots(c, reference, candidate)
        x, y = Expression(reference.graph, roots[0]), Expression(candidate.graph, roots[1])
        witness, why = search.refute(x, y, named=canonical.constants == "named")
        if witness is not None:
            return c, _counterexample(canonical, c, witness), unknown
        unknown.append(_reason(canonical, c, why))
    return None, None, unknown


def _nowhere(canonical: Canonical, reference: Conditions, candidate: Conditions) -> list[int]:
    """The numbers of classes that are equal where partial functions have values, which both sides have for no input that was
    tried: as far as these tell, nothing is said of any run. Trees that are the same have values for the same inputs."""
    compared = [i for i, c in enumerate(canonical.classes) if c.outcome != "identical"]
    if not compared or not any(np.isin(side.graph.op, PARTIAL).any() for side in (reference, candidate)):
        return []
    roots = np.array([_roots(canonical.classes[i], reference, candidate) for i in compared])
    inputs = integer_inputs(reference.tensor_types, reference.scalar_types)
    found = valued_somewhere((reference.graph, candidate.graph), roots, inputs)
    return [i for i, fine in zip(compared, found, strict=True) if not fine]


def _untouched(c: EquivalenceClass, side: Conditions) -> bool:
    """Whether a side leaves all elements of a class as they were before the launch."""
    g = side.graph
    roots = np.array([side.outputs[int(t)][int(e)] for t, e in zip(c.tensors, c.elements, strict=True)])
    return bool(((g.op[roots] == Node.LEAF) & (g.a[roots] == c.tensors) & (g.b[roots] == c.elements)).all())


class _Cases:
    """Classes that are proved case by case, from their expressions and under assumptions that `canon` named."""

    def __init__(self, canonical: Canonical, reference: Conditions, candidate: Conditions, solve: Solve | None) -> None:
        self._graphs = reference.graph, candidate.graph
        self._inputs = integer_inputs(reference.tensor_types, reference.scalar_types)
        self._named, self._several = canonical.constants == "named", len(canonical.classes) > 1
        self._assumptions = set(canonical.assumptions)
        self._solve = solve if self._several else None

    @cached_property
    def _cutter(self) -> Cutter:
        from volta_pipe.passes.canon.units import Cutter

        return Cutter(self._graphs, self._inputs, named=self._named, max_terms=MAX_TERMS)

    def proved(self, roots: tuple[int, int]) -> bool:
        """Whether the class with these roots is."""
        from volta_pipe.passes.canon.compare import Effort
        from volta_pipe.passes.canon.units import Unit, compute

        whole = Unit(self._graphs, (roots,), self._inputs, self._named, MAX_TERMS)
        solve = self._solve or compute
        found = solve(self._cutter.cut([roots], kept=True) if self._several else whole, Effort())
        ((outcome, _, _),) = found.outcomes
        return outcome in ("equal", "cases") and set(found.assumptions) <= self._assumptions


def _unmatched(canonical: Canonical) -> list[Finding]:
    """Findings for elements that one side alone writes."""
    findings = []
    sides: list[tuple[str, str, Unmatched]] = [
        ("reference", "candidate", canonical.only_reference),
        ("candidate", "reference", canonical.only_candidate),
    ]
    for writer, other, alone in sides:
        if alone.count:
            name = canonical.tensors[alone.tensor]
            message = f"the {writer} writes {name}[{alone.element}], the {other} does not"
            if alone.count > 1:
                message += f" (and {alone.count - 1} more elements)"
            findings.append(Finding("mismatch", message, name=name, offset=alone.element, count=alone.count))
    return findings


def _counterexample(canonical: Canonical, c: EquivalenceClass, witness: Witness) -> Counterexample:
    def named(key: tuple[int, int]) -> tuple[str, int]:
        return (canonical.scalars[key[1]], -1) if key[0] < 0 else (canonical.tensors[key[0]], key[1])

    inputs = {named(key): str(value) for key, value in witness.point.items()}
    matters, outside = (tuple(named(key) for key in keys) for keys in (witness.matters, witness.outside))
    from volta_pipe.passes.canon.show import show

    first, second = (show(canonical, f) if f else "" for f in c.forms)
    return Counterexample(
        canonical.tensors[int(c.tensors[0])], int(c.elements[0]), inputs, witness.reference, witness.candidate, first, second,
        matters, witness.complete, outside,
    )  # fmt: skip


def _mismatch(canonical: Canonical, c: EquivalenceClass, found: Counterexample) -> Finding:
    message = f"{found.tensor}[{found.element}] is {found.reference} in the reference and {found.candidate} in the candidate"
    if found.outside:
        message += f"; inputs lie outside the range of {' and '.join(sorted({name for name, _ in found.outside}))}"
    return Finding("mismatch", message, name=found.tensor, offset=found.element, count=len(c.elements))


def _reason(canonical: Canonical, c: EquivalenceClass, why: str) -> str:
    name = f"{canonical.tensors[int(c.tensors[0])]}[{int(c.elements[0])}]"
    more = f" (and {len(c.elements) - 1} more elements)" if len(c.elements) > 1 else ""
    return f"{name}{more}: {c.why or why}"
