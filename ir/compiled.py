"""How loops are compiled: numba with a cache that knows what the code depends on, and without what only costs time.

numba keys its cache by the file of the function alone: an edit in a function that it calls would be missed, and a verifier
would run old code. So each folder's compiled code lies under a name that has the digest of the folder and of `ir/`.

Measured on the machine of `unroll`: compiling takes 81 s with plain `njit(cache=True)`, because each function is wrapped for
Python and counts references of some thirty arrays. Functions that only compiled code calls need no wrapper, and functions that
allocate nothing need no counting. How code is linked and kept: compiled_library.py."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

from volta_pipe.ir.compiled_library import EntryCache, EntryCompiler, InnerCompiler

F = TypeVar("F", bound=Callable[..., Any])
# NumPy's scalar types as compiled code uses them. numba compiles a function anew for each literal argument, so numbers that
# functions are called with are made with these; for mypy they are plain numbers.
int64 = cast("Callable[[Any], int]", np.int64)
uint64 = cast("Callable[[Any], int]", np.uint64)
uint32 = cast("Callable[[Any], int]", np.uint32)
float64 = cast("Callable[[Any], float]", np.float64)

# numba makes its settings at run time, which mypy cannot see, and its functions have no types.
_CONFIG: Any = numba.config
_njit: Any = numba.njit
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
def _contents(folder: Path) -> bytes:
    """The sources in a folder, one behind the other."""
    return b"".join(file.name.encode() + b"\0" + file.read_bytes() + b"\0" for file in sorted(folder.glob("*.py")))


@cache
def _folder(file: str) -> Path:
    """The folder of a source, behind all links."""
    return Path(file).resolve().parent


@cache
def cache_folder(folder: Path) -> Path:
    """The cache for the code in `folder`, named by what that code depends on: its own files and those of `ir/`."""
    digest = hashlib.sha256(b"".join(_contents(place) for place in sorted({folder, _IR})))
    path = _ROOT / f"{folder.name}-{digest.hexdigest()[:16]}"
    if not path.exists():
        others = [p for p in _ROOT.glob(f"{folder.name}-*") if len(p.name) == len(path.name)]
        for old in sorted(others, key=lambda p: p.stat().st_mtime, reverse=True)[_KEEP - 1 :]:
            shutil.rmtree(old, ignore_errors=True)
    return path


def _compile(function: F, **options: Any) -> F:
    # One at a time: stages are imported by several threads, and numba takes the folder from a global setting.
    with _LOCK:
        before = _CONFIG.CACHE_DIR
        _CONFIG.CACHE_DIR = str(cache_folder(_folder(function.__code__.co_filename)))
        try:
            compiled: Any = _njit(nogil=True, pipeline_class=EntryCompiler, no_cfunc_wrapper=True, **options)(function)
            compiled._cache = cast(Any, EntryCache)(function)
            return cast(F, compiled)
        finally:
            _CONFIG.CACHE_DIR = before


class _Inner:
    """A function that compiled code calls. numba's dispatcher is made when numba first asks for the type of this, which is when
    a caller is compiled: where all entries are loaded, none of the hundreds of them is."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func, self._options = function, options

    @cached_property
    def _dispatcher(self) -> Any:
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return _njit(nogil=True, pipeline_class=InnerCompiler, **wrappers, **self._options)(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """What numba asks a value for that it knows nothing of (its "typeof")."""
        return self._dispatcher._numba_type_


def _compile_inner(function: F, **options: Any) -> F:
    return cast(F, _Inner(function, options))


def inner(function: F) -> F:
    """Compiles a function that is called from compiled code only and allocates no array."""
    return _compile_inner(function, _nrt=False)


def inlined(function: F) -> F:
    """As `inner`, and copied into its caller: for the one call in a hot loop of a function that takes many arrays (a call then
    passes some 150 numbers through memory, which costs more than an instruction of one lane)."""
    return _compile_inner(function, _nrt=False, forceinline=True)


def inner_allocating(function: F) -> F:
    """Compiles a function that is called from compiled code only and allocates arrays."""
    return _compile_inner(function)


def entry(function: F) -> F:
    """Compiles a function that Python calls, and no compiled code, and that allocates no array."""
    return _compile(function, _nrt=False)


def entry_of(function: F) -> F:
    """An inner function once more, for Python to call."""
    return entry(cast(F, cast(Any, function).py_func))


def allocating(function: F) -> F:
    """Compiles a function that Python calls, and no compiled code, and that allocates arrays."""
    return _compile(function)
