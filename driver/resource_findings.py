"""What the verdict says of the resources of each kernel, and of launches that fail."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from volta_pipe.driver.combination import SIDES
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.findings import plain_finding
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.resources import REGISTERS, STATIC_SHARED, Excess, shared_limit

if TYPE_CHECKING:
    from volta_pipe.driver.pipeline import Combination


def excess_finding(contract: Contract, one: Combination, side: str, excess: Excess) -> dict[str, Any]:
    """A launch that fails; the message names the key of the contract."""
    key = contract.source.place((side, excess.field))
    message = f"{excess.message} ({side}.{excess.field}: {PurePath(key.file).name}:{key.line})"
    data = {"kind": "launch-limit", "message": message}
    return plain_finding(one, side, data, [], {"ptx_line": excess.line or None, "source": None})


def resource_entries(combinations: Sequence[Combination]) -> list[dict[str, Any]]:
    """What each kernel asks of the machine, and what its architecture has, once for all dims where it is the same."""
    found: list[dict[str, Any]] = []
    for one in combinations:
        for side in SIDES:
            if (entry := _entry(one, side)) is None:
                continue
            known = next((other for other in found if {k: v for k, v in other.items() if k != "dims"} == entry), None)
            if known is None:
                found.append({**entry, "dims": [one.plan.dims]})
            else:
                known["dims"].append(one.plan.dims)
    return found


def _entry(one: Combination, side: str) -> dict[str, Any] | None:
    kernel = one.plan.candidate if side == "candidate" else one.plan.reference
    resources = _lowered(one, side)
    if resources is None or not isinstance(kernel, KernelPlan):
        return None
    limit = shared_limit(resources["target"])
    return {
        "side": side,
        "target": resources["target"],
        "threads": prod(kernel.block),
        "static_shared": resources["shared"],
        "dynamic_shared": kernel.shared,
        "limits": None if limit is None else {"static_shared": STATIC_SHARED, "shared": limit, "registers": REGISTERS},
        "live_registers": resources["registers"],
        "directives": {name: numbers for name, numbers, _ in resources["directives"]},
    }


def resource_notes(one: Combination, side: str) -> list[dict[str, Any]]:
    """A kernel that will hardly do with the registers that a thread can have: an estimate, so it is no fault."""
    resources = _lowered(one, side)
    if resources is None or shared_limit(resources["target"]) is None or resources["registers"] <= REGISTERS:
        return []
    text = (
        f"some {resources['registers']} registers of 32 bits are alive at once in the PTX, and a thread has {REGISTERS}: the "
    )
    return [{"side": side, "dims": one.plan.dims, "message": f"{text}compiler behind PTX has to keep values in memory"}]


def _lowered(one: Combination, side: str) -> Any:
    step = one.steps.get((side, "lower"))
    return None if step is None else step.summary.get("resources")
