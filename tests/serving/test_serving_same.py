"""What a server runs is what the command would have done: output, exit code, files."""

from __future__ import annotations

from pathlib import Path

import pytest
from serving_process import MAIN, SERVED, Server, run

ONE = ("--jobs", "1")  # with more, stages end in any order
CASES = {
    "equivalent": (["run", "axpy/volta.toml", *ONE], 0),
    "json": (["run", "axpy/volta.toml", "--json", *ONE], 0),
    "quiet": (["run", "softmax-spec/volta.toml", "--quiet"], 0),
    "spec": (["run", "softmax-spec/volta.toml", *ONE], 0),
    "race": (["run", "broken-race/volta.toml", *ONE], 1),
    "explained": (["explain", "broken-tail/volta.toml"], 1),
    "inspected": (["inspect", "unroll", "--contract", "axpy/volta.toml", "--thread", "3"], 0),
    "replayed": (["replay", "axpy/volta.toml"], 0),
    "no contract": (["run", "nothing.toml"], 2),
    "no such command": (["walk"], 2),
    "no such option": (["run", "--walk"], 2),
    "help": (["run", "--help"], 0),
    "all help": (["--help"], 0),
    "version": (["--version"], 0),
}


@pytest.mark.parametrize("name", CASES)
def test_output_and_exit_code_are_the_same(server: Server, example: Path, name: str) -> None:
    arguments, code = CASES[name]
    for turn in ("cold", "warm"):
        own = run(arguments, "off", example, env={"VOLTA_STORE": str(example / "a")})
        served = run(arguments, server.path, example, code=SERVED, env={"VOLTA_STORE": str(example / "b")})
        assert served == own, turn
        assert own[0] == code, turn


def test_a_bad_contract_is_the_same_error(server: Server, example: Path) -> None:
    contract = example / "axpy" / "volta.toml"
    contract.write_text(contract.read_text().replace('role  = "in"', 'role  = "into"'))
    own, served = run(["run"], "off", contract.parent), run(["run"], server.path, contract.parent, code=SERVED)
    assert own == served and own[0] == 2 and "into" in own[2]


def test_a_spec_prints_and_reads_in_the_folder_of_the_command(server: Server, speaking: Path) -> None:
    said = "import os, sys, tempfile, locale, signal\n"
    said += "print(os.getcwd(), os.environ['MINE'], sys.argv, tempfile.gettempdir(), sys.path[:2], sys.stdout.encoding)\n"
    said += (
        "print(sys.stdin.errors, sys.stdout.errors, sys.stderr.line_buffering, sys.stdout.line_buffering, file=sys.stderr)\n"
    )
    said += "print(oct(os.umask(0o27)), signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM))\n"
    said += "print(len(os.listdir('/proc/self/fd')) < 12, sys.stdin.read())\n"
    (speaking / "said.py").write_text(said.replace("sys.argv", "sys.argv[1:]"))
    (speaking / "tmp").mkdir()
    more = {"MINE": "ä\udcff", "TMPDIR": str(speaking / "tmp")}
    results = []
    for place, code in (("off", MAIN), (server.path, SERVED)):
        results.append(run(["run", "--store", "s", "--force", "all", *ONE], place, speaking, env=more, umask=0o77, code=code))
    assert results[0][2].splitlines() == results[1][2].splitlines()
    assert results[0] == results[1] and results[0][0] == 0
    assert str(speaking) in results[0][2] and "0o77" in results[0][2]
    assert (speaking / "s").is_dir()  # a relative store


def test_runs_share_neither_modules_nor_random_numbers(server: Server, speaking: Path) -> None:
    (speaking / "said.py").write_text(
        "import os, sys\nprint(os.getppid(), np.random.random(), hasattr(np, 'mine'))\nnp.mine = 1\n"
    )
    lines = [run(["run", "--force", "all"], server.path, speaking, code=SERVED)[2].splitlines() for _ in range(2)]
    said = [next(line for line in out if line.startswith(f"{server.pid} ")).split() for out in lines]  # forked by the server
    assert said[0][1] != said[1][1]
    assert said[0][2] == said[1][2] == "False"


def test_output_that_nobody_reads_is_the_same_line(server: Server, example: Path) -> None:
    results = []
    for place in ("off", str(server.path)):
        shell = "import os, sys\nr, w = os.pipe()\nos.close(r)\nos.dup2(w, 1)\n"
        shell += MAIN
        results.append(run(["run", "axpy/volta.toml", "--store", "s"], place, example, code=shell))
    assert results == [(2, "", "volta-pipe: error: standard output: Broken pipe\n")] * 2
