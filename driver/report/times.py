"""How long the layers of a run took, from the times of their stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

# Which stages make up a layer; `dynamic` also needs the program of `unroll`, which is counted where it is checked.
STAGES = {
    "lower": ("lower",),
    "dynamic": ("dynamic",),
    "safety": ("unroll", "check"),
    "proof": ("vc", "trace", "canon", "decide"),
}


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
