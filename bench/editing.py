"""`python -m bench.editing`: how long a verdict takes after an edit, against the time without a store; prints, never fails.

Edits are those of tests/incremental on the matrix product of 128³. Each is made to files whose verdict is in the store, for
three ways to get the next one: a new process (`volta-pipe run`), the same with a server that is ready (`volta-pipe serve`), and
a process that is there (as in `run --watch`, without its polling). "Of cold" is against the first verdict in a new process with
neither store nor server, which is what one waits for before the first edit; "of own" against the same way without a store."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.runs import ROOT, clock
from tests.incremental.incremental_edits import MATMUL, Edit
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

RUNS = 5
EXAMPLE = ROOT / "examples" / "matmul"
COMMAND = [sys.executable, "-c", "from volta_pipe.driver.start import main; main()"]  # what the `volta-pipe` script does


def main() -> None:
    """Prints a line an edit."""
    print(f"plain Python: {clock():.0f} ns a turn of an empty loop; medians of {RUNS} runs, in seconds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _served(folder / "socket"):
            ways = (_Process("off"), _Process(str(folder / "socket")), _here)
            shutil.copytree(EXAMPLE, folder / "base" / "files")
            for way in ways:
                way(folder / "base")  # loads compiled code
            own = [median(_cold(way, folder / "base") for _ in range(RUNS)) for way in ways]
            _here(folder / "base")
            head = "".join(
                f"{what:>14}{'of cold':>9}{'of own':>8}" for what in ("new process", "with a server", "same process")
            )
            print(f"{'':<24}{head}  stages")
            _line("no store", own, own, "")
            _line("nothing", [median(way(folder / "base") for _ in range(RUNS)) for way in ways], own, "")
            for edit in MATMUL:
                times = [median(_after(edit, way, folder / "base", folder / "edited") for _ in range(RUNS)) for way in ways]
                _line(edit.name, times, own, ", ".join(sorted(edit.ran)))


def _line(name: str, times: list[float], own: list[float], stages: str) -> None:
    columns = (f"{x:>14.2f}{x / own[0]:>9.0%}{x / cold:>8.0%}" for x, cold in zip(times, own, strict=True))
    print(f"{name:<24}{''.join(columns)}  {stages}", flush=True)


def _cold(way: Callable[[Path], float], folder: Path) -> float:
    shutil.rmtree(folder / "store", ignore_errors=True)
    return way(folder)


def _after(edit: Edit, way: Callable[[Path], float], base: Path, other: Path) -> float:
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(base, other)
    _here(other)  # stamps of what was copied
    file = other / "files" / edit.file
    file.write_text(edit.change(file.read_text()))
    return way(other)


class _Process:
    """`volta-pipe run` in a new process; `server`: where one listens, or `off`."""

    def __init__(self, server: str) -> None:
        # A Python that may not write bytecode compiles all of our sources in each process: no machine of a user does.
        self._environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self._environment["VOLTA_SERVER"] = server

    def __call__(self, folder: Path) -> float:
        arguments = ["run", str(folder / "files" / "volta.toml"), "--store", str(folder / "store"), "--quiet"]
        start = time.perf_counter()
        done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, env=self._environment, stdout=subprocess.DEVNULL, check=False)
        seconds = time.perf_counter() - start
        if done.returncode not in (0, 1):
            raise SystemExit(f"volta-pipe run ended with {done.returncode}")
        return seconds


def _here(folder: Path) -> float:
    """A verdict in this process."""
    start = time.perf_counter()
    with Store(folder / "store") as store:
        verify(folder / "files" / "volta.toml", store)
    return time.perf_counter() - start


@contextmanager
def _served(socket: Path) -> Iterator[None]:
    """A server, until the end."""
    environment = _Process(str(socket))._environment
    server = subprocess.Popen([*COMMAND, "serve"], cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    assert server.stdout is not None
    try:
        if not server.stdout.readline().startswith(b"ready"):
            raise SystemExit("there is no server")
        yield
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
