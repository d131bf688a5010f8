"""`inspect` and `diff` where a stage has no artifact: the exit code, and a document that says why; hints that hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from inspection_edits import edited

AXPY, TREE, RACE = (f"examples/{name}/volta.toml" for name in ("axpy", "reduce-tree", "broken-race"))
SORTED = "np.sort is not supported on symbolic arrays"


@pytest.fixture
def sorting(tmp_path: Path) -> str:
    """axpy against a function of NumPy that no proof can follow."""
    edited("axpy", tmp_path / "axpy")  # whose kernel it is
    text = "a * x + y}"
    contract = edited("axpy-spec", tmp_path / "e", ("spec.py", text, f"np.sort({text[:-1]})}}"))
    spec = contract.parent / "spec.py"
    spec.write_text(f"import numpy as np\n{spec.read_text()}")
    return str(contract)


@pytest.mark.parametrize("stage", [["trace"], ["trace", "--side", "reference"], ["vc", "--side", "reference"], ["canon"]])
def test_a_spec_that_cannot_be_followed(volta: Any, sorting: str, stage: list[str]) -> None:
    assert volta("inspect", *stage, "--contract", sorting) == 3
    assert volta.out == "" and f"unsupported-instruction: {SORTED}" in volta.err
    assert volta("inspect", *stage, "--contract", sorting, "--json") == 3
    found = json.loads(volta.out)
    assert found["artifact"] is None and found["stopped"]["findings"][0]["message"] == SORTED


def test_differences_of_a_spec_that_cannot_be_followed(volta: Any, sorting: str) -> None:
    for stage in (["trace", "--against", "examples/axpy-spec/volta.toml"], ["vc"]):
        assert volta("diff", *stage, "--contract", sorting) == 3
        assert volta.out == "" and volta.err.startswith(f"{sorting}: trace of the reference") and SORTED in volta.err


def test_there_is_no_trace_of_the_candidate(volta: Any) -> None:
    assert volta("inspect", "trace", "--side", "candidate", "--contract", "examples/axpy-spec/volta.toml") == 2
    assert "there is no trace of the candidate: trace is of a NumPy reference" in volta.err


def test_a_document_says_what_stopped_an_unsafe_kernel(volta: Any) -> None:
    assert volta("run", RACE, "--json") == 1
    findings = json.loads(volta.out)["findings"]
    for stage in ("vc", "canon"):
        assert volta("inspect", stage, "--contract", RACE, "--json") == 1  # as `run`
        found = json.loads(volta.out)
        assert (found["stage"], found["dims"], found["artifact"]) == (stage, {"ctas": 4, "k": 1}, None)
        assert found["stopped"]["findings"] == findings


@pytest.mark.parametrize("order", [1, -1])
def test_what_cannot_be_compared_does_not_differ(volta: Any, order: int) -> None:
    """1 says that two artifacts differ; of one alone nothing can be said."""
    old, new = (TREE, RACE)[::order]
    assert volta("diff", "vc", "--contract", old, "--against", new) == 3
    assert volta.out == "" and volta.err.startswith(f"{RACE}: vc of the candidate has no artifact")
    assert volta("diff", "vc", "--contract", old, "--against", new, "--json") == 3
    found = json.loads(volta.out)
    unsafe, safe = ("+", "-")[::order]
    assert found["same"] is None and found[unsafe]["stopped"]["findings"][0]["kind"] == "race"
    assert found[safe] == {"what": TREE}


def test_both_sides_are_said(volta: Any) -> None:
    assert volta("diff", "vc", "--contract", RACE, "--against", RACE, "--json") == 3
    found = json.loads(volta.out)
    assert found["-"]["stopped"] == found["+"]["stopped"]


def test_a_kernel_has_no_trace_whatever_it_is_compared_with(volta: Any) -> None:
    assert volta("diff", "trace", "--contract", AXPY) == 2
    assert "there is no trace of the reference: it is a kernel" in volta.err and "--against" not in volta.err


def test_the_element_of_a_hint_is_there(volta: Any) -> None:
    for contract in (AXPY, "examples/transpose/volta.toml"):
        graph = ("inspect", "vc", "--contract", contract, "--graph", "expression")
        assert volta(*graph) == 2
        hint = re.search(r"--element '(.+)'", volta.err)
        assert hint is not None and volta(*graph, "--element", hint[1]) == 0 and volta.out.startswith("digraph ")


def test_the_ending_of_a_file_chooses_the_format(volta: Any, tmp_path: Path) -> None:
    graph = ("inspect", "unroll", "--contract", TREE, "--graph", "barriers")
    for name, start in (("g.svg", "<svg "), ("g.dot", "digraph "), ("g.gv", "digraph "), ("g", "digraph ")):
        assert volta(*graph, "-o", str(tmp_path / name)) == 0 and (tmp_path / name).read_text().startswith(start)
    for name, more, why in (
        ("x.svg", ["--format", "dot"], "the ending says svg, and --format says dot"),
        ("x.png", [], "a graph ends in .svg, .dot, .gv"),
    ):
        assert volta(*graph, "-o", str(tmp_path / name), *more) == 2 and why in volta.err and not (tmp_path / name).exists()
    assert volta(*graph, "-o", str(tmp_path / "g.txt"), "--format", "svg") == 0
