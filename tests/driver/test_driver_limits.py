"""Numbers, names and machines at their limits: one line that says which, exit code 2, and no fault of the tool or its store."""

from __future__ import annotations

import errno
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from driver_commands import Cli, Commands

from volta_pipe.driver.error_line import error_line
from volta_pipe.driver.shortages import shortage
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

DIGITS, MANY, LONG = "9" * 40, "9" * 5000, "a" * 300
AXPY = str(Path(__file__).parents[2] / "examples/axpy/volta.toml")
MOST = 10**18
TOO_LONG = "File name too long"


def _refused(command: Commands, said: str, *arguments: str) -> None:
    assert command(*arguments) == 2, command.out
    assert command.out == ""
    (line,) = command.err.splitlines()
    assert line.startswith("volta-pipe: error: ") and said in line, line[:400]
    assert "internal error" not in line and "store: an artifact" not in line


@pytest.mark.parametrize("name", ["run", "explain", "report", "inspect", "diff", "replay"])
@pytest.mark.parametrize("option", ["--max-steps", "--max-memory"])
def test_a_budget_beyond_the_machine_s(command: Cli, name: str, option: str) -> None:
    contract = str(command.project.contract)
    given = {"inspect": ["unroll", "--contract", contract], "diff": ["unroll", "--contract", contract, "--against", contract]}
    arguments = [name, *given.get(name, [contract])]
    _refused(command, f"{option}: the largest number that it takes is {MOST}", *arguments, option, DIGITS)
    _refused(command, f"{option}: the largest number that it takes is {MOST}", *arguments, option, str(MOST + 1))
    _refused(command, "is not a valid integer", *arguments, option, MANY)


def test_the_largest_budget_is_one(real: Commands) -> None:
    """The machine adds to it where lanes are set aside (passes/unroll/halted.py): that must not wrap around."""
    assert real("run", AXPY, "-q", "--max-steps", str(MOST), "--max-memory", str(MOST)) == 0
    assert MOST + MOST // 16 < 1 << 63


@pytest.mark.parametrize("number", [DIGITS, f"-{DIGITS}", MANY])
def test_dims_beyond_64_bits(command: Cli, number: str) -> None:
    contract = str(command.project.contract)
    _refused(command, "does not fit 64 bits", "inspect", "unroll", "--contract", contract, "--dims", f"n={number}")


@pytest.mark.parametrize("text", ["n=--4", "n=4.0", "n=٤", "n=", "n"])
def test_dims_that_are_no_numbers(command: Cli, text: str) -> None:
    contract = str(command.project.contract)
    _refused(command, "is not NAME=VALUE", "inspect", "unroll", "--contract", contract, "--dims", text)


def test_names_that_are_too_long(command: Cli) -> None:
    contract = str(command.project.contract)
    _refused(command, f"contract cannot be read: {TOO_LONG}", "run", LONG)
    _refused(command, f"contract cannot be read: {TOO_LONG}", "explain", f"{LONG}/volta.toml")
    _refused(command, f"the store cannot be written: {TOO_LONG}", "run", contract, "--store", LONG)
    for name in ("ls", "verify", "gc"):
        _refused(command, f"no store can be there: {TOO_LONG}", "store", name, "--store", LONG)
    _refused(command, "is no stage and no digest", "inspect", LONG)
    _refused(command, TOO_LONG, "init", LONG)
    _refused(command, TOO_LONG, "init", f"{LONG}.ptx")


@pytest.mark.parametrize("target", [LONG, f"{LONG}.html", f"{LONG}.json"])
def test_a_report_whose_name_is_too_long(real: Commands, target: str) -> None:
    _refused(real, f"cannot be written: {TOO_LONG}", "report", AXPY, "-o", target)


def test_a_store_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not Store(tmp_path / "file", create=False).exists
    with pytest.raises(InputError, match="no store can be there: File name too long"):
        Store(tmp_path / LONG, create=False)


def test_errors_of_paths_name_them() -> None:
    assert error_line(OSError(errno.ENAMETOOLONG, TOO_LONG, "k.ptx")) == f"k.ptx: {TOO_LONG}"
    assert error_line(PermissionError(errno.EACCES, "Permission denied", b"k.ptx")) == "k.ptx: Permission denied"
    assert "internal error" in error_line(OSError("something"))


def test_shortages_are_told_from_defects() -> None:
    assert "memory ran out; try smaller dims" in shortage(MemoryError())
    assert "memory ran out; try smaller dims" in shortage(OSError(errno.ENOMEM, "Cannot allocate memory"))
    assert "no thread can be started" in shortage(RuntimeError("can't start new thread"))
    assert shortage(RuntimeError("another")) == shortage(OSError("no such library")) == ""
    try:
        try:
            raise OSError("libllvmlite.so: failed to map segment from shared object")
        except OSError:
            raise OSError("Could not find/load shared object file") from None
    except OSError as error:
        assert "memory ran out while a library was loaded" in shortage(error)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space as Linux has them")
def test_little_memory_is_one_line(tmp_path: Path) -> None:
    """With 300 MB of addresses numba's library finds no room."""
    code = "from volta_pipe.driver.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", AXPY, "-q", "--store", str(tmp_path / "store"), "--jobs", "1"],
        capture_output=True, text=True, check=False, timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20)),
    )  # fmt: skip
    if done.returncode < 0:
        pytest.skip("a library ended the process itself: " + done.stderr[-200:])
    assert (done.returncode, done.stdout) == (2, "")
    assert "internal error" not in done.stderr and "Traceback" not in done.stderr
    assert "memory" in done.stderr and len(done.stderr.splitlines()) == 1


def test_no_thread_is_no_defect(command: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    _refused(command, "no thread can be started", "run", str(command.project.contract), "--jobs", "2", "-q")
