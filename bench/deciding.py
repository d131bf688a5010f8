"""Measures `canon` and `decide` together on pairs of expressions at the size of a kernel's tile, each in a new process.

`python -m bench.deciding PAIR KEYS` is such a process: it prints seconds and the verdict."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from bench.runs import ROOT
from volta_pipe.ir.graph import Conditions
from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import decide

RUNS = 3  # after one that loads the compiled code


@dataclass(frozen=True)
class Target:
    """keys: the dimension that is summed over; seconds and bytes are the most that it may take, growth the most by which the
    time may grow when `keys` doubles to this."""

    label: str
    keys: int
    seconds: float
    bytes: float | None = None
    growth: float = 2.3


TARGETS = {
    "attention": Target("attention Q 16x64, K V 512x64, FA2", 512, 3.0, 1e9),
    "matmul": Target("matmul 64x64x4096, backwards", 4096, 4.0),
}


def deciding_lines() -> Iterator[str]:
    """A head and a line a pair."""
    head = f"{'target':>8}{'ratio':>7}"
    yield f"{'':<36}{'seconds':>8}{head}{'peak MB':>9}{head}{'doubled':>9}{head}"
    for name, target in TARGETS.items():
        half, _ = _run(name, target.keys // 2)
        seconds, peak = _run(name, target.keys)
        memory = f"{'-':>8}{'-':>7}" if target.bytes is None else f"{target.bytes / 1e6:>8.0f}{peak / target.bytes:>7.2f}"
        growth = seconds / half
        yield (
            f"{target.label:<36}{seconds:>8.2f}{target.seconds:>8.1f}{seconds / target.seconds:>7.2f}"
            f"{peak / 1e6:>9.0f}{memory}{growth:>9.2f}{target.growth:>8.1f}{growth / target.growth:>7.2f}"
        )


def _run(name: str, keys: int) -> tuple[float, int]:
    """(median seconds of canon and decide, peak resident bytes of the process, with the expressions themselves)."""
    with subprocess.Popen(
        [sys.executable, "-m", "bench.deciding", name, str(keys)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        words = child.stdout.read().split()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode or words[1:] != ["equivalent"]:
        raise SystemExit(f"{name} with {keys} keys: status {child.returncode}, {words}")
    return float(words[0]), usage.ru_maxrss * 1024  # Linux counts in kilobytes


def _pair(name: str, keys: int) -> tuple[Conditions, Conditions]:
    from tests.canon.expressions import attention, matmul

    if name == "attention":
        return attention(16, keys, 64), attention(16, keys, 64, block=64, late=True)
    return matmul(64, 64, keys), matmul(64, 64, keys, order="back")


def _timed(work: Callable[[], str]) -> tuple[float, str]:
    start = time.perf_counter()
    verdict = work()
    return time.perf_counter() - start, verdict


def main(name: str, keys: int) -> None:
    gc.disable()  # as the command line does
    x, y = _pair(name, keys)
    runs = [_timed(lambda: decide(canon(x, y), x, y).verdict) for _ in range(RUNS + 1)]
    print(median(seconds for seconds, _ in runs[1:]), *{verdict for _, verdict in runs})


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
