"""Measures whole runs of `volta-pipe run`, each in a new process with its own store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5
_COMMAND = "from volta_pipe.driver.cli import main; main()"  # what the `volta-pipe` script does


@dataclass(frozen=True)
class Run:
    """Medians. fresh, cached: wall seconds with an empty store, and again with what it then holds; peak: bytes of resident
    memory of the fresh run."""

    fresh: float
    cached: float
    peak: float


def run_pair(contract: str) -> Run:
    """Runs a contract RUNS times, each time fresh and then cached; one more fresh run before loads the compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        _run(contract, f"{folder}/warm")
        pairs = [(_run(contract, f"{folder}/{i}"), _run(contract, f"{folder}/{i}")) for i in range(RUNS)]
    fresh, cached = zip(*pairs, strict=True)
    return Run(median(s for s, _ in fresh), median(s for s, _ in cached), median(p for _, p in fresh))


def _run(contract: str, store: str) -> tuple[float, int]:
    """(wall seconds, peak resident bytes) of one run, which must succeed."""
    run = process(["run", contract, "--store", store, "--quiet"])
    return run.seconds, run.peak


@dataclass(frozen=True)
class Process:
    """output: of the standard one; seconds: wall; peak: resident bytes."""

    output: str
    seconds: float
    peak: int


def process(arguments: Sequence[str], statuses: Collection[int] = (0,), limit: float | None = None) -> Process:
    """Runs `volta-pipe` in a new process, at the top of the checkout. Errors: SystemExit when it ends with another status;
    TimeoutError when it is still running after `limit` seconds, and is ended."""
    # A Python that may not write bytecode compiles all of our sources in each process: no machine of a user does.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", _COMMAND, *arguments]
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=environment, text=True) as child:
        assert child.stdout is not None
        clock = threading.Timer(limit, os.kill, (child.pid, signal.SIGKILL)) if limit is not None else None
        if clock is not None:
            clock.start()
        output = child.stdout.read()
        if clock is not None:
            clock.cancel()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    if limit is not None and seconds >= limit:
        raise TimeoutError(f"volta-pipe {' '.join(arguments)}: over {limit:g} s")
    if child.returncode not in statuses:
        raise SystemExit(f"volta-pipe {' '.join(arguments)} ended with status {child.returncode}")
    return Process(output, seconds, usage.ru_maxrss * 1024)  # Linux counts in kilobytes


def clock() -> float:
    """Nanoseconds a turn of a loop that does nothing: how fast this machine is at the moment (best of five)."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(1_000_000):
            pass
        times.append(time.perf_counter() - start)
    return min(times) * 1e3
