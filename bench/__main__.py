"""`python -m bench`: the speed and size of the stages against their targets. Prints, never fails for being slow.

Everything is measured five times with warm compiled code, and the median is shown."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import version

from bench.deciding import deciding_lines
from bench.parsing import parsing_lines
from bench.runs import Run, clock, run_pair
from bench.safety import safety_lines
from bench.solvers import solver_lines
from bench.stages import Launched, Measured, kernels_of, measure, stored_bytes
from bench.tracing import tracing_report

MATMUL, ATTENTION = "examples/matmul/volta.toml", "examples/attention/volta.toml"
# A contract for the per-stage table: with a name, its kernels (both sides, or the candidate).
STAGE_CONTRACTS = (
    ("matmul 128x128x128", MATMUL),
    ("attention 64x64x64", ATTENTION),
    ("product 64x64x64", "bench/kernels/128-lanes.toml"),
    ("product 64x64x64", "bench/kernels/one-lane.toml"),
)
# Wall seconds: contract, fresh store, everything cached.
PAIRS = (("matmul pair", MATMUL, 4.0, 0.7), ("attention pair", ATTENTION, 6.0, 0.7))
# Nanoseconds a thread-instruction of unroll and check together: at many lanes, and at one. Between them there is no target.
MANY_LANES, MANY_TARGET, ONE_TARGET = 128, 25.0, 150.0
ROW_TARGET = 64.0  # bytes on disk, averaged over the examples
MEMORY_TARGET = (30, 300e6)  # bytes a thread-instruction, and bytes
_TARGET = f"{'target':>8}{'ratio':>7}"  # heads of the columns after a measured one


def main() -> int:
    """Prints the machine and the tables."""
    cpus = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    print(f"{cpus} cores ({platform.machine()}), load {load:.1f} before, Python {platform.python_version()}, ", end="")
    print(", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "xdsl")))
    print(f"plain Python: {clock():.0f} ns a turn of an empty loop; figures of two runs compare as far as these do")
    print("\nstages, each kernel alone (ns: nanoseconds a thread-instruction)")
    print(f"{'':<41}{'lanes':>6}{'thread-instr':>14}{'rows':>10}{'B/row':>7}{'unroll':>8}{'check':>7}{'sum':>7}{_TARGET}")
    launched = [(label, one) for label, contract in STAGE_CONTRACTS for one in kernels_of(contract)]
    measure(launched[0][1], runs=1)  # loads the compiled code
    for label, one in launched:
        print(_stage_line(label, one, measure(one)), flush=True)
    _rows()
    print("\nsafety on kernels that synchronise by barriers alone")
    for line in safety_lines():
        print(line, flush=True)
    print("\nreading PTX", *parsing_lines(), sep="\n", flush=True)
    print("\ntracing a spec", tracing_report(), sep="\n", flush=True)
    print("\ncanon and decide, warm, a process each (doubled: how much longer than with half the keys)")
    for line in deciding_lines():
        print(line, flush=True)
    print("\ncanon and decide (warm) against Z3 on the same conditions")
    for line in solver_lines():
        print(line, flush=True)
    print("\nend to end, a new process each (s: wall seconds)")
    print(f"{'':<16}{'fresh store':>12}{_TARGET}{'cached':>9}{_TARGET}{'peak MB':>10}{_TARGET}")
    for label, contract, fresh, cached in PAIRS:
        steps = sum(one.steps for one in kernels_of(contract, run=True))
        print(_pair_line(label, run_pair(contract), fresh, cached, steps), flush=True)
    return 0


def _stage_line(label: str, one: Launched, m: Measured) -> str:
    lanes, total = one.launch.threads, m.unroll + m.check
    target = MANY_TARGET if lanes >= MANY_LANES else ONE_TARGET if lanes == 1 else None
    against = f"{'-':>8}{'-':>7}" if target is None else f"{target:>8.0f}{total / target:>7.2f}"
    name = f"{label} {one.entry}"
    return (
        f"{name:<41}{lanes:>6}{m.steps:>14,}{m.rows:>10,}{m.bytes / max(m.rows, 1):>7.1f}"
        f"{m.unroll:>8.1f}{m.check:>7.1f}{total:>7.1f}{against}"
    )


def _rows() -> None:
    """Bytes a row over all kernels and dims of all examples."""
    rows, size, launches = stored_bytes("examples")
    print(f"\nprograms on disk, {launches} launches of the examples: {size:,} bytes in {rows:,} rows = ", end="")
    print(f"{size / rows:.1f} bytes a row, target {ROW_TARGET:.0f}, ratio {size / rows / ROW_TARGET:.2f}")


def _pair_line(label: str, run: Run, fresh: float, cached: float, steps: int) -> str:
    memory = MEMORY_TARGET[0] * steps + MEMORY_TARGET[1]
    return (
        f"{label:<16}{run.fresh:>12.2f}{fresh:>8.1f}{run.fresh / fresh:>7.2f}{run.cached:>9.2f}{cached:>8.1f}"
        f"{run.cached / cached:>7.2f}{run.peak / 1e6:>10.0f}{memory / 1e6:>8.0f}{run.peak / memory:>7.2f}"
    )


if __name__ == "__main__":
    sys.exit(main())
