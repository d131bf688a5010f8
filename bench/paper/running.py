"""Runs a row from PTX to verdict as a user does: `volta-pipe run CONTRACT --json`, in a new process with an empty store."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

from bench.paper.rows import Row
from bench.runs import process
from volta_pipe.driver.store import Store

RUNS = 3
SAFETY, PROOF = ("unroll", "check"), ("vc", "canon", "decide")


@dataclass(frozen=True)
class Outcome:
    """verdict and kinds of findings; outputs: elements compared; steps: executed
    thread-instructions of both sides; wall: seconds of the process; safety, proof: seconds of unroll and check, and of vc to
    decide, added up over both sides (which run side by side); peak: resident bytes; stages: seconds of each, added up likewise.
    Seconds and bytes are medians of the runs."""

    verdict: str
    kinds: tuple[str, ...]
    outputs: int
    steps: int
    wall: float
    safety: float
    proof: float
    peak: float
    stages: Mapping[str, float] = field(default_factory=dict)

    def as_expected(self, row: Row) -> bool:
        """Whether the verdict is the row's."""
        return self.verdict == row.expect.verdict and (not row.expect.kind or row.expect.kind in self.kinds)


def measure(row: Row, runs: int = RUNS) -> Outcome:
    """Errors: SystemExit where the tool fails."""
    return medians(row.name, [once(row.contract) for _ in range(runs)])


def medians(name: str, taken: Sequence[Outcome]) -> Outcome:
    """Several runs of one contract as one. Errors: SystemExit where their verdicts are not the same."""
    verdicts = {one.verdict for one in taken}
    if len(verdicts) != 1:
        raise SystemExit(f"{name}: {' and '.join(sorted(verdicts))} in {len(taken)} runs")
    middle = {name: median(getattr(one, name) for one in taken) for name in ("wall", "safety", "proof", "peak")}
    stages = {stage: median(one.stages[stage] for one in taken) for stage in taken[0].stages}
    return replace(taken[0], **middle, stages=stages)


def once(contract: Path, limit: float | None = None) -> Outcome:
    """One run. Errors: SystemExit where the tool fails, TimeoutError after `limit` seconds."""
    with tempfile.TemporaryDirectory() as folder:
        run = process(["run", str(contract), "--store", folder, "--json", "--quiet"], statuses=(0, 1, 3), limit=limit)
        document = json.loads(run.output)
        kinds = tuple(sorted({finding["kind"] for finding in document["findings"]}))
        return Outcome(
            document["verdict"],
            kinds,
            document["coverage"]["outputs"],
            _steps(document, folder),
            run.seconds,
            _seconds(document, SAFETY),
            _seconds(document, PROOF),
            run.peak,
            {name: _seconds(document, (name,)) for name in dict.fromkeys(stage["name"] for stage in document["stages"])},
        )


def _seconds(document: Mapping[str, Any], names: tuple[str, ...]) -> float:
    return sum(stage["seconds"] for stage in document["stages"] if stage["name"] in names)


def _steps(document: Mapping[str, Any], folder: str) -> int:
    """Of the programs that `unroll` made, as their records say: reading the programs would make this process larger, and a new
    process begins its peak with that of the one that starts it. A program of both sides counts twice, as it is named twice."""
    with Store(folder) as store:
        records = [record for _, record in store.records() if record is not None and record.stage == "unroll"]
    steps = {f"sha256:{record.outputs['artifact'].digest}": int(record.summary["steps"]) for record in records}
    return sum(steps[stage["artifact"]] for stage in document["stages"] if stage["name"] == "unroll")
