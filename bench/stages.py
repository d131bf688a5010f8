"""Measures `unroll` and `check` by calling them, without the driver's pipeline and store."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.plan import KernelPlan, plan
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.check import check
from volta_pipe.passes.lower import lower, read_ptx
from volta_pipe.passes.unroll import unroll

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5


@dataclass(frozen=True)
class Launched:
    """A lowered kernel and its launch; `steps`: executed thread-instructions, 0 until it was run."""

    entry: str
    module: Any
    launch: Launch
    steps: int = 0


@dataclass(frozen=True)
class Measured:
    """steps: thread-instructions; rows, bytes: of the stored program; unroll, check: ns a thread-instruction, medians."""

    steps: int
    rows: int
    bytes: int
    unroll: float
    check: float


def kernels_of(contract: str, *, run: bool = False) -> Iterator[Launched]:
    """The kernels of a contract (reference first) at every combination of dims; with `run`, executed for their steps."""
    read = read_contract(ROOT / contract)
    for dims in read.combinations():
        planned = plan(read, dims)
        for side in (planned.reference, planned.candidate):
            if not isinstance(side, KernelPlan):
                continue
            lowered = lower(read_ptx(side.spec.path), side.spec.source, side.spec.entry)
            one = Launched(side.spec.entry, lowered.module, side.launch())
            yield replace(one, steps=unroll(one.module, one.launch).steps) if run else one


def launched_at(contract: str, dims: Mapping[str, int]) -> Launched:
    """The candidate of a contract at these dims, whether the contract names them or not."""
    read = read_contract(ROOT / contract)
    side = plan(read, dict(dims)).candidate
    lowered = lower(read_ptx(side.spec.path), side.spec.source, side.spec.entry)
    return Launched(side.spec.entry, lowered.module, side.launch())


def measure(one: Launched, runs: int = RUNS) -> Measured:
    """Runs both stages `runs` times."""
    unrolled, checked = [], []
    for _ in range(runs):
        start = time.perf_counter()
        program = unroll(one.module, one.launch)
        middle = time.perf_counter()
        report = check(program, one.launch)
        unrolled.append(middle - start)
        checked.append(time.perf_counter() - middle)
    if report.findings or not program.complete:
        raise SystemExit(f"{one.entry}: not a sound kernel: {report.findings[:1]}")
    ns = 1e9 / program.steps
    size = sum(len(chunk) for chunk in program.encode())
    return Measured(program.steps, len(program.row_instr), size, median(unrolled) * ns, median(checked) * ns)


def stored_bytes(folder: str) -> tuple[int, int, int]:
    """(rows, bytes of the artifacts, launches) over all contracts in the folders of `folder`."""
    rows = size = launches = 0
    for path in sorted((ROOT / folder).glob("*/*.toml")):
        for one in kernels_of(str(path.relative_to(ROOT))):
            program = unroll(one.module, one.launch)
            rows += len(program.row_instr)
            size += sum(len(chunk) for chunk in program.encode())
            launches += 1
    return rows, size, launches
