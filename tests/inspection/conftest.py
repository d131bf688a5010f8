"""The fixtures of the tests of inspection: a store that all of them share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from volta_pipe.driver.store import Store

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "driver"))
from driver_commands import Commands


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("inspected")


@pytest.fixture
def store(shared_folder: Path) -> Iterator[Store]:
    with Store(shared_folder) as opened:
        yield opened


@pytest.fixture
def volta(shared_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    """The command line on the shared store, in the root of the checkout."""
    monkeypatch.setenv("VOLTA_STORE", str(shared_folder))
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    return Commands(capsys)
