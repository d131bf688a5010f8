"""What is said beside the verdict: that the tool compiles itself, that a source is newer than its PTX; and help that fits."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from driver_commands import Cli

from volta_pipe.driver import compiling, screen
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.expectations import expectation
from volta_pipe.ir import compiled

COMMANDS = ["run", "explain", "replay", "inspect", "diff", "init", "doctor", "store"]


@pytest.mark.parametrize("stage", ["unroll", "check", "vc", "canon"])
def test_a_stage_is_cold_until_something_is_compiled(stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders: list[Path] = []

    def cache_folder(folder: Path) -> Path:
        folders.append(folder)
        return tmp_path

    monkeypatch.setattr(compiled, "cache_folder", cache_folder)
    assert compiling.cold(stage)
    assert (folders[0] / "__init__.py").is_file() and folders[0].name == stage
    (tmp_path / "machine.run-7.py311.1.nbc").write_bytes(b"x")
    assert not compiling.cold(stage)


def test_stages_without_loops_of_their_own_are_never_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "cache_folder", lambda folder: pytest.fail(str(folder)))
    assert not any(compiling.cold(stage) for stage in ("lower", "trace", "decide"))


@pytest.mark.parametrize(
    ("missing", "wanted"),
    [
        ((), ""),
        (("check", "vc"), "; not compiled yet: check, vc (a run does it, or doctor --warm)"),
        (compiling.COMPILED, None),
    ],
)
def test_doctor_says_what_is_not_compiled(
    command: Cli, monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...], wanted: str | None
) -> None:
    monkeypatch.setattr(compiling, "cold", lambda stage: stage in missing)
    assert command("doctor") == 0
    last = command.out.splitlines()[-1].removeprefix("numba cache").strip()
    if wanted is None:
        assert last == "cold: the first run compiles for some minutes (doctor --warm does it now)"
    else:
        assert re.fullmatch(r"\d+ compiled functions, [\d,]+ bytes" + re.escape(wanted), last)


def test_compiling_is_said_once_and_leaves_json_clean(command: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "cold", lambda stage: stage in ("check", "vc"))
    assert command.run("--json", "--quiet") == 0
    assert json.loads(command.out)["verdict"] == "equivalent"
    (line,) = command.err.splitlines()
    assert line == compiling.NOTICE and "compiling" in line and "doctor --warm" in line
    assert command.run("--quiet") == 0 and command.err == ""  # all cached: nothing has to be compiled


def test_a_source_that_is_newer_than_its_ptx_is_a_warning(command: Cli) -> None:
    folder = command.project.folder
    (folder / "k.cu").write_text("// a kernel\n")
    os.utime(folder / "k.ptx", (1_000_000, 1_000_000))
    assert command.run() == 0 and command.err == ""  # the contract names no source
    command.project.change('entry  = "copy"', 'entry  = "copy"\ncompiled_from = "k.cu"')
    assert command.run("--quiet") == 0
    assert (
        command.err
        == f"warning: {folder / 'k.cu'} is newer than {folder / 'k.ptx'}, which is what is proved: compile it again\n"
    )
    os.utime(folder / "k.cu", (1_000_000, 1_000_000))
    assert command.run("--quiet") == 0 and command.err == ""
    (folder / "k.cu").unlink()
    assert command.run() == 2
    assert f"volta.toml:{command.project.line_of('compiled_from')}: candidate.compiled_from: " in command.err


def test_a_byte_order_mark_is_no_part_of_a_contract(command: Cli) -> None:
    path = command.project.contract
    path.write_bytes(b"\xef\xbb\xbf# expect: safe\n" + path.read_bytes())
    assert read_contract(path).name == "copy" and expectation(path).verdict == "safe"
    assert command.run("--quiet") == 0 and command.out == "equivalent: copy\n"
    path.write_bytes(path.read_bytes() + b"\n[oops\n")
    assert command.run() == 2 and f"volta.toml:{len(path.read_text().splitlines())}:" in command.err


def test_help_is_whole_in_80_columns(command: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in ([], ["store"], *([name] for name in COMMANDS), ["store", "ls"], ["store", "gc"], ["store", "verify"]):
        assert command(*arguments, "--help") == 0
        lines = command.out.splitlines()
        assert lines[0].startswith(f"Usage: volta-pipe {' '.join(arguments)}".rstrip())
        assert not [line for line in lines if line.endswith("...") and not line.startswith("Usage:")]
        assert max(map(len, lines)) <= 80
    assert command("run", "--help") == 0
    words = " ".join(command.out.split())
    assert "With another budget unroll runs again; later stages that the store has for the same rows are used" in words
    assert "Exit code 0: equivalent or safe; 1: not-equivalent or unsafe; 2: bad input; 3: unsupported or unknown." in words
