"""`python -m bench.editing`: how long a verdict takes after an edit, against the time without a store; prints, never fails.

Edits are those of tests/incremental on the matrix product of 128³. Each is made to files whose verdict is in the store: once
for a new process (`volta-pipe run`), and once for a process that is there (as in `run --watch`, without its polling). "of cold"
is against the first verdict in a new process, which is what one waits for before the first edit in both cases; "of warm" is
against a process that is there and has no store."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.runs import ROOT, clock, process
from tests.incremental.incremental_edits import MATMUL, Edit
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

RUNS = 3
EXAMPLE = ROOT / "examples" / "matmul"
STATUSES = (0, 1)


def main() -> None:
    """Prints a line an edit."""
    print(f"plain Python: {clock():.0f} ns a turn of an empty loop; medians of {RUNS} runs, in seconds")
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        shutil.copytree(EXAMPLE, base / "files")
        cold = median(_in_new_process(base, fresh=True) for _ in range(RUNS))
        _in_this_process(base)
        warm = median(_in_this_process(base, fresh=True) for _ in range(RUNS))
        print(f"{'':<24}{'new process':>12}{'of cold':>9}{'same process':>14}{'of cold':>9}{'of warm':>9}  stages")
        print(f"{'no store':<24}{cold:>12.2f}{'':>9}{warm:>14.2f}{warm / cold:>9.0%}")
        _line("nothing", [(_in_new_process(base), _in_this_process(base)) for _ in range(RUNS)], cold, warm, "")
        for edit in MATMUL:
            times = [_after(edit, base, Path(folder) / "edited") for _ in range(RUNS)]
            _line(edit.name, times, cold, warm, ", ".join(sorted(edit.ran)))


def _line(name: str, times: list[tuple[float, float]], cold: float, warm: float, stages: str) -> None:
    new, same = (median(column) for column in zip(*times, strict=True))
    shares = f"{same / cold:>9.0%}{same / warm:>9.0%}"
    print(f"{name:<24}{new:>12.2f}{new / cold:>9.0%}{same:>14.2f}{shares}  {stages}", flush=True)


def _after(edit: Edit, base: Path, other: Path) -> tuple[float, float]:
    """Seconds in a new process and in this one."""
    found = []
    for run in (_in_new_process, _in_this_process):
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(base, other)
        _in_this_process(other)  # stamps of what was copied
        file = other / "files" / edit.file
        file.write_text(edit.change(file.read_text()))
        found.append(run(other))
    return found[0], found[1]


def _in_new_process(folder: Path, *, fresh: bool = False) -> float:
    if fresh:
        shutil.rmtree(folder / "store", ignore_errors=True)
    arguments = ["run", str(folder / "files" / "volta.toml"), "--store", str(folder / "store"), "--quiet"]
    return process(arguments, statuses=STATUSES).seconds


def _in_this_process(folder: Path, *, fresh: bool = False) -> float:
    if fresh:
        shutil.rmtree(folder / "store", ignore_errors=True)
    start = time.perf_counter()
    with Store(folder / "store") as store:
        verify(folder / "files" / "volta.toml", store)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
