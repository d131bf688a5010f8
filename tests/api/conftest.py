"""The fixtures of the API's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that these tests share."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(autouse=True)
def _at_home(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the root of the checkout, with that store."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("VOLTA_STORE", str(kept))
