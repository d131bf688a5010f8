"""`python -m bench.editing`: how long a verdict takes after an edit, against the time without a store; prints, never fails.

Edits are those of tests/incremental on the matrix product of 128³. Each is made to files whose verdict is in the store, for
four ways to get the next one: a new process (`volta-pipe run`), the same with a server that is ready (`volta-pipe serve`), `run
--watch` (from the writing of the file to the line with the verdict), and a process that calls `verify`. "Of cold" is against
the first verdict by a new process with neither store nor server; "of own" against the same way without a store."""

from __future__ import annotations

import os
import shutil
import signal
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

_Way = Callable[[Path, Edit | None], float]  # a folder and an edit that is made to it: seconds
RUNS = 3
EXAMPLE = ROOT / "examples" / "matmul"
COMMAND = [sys.executable, "-c", "from volta_pipe.driver.start import main; main()"]  # what the `volta-pipe` script does


def main() -> None:
    """Prints a line an edit."""
    print(f"plain Python: {clock():.0f} ns a turn of an empty loop; medians of {RUNS} runs, in seconds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(EXAMPLE, folder / "base" / "files")
        with _served(folder / "socket"):
            ways = (_Process("off"), _Process(str(folder / "socket")), _Watched(), _here)
            for way in ways:
                way(folder / "base", None)  # loads compiled code
            own = [median(_cold(way, folder / "base") for _ in range(RUNS)) for way in ways]
            _here(folder / "base", None)
            names = ("new process", "with a server", "run --watch", "same process")
            print(" " * 24 + "".join(f"{what:>14}  of cold  of own" for what in names) + "  stages")
            _line("no store", own, own, "")
            nothing = [median(way(folder / "base", None) for _ in range(RUNS)) for way in ways[:2]]
            _line("nothing", [*nothing, 0.0, median(_here(folder / "base", None) for _ in range(RUNS))], own, "")
            for edit in MATMUL:
                times = [median(_after(edit, way, folder) for _ in range(RUNS)) for way in ways]
                _line(edit.name, times, own, ", ".join(sorted(edit.ran)))


def _line(name: str, times: list[float], own: list[float], stages: str) -> None:
    columns = (f"{x:>14.2f}{x / own[0]:>9.0%}{x / cold:>8.0%}" for x, cold in zip(times, own, strict=True))
    print(f"{name:<24}{''.join(columns)}  {stages}", flush=True)


def _cold(way: _Way, folder: Path) -> float:
    shutil.rmtree(folder / "store", ignore_errors=True)
    return way(folder, None)


def _after(edit: Edit, way: _Way, folder: Path) -> float:
    """Seconds after an edit of a copy of the files and the store."""
    base, other = folder / "base", folder / "edited"
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(base, other)
    _here(other, None)  # stamps of what was copied
    return way(other, edit)


def _made(edit: Edit | None, folder: Path) -> None:
    if edit is not None:
        file = folder / "files" / edit.file
        file.write_text(edit.change(file.read_text()))


def _arguments(folder: Path) -> list[str]:
    return ["run", str(folder / "files" / "volta.toml"), "--store", str(folder / "store"), "--quiet"]


class _Process:
    """`volta-pipe run` in a new process; `server`: where one listens, or `off`."""

    def __init__(self, server: str) -> None:
        self.environment = _environment(server)

    def __call__(self, folder: Path, edit: Edit | None) -> float:
        _made(edit, folder)
        start = time.perf_counter()
        done = subprocess.run(
            [*COMMAND, *_arguments(folder)], cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL, check=False
        )
        seconds = time.perf_counter() - start
        if done.returncode not in (0, 1):
            raise SystemExit(f"volta-pipe run ended with {done.returncode}")
        return seconds


class _Watched:
    """`volta-pipe run --watch`, begun without a store: the time to the first verdict, or, of an edit then, from its writing to
    the next one."""

    def __call__(self, folder: Path, edit: Edit | None) -> float:
        shutil.rmtree(folder / "store", ignore_errors=True)
        start = time.perf_counter()
        with subprocess.Popen(
            [*COMMAND, *_arguments(folder), "--watch"],
            cwd=ROOT, env=_environment("off"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            process.stdout.readline()
            if edit is not None:
                time.sleep(0.3)
                start = time.perf_counter()
                _made(edit, folder)
                process.stdout.readline()
            seconds = time.perf_counter() - start
            process.send_signal(signal.SIGINT)
        return seconds


def _here(folder: Path, edit: Edit | None) -> float:
    """A verdict in this process."""
    _made(edit, folder)
    start = time.perf_counter()
    with Store(folder / "store") as store:
        verify(folder / "files" / "volta.toml", store)
    return time.perf_counter() - start


def _environment(server: str) -> dict[str, str]:
    # A Python that may not write bytecode compiles all of our sources in each process: no machine of a user does.
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return found | {"VOLTA_SERVER": server}


@contextmanager
def _served(socket: Path) -> Iterator[None]:
    """A server, until the end."""
    server = subprocess.Popen([*COMMAND, "serve"], cwd=ROOT, env=_environment(str(socket)), stdout=subprocess.PIPE)
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
