"""Contracts that cannot fail: what a verdict would hold for whatever a kernel does, told from the facts that the stages keep.

A note is given only where all combinations of dims have it: at n = 1 a softmax is a constant, and no harm is done. Contents
that the contract knows are no inputs here, and without a reference nothing is compared, which is what such a contract says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from volta_pipe.driver.combination import SIDES
from volta_pipe.driver.findings import decision_finding
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.tensors import TensorPlan

if TYPE_CHECKING:
    from volta_pipe.driver.pipeline import Combination

KIND = "vacuous"
Facts = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Vacuity:
    """One thing that makes a contract say less than it seems to. `side`: whose doing it is, or "both"; `subject`: the tensor or
    scalar, or "" for all of the contract."""

    side: str
    subject: str
    message: str


def vacuous_notes(combinations: Sequence[Combination]) -> list[dict[str, Any]]:
    """The notes of a run: what all of its combinations have that were compared, in the order of the first."""
    compared = [one for one in combinations if _facts(one, "reference") and _facts(one, "candidate")]
    found = [list(vacuities(one)) for one in compared]
    common = [what for what in found[0] if all(what in others for others in found)] if found else []
    return [
        {"kind": KIND, "side": what.side, "dims": one.plan.dims, "subject": what.subject, "message": what.message}
        for one in compared
        for what in common
    ]


def nothing_compared(one: Combination) -> list[dict[str, Any]]:
    """Findings: outputs of which the CTAs that the contract chooses write no element, so that nothing would be compared."""
    if one.plan.candidate.ctas is None or ("both", "decide") not in one.steps:
        return []
    found = []
    for name, fact in _facts(one, "candidate").items():
        # As the comparison with a spec has it; with a kernel, elements that an inout tensor keeps are compared, too.
        old = 0 if isinstance(one.plan.reference, KernelPlan) else fact["copies"].get(name, 0)
        if fact["known"] == old:
            message = f"the CTAs that the contract chooses write no element of {name}, so that nothing of it is compared"
            found.append(decision_finding(one, {"kind": "unwritten-output", "message": message, "name": name, "offset": 0}))
    return found


def vacuities(one: Combination) -> Iterator[Vacuity]:
    """What is vacuous at one combination of dims, of which both sides have facts."""
    reference, candidate = _facts(one, "reference"), _facts(one, "candidate")
    if _same_kernel(one):
        yield Vacuity("both", "", "reference and candidate are the same kernel with the same launch, compared with itself")
    if _never_finite(one):
        yield Vacuity("reference", "", "the reference has no finite value on any of the inputs that dynamic tried")
    if one.plan.candidate.ctas is not None:
        return  # inputs that other CTAs use say nothing
    uses = [{name for fact in facts.values() for name in fact["inputs"]} for facts in (reference, candidate)]
    inputs = _inputs(one)
    given = [name for name, role in inputs.items() if role != "inout"]  # of inout tensors nobody has to use the old contents
    if given and not uses[0]:
        text = "the reference's outputs are constants, which depend on no input of the contract"
        yield Vacuity("reference", "", f"{text} ({', '.join(given)})")
        return
    owners = _owners(one)
    for name in inputs:
        used = [owners.get(name, name) in names for names in uses]
        if used == [True, False]:
            yield Vacuity("candidate", name, f"the reference's outputs depend on {name}, the candidate's do not")
        elif used == [False, True]:
            yield Vacuity("reference", name, f"the candidate's outputs depend on {name}, the reference's do not")
        elif used == [False, False] and name in given:
            read = owners.get(name, name) in _touched(one, "candidate", "read")
            what = "the candidate reads in vain" if read else "could be left out of the contract"
            yield Vacuity("both", name, f"no output depends on {name}, which {what}")
    unused = [name for name in given if owners.get(name, name) not in uses[0] | uses[1]]
    yield from _copied(one, reference, candidate, unused)
    yield from _scratch(one)


def _copied(one: Combination, reference: Facts, candidate: Facts, unused: Sequence[str]) -> Iterator[Vacuity]:
    """Outputs that both sides leave as they are, and those that are an input's contents while other inputs are left unused: a
    kernel that copies its only input is an honest one."""
    tensors = {tensor.spec.name: tensor for tensor in one.plan.candidate.tensors}
    owners = _owners(one)
    for name, fact in reference.items():
        sides = (fact, candidate[name])
        whole = [{t for t, count in side["copies"].items() if count == side["elements"]} for side in sides]
        for source in sorted(set.intersection(*whole)):
            if source == owners[name]:
                yield Vacuity("both", name, f"{name} is left as it was before the launch by both sides")
            elif unused and tensors[source].shape == tensors[name].shape:
                text = f"{name} is a plain copy of {source} on both sides, and nothing is computed from"
                yield Vacuity("both", name, f"{text} {', '.join(unused)}")


def _scratch(one: Combination) -> Iterator[Vacuity]:
    """Scratch tensors with memory of their own that a kernel writes and none reads."""
    owners = _owners(one)
    for name in _touched(one, "candidate", "written"):
        tensor = next(t for t in one.plan.candidate.tensors if t.spec.name == name)
        shared = list(owners.values()).count(name) > 1
        if tensor.spec.role == "scratch" and not shared and all(name not in _touched(one, s, "read") for s in SIDES):
            text = f"what the candidate leaves in scratch tensor {name} is read by nobody and compared by nobody"
            yield Vacuity("candidate", name, f"{text}; if it is a result, its role is out")


def _inputs(one: Combination) -> dict[str, str]:
    """The names of in and inout tensors and scalars of unknown contents, each with its role ("scalar")."""
    owners, tensors = _owners(one), one.plan.candidate.tensors
    known = {owners[t.spec.name] for t in tensors if t.spec.values is not None}
    found = {t.spec.name: t.spec.role for t in tensors if t.spec.role in ("in", "inout") and owners[t.spec.name] not in known}
    return found | {name: "scalar" for name, _, value in one.plan.candidate.scalars if value is None}


def _owners(one: Combination) -> dict[str, str]:
    """By name of a tensor the name of the one whose memory it shares, else its own."""
    tensors: tuple[TensorPlan, ...] = one.plan.candidate.tensors
    return {t.spec.name: tensors[t.alias_of].spec.name if t.alias_of >= 0 else t.spec.name for t in tensors}


def _facts(one: Combination, side: str) -> Facts:
    """What `facts.output_facts` told of a side; empty where it did not get so far."""
    step = one.steps.get((side, "vc")) or one.steps.get((side, "trace"))
    return {} if step is None else step.summary.get("facts") or {}


def _touched(one: Combination, side: str, how: str) -> list[str]:
    step = one.steps.get((side, "unroll"))
    return [] if step is None else (step.summary.get("touched") or {}).get(how) or []


def _never_finite(one: Combination) -> bool:
    step = one.steps.get(("both", "dynamic"))
    if step is None or step.error:
        return False
    return bool(
        step.summary["trials"]
        and not step.summary["compared"]
        and any(f["elements"] for f in _facts(one, "reference").values())
    )


def _same_kernel(one: Combination) -> bool:
    steps = [one.steps.get((side, "unroll")) for side in SIDES]
    return all(steps) and len({step.key for step in steps if step}) == 1
