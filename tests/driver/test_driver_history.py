"""Why a stage ran, as `run` says it: against what it was asked the last time, also where a run in between did not reach it."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver_commands import Commands
from driver_kernels import contract, ptx, tensor

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.history import STAGE, History
from volta_pipe.driver.store import Store

TENSORS = [tensor("x"), tensor("y", "out")]
LOAD, STORE = "  ld.global.f32 %f1, [%x];\n", "  st.global.f32 [%y], %f2;\n"
DOUBLE = ptx("x y", f"{LOAD}  add.f32 %f2, %f1, %f1;\n{STORE}")
TRIPLE = ptx("x y", f"{LOAD}  add.f32 %f2, %f1, %f1;\n  add.f32 %f2, %f2, %f1;\n{STORE}")
OUTSIDE = ptx("x y", f"  ld.global.f32 %f1, [%x+4096];\n  add.f32 %f2, %f1, %f1;\n{STORE}")


class Reasons(Commands):
    """Runs a contract without the layer `dynamic`; what it says of each stage that ran."""

    def of(self, path: Path, *options: str) -> dict[str, str]:
        self("run", str(path), "--store", str(path.parent / "store"), "--skip", "dynamic", *options)
        ran = [line for line in self.out.splitlines() if " ran " in line]
        return {line.split()[0]: line.split("  (")[1].rstrip(")") if "  (" in line else "" for line in ran}


@pytest.fixture
def reasons(capsys: pytest.CaptureFixture[str]) -> Reasons:
    return Reasons(capsys)


def _edit(folder: Path, kernel: str) -> None:
    (folder / "candidate.ptx").write_text(kernel)


def test_a_stage_that_a_run_did_not_reach_is_compared_with_the_run_before(tmp_path: Path, reasons: Reasons) -> None:
    path = contract(tmp_path, DOUBLE, "x: {'y': x * 2}", TENSORS, args="x y")
    assert {*reasons.of(path).values()} == {""}  # the first time
    _edit(tmp_path, OUTSIDE)
    assert "vc" not in reasons.of(path)
    _edit(tmp_path, TRIPLE)
    found = reasons.of(path)
    assert found["lower"] == "the PTX changed"
    assert found["vc"].startswith("candidate's program changed: ") and found["canon"].startswith(
        "candidate's expressions changed"
    )


def test_a_result_that_is_never_kept_is_said_to_be_none_that_is_missing(tmp_path: Path, reasons: Reasons) -> None:
    path = contract(tmp_path, DOUBLE, "x: None", TENSORS, args="x y")
    (tmp_path / "c.txt").write_text("2")
    source = "import os\ndef spec(x):\n    path = os.path.join(os.path.dirname(__file__), 'c.txt')\n"
    (tmp_path / "spec.py").write_text(source + "    return {'y': x * float(open(path).read())}\n")
    reasons.of(path)
    why = "not kept: spec.py:1 imports os: what it reads or asks cannot be told, and 2 more"
    assert reasons.of(path) == dict.fromkeys(("trace", "canon", "decide"), why)
    (tmp_path / "spec.py").write_text("def spec(x):\n    return {'y': x * 2}\n")
    assert reasons.of(path)["trace"] == "the reference changed"


def test_another_budget_is_no_other_contract(tmp_path: Path, reasons: Reasons) -> None:
    path = contract(tmp_path, DOUBLE, "x: {'y': x * 2}", TENSORS, args="x y")
    reasons.of(path)
    assert reasons.of(path, "--max-steps", "10")["unroll"] == "the budget changed"
    assert reasons.of(path, "--max-steps", "10")["unroll"] == "not kept: a budget ran out"
    assert reasons.of(path, "--max-memory", str(1 << 30))["unroll"] == "the budget changed"
    contract(tmp_path, DOUBLE, "x: {'y': x * 2}", TENSORS, args="x y", grid='["(n+31)//32 + 1"]')
    assert reasons.of(path, "--max-steps", "100000")["unroll"] == "the contract changed"  # which is the more of the two


def test_a_record_of_before_budgets_were_told_apart(tmp_path: Path, reasons: Reasons) -> None:
    """It has one field less, so that nobody knows which of the two it was."""
    path = contract(tmp_path, DOUBLE, "x: {'y': x * 2}", TENSORS, args="x y")
    reasons.of(path)
    with Store(tmp_path / "store") as store:
        history = History(store, read_contract(path))
        shorter = {name: was[:4] for name, was in history.before.items()}
        assert shorter != history.before
        store.record(history.key, STAGE, {}, {"steps": shorter})
    assert reasons.of(path, "--max-steps", "10")["unroll"] == "the contract or the budget changed"
    _edit(tmp_path, TRIPLE)
    found = reasons.of(path)
    assert found["lower"] == "the PTX changed" and found["unroll"].startswith("candidate's kernel changed: ")
