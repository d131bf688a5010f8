"""The command line: exit codes, one clear line for every error, clean JSON, and what is printed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from driver_commands import Cli

from volta_pipe.driver import session as session_module


def test_run_prints_the_stages_and_the_verdict(command: Cli) -> None:
    assert command.run() == 0
    assert {line.split()[0] for line in command.out.splitlines()[:18]} == {"lower", "unroll", "check", "vc", "canon", "decide"}
    assert "equivalent: copy" in command.out and "2 combinations of dims (n=4; n=8), all CTAs, 12 output" in command.out
    assert command.err == ""
    assert command.run() == 0
    stages = [line for line in command.out.splitlines() if " s  " in line]
    assert len(stages) == 18 and all(" cached " in line for line in stages)


def test_json_is_clean_and_the_same_twice(command: Cli) -> None:
    assert command.run("--json") == 0
    first = json.loads(command.out)
    assert "lower" in command.err
    assert command.run("--json", "--quiet") == 0
    second = json.loads(command.out)
    assert command.err == ""
    stages = [first.pop("stages"), second.pop("stages")]
    assert json.dumps(first) == json.dumps(second) and len(stages[0]) == len(stages[1])
    assert first["schema"] == "volta-pipe/verdict/1"


@pytest.mark.parametrize(
    ("fact", "code", "shown"),
    [
        ("finding race", 1, "unsafe: copy"),
        ("vc unsupported", 3, "no such bit trick"),
        ("verdict not-equivalent", 1, "x[0] = 1/3"),
        ("verdict unknown", 3, "why, n=4: too hard"),
    ],
)
def test_exit_codes(command: Cli, fact: str, code: int, shown: str) -> None:
    command.project.fact(fact)
    assert command.run() == code
    assert shown in command.out
    assert command("explain", str(command.project.contract)) == code
    assert shown in command.out


def test_findings_show_source_lines(command: Cli) -> None:
    command.project.fact("finding race")
    (command.project.folder / "k.cu").write_text("\n" * 11 + "s[i] += s[i + d];\nreturn;\n")
    assert command.run() == 1
    assert "12 | s[i] += s[i + d];" in command.out
    assert "write by thread 3 (3,0,0) of CTA (0,0,0) at k.cu:12 (PTX line 7)" in command.out


def test_stage_and_quiet(command: Cli) -> None:
    assert command.run("--stage", "check") == 0
    assert "stopped after check" in command.out and "vc " not in command.out
    assert command.run("--quiet") == 0
    assert command.out == "equivalent: copy\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "{}", "--stage", "vcc"], "unknown stage 'vcc', did you mean 'vc'?"),
        (["run", "{}", "--force", "x"], "unknown stage 'x'"),
        (["run", "/nowhere/volta.toml"], "/nowhere/volta.toml: contract does not exist"),
        (["run", "{}", "--jobs", "many"], "--jobs"),
        (["run", "{}", "--nonsense"], "--nonsense"),
        (["run", "{}", "--max-steps", "0"], "--max-steps"),
        (["run", "{}", "--store", "/proc/none"], "the store cannot be written"),
        (["frobnicate"], "frobnicate"),
        (["inspect", "vcc", "--contract", "{}"], "'vcc' is no stage, did you mean 'vc'?"),
        (["inspect", "abcdef"], "the store has no artifact abcdef"),
        (["inspect", "vc", "--contract", "{}", "--dims", "n=5"], "no combination with n=5"),
        (["inspect", "vc", "--contract", "{}", "--side", "left"], "'left' is neither"),
        (["store", "gc", "--max-size", "big"], "'big' is no size"),
        (["diff", "zz", "zz"], "'zz' is no stage and no digest"),
        (["init", "/nowhere/k.ptx"], "/nowhere/k.ptx"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(command: Cli, arguments: list[str], message: str) -> None:
    assert command(*[a.replace("{}", str(command.project.contract)) for a in arguments]) == 2
    assert command.out == "" and command.err.startswith("volta-pipe: error: ")
    assert len(command.err.splitlines()) == 1 and message in command.err


def test_no_command_shows_the_help(command: Cli) -> None:
    assert command() == 2
    assert command.out == "" and "Commands:" in [line.strip() for line in command.err.splitlines()]
    assert command("store") == 2
    assert "gc" in command.err


def test_version_and_help(command: Cli) -> None:
    assert command("--version") == 0
    assert command.out.startswith("volta-pipe 0.")
    assert command("-h") == 0
    assert command.out.startswith("Usage: ") and "--version" in command.out


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 2, "memory"),
        (RecursionError(), 2, "nested"),
        (ZeroDivisionError("x\ny"), 2, "internal error"),
    ],
)
def test_nothing_ends_in_a_traceback(
    command: Cli, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, message: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(session_module, "verify", fail)
    assert command.run() == code
    assert message in command.err and len(command.err.splitlines()) == 1


def test_the_store_commands(command: Cli) -> None:
    command.run()
    assert command("store", "ls") == 0 and "records" in command.out
    heading, first, *_ = command.out.splitlines()
    assert heading.split() == ["digest", "stage", "output", "bytes", "last", "used"]
    digest = first.split()[0]
    assert command("store", "verify") == 0
    path = next((command.project.folder / "store" / "objects").glob(f"{digest[:2]}/{digest[2:]}*"))
    path.write_bytes(b"x")
    assert command("store", "verify") == 1 and "is damaged" in command.out
    assert command("store", "gc", "--max-size", "0") == 0
    assert not list((command.project.folder / "store" / "objects").glob("??/*"))
    assert command.run() == 0


def test_inspect_and_diff_of_lowered_text(command: Cli) -> None:
    command.run("--json")
    artifacts = {s["side"]: s["artifact"] for s in json.loads(command.out)["stages"] if s["name"] == "lower"}
    assert command("inspect", artifacts["candidate"]) == 0 and "// a kernel" in command.out
    assert command("diff", artifacts["candidate"], artifacts["reference"]) == 0 and "the same artifact" in command.out
    assert command("inspect", "check", "--contract", str(command.project.contract), "--json") == 0
    assert json.loads(command.out)["notes"] == ["a note"]


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    code = "import sys, volta_pipe.driver.cli, volta_pipe.driver.commands.run; print([m for m in sys.modules if m in HEAVY])"
    heavy = "('numpy', 'numba', 'xdsl', 'flint', 'joblib', 'rich')"
    done = subprocess.run([sys.executable, "-c", code.replace("HEAVY", heavy)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _process(arguments: list[str], **streams: Any) -> subprocess.CompletedProcess[str]:
    code = "from volta_pipe.driver.cli import main; main()"  # what the script does: it ends the process itself
    return subprocess.run([sys.executable, "-c", code, *arguments], text=True, check=False, timeout=60, **streams)


def test_all_output_arrives_before_the_process_ends_itself() -> None:
    done = _process(["run", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0 and "--max-memory" in done.stdout and not done.stderr
    bad = _process(["run", "nowhere.toml"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert bad.returncode == 2 and "nowhere.toml" in bad.stderr and not bad.stdout


def test_a_command_that_does_not_exist_is_one_line_with_one_suggestion(command: Cli) -> None:
    assert command("rnu") == 2
    assert command.err == "volta-pipe: error: No such command 'rnu'. Did you mean 'run'?\n"


def test_the_parser_of_one_command_is_that_of_all() -> None:
    """A run makes the parser of its own command alone: what that says must be the same."""
    from typer.main import get_command

    from volta_pipe.driver.cli import _name, parser
    from volta_pipe.driver.cli_commands import app

    names = [_name(one) for one in app.registered_commands]
    every = get_command(app)
    groups = [str(one.name) for one in app.registered_groups]
    assert "run" in names and all(
        list(parser(other).commands) == [*names, *groups] for other in ("", "rnu", "--version", "store")
    )  # type: ignore[attr-defined]
    for name in names:
        alone = parser(name)
        assert list(alone.commands) == [name]  # type: ignore[attr-defined]
        shown = [one.commands[name].get_help(one.make_context("volta-pipe", [name, "-h"])) for one in (every, alone)]  # type: ignore[attr-defined]
        assert shown[0] == shown[1]
