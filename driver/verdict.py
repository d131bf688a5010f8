"""The verdict document (`--json`): what was found on all combinations of dims, resolved to lines, in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from volta_pipe.driver.contract import ASSUMPTIONS, Contract
from volta_pipe.driver.dispatch import dispatch
from volta_pipe.driver.elements import by_shape, element_name, short, tight
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.findings import check_finding, decision_finding, dynamic_finding, error_finding, refused_finding, shapes
from volta_pipe.driver.layers import LAYERS, layers, undone
from volta_pipe.driver.pipeline import SIDES, Combination, Options
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.precision import broken_rules, precision_entries
from volta_pipe.driver.resource_findings import excess_finding, resource_entries, resource_notes
from volta_pipe.driver.step import Step
from volta_pipe.driver.vacuity import nothing_compared, vacuous_notes
from volta_pipe.ir.findings import UNSUPPORTED_KINDS

SCHEMA = "volta-pipe/verdict/1"
REAL = "floats are real numbers"
EXIT_CODES = {"equivalent": 0, "safe": 0, "not-equivalent": 1, "unsafe": 1, "unsupported": 3, "unknown": 3}
BAD_INPUT = 2
_UNTESTED = "infinities and NaNs come out as in the reference: the contract wants it, and not all runs were made that test it"
PROVED = ("equivalent", "safe")
# The verdict on several combinations is the first of these that one of them has. None: stopped early, nothing found.
_WORST_FIRST = ("unsafe", "not-equivalent", "unsupported", "unknown", None, "equivalent", "safe")


def document(contract: Contract, combinations: Sequence[Combination], engine: Engine, options: Options) -> dict[str, Any]:
    """The verdict of a run. Without `stages` it depends on the inputs alone."""
    findings: list[dict[str, Any]] = []
    verdicts: list[str | None] = []
    reasons: list[dict[str, Any]] = []
    sums: list[dict[str, Any]] = []
    for one in combinations:
        found = _findings(contract, one, engine) + broken_rules(contract, one, engine)
        sums += precision_entries(one, engine)
        findings += found
        verdicts.append(_verdict(contract, one, found))
        decide = one.steps.get(("both", "decide"))
        if decide and verdicts[-1] not in ("equivalent", "not-equivalent"):
            texts = decide.summary.get("reasons") or ()
            reasons += [{"dims": one.plan.dims, "message": by_shape(str(text), shapes(one))} for text in texts]
        if verdicts[-1] in (None, "equivalent") and (why := undone(contract, one, options)):
            verdicts[-1] = "unknown"
            reasons.append({"dims": one.plan.dims, "message": why})
    verdict = next(v for v in _WORST_FIRST if v in verdicts)
    result: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict,
        "contract": {"name": contract.name, "digest": f"sha256:{contract.digest}"},
        "findings": findings,
        "coverage": _coverage(combinations),
        "dispatch": dispatch(contract, [one for one, v in zip(combinations, verdicts, strict=True) if v in PROVED]),
        "assumptions": _assumptions(contract, combinations),
        "precision": sums,
        "resources": resource_entries(combinations),
        "notes": [*_notes(combinations, engine), *vacuous_notes(combinations)],
        "reasons": reasons,
        "layers": layers(contract, combinations, options),
    }
    if verdict is None:
        result["stopped_after"] = options.last or _last_layer(options)
    return {**result, "stages": _stages(combinations)}


def exit_code(result: Mapping[str, Any]) -> int:
    """The exit code of a verdict document; 0 for a run that stopped early and found nothing."""
    verdict = result["verdict"]
    return EXIT_CODES[verdict] if verdict is not None else 0


def _verdict(contract: Contract, one: Combination, found: Sequence[Mapping[str, Any]]) -> str | None:
    kinds = {str(finding["kind"]) for finding in found}
    if kinds - {*UNSUPPORTED_KINDS, "budget", "mismatch", "precision"}:
        return "unsafe"
    if kinds & {"mismatch", "precision"}:
        return "not-equivalent"
    if kinds & set(UNSUPPORTED_KINDS):
        return "unsupported"
    if "budget" in kinds:
        return "unknown"
    if contract.reference is None:
        needed = ("check", "vc") if contract.accumulate else ("check",)
        return "safe" if all(("candidate", name) in one.steps for name in needed) and found == [] else None
    decide = one.steps.get(("both", "decide"))
    if decide is None:
        return None
    verdict = str(decide.summary["verdict"])
    return verdict if verdict in EXIT_CODES else "unknown"


def _last_layer(options: Options) -> str:
    """The layer after which a run without a verdict ended."""
    return next(name for name in reversed(LAYERS) if name not in options.skip)


def _findings(contract: Contract, one: Combination, engine: Engine) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for side in (*SIDES, "both"):
        name = "candidate" if side == "both" else side
        if side in one.refused:
            found.append(refused_finding(one, name, one.refused[side]))
        found += [excess_finding(contract, one, name, excess) for excess in one.excesses.get(side, ())]
        for step in one.side(side):
            if step.error:
                found.append(error_finding(one, name, step.error, engine, contract.source))
            elif step.stage.name == "decide":
                found += _mismatches(one, step)
            elif step.stage.name == "dynamic":
                found += [dynamic_finding(one, step.summary)] if step.summary["mismatch"] is not None else []
            else:
                found += [check_finding(one, name, data, engine) for data in step.summary.get("findings") or ()]
    return found + nothing_compared(one)


def _mismatches(one: Combination, step: Step) -> list[dict[str, Any]]:
    """The findings of `decide`; the first mismatch carries the counterexample, and how many outputs differ, or do not."""
    summary = step.summary
    found = [decision_finding(one, data) for data in summary["findings"]]
    if summary["verdict"] == "not-equivalent" and not any(f["kind"] == "mismatch" for f in found):
        reason = "; ".join(str(r) for r in summary.get("reasons") or ()) or "an output element differs from the reference"
        found.insert(0, decision_finding(one, {"kind": "mismatch", "message": reason}))
    for finding in found:
        if finding["kind"] == "mismatch":
            finding["counterexample"] = _counterexample(one, summary.get("counterexample"))
            if finding["counterexample"] is not None and (stats := summary.get("stats")):
                differ, equal, compared = finding["count"], int(stats["proved"]), int(stats["elements"])
                finding["outputs"] = {"compared": compared, "differ": differ, "equal": equal, "open": compared - differ - equal}
            break
    return found


def _counterexample(one: Combination, data: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Exact inputs by element (`x[0,3]`: "1/3"), and intervals that hold the two exact, different values. `matters`: elements
    whose change was seen to change the difference; `complete`: all were changed; `outside_range`: as the contract has it."""
    if data is None:
        return None
    known = shapes(one)
    inputs = {element_name(str(name), int(flat), known): value for name, flat, value in data["inputs"]}
    reference, candidate = (short(str(value)) for value in data["values"])
    formulas = {side: by_shape(str(text), known) for side, text in zip(SIDES, data["formulas"], strict=True)}
    where = element_name(str(data["tensor"]), int(data["element"]), known)
    matters, outside = ([element_name(str(n), int(e), known) for n, e in data[key]] for key in ("matters", "outside"))
    return {
        "element": where,
        "inputs": inputs,
        "matters": matters,
        "complete": data["complete"],
        "outside_range": outside,
        "reference": reference,
        "candidate": candidate,
        "formulas": formulas,
    }


