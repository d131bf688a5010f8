"""How loops are compiled: numba with a cache that knows what the code depends on, and without what only costs compile time.

numba keys its cache by the file of the function alone: an edit in a function that it calls would be missed, and a verifier
would run old code. So each folder's compiled code lies under a name that has the digest of the folder and of `ir/`.

Measured on the machine of `unroll`: compiling takes 81 s with plain `njit(cache=True)`, because each function is wrapped for
Python and counts references of some thirty arrays. Functions that only compiled code calls need no wrapper, and functions that
allocate nothing need no counting.

Before it looks into its cache numba registers everything that it could compile with (half a second of a first proof's three
and a half). Loading needs none of that, only numba's small runtime; what must be compiled registers for itself."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import njit
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

F = TypeVar("F", bound=Callable[..., Any])
# NumPy's scalar types as compiled code uses them. numba compiles a function anew for each literal argument, so numbers that
# functions are called with are made with these; for mypy they are plain numbers.
int64 = cast("Callable[[Any], int]", np.int64)
uint64 = cast("Callable[[Any], int]", np.uint64)
uint32 = cast("Callable[[Any], int]", np.uint32)
float64 = cast("Callable[[Any], float]", np.float64)

# numba makes its settings at run time, which mypy cannot see, and its functions have no types.
_CONFIG: Any = numba.config
_IR = Path(__file__).resolve().parent
# How many versions of a folder's compiled code are kept.
_KEEP = 4
_LOCK = threading.Lock()


def cache_root() -> Path:
    """Where compiled code is kept: $NUMBA_CACHE_DIR, else beside the package where that is writable, else the user's cache."""
    if _CONFIG.CACHE_DIR:
        return Path(_CONFIG.CACHE_DIR)
    beside = _IR.parent / "__pycache__" / "numba"
    try:
        beside.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "volta-pipe" / "numba"
    return beside if os.access(beside, os.W_OK) else Path.home() / ".cache" / "volta-pipe" / "numba"


_ROOT = cache_root()


@cache
def cache_folder(folder: Path) -> Path:
    """The cache for the code in `folder`, named by what that code depends on: its own files and those of `ir/`."""
    digest = hashlib.sha256()
    for place in sorted({folder, _IR}):
        for file in sorted(place.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    path = _ROOT / f"{folder.name}-{digest.hexdigest()[:16]}"
    if not path.exists():
        others = [p for p in _ROOT.glob(f"{folder.name}-*") if len(p.name) == len(path.name)]
        for old in sorted(others, key=lambda p: p.stat().st_mtime, reverse=True)[_KEEP - 1 :]:
            shutil.rmtree(old, ignore_errors=True)
    return path


class _Cache(FunctionCache):
    """numba's cache of one function, without the registration before each look."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature, or None where it must be compiled."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return cast(Any, super())._load_overload(sig, target_context)
        return None  # on Windows, where the file is another process's for the moment


def _compile(function: F, **options: Any) -> F:
    # One at a time: stages are imported by several threads, and numba takes the folder from a global setting.
    with _LOCK:
        before = _CONFIG.CACHE_DIR
        _CONFIG.CACHE_DIR = str(cache_folder(Path(function.__code__.co_filename).resolve().parent))
        try:
            compiled: Any = njit(nogil=True, **options)(function)
            compiled._cache = cast(Any, _Cache)(function)
            return cast(F, compiled)
        finally:
            _CONFIG.CACHE_DIR = before


def inner(function: F) -> F:
    """Compiles a function that is called from compiled code only and allocates no array."""
    return _compile(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined(function: F) -> F:
    """As `inner`, and copied into its caller: for the one call in a hot loop of a function that takes many arrays (a call then
    passes some 150 numbers through memory, which costs more than an instruction of one lane)."""
    return _compile(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def entry(function: F) -> F:
    """Compiles a function that Python calls and that allocates no array."""
    return _compile(function, _nrt=False, no_cfunc_wrapper=True)


def allocating(function: F) -> F:
    """Compiles a function that allocates arrays."""
    return _compile(function, no_cfunc_wrapper=True)
