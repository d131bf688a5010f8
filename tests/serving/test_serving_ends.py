"""How commands and servers end: by signals, and one without the other."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from serving_process import LIMIT, MAIN, SERVED, Server, run, start

_SLEEPS = "import os, time\nos.write(1, b'%d\\n' % os.getpid())\ntime.sleep(600)\n"


def _busy(server: Path | str, folder: Path, code: str = MAIN) -> tuple[subprocess.Popen[str], int]:
    """A command whose spec is at work, and the process in which it is."""
    (folder / "said.py").write_text(_SLEEPS)
    command = start(["run", "--quiet"], server, folder, code=code)
    assert command.stdout is not None
    return command, int(command.stdout.readline())


def _gone(pid: int) -> bool:
    """Whether a process ends, which is waited for."""
    for _ in range(LIMIT * 20):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_signals_reach_who_works(server: Server, speaking: Path, number: int) -> None:
    ends = []
    for place in ("off", server.path):
        command, worker = _busy(place, speaking)
        assert (worker == command.pid) == (place == "off")
        command.send_signal(number)
        out, err = command.communicate(timeout=LIMIT)
        ends.append((command.returncode, out, err))
        assert _gone(worker)
    assert ends[0] == ends[1]
    assert ends[0][0] == (130 if number == signal.SIGINT else -number)


def test_a_worker_that_is_killed_ends_its_command_alike(server: Server, speaking: Path) -> None:
    command, worker = _busy(server.path, speaking)
    os.kill(worker, signal.SIGKILL)
    command.communicate(timeout=LIMIT)
    assert command.returncode == -signal.SIGKILL


def test_ignored_signals_stay_so(server: Server, speaking: Path) -> None:
    # By another process: what a spec does itself to end the process is an error.
    (speaking / "said.py").write_text(
        "import os, subprocess, time\nsubprocess.run(['kill', '-HUP', str(os.getpid())])\n"
        "time.sleep(0.5)\nos.write(1, b'here\\n')\n"
    )
    ignoring = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    code, out, _ = run(["run", "--force", "all"], server.path, speaking, code=ignoring + SERVED)
    assert code == 0 and "here" in out
    assert run(["run", "--force", "all"], server.path, speaking, code=SERVED)[0] == -signal.SIGHUP


def test_a_server_that_ends_lets_its_workers_finish(speaking: Path) -> None:
    server = Server()
    try:
        (speaking / "said.py").write_text(
            "import os, time\nos.write(1, b'at work\\n')\nwhile not os.path.exists('go'):\n    time.sleep(0.02)\n"
        )
        command = start(["run", "--quiet"], server.path, speaking, code=SERVED)
        assert command.stdout is not None and command.stdout.readline() == "at work\n"
        assert server.end()[0] == 0
        assert not server.path.exists()
        (speaking / "go").touch()
        out, _ = command.communicate(timeout=LIMIT)
        assert command.returncode == 0 and "equivalent" in out
    finally:
        server.close()


def test_ctrl_c_ends_a_server() -> None:
    server = Server()
    try:
        server.process.send_signal(signal.SIGINT)
        server.process.communicate(timeout=LIMIT)
        assert server.process.returncode == 0 and not server.path.exists()
    finally:
        server.close()
