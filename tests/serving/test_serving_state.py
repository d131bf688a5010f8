"""What `doctor` says of the server, and what a server says when it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
from pathlib import Path

import pytest
from serving_process import LIMIT, MAIN, SERVED, Server, run, start

NONE = "none; volta-pipe serve starts one"


def _state(server: Path | str, **more: object) -> str:
    code, out, err = run(["doctor"], server, **more)
    assert (code, err) == (0, "")
    (line,) = (line for line in out.splitlines() if line.startswith("server "))
    return line.removeprefix("server ").strip()


def test_a_server_that_would_be_used(server: Server) -> None:
    assert _state(server.path) == f"ready at {server.path}, process {server.pid}"
    assert run(["--version"], server.path, code=SERVED)[0] == 0  # and it is


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"code": "import os; os.nice(3)\n" + MAIN}, r"another niceness \((-?\d+) there, (-?\d+) here\)"),
        ({"env": {"OMP_NUM_THREADS": "1"}}, r"another environment variable OMP_NUM_THREADS \(.* there, '1' here\)"),
        ({"env": {"PYTHONPATH": "/work:" * 9 + str(Path(__file__).parents[2])}}, r"another .*PYTHONPATH.*"),
    ],
)
def test_why_a_command_would_not_be_served(server: Server, more: dict[str, object], why: str) -> None:
    start = f"process {server.pid} at {server.path} takes no command that is started as this one was: "
    said = _state(server.path, **more)
    found = re.search(why, said.removeprefix(start))
    assert said.startswith(start) and found is not None, said
    if "niceness" in why:
        there, here = map(int, found.groups())
        assert here == min(there + 3, 19)


def test_nobody_is_there(tmp_path: Path) -> None:
    assert _state("off") == "switched off: VOLTA_SERVER is empty, or `off`"
    assert _state(tmp_path / "s") == NONE
    (tmp_path / "file").touch()
    assert _state(tmp_path / "file").startswith(f"not used: {tmp_path / 'file'} is no socket of yours")
    with socket.socket(socket.AF_UNIX) as old:
        old.bind(str(tmp_path / "old"))
    assert _state(tmp_path / "old") == NONE  # of a server that was killed


def test_a_server_that_does_not_answer() -> None:
    server = Server()
    try:
        os.kill(server.pid, signal.SIGSTOP)
        assert _state(server.path) == f"process {server.pid} at {server.path} does not answer"
        process = start(["--version"], server.path)  # it does it itself, and its pipes are closed behind it
        assert process.communicate(timeout=60)[0].startswith("volta-pipe ") and process.returncode == 0
    finally:
        os.kill(server.pid, signal.SIGCONT)
        server.close()


def test_a_server_that_nobody_asks_says_that_it_ends(tmp_path: Path) -> None:
    process = start(["serve", "--idle", "0.01"], tmp_path / "s")
    out, err = process.communicate(timeout=LIMIT)
    ready, ended = out.splitlines()
    assert (process.returncode, err) == (0, "") and ready.startswith("ready at ")
    assert ended == "ended: no command has come for 0.01 minutes"
