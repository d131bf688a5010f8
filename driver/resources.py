"""Whether a kernel can be launched at all: its shape and its memory against its own directives and its architecture's limits.

Claimed is only what is certain. Registers are allocated behind PTX, so that they never are a reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from volta_pipe.driver.plan import KernelPlan

_KIB = 1024
# CUDA C++ programming guide, technical specifications per compute capability: shared memory of a CTA in KiB, static and dynamic
# together, where the launch opts in (5.x and 6.x: without).
_SHARED = {
    50: 48, 52: 48, 53: 48, 60: 48, 61: 48, 62: 48, 70: 96, 72: 96, 75: 64, 80: 163, 86: 99, 87: 163, 88: 99, 89: 99, 90: 227,
    100: 227, 103: 227, 110: 227, 120: 99, 121: 99,
}  # fmt: skip
# The same guide: static shared memory, on every architecture; and registers of a thread from 5.0 on.
STATIC_SHARED = 48 * _KIB
REGISTERS = 255
_TARGET = re.compile(r"sm_(\d+)[af]?(,|$)")


@dataclass(frozen=True)
class Excess:
    """A reason why a launch fails. `field` of the kernel's table in the contract; `line` of the PTX, or 0."""

    message: str
    field: str
    line: int = 0


def shared_limit(target: str) -> int | None:
    """Bytes of shared memory that a CTA can have on a target such as `sm_90a`; None where the architecture is not known."""
    found = _TARGET.match(target)
    size = _SHARED.get(int(found[1])) if found else None
    return None if size is None else size * _KIB


def launch_excesses(kernel: KernelPlan, resources: Mapping[str, Any] | None) -> list[Excess]:
    """All that certainly makes the launch of a kernel fail. resources: passes/lower/resources.py as plain data, or None."""
    found: list[Excess] = []
    if resources is None:
        return found
    directives = {name: ([int(n) for n in numbers], int(line)) for name, numbers, line in resources["directives"]}
    block, grid, threads = list(kernel.block), list(kernel.grid), prod(kernel.block)
    if "reqntid" in directives:
        sizes, line = directives["reqntid"]
        if _three(sizes) != block:
            message = f"the kernel requires a block of {_three(sizes)} (.reqntid), the launch has {block}"
            found.append(Excess(message, "block", line))
    if "maxntid" in directives:
        sizes, line = directives["maxntid"]
        if threads > prod(sizes):
            message = f"the kernel allows {prod(sizes)} threads a CTA (.maxntid), the launch has {threads}"
            found.append(Excess(message, "block", line))
    if "reqnctapercluster" in directives and "blocksareclusters" not in directives:
        sizes, line = directives["reqnctapercluster"]
        if any(have % size for have, size in zip(grid, _three(sizes), strict=True) if size):
            message = f"a grid of {grid} is no multiple of the clusters of {_three(sizes)} CTAs that the kernel requires"
            found.append(Excess(f"{message} (.reqnctapercluster)", "grid", line))
    static, target = int(resources["shared"]), str(resources["target"])
    limit = shared_limit(target)
    if limit is None:
        return found
    if static > STATIC_SHARED:
        message = f"{static:,} bytes of static shared memory are more than a kernel can have ({STATIC_SHARED:,})"
        found.append(Excess(f"{message}: what is more has to be dynamic", "source"))
    elif static + kernel.shared > limit:
        parts = f"{static:,} static and {kernel.shared:,} dynamic bytes" if static else f"{kernel.shared:,} bytes"
        found.append(Excess(f"{parts} of shared memory are more than a CTA can have on {target} ({limit:,})", "shared"))
    return found


def _three(sizes: list[int]) -> list[int]:
    return [*sizes, 1, 1][:3]
