"""What a command does with a server is what it does without, to the byte."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving_process import ROOT, environment
from serving_server import COMMAND, Commands, Done, Served, served, until

KERNEL = ROOT / "examples" / "axpy"
TIMES = re.compile(rb"\d+\.\d+ s")
SPEC = """import numpy as np
print("imported", __name__)
def twice(x):
    print("called with", len(x))
    return {"y": 2 * x}
"""
ENDLESS = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k() {
  .reg .pred %p; .reg .b32 %r, %s;
  mov.u32 %r, 0; mov.u32 %s, 0;
L: add.u32 %r, %r, 1; setp.ne.u32 %p, %s, 1; @%p bra L;
  ret;
}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server") / "socket") as found:
        yield found


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    shutil.copytree(KERNEL, tmp_path / "files")
    return Commands(tmp_path, environment("off"))


def plain(done: Done) -> tuple[int, list[bytes], bytes]:
    """Without the times that stages took, and without the order in which those of the two sides were done."""
    return done.code, sorted(TIMES.sub(b"s", done.out).splitlines()), TIMES.sub(b"s", done.err)


def used(server: Served, commands: Commands, *arguments: str) -> Done:
    """Runs a command that the server has to take: its pages are the server's, so that it starts with all code loaded."""
    before = server.process.poll()
    done = commands.run(*arguments, server=server.socket)
    assert before is None and server.process.poll() is None
    return done


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "files/volta.toml", "--store", "NEW"],
        ["run", "files/volta.toml", "--store", "NEW", "--quiet"],
        ["run", "files/volta.toml", "--store", "NEW", "--stage", "vc"],
        ["run", "nowhere.toml", "--store", "NEW"],
        ["run", "files/volta.toml", "--nonsense"],
        ["inspect", "lower", "files/volta.toml", "--store", "NEW"],
        ["store", "ls", "--store", "nowhere"],
        ["explain", "files/volta.toml", "--store", "NEW"],
        ["--help"],
        ["run", "--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_the_same_output(arguments: list[str], server: Served, commands: Commands) -> None:
    with_server = [used(server, commands, *(x.replace("NEW", "one") for x in arguments)) for _ in range(2)]
    without = [commands.run(*(x.replace("NEW", "two") for x in arguments), server=None) for _ in range(2)]
    for one, other in zip(with_server, without, strict=True):
        assert plain(one) == plain(other)
    assert with_server[0].out or with_server[0].err


def test_the_same_verdict_and_store(server: Served, commands: Commands) -> None:
    found = []
    for name, socket in (("one", server.socket), ("two", None)):
        done = commands.run("run", "files/volta.toml", "--store", name, "--json", server=socket)
        found.append(json.loads(done.out))
        objects = sorted(
            str(path.relative_to(commands.folder / name)) for path in (commands.folder / name / "objects").glob("*/*")
        )
        found.append(objects)
    assert found[0]["verdict"] == "equivalent" and found[1] == found[3] and found[1]
    for document in (found[0], found[2]):
        for stage in document["stages"]:
            stage.pop("seconds", None)
    assert found[0] == found[2]
    again = json.loads(commands.run("run", "files/volta.toml", "--store", "one", "--json", server=None).out)
    assert all(stage["cached"] for stage in again["stages"])  # the versions of the stages are the same


def test_a_server_did_it(server: Served, commands: Commands) -> None:
    """The process that works is a child of the server, in a session of its own, and in the folder of the command."""
    (commands.folder / "k.ptx").write_text(ENDLESS)
    (commands.folder / "k.toml").write_text('[candidate]\nsource = "k.ptx"\nentry = "k"\ngrid = [1]\nblock = [32]\nargs = []\n')
    server.alone()  # the work of the test before may still be ending
    process = commands.start("run", "k.toml", "--store", "s", server=server.socket, VOLTA_MARK="here")
    until(lambda: len(server.children) == 1 and process.poll() is None)
    (child,) = server.children
    until(lambda: Path(f"/proc/{child}/cwd").resolve() == commands.folder)
    assert process.pid not in server.children
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and b"interrupted" in err, (out, err)
    server.alone()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_a_command_that_is_killed_takes_its_work_along(number: int, server: Served, commands: Commands) -> None:
    (commands.folder / "k.ptx").write_text(ENDLESS)
    (commands.folder / "k.toml").write_text('[candidate]\nsource = "k.ptx"\nentry = "k"\ngrid = [1]\nblock = [32]\nargs = []\n')
    server.alone()  # the work of the test before may still be ending
    process = commands.start("run", "k.toml", "--store", "s", server=server.socket)
    until(lambda: len(server.children) == 1)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == -number
    server.alone()
    assert used(server, commands, "--version").code == 0


def test_a_worker_that_is_killed_is_told(server: Served, commands: Commands) -> None:
    (commands.folder / "k.ptx").write_text(ENDLESS)
    (commands.folder / "k.toml").write_text('[candidate]\nsource = "k.ptx"\nentry = "k"\ngrid = [1]\nblock = [32]\nargs = []\n')
    server.alone()  # the work of the test before may still be ending
    process = commands.start("run", "k.toml", "--store", "s", server=server.socket)
    until(lambda: len(server.children) == 1)
    (child,) = server.children
    until(lambda: Path(f"/proc/{child}/cwd").resolve() == commands.folder)  # it has said YES and heard GO
    subprocess.run(["kill", "-SEGV", str(child)], check=True)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGSEGV


def test_specs_are_read_anew_and_may_print(server: Served, commands: Commands) -> None:
    contract = (ROOT / "tests" / "serving" / "twice.toml").read_text()
    (commands.folder / "c.toml").write_text(contract)
    shutil.copy(ROOT / "tests" / "serving" / "twice.ptx", commands.folder / "twice.ptx")
    (commands.folder / "spec.py").write_text(SPEC)
    both = [commands.run("run", "c.toml", "--store", name, server=at) for name, at in (("one", server.socket), ("two", None))]
    assert plain(both[0]) == plain(both[1]) and both[0].code == 0
    (commands.folder / "spec.py").write_text(SPEC.replace("2 * x", "3 * x"))
    both = [commands.run("run", "c.toml", "--store", name, server=at) for name, at in (("one", server.socket), ("two", None))]
    assert plain(both[0]) == plain(both[1]) and both[0].code == 1


def test_many_at_once(server: Served, commands: Commands) -> None:
    processes = [
        commands.start("run", "files/volta.toml", "--store", f"s{i % 3}", "--quiet", server=server.socket) for i in range(8)
    ]
    found = [process.communicate(timeout=300) for process in processes]
    assert {process.returncode for process in processes} == {0}
    assert len({out for out, _ in found}) == 1
    server.alone()


def test_nobody_reads_the_output(server: Served, commands: Commands) -> None:
    """As in `volta-pipe ... | head -1`."""
    line = f"{' '.join([COMMAND[0], COMMAND[1], repr(COMMAND[2])])} --help | head -1; echo ${{PIPESTATUS[0]}}"
    results = [
        subprocess.run(
            ["bash", "-c", line],
            cwd=commands.folder,
            env=commands.environment | {"VOLTA_SERVER": at},
            capture_output=True,
            check=True,
        )
        for at in (str(server.socket), "off")
    ]
    assert results[0].stdout == results[1].stdout and results[0].stderr == results[1].stderr == b""
