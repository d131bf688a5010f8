"""What rests on a budget is never in the store, whatever stage it is of: the next run, which may have more, computes it."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from volta_pipe.driver.combination import Options
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.session import verify
from volta_pipe.driver.stage import Job
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import BudgetError
from volta_pipe.ir.findings import Finding
from volta_pipe.ir.normal_form import Table
from volta_pipe.passes.canon.canonical import Canonical, EquivalenceClass
from volta_pipe.passes.check import SafetyReport
from volta_pipe.passes.decide import Decision

ROOT = Path(__file__).resolve().parents[2]
_NONE = np.zeros(1, np.int32)
_WHY = "the budget of 10 terms ran out"


def _job() -> Job:
    return Job(None, 1, 1, "named", lambda _: None)  # type: ignore[arg-type]


def _twice(store: Store, name: str, run: Any) -> int:
    """How often a stage runs that is asked for by two runs, one behind the other."""
    calls: list[int] = []

    def counted(job: Job, values: Any) -> Any:
        calls.append(1)
        return run()

    stage = replace(STAGES[name], run=counted)
    for _ in range(2):
        step = Engine(store).step(stage, [], [], _job(), computing=contextlib.nullcontext())
        assert step is not None and step.summary["budget"] and not step.stored and not step.cached
    assert not store.files("actions") and not store.files("objects")
    return len(calls)


@pytest.mark.parametrize("name", STAGES)
@pytest.mark.parametrize("error", [BudgetError(_WHY), MemoryError()], ids=["budget", "memory"])
def test_a_stage_that_a_budget_ends(tmp_path: Path, name: str, error: Exception) -> None:
    def run() -> Any:
        raise error

    with Store(tmp_path) as store:
        assert _twice(store, name, run) == 2


VALUES = {
    "check": SafetyReport((Finding("budget", _WHY),), (), 0, 0, 0),
    "canon": Canonical((EquivalenceClass(_NONE, _NONE, (1, 1), "undecidable", _WHY),), (Table(),), ("y",), ()),
    "decide": Decision("unknown", unknown=(f"y[0]: {_WHY}",)),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_result_that_says_that_a_budget_ran_out(tmp_path: Path, name: str) -> None:
    with Store(tmp_path) as store:
        assert _twice(store, name, lambda: VALUES[name]) == 2


def test_what_follows_from_such_a_result_is_not_stored_either(tmp_path: Path) -> None:
    contract = ROOT / "examples/axpy/volta.toml"
    for _ in range(2):
        with Store(tmp_path) as store:
            document = verify(contract, store, Options(max_steps=100)).document
            assert document["verdict"] == "unknown"
            assert {record.stage for _, record in store.records() if record is not None} == {"lower", "history"}
    with Store(tmp_path) as store:
        assert verify(contract, store).document["verdict"] == "equivalent"
