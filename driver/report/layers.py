"""The layers of a run, from cheap to dear: what each found, and how long its stages took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from volta_pipe.ir.findings import UNSUPPORTED_KINDS

# Which stages make up a layer.
STAGES = {
    "lower": ("lower",),
    "dynamic": ("dynamic",),
    "safety": ("unroll", "check"),
    "proof": ("vc", "trace", "canon", "decide"),
}
CANNOT_TELL = (*UNSUPPORTED_KINDS, "budget")


def layers(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The document's layers, or, of one without them, what its stages and findings say: `name`, `result`, `detail`."""
    if document.get("layers") is not None:
        return [dict(layer) for layer in document["layers"]]
    kinds = {str(finding["kind"]) for finding in document["findings"]}
    ran = document["stages"]
    found: list[dict[str, Any]] = []
    for name, stages in STAGES.items():
        own = [stage for stage in ran if stage["name"] in stages]
        if name == "dynamic" and not own:
            continue
        result, detail = ("passed", "") if own else ("not run", "")
        failed = {"safety": kinds - {*CANNOT_TELL, "mismatch"}, "proof": kinds & {"mismatch"}}.get(name, set())
        if failed:
            result, detail = "failed", ", ".join(sorted(failed))
        elif own and any(stage["artifact"] is None for stage in own):
            result = "stopped"
        elif name == "safety" and own and kinds & set(CANNOT_TELL):
            result = "passed" if any(stage["name"] in STAGES["proof"] for stage in ran) else "stopped"
        elif name == "proof" and own and document["verdict"] in ("unknown", "unsupported"):
            result = "stopped"
        if result == "passed" and any(layer["result"] in ("failed", "stopped") for layer in found):
            detail = "on the dims on which the layers above passed"
        detail = detail or ", ".join(sorted(kinds & set(CANNOT_TELL))) * (result == "stopped")
        found.append({"name": name, "result": result, "detail": detail})
    return found


def layer_times(stages: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By layer: `seconds` of its stages in this run, and `cached`: whether the store had all of them (their seconds are then
    those of looking them up)."""
    times: dict[str, dict[str, Any]] = {}
    for name, names in STAGES.items():
        own = [stage for stage in stages if stage["name"] in names]
        if own:
            seconds = round(sum(float(stage["seconds"]) for stage in own), 6)
            times[name] = {"seconds": seconds, "cached": all(stage["cached"] for stage in own)}
    return times
