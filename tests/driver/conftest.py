"""The fixtures of the driver's tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver_commands import Cli, Commands
from driver_project import Project

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def command(project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(project, capsys, monkeypatch)


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that all tests with real stages share, so that an example is proved once."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def real(kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    """The command line on the real stages, in the root of the checkout."""
    monkeypatch.setenv("VOLTA_STORE", str(kept))
    monkeypatch.chdir(ROOT)
    return Commands(capsys)