def _coverage(combinations: Sequence[Combination]) -> dict[str, Any]:
    outputs = 0
    ctas: list[list[int]] | None = None
    for one in combinations:
        if ("both", "decide") in one.steps:
            outputs += int(one.steps["both", "canon"].summary["stats"]["elements"])
        if one.plan.candidate.ctas is not None:
            ctas = (ctas or []) + [list(cta) for cta in one.plan.candidate.ctas if list(cta) not in (ctas or [])]
    return {"dims": [one.plan.dims for one in combinations], "ctas": "all" if ctas is None else ctas, "outputs": outputs}


def _assumptions(contract: Contract, combinations: Sequence[Combination]) -> list[str]:
    said = {_UNTESTED} if contract.nonfinite == "ieee" and not all(map(_all_runs, combinations)) else set[str]()
    said |= {REAL, *(f"{flag}: {ASSUMPTIONS[flag]}" for flag in contract.assume)}
    for one in combinations:
        for kernel in (one.plan.reference, one.plan.candidate):
            if isinstance(kernel, KernelPlan):
                said |= {f"before the launch the host sets variable {g.name} to {g.text}" for g in kernel.globals}
        for step in one.steps.values():
            said |= {str(text) for text in step.summary.get("assumptions") or ()}
    return sorted(said)


def _all_runs(one: Combination) -> bool:
    """Whether `dynamic` made all of its runs, those with infinities and NaNs among them."""
    step = one.steps.get(("both", "dynamic"))
    if step is None or step.error:
        return False
    return not step.summary["refused"] and step.summary["trials"] == step.summary["planned"]


def _notes(combinations: Sequence[Combination], engine: Engine) -> list[dict[str, Any]]:
    """What is worth knowing and no fault. Where accesses are concerned, a note has all that a finding has."""
    found: list[dict[str, Any]] = []
    for one in combinations:
        for side in SIDES:
            found += resource_notes(one, side)
            for step in one.side(side):
                texts = step.summary.get("notes") or ()
                found += [{"side": side, "dims": one.plan.dims, "message": tight(str(text))} for text in texts]
                found += [check_finding(one, side, data, engine) for data in step.summary.get("remarks") or ()]
    return found


def _stages(combinations: Sequence[Combination]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    seen: set[tuple[str, str]] = set()
    for one in combinations:
        for side in (*SIDES, "both"):
            for step in one.side(side):
                if (side, step.key) in seen:
                    continue
                seen.add((side, step.key))
                artifact = f"sha256:{step.artifact}" if step.artifact else None
                row = {"name": step.stage.name, "side": side, "dims": one.plan.dims, "seconds": round(step.seconds, 6)}
                row |= {"cached": step.cached, "why": step.why, "artifact": artifact}
                rows.append(row | ({"classes": list(step.classes)} if step.classes[1] else {}))
    return rows
