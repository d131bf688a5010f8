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


def _checkout(folder: Path) -> Path:
    """A copy of the package and of the examples; compiled code comes along, as it depends on the sources alone."""
    for part in ("volta_pipe", "ir", "passes", "driver", "examples"):
        shutil.copytree(ROOT / part, folder / part, symlinks=True, ignore=shutil.ignore_patterns("*.pyc"))
    return folder


def _documents(checkout: Path, store: Path, jobs: int) -> tuple[list[bytes], list[bool]]:
    """The documents of all contracts up to their stages, and whether each stage was cached."""
    caches = os.environ.get("NUMBA_CACHE_DIR", str(ROOT / "__pycache__" / "numba"))
    environment = {**os.environ, "PYTHONPATH": str(checkout), "VOLTA_STORE": str(store), "NUMBA_CACHE_DIR": caches}
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(jobs), *CONTRACTS], env=environment, cwd=checkout, capture_output=True, check=False
    )
    assert done.returncode == 0 and not done.stderr, done.stderr.decode(errors="replace")
    texts = done.stdout.split(b"\f\n")[:-1]
    assert len(texts) == len(CONTRACTS)
    cached = [bool(stage["cached"]) for text in texts for stage in json.loads(text)["stages"]]
    return [text[: text.index(b'\n "stages": [')] for text in texts], cached


def test_a_store_of_another_checkout(tmp_path: Path) -> None:
    first, second = _checkout(tmp_path / "first"), _checkout(tmp_path / "another place" / "second")
    store = tmp_path / "store"
    cold, ran = _documents(first, store, 1)
    assert not any(ran)
    warm, cached = _documents(first, store, 1)
    assert all(cached) and warm == cold
    shared, cached = _documents(second, store, 1)
    assert all(cached) and shared == cold
    fresh, ran = _documents(second, tmp_path / "other store", 2)
    assert not any(ran) and fresh == cold
    assert [json.loads(text.rstrip(b",") + b"}")["verdict"] for text in cold] == ["equivalent", "equivalent", "not-equivalent"]
