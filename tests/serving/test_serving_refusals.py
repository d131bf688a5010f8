"""When a server does not do a command's work: then the command does it, and says nothing of it."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving_process import ROOT, environment
from serving_server import COMMAND, Commands, Served, served, until

from volta_pipe.driver.serving import protocol
from volta_pipe.driver.serving.client import ask
from volta_pipe.ir.compiled import cache_root


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "server").mkdir()
    with served(tmp_path / "server" / "socket") as found:
        yield found


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    return Commands(tmp_path, environment("off"))


def answer(server: Served, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What the server says to a request of this process with the environment as it is."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(server.socket))
        protocol.send_request(connection, protocol.request(["--version"]))
        return connection.recv(1)


def alike(server: Served) -> str:
    """Has a process that is started like the server say what it is like."""
    code = "from volta_pipe.driver.serving.protocol import likeness; print(likeness())"
    return subprocess.run([*COMMAND[:2], code], env=server.environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", ["PYTHONUTF8", "NUMBA_DISABLE_JIT", "LC_ALL", "OMP_NUM_THREADS", "HOME", "LD_LIBRARY_PATH"])
def test_settings_that_are_read_at_the_start(name: str, server: Served) -> None:
    here = alike(server)
    server.environment[name] = "1" if name.startswith("PYTHON") else "C.UTF-8"
    assert alike(server) != here


def test_other_settings_do_not_matter(server: Served) -> None:
    here = alike(server)
    server.environment |= {"VOLTA_STORE": "elsewhere", "COLUMNS": "70", "PATH": os.environ["PATH"] + ":/nowhere"}
    assert alike(server) == here


def test_limits_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    here = protocol.likeness()
    real = resource.getrlimit
    monkeypatch.setattr(resource, "getrlimit", lambda which: (1 << 20, -1) if which == resource.RLIMIT_AS else real(which))
    assert protocol.likeness() != here


def test_a_process_that_is_not_alike_is_declined(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """This one has other entries in sys.path than a command."""
    assert answer(server, monkeypatch) == protocol.NO
    server.alone()


def test_a_declined_command_runs_here(server: Served, commands: Commands) -> None:
    done = commands.run("--version", server=server.socket, NUMBA_DUMP_IR="0")
    assert (done.code, done.err) == (0, b"") and done.out.startswith(b"volta-pipe ")


@pytest.mark.parametrize("what", [b"", b"\0\0\0\0", b"\xff\xff\xff\xff", b"no request at all, but more than four bytes"])
def test_others_are_not_held_up(what: bytes, server: Served, commands: Commands) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(server.socket))
        connection.send(what)
        assert commands.run("--version", server=server.socket).code == 0
    server.alone()
    assert server.process.poll() is None


def test_a_socket_that_nobody_listens_at(tmp_path: Path, commands: Commands) -> None:
    path = tmp_path / "old"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as left:
        left.bind(str(path))
    assert commands.run("--version", server=path).code == 0
    path.unlink()
    path.write_text("no socket")
    assert commands.run("--version", server=path).code == 0
    assert commands.run("--version", server=tmp_path / "nowhere" / "socket").code == 0


def test_a_folder_where_others_may_write(server: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = server.socket.parent
    monkeypatch.setenv("VOLTA_SERVER", str(server.socket))
    folder.chmod(0o777)
    try:
        assert ask(["--version"]) is None
        other = subprocess.run([*COMMAND, "serve"], env=environment(folder / "two"), capture_output=True, check=False)
        assert other.returncode == 2 and b"others may write there" in other.stderr
    finally:
        folder.chmod(0o700)


def test_one_server_is_enough(server: Served) -> None:
    other = subprocess.run([*COMMAND, "serve"], env=server.environment, capture_output=True, check=False, timeout=120)
    assert other.returncode == 2 and b"a server is there already" in other.stderr
    assert server.process.poll() is None


def test_the_place_of_a_killed_server_is_taken(tmp_path: Path, commands: Commands) -> None:
    path = tmp_path / "socket"
    with served(path) as one:
        one.process.kill()
        one.process.wait()
        assert path.exists()
        with served(path):
            assert commands.run("--version", server=path).code == 0
    assert not path.exists()


def test_a_server_ends_when_nobody_asks(tmp_path: Path) -> None:
    with served(tmp_path / "socket", ["--idle", "0.01"]) as server:
        assert server.process.wait(timeout=60) == 0
    assert not (tmp_path / "socket").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_ends_when_it_is_told(number: int, tmp_path: Path) -> None:
    with served(tmp_path / "socket") as server:
        server.process.send_signal(number)
        assert server.process.wait(timeout=60) == 0
    assert not (tmp_path / "socket").exists()


def test_servers_can_be_switched_off(commands: Commands) -> None:
    for value in ("", "off"):
        done = subprocess.run([*COMMAND, "serve"], env=environment(value), capture_output=True, check=False, timeout=120)
        assert done.returncode == 2 and b"VOLTA_SERVER" in done.stderr


def test_another_version_of_the_sources(tmp_path: Path) -> None:
    """The server of a copy of the checkout whose sources change: it declines, and ends."""
    copy = tmp_path / "copy"
    for room in ("ir", "passes", "driver", "volta_pipe"):
        shutil.copytree(ROOT / room, copy / room, symlinks=True, ignore=shutil.ignore_patterns("*.pyc"))
    path = tmp_path / "socket"
    with served(path, PYTHONPATH=str(copy), NUMBA_CACHE_DIR=str(cache_root())) as server:
        code = f"import sys; sys.path.insert(0, {str(copy)!r}); import volta_pipe; print(volta_pipe.__file__)"
        found = subprocess.run([sys.executable, "-c", code], env=server.environment, capture_output=True, text=True, check=True)
        assert found.stdout.startswith(str(copy))
        source = copy / "passes" / "vc" / "vc.py"
        source.write_text(source.read_text() + "\n# changed\n")
        done = subprocess.run([*COMMAND, "--version"], env=server.environment, capture_output=True, check=False, timeout=120)
        assert done.returncode == 0 and done.stderr == b""
        until(lambda: server.process.poll() is not None)
        assert server.process.stderr is not None and b"have changed" in server.process.stderr.read()
