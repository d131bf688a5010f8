"""What a verdict rests on besides the proof: programs and their versions, who made the PTX, and what the model leaves out."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import KernelSpec, SpecReference
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.versions import spec_digest

_PACKAGES = ("volta-pipe", "numpy", "numba", "llvmlite", "xdsl", "python-flint", "msgpack")
_HEAD = 200  # lines of a PTX in which its header ends
_MOST_COMMENTS = 12
_DIRECTIVE = re.compile(r"\s*\.(version|target)\s+([^;/]*)")

MODELLED = (
    "every thread of every CTA that is run, instruction by instruction, with integers, addresses and branches exact modulo 2^n",
    "floats as real numbers: literals are exact rationals, and equality is an identity of normal forms for all real inputs",
    "memory byte by byte: shared, global, local and constant, packing of halves and bytes, layouts of matrix fragments",
    "order by barriers, barrier objects, warp synchronisation and asynchronous copies; a race on any schedule is found",
)
NOT_MODELLED = (
    "rounding, overflow, NaN, infinities in data, signed zeros: what is equal over the reals can differ in floating point",
    "other sizes and launches than the contract lists",
    "the step from PTX to machine code (ptxas), and the hardware; what is proved is the PTX",
    "memory order beyond barriers: fences, acquire and release order nothing, CTAs do not talk to each other in a launch",
    "time, occupancy and forward progress of other kernels; kernels that run at the same time or before and after",
)
TRUSTED = (
    "volta-pipe's reading of the PTX ISA, and its stages (of decide, volta-pipe inspect decide --check checks the certificate "
    "with other code)",
    "Python and the packages below, the operating system and the machine that ran them",
    "the contract and the reference: they say what right means, and nobody checks them but you",
)


def trusted_base(contract: Contract, ran: Collection[str]) -> dict[str, Any]:
    """ran: names of stages. `tool`: names and versions of what ran; `stages`: digests of their code; `kernels`: file, digest
    and header of each PTX; `spec` of a NumPy reference, else None; `trusted`, `modelled` and `not_modelled`: sentences."""
    tool = [{"name": "Python", "version": f"{platform.python_version()} on {platform.machine()}"}]
    for name in _PACKAGES:
        try:
            tool.append({"name": name, "version": version(name)})
        except PackageNotFoundError:
            tool.append({"name": name, "version": "not installed"})
    kernels = [side for side in (contract.reference, contract.candidate) if isinstance(side, KernelSpec)]
    spec = contract.reference if isinstance(contract.reference, SpecReference) else None
    return {
        "tool": sorted(tool, key=lambda one: one["name"] != "volta-pipe"),
        "stages": [{"name": name, "code": f"sha256:{STAGES[name].version()}"} for name in STAGES if name in ran],
        "kernels": [{"side": kernel.side, "file": kernel.source, **ptx_header(kernel.path)} for kernel in kernels],
        "spec": None if spec is None else {"spec": spec.text, "digest": f"sha256:{spec_digest(spec.path)}"},
        "trusted": list(TRUSTED),
        "modelled": list(MODELLED),
        "not_modelled": list(NOT_MODELLED),
    }


def ptx_header(path: Path) -> dict[str, Any]:
    """Who made a PTX, as it says itself: `comments` at its head (`Compiler Build ID: …`), `version` and `target`, "" where it
    does not say; and its `digest`."""
    comments: list[str] = []
    found = {"version": "", "target": ""}
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    with path.open(encoding="utf-8", errors="replace") as stream:
        for line in islice(stream, _HEAD):
            text = line.strip()
            if match := _DIRECTIVE.match(text):
                found[match[1]] = found[match[1]] or match[2].strip()
            elif text.startswith("//") and not found["version"] and len(comments) < _MOST_COMMENTS:
                words = text.strip("/ \t")
                comments += [words] if words.strip("-=*") else []
            elif text.startswith((".visible", ".entry", ".func")):
                break
    return {"digest": f"sha256:{digest}", "comments": comments, **found}
