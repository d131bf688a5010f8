"""Output that cannot be written: one line that says so, exit code 2, and nothing is done again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.compiling import NOTICE

AXPY = str(Path(__file__).parents[2] / "examples/axpy/volta.toml")
# `run` meets the error in the middle of its stages, `--json` at the end, `--help` in typer, `doctor` in plain prints.
COMMANDS = [
    ["run", AXPY],
    ["run", AXPY, "--json", "-q"],
    ["explain", AXPY],
    ["--help"],
    ["--version"],
    ["doctor"],
    ["store", "ls"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("streams")


def _process(arguments: list[str], folder: Path, **streams: Any) -> subprocess.CompletedProcess[str]:
    code = "from volta_pipe.driver.cli import main; main()"
    environment = os.environ | {"VOLTA_STORE": str(folder / "store"), "VOLTA_SERVER": "off"}
    given = {"stderr": subprocess.PIPE} | streams
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], text=True, check=False, timeout=300, env=environment, **given
    )  # fmt: skip


def _line(done: subprocess.CompletedProcess[str], reason: str) -> None:
    said = done.stderr.replace(f"{NOTICE}\n", "")
    assert (done.returncode, said) == (2, f"volta-pipe: error: standard output: {reason}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk(command: list[str], folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        _line(_process(command, folder, stdout=full), "No space left on device")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_reader_that_is_gone(command: list[str], folder: Path) -> None:
    """As in `volta-pipe run | head -1` with more lines than that: 0 and 1 are verdicts, which nobody has got."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        _line(_process(command, folder, stdout=writer), "Broken pipe")
    finally:
        os.close(writer)


def test_a_stream_that_is_closed(folder: Path) -> None:
    def close() -> None:
        os.close(1)

    for command in COMMANDS[:2]:
        _line(_process(command, folder, preexec_fn=close), "Bad file descriptor")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_messages_that_cannot_be_written_change_no_verdict(folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = _process(["run", AXPY, "--json"], folder, stdout=subprocess.PIPE, stderr=full)
    assert done.returncode == 0 and '"verdict": "equivalent"' in done.stdout
    bad = _process(["run", "nowhere.toml"], folder, stdout=subprocess.PIPE, preexec_fn=lambda: os.close(2))
    assert (bad.returncode, bad.stdout) == (2, "")
