"""What the machine has too little of, memory or threads, told apart from faults of the tool, its store or what it was given."""

from __future__ import annotations

import errno

_MEMORY = "this machine's memory ran out"
_ADVICE = "try smaller dims, or --jobs 1"
# What the dynamic linker says where a library finds no room.
_NO_ROOM = (
    "cannot allocate memory",
    "failed to map segment",
    "cannot map zero-fill pages",
    "cannot create shared object descriptor",
)


def shortage(error: BaseException) -> str:
    """One line on it, or "" where an error is another one."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return f"{_MEMORY}; {_ADVICE}"
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        return "no thread can be started: memory or the number of processes ran out (ulimit -v, ulimit -u); try --jobs 1"
    if _is_no_room(error):
        return f"{_MEMORY} while a library was loaded (ulimit -v limits it, where it is set)"
    return ""


def _is_no_room(error: BaseException) -> bool:
    """Whether a library was not loaded for want of memory; who loads it may hide that behind an error of its own."""
    seen: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in seen:
        if isinstance(one, OSError | ImportError) and any(word in str(one) for word in _NO_ROOM):
            return True
        seen.append(one)
        one = one.__cause__ or one.__context__
    return False
