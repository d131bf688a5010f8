"""`inspect` and `diff`: summaries in words with the right numbers, and errors for options that would do nothing."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from driver_commands import Cli, Commands

from volta_pipe.ir import scta, vc

AXPY = "examples/axpy/volta.toml"


def shown(real: Commands, *arguments: str) -> list[str]:
    assert real("inspect", *arguments) == 0, real.err
    return real.out.splitlines()


def test_unroll_in_words(real: Commands) -> None:
    """n = 100 on two CTAs of 64 threads, the second with 36 at work: two loads, an fma and a store for each of the 100."""
    lines = shown(real, "unroll", "--contract", AXPY)
    assert lines[0].startswith("2 CTAs of 64 threads, which executed 3,624 instructions")
    assert lines[1].startswith("left: 10 rows ")
    counts = {line.split()[1]: int(line.split()[0]) for line in lines[2 : lines.index("memory:")]}
    assert counts == {"read": 4, "fma": 2, "scalar": 2, "write": 2}
    assert {"  global x: 400 bytes, in", "  global y: 400 bytes, inout"} <= set(lines)
    assert real.err.startswith("unroll of the candidate at n=100, sha256:")


def test_check_in_words(real: Commands) -> None:
    assert shown(real, "check", "--contract", AXPY) == ["300 accesses to memory and 0 barriers checked: nothing found"]
    lines = shown(real, "check", "--contract", "examples/broken-race/volta.toml")
    assert lines[0].endswith(": 7 findings") and lines[1].startswith("  race ×256: write by thread 64 ")
    assert "shared memory part+256" in lines[1]  # the name in the source, not nvcc's


def test_a_threads_program_has_the_names_of_the_source(real: Commands) -> None:
    """Row 0 of the tile, column 3: three floats behind its start."""
    lines = shown(real, "unroll", "--contract", "examples/transpose/volta.toml", "--thread", "3")
    assert lines[0].endswith(" := read x[0,3]") and lines[1].startswith("write shared tile+12 %")
    assert not any("_Z" in line for line in lines)


def test_memory_is_called_once_by_its_name(real: Commands) -> None:
    """The tile of 16 by 16 floats, which is the kernel's only variable."""
    lines = shown(real, "unroll", "--contract", "examples/matmul-tiled/volta.toml")
    assert not any("shared shared" in line for line in lines)
    assert any(line.startswith("  shared memory: ") for line in lines)


def test_expressions_in_words(real: Commands) -> None:
    lines = shown(real, "vc", "--contract", AXPY, "--dims", "n=257")
    assert lines[0] == "y: expressions of 257 output elements"
    assert lines[1].endswith("leaves are elements of x, y and scalar a")
    sums = shown(real, "vc", "--contract", "examples/reduce-spec/volta.toml")
    assert any(line.endswith("its leaves are elements of x") for line in sums)  # and of no output, which it only writes
    assert shown(real, "vc", "--contract", AXPY, "--element", "y[67]") == ["y[67] = fma(x[67], a, y[67])"]
    spec = shown(real, "trace", "--contract", "examples/transpose-spec/volta.toml")
    assert "--element 'y[0,0]'" in spec[-1] and real.err.startswith("trace of the reference at ")
    assert shown(real, "vc", "--side", "reference", "--contract", "examples/transpose-spec/volta.toml") == spec


def test_canon_and_decide_in_words(real: Commands) -> None:
    contract = ("--contract", "examples/broken-index/volta.toml")
    # Of a 32 x 64 transpose in tiles of 32, what is read at swapped indices is right on two diagonals of 32.
    lines = shown(real, "canon", *contract)
    assert lines[0].startswith("2,048 output elements in 2 classes ")
    assert lines[1] == "  64 elements like y[0,0]: the two expressions are the same tree"
    assert lines[2].startswith("  1,984 elements like y[0,1]: the two normal forms differ")
    assert real.err.startswith("canon at rows=32 cols=64, sha256:")
    lines = shown(real, "decide", *contract)
    assert lines[:2] == ["verdict: not-equivalent", "proved: 64 of 2,048 output elements, which form 2 classes"]


def test_the_certificate_in_words_and_its_check(real: Commands) -> None:
    contract = ("--contract", "examples/broken-index/volta.toml")
    lines = shown(real, "decide", *contract)
    place = lines.index("certificate of 2 classes (--check checks it with other code):")
    assert lines[place + 1] == "  64 elements like y[0,0]: one tree on both sides"
    assert lines[place + 2] == "    renaming: y[1,1] is y[0,0] with x[1,1] for x[0,0]"  # the diagonal of the first tile
    assert lines[place + 3].startswith("  1,984 elements like y[0,1]: differs, normal forms ")
    lines = shown(real, "decide", "--check", *contract)
    assert lines[0] == "passed: every output element of both sides is in one class: 2,048 elements in 2 classes"
    assert all(line.startswith("passed: ") for line in lines[:-1])
    assert lines[-1] == f"certificate holds: {len(lines) - 1} passed, 0 failed, 0 not checked"
    assert shown(real, "decide", "--check", "--contract", AXPY)[-1] == "certificate holds: 5 passed, 0 failed, 0 not checked"
    assert real("inspect", "canon", "--check", *contract) == 2 and "--check does not apply to canon" in real.err


