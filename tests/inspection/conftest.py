"""The fixtures of the tests of inspection: a store that all of them share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from volta_pipe.driver.store import Store


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("inspected")


@pytest.fixture
def store(shared_folder: Path) -> Iterator[Store]:
    with Store(shared_folder) as opened:
        yield opened
