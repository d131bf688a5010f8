"""README and docs say what is so: commands print what is shown, excerpts are in their files, links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from doc_blocks import DOCUMENTS, GAP, ROOT, Block, blocks, commands, missing
from doc_refresh import refreshed

from volta_pipe.driver.expectations import expectation
from volta_pipe.driver.verdict import EXIT_CODES
from volta_pipe.ir.findings import KINDS

BLOCKS = [block for document in DOCUMENTS for block in blocks(document)]
EXAMPLES = ROOT / "examples" / "README.md"
CONSOLE = [block for block in BLOCKS if block.language == "console"]
# A block whose first line is a comment with the path of a file shows lines of that file.
EXCERPTS = [b for b in BLOCKS if b.lines and re.fullmatch(r"# [\w./-]+/[\w.-]+\.\w+", b.lines[0])]
# What the scripts do. Stock xdsl-opt, once the project is installed, does with our things what volta-opt does.
_OPT = "from volta_pipe.driver.mlir.opt import main; main()"
_MAINS = {"volta-pipe": "from volta_pipe.driver.cli import main; main()", "volta-opt": _OPT, "xdsl-opt": _OPT}


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store for each document: what a document runs first is not cached yet."""
    return tmp_path_factory.mktemp("stores")


def run(code: str, arguments: list[str], store: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "VOLTA_STORE": str(store)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("block", CONSOLE, ids=str)
def test_commands_print_what_is_shown(block: Block, stores: Path) -> None:
    for command in commands(block):
        program, *arguments = shlex.split(command.words)
        if program == "make":
            targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
            assert set(arguments) <= set(targets)
            continue
        assert program in _MAINS, f"{block}: {command.words}"
        done = run(_MAINS[program], arguments, stores / block.document.stem)
        lacking = missing(command.output, done.stdout.splitlines()) if command.output else []
        if lacking:
            pytest.fail(f"{block}: {command.words}\nlacking: {lacking}\nprinted:\n{done.stdout}{done.stderr}", pytrace=False)
        if command.code is not None:
            assert done.returncode == command.code, command.words


@pytest.mark.parametrize("block", EXCERPTS, ids=str)
def test_excerpts_are_in_their_files(block: Block) -> None:
    real = [line.rstrip() for line in (ROOT / block.lines[0].removeprefix("# ")).read_text().splitlines()]
    place = 0
    for line in block.lines[1:]:
        if line != GAP:
            assert line.rstrip() in real[place:], f"{block}: {line}"
            place = real.index(line.rstrip(), place) + 1


def test_there_are_examples_of_every_sort() -> None:
    assert len(CONSOLE) >= 8 and len(EXCERPTS) >= 4
    codes = {command.code for block in CONSOLE for command in commands(block)}
    assert {0, 1} <= codes


def test_the_shown_contract_is_whole() -> None:
    (block,) = [b for b in EXCERPTS if b.lines[0] == "# examples/axpy/volta.toml"]
    assert list(block.lines[1:]) == (ROOT / "examples/axpy/volta.toml").read_text().splitlines()


def test_python_examples_run(tmp_path: Path) -> None:
    """Those that run the tool; what it prints for a dispatcher is run in tests/driver/test_driver_dispatch_text.py."""
    found = [b for b in BLOCKS if b.language == "python" and b not in EXCERPTS and any("volta_pipe" in s for s in b.lines)]
    assert found
    for block in found:
        done = run("\n".join(block.lines), [], tmp_path)
        assert (done.returncode, done.stdout.split()) == (0, ["equivalent", "613"]), f"{block}: {done.stderr}"


def test_the_shown_verification_lists_every_example_as_expected() -> None:
    """`make verify` itself is what CI runs; here: the lines name the contracts there are and the verdicts that they expect."""
    (block,) = [b for b in BLOCKS if b.document.name == "README.md" and b.lines and b.lines[0].startswith("ok ")]
    shown = [line for line in block.lines if line.startswith("ok ")]
    paths = []
    for line in shown:
        match = re.fullmatch(r"ok    (\S+): ([a-z-]+(?: [a-z-]+)?)(?:, [\d,]+ outputs)?  \(\d+\.\d\d s\)", line)
        assert match, line
        paths.append(match[1])
        assert match[2] == str(expectation(ROOT / match[1]))
    known = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("examples/*/volta.toml"))
    assert paths == [path for path in known if path in paths]
    if GAP not in block.lines:
        assert paths == known and block.lines[-1] == f"{len(known)} of {len(known)} as expected"


def test_the_list_of_examples_says_what_their_contracts_say() -> None:
    rows = re.findall(
        r"^\| \[([\w-]+)\]\((\S+)\) \| (.*) \| `([a-z-]+)`(?: \(([a-z-]+)\))? \|$", EXAMPLES.read_text(), re.MULTILINE
    )
    contracts = sorted(ROOT.glob("examples/*/volta.toml"))
    assert [(name, link) for name, link, *_ in rows] == [(c.parent.name, f"{c.parent.name}/volta.toml") for c in contracts]
    for contract, (_, _, shows, verdict, kind) in zip(contracts, rows, strict=True):
        assert f"{verdict} {kind}".strip() == str(expectation(contract))
        assert contract.read_text().splitlines()[1] == f"# {shows}"


def test_digests_are_compared_and_seconds_are_not() -> None:
    real = ["lower   candidate  ran        0.391 s  1d4778b784fe", "safe: k"]
    assert missing(("lower   candidate  ran        9.125 s  1d4778b784fe", "safe: k"), real) == []
    other = "lower   candidate  ran        0.391 s  1d4778b784ff"
    assert missing((other, "safe: k"), real) == [other]
    assert refreshed(other, real) == real[0]
    assert refreshed("lower   reference  ran        0.391 s  1d4778b784ff", real).endswith("ff")  # of another side
    assert refreshed("safe: k", real) == "safe: k"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target.partition("#")[0]).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_named_paths_exist(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    for name in re.findall(r"`((?:ir|passes|driver|tests|examples|bench|docs)/[\w./-]*)`", text):
        assert (ROOT / name).exists(), name


def test_verdicts_and_exit_codes_are_those_of_the_tool() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert {name: int(code) for name, code in rows} == EXIT_CODES
    assert KINDS  # the kinds are described in words, not listed


def test_documents_name_no_machine() -> None:
    for document in DOCUMENTS:
        assert not re.search(r"(?<![\w.$~/)])/(?:home|root|work|tmp|usr|opt)/", document.read_text()), document