def test_raw_shows_the_columns(real: Commands) -> None:
    lines = shown(real, "unroll", "--contract", AXPY, "--raw")
    assert "column row_mask: <i4 [10] = 0 0 0 0 0 0 1 1 1 1" in lines and "steps: 3624" in lines
    assert real("inspect", "check", "--contract", AXPY, "--json") == 0
    assert json.loads(real.out)["findings"] == []


def test_unroll_as_operations(real: Commands) -> None:
    """Five rows of two CTAs, as an engineer reads them and as other tools do.

    Whole, the module is the program that `check` and `vc` take, with all of its static code, as in `volta-opt`. The
    artifact is that program without what no row needs, so that is what the named digest is of."""
    lines = shown(real, "unroll", "--contract", AXPY, "--rows", "5:9", "--thread", "3")
    assert lines[0] == "func.func @cta1() {" and len(lines) == 8
    assert re.fullmatch(r'  %r\d+ = scta\.read "ld\.f32" at "x" \+ 268 lanes "3" code \d+', lines[3])
    module = "\n".join(shown(real, "unroll", "--contract", AXPY, "--mlir", "--rows", "3:", "--cta", "1"))
    assert '"scta.read"() {' in module and "@cta0" not in module and "whole = false" in module
    scta.parse_module(module)
    whole = "\n".join(shown(real, "unroll", "--contract", AXPY, "--mlir"))
    program = scta.program_of(scta.parse_module(whole))
    artifact = hashlib.sha256(b"".join(bytes(part) for part in program.canonical[0].encode()))
    assert f"sha256:{artifact.hexdigest()}" in real.err
    assert len(program.op) > len(program.canonical[0].op)


def test_expressions_as_operations(real: Commands) -> None:
    arguments = ("--contract", AXPY, "--mlir", "--element", "y[67]", "--element", "y[3]")
    module = "\n".join(shown(real, "vc", *arguments))
    assert module.count('"vc.output"') == 2 and '"vc.leaf"() {tensor = "x", index = 67 : i64}' in module
    assert vc.conditions_of(vc.parse_module(module)).tensors == ("x", "y")
    assert shown(real, "vc", "--contract", AXPY, "--element", "y[67]", "--element", "y[3]") == [
        "y[67] = fma(x[67], a, y[67])",
        "y[3] = fma(x[3], a, y[3])",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["unroll", "--rows", "8:20"], "there are no rows 8:20, only 0:10"),
        (["unroll", "--mlir", "--cta", "2"], "there are 64 threads in each of 2 CTAs, counted from 0"),
        (["unroll", "--rows", "0:3", "--thread", "64"], "there are 64 threads in each of 2 CTAs, counted from 0"),
        (["vc", "--mlir", "--element", "y[100]"], "y has shape [100], there is no element [100]"),
    ],
)
def test_operations_that_are_not_there(real: Commands, arguments: list[str], message: str) -> None:
    assert real("inspect", *arguments, "--contract", AXPY) == 2
    assert real.out == "" and message in real.err


