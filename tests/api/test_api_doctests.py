"""The examples in the docstrings of the API print what they show."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest

import volta_pipe
from volta_pipe.driver import contract
from volta_pipe.driver.api import artifacts, opening, pipeline, verdict, verifying

ROOT = Path(__file__).resolve().parents[2]
MODULES = (contract, artifacts, opening, pipeline, verdict, verifying)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_examples_print_what_they_show(
    module: object, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("VOLTA_STORE", str(tmp_path_factory.getbasetemp() / "store-of-doctests"))
    names = {name: getattr(volta_pipe, name) for name in volta_pipe.__all__}
    found = doctest.testmod(module, extraglobs=names, optionflags=doctest.ELLIPSIS)  # type: ignore[arg-type]
    assert found.failed == 0


def test_what_is_called_has_an_example() -> None:
    called = (volta_pipe.verify, volta_pipe.open_artifact, volta_pipe.Pipeline, volta_pipe.Contract, volta_pipe.Verdict)
    assert all(">>>" in (inspect.getdoc(one) or "") for one in called)
