"""One server for the tests of a file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving_process import ROOT, Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.close()


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A folder with the examples that the tests run."""
    for name in ("axpy", "broken-race", "reduce-tree", "broken-tail", "softmax", "softmax-spec"):
        shutil.copytree(ROOT / "examples" / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def speaking(example: Path) -> Path:
    """A contract whose spec does what the file `said.py` beside it says when it is imported."""
    spec = example / "softmax-spec" / "spec.py"
    text = spec.read_text()
    head, mark, rest = text.partition("import numpy as np\n")
    assert mark
    spec.write_text(f"{head}{mark}from pathlib import Path\nexec(Path('said.py').read_text())\n{rest}")
    return example / "softmax-spec"