def test_a_module_is_not_cut(real: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volta_pipe.driver.commands.inspect.MOST_LINES", 5)
    assert shown(real, "unroll", "--contract", AXPY, "--rows", "0:9")[-1] == "… cut after 5 lines"
    for stage in ("unroll", "vc", "lower"):
        assert shown(real, stage, "--contract", AXPY, "--mlir")[-1] == "}) : () -> ()"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["vc", "--thread", "3"], "--thread does not apply to vc; it is for unroll"),
        (["check", "--element", "y[0]"], "--element does not apply to check; it is for vc and trace"),
        (["check", "--mlir"], "--mlir does not apply to check; it is for lower, unroll, vc and trace"),
        (["vc", "--rows", "0:3"], "--rows does not apply to vc; it is for unroll"),
        (["unroll", "--rows", "0-3"], "--rows: '0-3' is not A:B"),
        (["unroll", "--rows", "0:3", "--json", "--cta", "1"], "--json shows rows of all CTAs: --cta does not go with it"),
        (["unroll", "--rows", "0:3", "--raw"], "--raw and --rows show different things: give one of them"),
        (["unroll", "--mlir", "--raw"], "--mlir and --raw show different things: give one of them"),
        (["lower", "--raw"], "--raw does not apply to lower; it is for unroll, check, vc, trace, canon, decide and dynamic"),
        (["canon", "--side", "reference"], "--side does not apply to canon; it is for lower, unroll, check, vc and trace"),
        (["decide", "--side", "candidate"], "--side does not apply to decide"),
        (
            ["unroll", "--cta", "1"],
            "--cta chooses the CTA of --thread N, --rows A:B, --mlir or --graph barriers, which are missing",
        ),
        (["unroll", "--thread", "0", "--json"], "--json and --thread show different things: give one of them"),
        (["abcdef", "--dims", "n=4"], "--dims does not apply to a digest; it is for a stage"),
        (["abcdef", "--json"], "--json does not apply to a digest"),
        (
            ["tracer"],
            "'tracer' is no stage, did you mean 'trace'? and no digest (stages: lower, unroll, check, vc, trace, canon, ",
        ),
        (["trace"], "there is no trace of the reference: it is a kernel"),
        (["trace", "--side", "candidate"], "there is no trace of the candidate"),
    ],
)
def test_options_that_do_nothing_are_errors(command: Cli, arguments: list[str], message: str) -> None:
    contract = [] if arguments[0] == "abcdef" else ["--contract", str(command.project.contract)]
    assert command("inspect", *arguments, *contract) == 2
    assert command.out == "" and message in command.err and len(command.err.splitlines()) == 1


@pytest.mark.parametrize("name", ["unroll", "vc"])
def test_a_stage_that_did_not_run_says_why(command: Cli, name: str) -> None:
    command.project.fact("finding race" if name == "vc" else "params u64 u64 f32x4")
    # The exit codes of `run`: unsafe 1, unsupported 3.
    assert command("inspect", name, "--contract", str(command.project.contract)) == (1 if name == "vc" else 3)
    why = "race: m" if name == "vc" else "unsupported-instruction: parameter p2 of copy is 16 bytes by value"
    assert f"{name} of the candidate has no artifact, as the verdict at n=4 is found before: {why}" in command.err
    assert command.out == "" and len(command.err.splitlines()) == 1


def test_decide_of_what_is_unsafe_exits_as_run_does(real: Commands) -> None:
    for options in ([], ["--check"]):
        assert real("inspect", "decide", "--contract", "examples/broken-race/volta.toml", *options) == 1
        assert real.err.startswith("decide has no artifact, as the verdict at ctas=4 k=1 is found before: race: write by ")


def test_a_side_that_a_contract_lacks(command: Cli) -> None:
    text = command.project.contract.read_text()
    start, end = text.index("[reference]"), text.index("[candidate]")
    command.project.contract.write_text(text[:start] + text[end:])
    contract = ("--contract", str(command.project.contract))
    assert command("inspect", "canon", *contract) == 2 and "there is no canon: the contract has no reference" in command.err
    assert command("inspect", "vc", "--side", "reference", *contract) == 2
    assert "there is no vc of the reference: the contract has no reference" in command.err


def test_a_budget_is_taken_by_inspect_and_explain(real: Commands) -> None:
    assert real("inspect", "vc", "--contract", AXPY, "--max-steps", "100") == 3
    why = "budget: the step budget of 100 thread-instructions ran out"
    assert f"vc of the candidate has no artifact, as the verdict at n=100 is found before: {why}" in real.err
    assert real("explain", AXPY, "--max-steps", "100") == 3
    assert real("inspect", "check", "--contract", AXPY, "--max-steps", "10000") == 0


def test_stages_of_run_name_trace(command: Cli) -> None:
    assert command.run("--stage", "trace") == 2
    assert "trace is what vc is for a NumPy reference, and runs with it: --stage vc" in command.err


def test_diff_names_stages_and_first_differences(real: Commands) -> None:
    assert real("run", AXPY, "--json", "--quiet") == 0
    rows = [s for s in json.loads(real.out)["stages"] if s["dims"] == {"n": 100}]
    digest = {(s["name"], s["side"]): s["artifact"].removeprefix("sha256:") for s in rows}
    one, other = digest["unroll", "reference"], digest["unroll", "candidate"]
    assert real("diff", one, other, "--raw") == 1
    lines = real.out.splitlines()
    assert lines[0] == f"the artifact of unroll: - is {one[:12]}, + is {other[:12]}"
    assert {"-threads: 128", "+threads: 64"} <= set(lines)
    assert "column row_mask: 5 values in -, 10 in +" in lines
    lower = digest["lower", "reference"]
    assert real("diff", lower, one) == 2
    assert f"{lower} is the artifact of lower, {one} is the artifact of unroll: give two of one stage" in real.err
    assert real("diff", lower, digest["lower", "candidate"], "--raw") == 1
    assert real.out.splitlines()[1].startswith("@@") and "+    %0 = ptx.constant 0 : i32" in real.out
