"""The fixtures of the tests of inspection: a store that all of them share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from volta_pipe.driver import cli
from volta_pipe.driver.store import Store


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("inspected")


@pytest.fixture
def store(shared_folder: Path) -> Iterator[Store]:
    with Store(shared_folder) as opened:
        yield opened


class Commands:
    """Runs the command line in this process; `out` and `err` of the last command."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.out = self.err = ""

    def __call__(self, *arguments: str) -> int:
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as exit_info:
            cli.main(list(arguments))
        self.out, self.err = self.capsys.readouterr()
        return int(exit_info.value.code or 0)


@pytest.fixture
def volta(shared_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    """The command line on the shared store, in the root of the checkout."""
    monkeypatch.setenv("VOLTA_STORE", str(shared_folder))
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    return Commands(capsys)
