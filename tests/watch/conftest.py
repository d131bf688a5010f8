"""The fixtures of the tests of `run --watch`."""

from __future__ import annotations

from pathlib import Path

import pytest
from watch_project import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)
