"""A server for tests, and commands with and without it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MAIN = "from volta_pipe.driver.start import main; main()"  # what the `volta-pipe` script does
DECLINED = 77
# A command that only a server may run, in a process that loads as little as it says.
SERVED = f"""import sys
from volta_pipe.driver.serving.client import ask
code = ask(sys.argv[1:])
heavy = [name for name in ("typer", "numpy", "numba", "volta_pipe.driver.cli") if name in sys.modules]
sys.exit({DECLINED} if code is None else f"loaded {{heavy}}" if heavy else code)
"""
LIMIT = 300  # seconds after which something hangs


class Server:
    """A server at a path of its own. code: what its process runs."""

    def __init__(self, code: str = MAIN, folder: Path | None = None, idle: float = 10) -> None:
        self.folder = folder or Path(tempfile.mkdtemp(prefix="volta-"))  # short: the path of a socket has a limit
        self.path = self.folder / "s"
        self.process = start(["serve", "--idle", str(idle)], self.path, code=code)
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()  # once it is ready

    @property
    def pid(self) -> int:
        return self.process.pid

    def end(self) -> tuple[int, str]:
        """Ends it; its exit code and what it said on standard error."""
        self.process.terminate()
        _, said = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, said

    def close(self) -> None:
        if self.process.poll() is None:
            self.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def environment(server: Path | str, **more: str) -> dict[str, str]:
    """This process's, with a server, or `off`."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "VOLTA_SERVER": str(server), **more}


def start(
    arguments: list[str],
    server: Path | str,
    cwd: Path = ROOT,
    *,
    code: str = MAIN,
    env: dict[str, str] | None = None,
    **more: Any,
) -> subprocess.Popen[str]:
    """A command that has begun."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, cwd=cwd, env=environment(server, **(env or {})), text=True, **{**streams, **more})


def run(arguments: list[str], server: Path | str, cwd: Path = ROOT, **more: Any) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command, without what differs from run to run: seconds."""
    process = start(arguments, server, cwd, **more)
    out, err = process.communicate(timeout=LIMIT)
    return process.returncode, _timeless(out), _timeless(err)


def _timeless(text: str) -> str:
    return re.sub(r"\d+\.\d+ s\b|(?<=\"seconds\": )[\d.e-]+", "T", re.sub(r" +(?=\d+\.\d{3} s)", " ", text))
