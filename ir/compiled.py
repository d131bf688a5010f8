"""How loops are compiled: numba with its cache, without the interpreter lock, and without what only costs compile time.

Measured on the machine of `unroll`: compiling takes 81 s with plain `njit(cache=True)`, because each function is wrapped for
Python and counts references of some thirty arrays. Functions that only compiled code calls need no wrapper, and functions that
allocate nothing need no counting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def inner(function: F) -> F:
    """Compiles a function that is called from compiled code only and allocates no array."""
    return cast(F, njit(cache=True, nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


def entry(function: F) -> F:
    """Compiles a function that Python calls and that allocates no array."""
    return cast(F, njit(cache=True, nogil=True, _nrt=False, no_cfunc_wrapper=True)(function))
