"""A server for tests, and commands that may use it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from serving_process import MAIN, environment

COMMAND = [sys.executable, "-c", MAIN]


@dataclass
class Served:
    """A server at `socket`, and the environment of commands that are to find it."""

    process: subprocess.Popen[bytes]
    socket: Path
    environment: dict[str, str]

    @property
    def children(self) -> list[int]:
        """The processes that work on commands now."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(one) for one in listed.split()]

    def alone(self) -> None:
        """Waits until nobody works any more."""
        until(lambda: not self.children)


@dataclass
class Done:
    """How a command ended."""

    code: int
    out: bytes
    err: bytes


@dataclass
class Commands:
    """Runs commands in a folder, with a server or without."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, *arguments: str, server: Path | None, **more: str) -> subprocess.Popen[bytes]:
        environment = self.environment | {"VOLTA_SERVER": str(server) if server is not None else "off"} | more
        return subprocess.Popen(
            [*COMMAND, *arguments], cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def run(self, *arguments: str, server: Path | None, **more: str) -> Done:
        process = self.start(*arguments, server=server, **more)
        out, err = process.communicate(timeout=300)
        return Done(process.returncode, out, err)


def until(holds: object, seconds: float = 60.0) -> None:
    """Waits until a function gives True; fails after so long."""
    assert callable(holds)
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.01)


@contextmanager
def served(socket: Path, arguments: Sequence[str] = (), **more: str) -> Iterator[Served]:
    """A server, until the end."""
    settings = environment(socket, **more)
    process = subprocess.Popen(
        [*COMMAND, "serve", *arguments], env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=socket.parent
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith(b"ready at "), (line, process.stderr.read() if process.stderr else b"")
        yield Served(process, socket, settings)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
