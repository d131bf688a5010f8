"""What the record of each stage keeps beside its artifacts: plain data, from which the driver makes a verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

import msgpack

from volta_pipe.driver.stage import LoweredValue


def summarize_lower(value: LoweredValue) -> dict[str, Any]:
    names = ("parameters", "externs", "variables", "assumptions", "resources")
    return {name: plain(getattr(value, name)) for name in names}


def summarize_unroll(program: Any) -> dict[str, Any]:
    from volta_pipe.driver.facts import touched

    rows, steps, ctas = len(program.row_instr), int(program.steps), len(program.cta_ids)
    budget = any(e.kind == "budget" for e in program.events)
    summary = {"rows": rows, "steps": steps, "ctas": ctas, "budget": budget, "assumptions": list(program.assumptions)}
    origins = program.canonical[1].tolist()
    return {**summary, "complete": bool(program.complete), "touched": touched(program), "origins": origins}


def summarize_findings(report: Any) -> dict[str, Any]:
    findings = [finding.to_dict() for finding in report.findings]
    summary = {"findings": findings, "notes": list(report.notes), "budget": any(f["kind"] == "budget" for f in findings)}
    return {**summary, "remarks": [r.to_dict() for r in report.remarks], "assumptions": list(report.assumptions)}


def summarize_conditions(conditions: Any) -> dict[str, Any]:
    from volta_pipe.driver.facts import output_facts

    facts = output_facts(conditions)
    counts = {"outputs": sum(fact["known"] for fact in facts.values()), "nodes": len(conditions.graph)}
    said = {"assumptions": list(conditions.assumptions), "precision": plain(conditions.precision)}
    return {**counts, **said, "facts": facts}


def summarize_canon(canonical: Any) -> dict[str, Any]:
    spent = any("budget" in c.why for c in canonical.classes)
    return {"assumptions": list(canonical.assumptions), "stats": dict(canonical.stats), "budget": spent}


def summarize_decision(decision: Any) -> dict[str, Any]:
    found = decision.counterexample
    return {
        "verdict": decision.verdict,
        "findings": [finding.to_dict() for finding in decision.findings],
        "counterexample": None if found is None else found.to_dict(),
        "reasons": list(decision.unknown),
        "assumptions": list(decision.assumptions),
        "stats": dict(decision.stats),
        "budget": any("budget" in reason for reason in decision.unknown),
    }


def plain(value: Any) -> Any:
    """`value` as what JSON and msgpack hold: dataclasses and tuples opened, fractions as text, NumPy numbers as numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [plain(item) for item in items]
    if isinstance(value, float) and not math.isfinite(value):  # JSON has none
        return str(value)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:  # nor has msgpack larger ones
        return str(value)
    if type(value).__name__ in ("Fraction", "fmpq"):  # by name: neither is worth an import here
        return str(value)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return value


def as_kept(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary as a cached run reads it."""
    kept: dict[str, Any] = msgpack.unpackb(msgpack.packb(plain(summary)), strict_map_key=False)
    return kept
