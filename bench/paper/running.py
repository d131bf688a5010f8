"""Runs a row from PTX to verdict as a user does: `volta-pipe run CONTRACT --json`, in a new process with an empty store."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.paper.rows import Row
from bench.runs import process
from volta_pipe.driver.store import Store
from volta_pipe.ir.program import Program

RUNS = 3
SAFETY, PROOF = ("unroll", "check"), ("vc", "canon", "decide")


@dataclass(frozen=True)
class Outcome:
    """verdict and kinds of findings; outputs: elements compared; decided: of these, proved or refuted; steps: executed
    thread-instructions of both sides; wall: seconds of the process; safety, proof: seconds of unroll and check, and of vc to
    decide, added up over both sides (which run side by side); peak: resident bytes. Seconds and bytes are medians of RUNS."""

    verdict: str
    kinds: tuple[str, ...]
    outputs: int
    steps: int
    wall: float
    safety: float
    proof: float
    peak: float

    def as_expected(self, row: Row) -> bool:
        """Whether the verdict is the row's."""
        return self.verdict == row.expect.verdict and (not row.expect.kind or row.expect.kind in self.kinds)


def measure(row: Row, runs: int = RUNS) -> Outcome:
    """Errors: SystemExit where the tool fails."""
    taken = [_once(row.contract) for _ in range(runs)]
    verdicts = {one.verdict for one in taken}
    if len(verdicts) != 1:
        raise SystemExit(f"{row.name}: {' and '.join(sorted(verdicts))} in {runs} runs")
    middle = {name: median(getattr(one, name) for one in taken) for name in ("wall", "safety", "proof", "peak")}
    return Outcome(taken[0].verdict, taken[0].kinds, taken[0].outputs, taken[0].steps, **middle)


def _once(contract: Path) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        run = process(["run", str(contract), "--store", folder, "--json"], statuses=(0, 1, 3))
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
        )


def _seconds(document: Mapping[str, Any], names: tuple[str, ...]) -> float:
    return sum(stage["seconds"] for stage in document["stages"] if stage["name"] in names)


def _steps(document: Mapping[str, Any], folder: str) -> int:
    """Of the programs that `unroll` left in the store. A program that both sides share counts twice, as it was named twice."""
    with Store(folder) as store:
        programs = [stage["artifact"] for stage in document["stages"] if stage["name"] == "unroll"]
        return sum(Program.decode(store.load(artifact.removeprefix("sha256:"))).steps for artifact in programs)
