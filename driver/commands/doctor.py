"""`volta-pipe doctor`: what is installed, what each front end needs, and the state of numba's cache and of the server."""

from __future__ import annotations

import os
import platform
import shutil
import threading
import time
from importlib.metadata import PackageNotFoundError, version

from volta_pipe.driver.serving.state import server_state

PACKAGES = ("volta-pipe", "xdsl", "msgpack", "python-flint", "typer", "joblib", "numpy", "numba")
_EVERY = 20.0  # seconds
TOOLS = {
    "mlir-opt": "only to read our modules with docs/irdl, and to make examples/mlir (Debian: mlir-22-tools)",
    "nvcc": "only to compile .cu files to PTX yourself",
}


def doctor_command(*, warm: bool) -> int:
    """Prints the state; with `warm`, runs small examples so that numba compiles now. 1 when a package is missing."""
    server = server_state()  # before anything else is loaded, as a command would ask
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
    print(f"{'server':<13}{server}")
    print(f"{'numba cache':<13}{_cache_state()}")
    if warm and not missing:
        _warm()
    return 1 if missing else 0


def _cache_state() -> str:
    from volta_pipe.driver.compiling import COMPILED, cold
    from volta_pipe.ir.compiled import cache_root

    files = list(cache_root().rglob("*.nbc"))
    size = sum(path.stat().st_size for path in files)
    missing = [stage for stage in COMPILED if cold(stage)]
    if missing == list(COMPILED):
        return "cold: the first run compiles for some minutes (doctor --warm does it now)"
    held = f"{len(files)} compiled functions, {size:,} bytes"
    return held + (f"; not compiled yet: {', '.join(missing)} (a run does it, or doctor --warm)" if missing else "")


def _warm() -> None:
    from volta_pipe.driver.warm import warm

    print("compiling for numba's cache (once, 45 to 90 s on two idle cores) …", flush=True)
    done = threading.Event()
    watch = threading.Thread(target=_count, args=(done,), daemon=True)
    watch.start()
    try:
        seconds = warm()
    finally:
        done.set()
        watch.join()
    print(f"numba cache  warm after {seconds:.1f} s: {_cache_state()}")


def _count(done: threading.Event) -> None:
    """Says now and then how many functions there are, so that minutes of work do not look like none."""
    from volta_pipe.ir.compiled import cache_root

    start = time.perf_counter()
    before = len(list(cache_root().rglob("*.nbc")))
    while not done.wait(_EVERY):
        made = len(list(cache_root().rglob("*.nbc"))) - before
        print(f"  {time.perf_counter() - start:.0f} s: {made} functions (of some hundred)", flush=True)
