"""The fixture of the driver's tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver_project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)
