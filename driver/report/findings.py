"""Findings with what a reader needs to believe them: the code around each place, the picture of a race, the counterexample."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.counterexample_text import all_zero, first_of, spans_of, split
from volta_pipe.driver.findings import check_finding
from volta_pipe.driver.pipeline import SIDES, Combination
from volta_pipe.driver.places import dims_text, where
from volta_pipe.driver.render import access_text, address_text, folded, outputs_text, same_finding, source_places, times_text
from volta_pipe.driver.report.excerpts import Excerpts
from volta_pipe.driver.report.memory_map import memory_map
from volta_pipe.driver.report.writers import written
from volta_pipe.driver.session import Session

MOST = 40  # findings with their evidence; the document has all
MOST_ACCESSES = 4  # with their code
MOST_MAPS = 8
MOST_STEPS = 60
MOST_INPUTS = 400  # rows of a counterexample


def evidence(session: Session) -> list[dict[str, Any]]:
    """Of each finding, one for all combinations of dims that have the same: `number` in the document's list, `title`, `where`
    in memory, `message`, `likewise` (the other dims), `places` with their code, `steps`, `memory_map`, `counterexample`; and
    `repeats`, those at the same places in the source, as a loop that was unrolled has one for each copy of its body."""
    findings = session.document["findings"]
    number = {id(finding): place for place, finding in enumerate(findings)}
    excerpts = Excerpts(session.contract)
    raws = _raw(session) if any(finding["kind"] == "race" for finding in findings) else {}
    found: list[dict[str, Any]] = []
    known: dict[Any, dict[str, Any]] = {}
    for finding, others in folded(findings, same_finding):
        if (first := known.get(source_places(finding))) is not None:
            where_in = address_text(finding["address"]).removeprefix(" at ")
            first["repeats"].append(
                {"title": finding["kind"] + times_text(finding), "where": where_in, "dims": 1 + len(others)}
            )
            continue
        if len(found) == MOST:
            continue
        origin = raws.get(_key(finding)) if sum(one["memory_map"] is not None for one in found) < MOST_MAPS else None
        steps = finding.get("explanation") or ()
        found.append(
            {
                "number": number[id(finding)],
                "kind": finding["kind"],
                "side": finding["side"],
                "title": finding["kind"] + times_text(finding),
                "where": address_text(finding["address"]).removeprefix(" at "),
                "dims": finding["dims"],
                "message": finding["message"],
                "outputs": outputs_text(finding["outputs"]) if finding.get("outputs") else "",
                "likewise": [dims_text(other["dims"]) for other in others],
                "places": [*_places(finding, excerpts), *_writers(finding, session, excerpts)],
                "more_accesses": [access_text(access) for access in finding["accesses"][MOST_ACCESSES:]],
                "steps": [
                    {
                        "message": step["message"],
                        "where": where(step) if step["ptx_line"] else "",
                        "code": excerpts.line(step, finding["side"]),
                    }
                    for step in steps[:MOST_STEPS]
                ],
                "memory_map": _map(session, *origin) if origin is not None else None,
                "counterexample": _counterexample(finding.get("counterexample"), session.contract),
                "repeats": [],
            }
        )
        known[source_places(finding)] = found[-1]
    return found


def _places(finding: Mapping[str, Any], excerpts: Excerpts) -> Iterator[dict[str, Any]]:
    """Each access with its code, or the finding's own place where it has none."""
    for access in finding["accesses"][:MOST_ACCESSES]:
        yield {"text": access_text(access), **excerpts.of(access, finding["side"])}
    if not finding["accesses"] and (finding["ptx_line"] or finding["source"]):
        yield {"text": f"at {where(finding)}", **excerpts.of(finding, finding["side"])}


def _writers(finding: Mapping[str, Any], session: Session, excerpts: Excerpts) -> Iterator[dict[str, Any]]:
    """Of a counterexample: where either kernel writes the element."""
    for side, access in written(session, finding):
        yield {"text": f"{side}: {access_text(access)}", **excerpts.of(access, side)}


def _raw(session: Session) -> dict[str, tuple[Combination, str, Mapping[str, Any]]]:
    """The findings of `check` as its stage gave them, with instructions in place of lines, by the document's form of them."""
    found: dict[str, tuple[Combination, str, Mapping[str, Any]]] = {}
    for one in session.combinations:
        for side in SIDES:
            step = one.steps.get((side, "check"))
            for data in (step.summary.get("findings") or ()) if step is not None else ():
                found.setdefault(_key(check_finding(one, side, data, session.engine)), (one, side, data))
    return found


def _key(finding: Mapping[str, Any]) -> str:
    return json.dumps(finding, sort_keys=True)


def _map(session: Session, one: Combination, side: str, raw: Mapping[str, Any]) -> dict[str, Any] | None:
    step = one.steps.get((side, "unroll"))
    program = session.engine.value(step) if step is not None and step.stored else None
    return memory_map(one, program, raw)


def _zeros(found: Mapping[str, Any], rest: list[str], *, others: bool) -> str:
    """What the inputs are that no row names."""
    if found.get("computed"):
        return f"all {'other ' * others}inputs are 0, or the nearest to it in their range"
    return all_zero(rest, found["element"], others) if rest else ""


def _counterexample(found: Mapping[str, Any] | None, contract: Contract) -> dict[str, Any] | None:
    """`rows` of inputs (neighbours with one value are one row), those that matter first; what is 0 and does not matter is
    `zeros`, a sentence."""
    if found is None:
        return None
    inputs = found["inputs"]
    first, others, rest = split(inputs, set(found["matters"]))
    rows = [
        {"input": span, "value": inputs[first_of(span)], "count": count, "matters": matters}
        for names, matters in ((first, True), (others, False))
        for span, count in spans_of(inputs, names)
    ]
    return {
        "element": found["element"],
        "rows": rows[:MOST_INPUTS],
        "left": len(rows[MOST_INPUTS:]),
        "zeros": _zeros(found, rest, others=bool(first or others)),
        "computed": found.get("computed", ""),
        "allowed": found.get("allowed"),
        "complete": found["complete"],
        "reference": found["reference"],
        "candidate": found["candidate"],
        "formulas": {side: text for side, text in found["formulas"].items() if text},
        "outside_range": [span for span, _ in spans_of(dict.fromkeys(found["outside_range"], ""), found["outside_range"])],
    }
