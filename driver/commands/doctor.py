"""`volta-pipe doctor`: what is installed, what each front end needs, and the state of numba's cache."""

from __future__ import annotations

import os
import platform
import shutil
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from volta_pipe.driver.versions import ROOT

PACKAGES = ("volta-pipe", "xdsl", "msgpack", "python-flint", "typer", "joblib", "numpy", "numba")
TOOLS = {
    "mlir-opt": "only to cross-check `inspect lower --mlir` (Debian: mlir-22-tools)",
    "nvcc": "only to compile .cu files to PTX yourself",
}
# The smallest kernel shipped that goes through all stages.
WARM_UP = ("examples/axpy/volta.toml", "examples/reduce-tree/volta.toml")


def doctor_command(*, warm: bool) -> int:
    """Prints the state; with `warm`, runs small examples so that numba compiles now. 1 when a package is missing."""
    print(f"python     {platform.python_version()} on {platform.machine()}, {os.cpu_count()} CPUs")
    missing = 0
    for name in PACKAGES:
        try:
            print(f"{name:<13}{version(name)}")
        except PackageNotFoundError:
            missing += 1
            print(f"{name:<13}MISSING (pip install {name})")
    for tool, use in TOOLS.items():
        found = shutil.which(tool) or shutil.which(f"{tool}-22")
        print(f"{tool:<13}{found or 'not found'}: {use}")
    print(f"{'numba cache':<13}{_cache_state()}")
    if warm and not missing:
        _warm()
    return 1 if missing else 0


def _cache_state() -> str:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    roots = [Path(folder)] if folder else [ROOT / "ir", ROOT / "passes"]
    files = [path for root in roots for path in root.rglob("*.nbc")]
    size = sum(path.stat().st_size for path in files)
    return f"{len(files)} compiled functions, {size:,} bytes" if files else "cold: the first run compiles for some seconds"


def _warm() -> None:
    import tempfile

    from volta_pipe.driver.session import verify
    from volta_pipe.driver.store import Store

    contracts = [path for path in (ROOT / name for name in WARM_UP) if path.is_file()]
    print("warming numba's cache (once, some seconds) …", flush=True)
    start = time.perf_counter()
    for path in contracts:
        with tempfile.TemporaryDirectory() as folder, Store(folder) as store:
            verify(path, store)
    print(f"numba cache  warm after {time.perf_counter() - start:.1f} s: {_cache_state()}")
