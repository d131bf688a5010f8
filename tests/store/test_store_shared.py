"""One store for several checkouts: another checkout of the package and of the contracts finds what the first one made, and the
verdict is the same bytes; as cold, warm and with two jobs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = ("examples/axpy/volta.toml", "examples/reduce-spec/volta.toml", "examples/broken-index/volta.toml")
CODE = """
import sys
from volta_pipe.driver.cli import main
for path in sys.argv[2:]:
    try:
        main(["run", path, "--json", "--quiet", "--jobs", sys.argv[1]])
    except SystemExit:
        print("\\f", flush=True)
"""


def _checkout(folder: Path, *parts: str) -> Path:
    """A copy of the examples, and of the parts of the package."""
    for part in ("examples", *parts):
        shutil.copytree(ROOT / part, folder / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _documents(package: Path, checkout: Path, store: Path, jobs: int) -> tuple[list[bytes], list[bool]]:
    """The documents of all contracts of a checkout up to their stages, and whether each stage was cached."""
    environment = {**os.environ, "PYTHONPATH": str(package), "VOLTA_STORE": str(store)}
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(jobs), *CONTRACTS], env=environment, cwd=checkout, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    texts = done.stdout.split(b"\f\n")[:-1]
    assert len(texts) == len(CONTRACTS)
    cached = [bool(stage["cached"]) for text in texts for stage in json.loads(text)["stages"]]
    return [text[: text.index(b'\n "stages": [')] for text in texts], cached


def test_a_store_of_another_checkout(tmp_path: Path) -> None:
    """The second package loads nothing that would have to be compiled, as all is cached."""
    first = _checkout(tmp_path / "first")
    second = _checkout(tmp_path / "another place" / "second")
    package = _checkout(tmp_path / "another package", "volta_pipe", "ir", "passes", "driver")
    store = tmp_path / "store"
    cold, ran = _documents(ROOT, first, store, 1)
    assert not any(ran)
    warm, cached = _documents(ROOT, first, store, 1)
    assert all(cached) and warm == cold
    shared, cached = _documents(package, second, store, 1)
    assert all(cached) and shared == cold
    fresh, ran = _documents(ROOT, second, tmp_path / "other store", 2)
    assert not any(ran) and fresh == cold
    assert [json.loads(text.rstrip(b",") + b"}")["verdict"] for text in cold] == ["equivalent", "equivalent", "not-equivalent"]
