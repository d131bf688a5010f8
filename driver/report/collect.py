"""All that a report says, as plain data; the page shows this and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from volta_pipe.driver.contract_parts import KernelSpec
from volta_pipe.driver.places import dims_text, where
from volta_pipe.driver.render import coverage_text, folded, same_finding
from volta_pipe.driver.report.classes import classes
from volta_pipe.driver.report.contract_facts import contract_facts
from volta_pipe.driver.report.findings import evidence
from volta_pipe.driver.report.times import layer_times
from volta_pipe.driver.report.trusted import trusted_base
from volta_pipe.driver.session import Session

SCHEMA = "volta-pipe/report/1"
VACUOUS = "vacuous"  # the kind of a note that says that the contract cannot fail
_BOTH = "both sides are safe, and every output element that was compared equals the reference, for all real inputs"
_MEANING = {
    "safe": "all safety checks hold. The contract has no reference, so nothing is said of what the kernel computes",
    "not-equivalent": "an output is not what the reference says",
    "unsafe": "a safety check fails. What a kernel computes means nothing then",
    "unsupported": "nothing is proved: something here is beyond what volta-pipe can decide",
    "unknown": "nothing is proved: a budget ran out, or neither a proof nor a counterexample was found",
}


def report(session: Session) -> dict[str, Any]:
    """The report of a finished run whose store is still open. `verdict_document` is the run's, without `stages`: what depends
    on the run and not on the inputs alone (times, what the store had) is in `times`, and nowhere else.

    Errors: InputError where the contract was changed meanwhile."""
    document = session.document
    return {
        "schema": SCHEMA,
        "verdict": document["verdict"],
        "meaning": _meaning(session),
        "covers": coverage_text(document),
        "contract": contract_facts(session.contract, session.combinations[0].plan),
        "layers": document["layers"],
        "findings": evidence(session),
        "notes": _notes(document),
        "classes": classes(session),
        "artifacts": [{key: row[key] for key in ("name", "side", "dims", "artifact")} for row in document["stages"]],
        "trusted_base": trusted_base(session.contract, {row["name"] for row in document["stages"]}),
        "verdict_document": {key: value for key, value in document.items() if key != "stages"},
        "times": {"layers": layer_times(document["stages"]), "stages": document["stages"]},
    }


def _meaning(session: Session) -> str:
    verdict = session.document["verdict"]
    if verdict == "equivalent":
        spec = not isinstance(session.contract.reference, KernelSpec)
        return _BOTH.replace("both sides are", "the kernel is") if spec else _BOTH
    if verdict is None:
        return f"nothing failed in what was run, and nothing is proved: the run ended after {session.document['stopped_after']}"
    return _MEANING.get(verdict, "")


def _notes(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One for all combinations that have the same; those that say that the contract cannot fail come first."""
    notes = [
        {
            "kind": note.get("kind", ""),
            "side": note["side"],
            "dims": note["dims"],
            "message": note["message"],
            "count": note.get("count", 1),
            "places": [f"{access['action']} at {where(access)}" for access in note.get("accesses") or ()],
            "likewise": [dims_text(other["dims"]) for other in others],
        }
        for note, others in folded(document["notes"], same_finding)
    ]
    return sorted(notes, key=lambda note: note["kind"] != VACUOUS)
