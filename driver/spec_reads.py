"""What a spec reads and asks while it runs, besides the sources that its digest covers: tables, modules that are imported by a
name that was computed, modules that lie elsewhere, other programs. What was made with them is not kept: the store would give it
again when they are others.

Python tells of most of it by audit events (sys.addaudithook). They come from the tool as well, which imports and opens files on
the spec's behalf and in other threads, and numba looks at the machine: so it counts who asked."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

from volta_pipe.driver.spec_look import spec_doubts
from volta_pipe.driver.versions import spec_files
from volta_pipe.passes.installed import CHANGED, MODULE, find_places, in_versions, installed, own

_START = "_thread.start_new_thread"
# Events that say nothing of the outside. Of the last line only where the standard library asks, as dataclasses and named
# tuples do, which make code.
_SILENT = frozenset((
    "import", "object.__getattr__", "object.__setattr__", "object.__delattr__", "sys._getframe",
    "sys._getframemodulename", "sys.excepthook", "sys.unraisablehook", "array.__new__",
))  # fmt: skip
_SILENT_WITHIN = frozenset(("compile", "exec", "builtins.id", "code.__new__", "function.__new__", "marshal.loads"))
_IMPORTING = "<frozen importlib"


@dataclass
class Unkeyed:
    """What a result rests on that is not in its key. `files`: those that were read, which are watched; `reasons`: why it must
    not be kept, in words, with a line where one is known."""

    files: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.files or self.reasons)

    @property
    def why(self) -> str:
        """The first of the reasons."""
        named = self.reasons or [f"a spec reads {Path(file).name}" for file in self.files]
        return named[0] + (f", and {len(named) - 1} more" if len(named) > 1 else "") if named else ""


class _Watch:
    """What one thread runs of a spec in the folder `folder`. `opened`: files and modules that the spec asked for."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.join(_absolute(folder), "")  # noqa: PTH118
        self.real = os.path.join(os.path.realpath(folder), "")  # noqa: PTH118
        self.opened: dict[str, None] = {}
        self.reasons: dict[str, None] = {}

    def hear(self, event: str, arguments: tuple[Any, ...], foreign: bool) -> bool:
        """An event of the thread, or (foreign) of one that a spec started; whether a spec asked."""
        if event in (MODULE, CHANGED):
            if event == MODULE:
                self.opened[_absolute(arguments[0])] = None
            else:
                self.reasons[f"the spec changes {arguments[0]}"] = None
            return False
        if event in _SILENT:
            return False
        frame, direct = (None, False) if foreign else self._asking(sys._getframe(2))
        asked = foreign or frame is not None
        if asked and event == "open" and isinstance(arguments[0], str | bytes):
            self.opened[_absolute(os.fsdecode(arguments[0]))] = None
        elif asked and (direct or event not in _SILENT_WITHIN):
            where = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}" if frame is not None else "a thread of the spec"
            self.reasons[f"{where} does {event}"] = None
        return asked

    def _asking(self, frame: FrameType | None) -> tuple[FrameType | None, bool]:
        """The line of the spec that asks, and whether it does itself; None where the tool or an import does."""
        direct = True
        while frame is not None:
            file = frame.f_code.co_filename
            if file.startswith(_IMPORTING) or _is_own(file):
                return None, False  # what was imported is told (MODULE)
            if not file.startswith("<") and (_absolute(file).startswith(self.folder) or not _is_installed(file)):
                return frame, direct
            direct = False
            frame = frame.f_back
        return None, False

    def files(self, known: set[str]) -> list[str]:
        """The files that count; `known`: real paths of those that are part of the key. Nothing in the spec's folder is Python's
        or NumPy's, wherever that lies."""
        real = {os.path.realpath(path) for path in self.opened} - known
        return sorted(path for path in real if not in_versions(path) or (path.startswith(self.real) and not own(path)))


def _absolute(path: str) -> str:
    return os.path.abspath(path)  # noqa: PTH100 links stay, and nothing is asked


# Of the files of code, which are asked for at each event.
_is_own, _is_installed = lru_cache(own), lru_cache(installed)
# Those that are going on, by the thread's number.
_WATCHES: dict[int, _Watch] = {}
# Threads that specs started, which may go on after them.
_THREADS: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
_HOOKED: list[bool] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _WATCHES:
        return
    watch = _WATCHES.get(threading.get_ident())
    if watch is not None:
        asked = watch.hear(event, arguments, False)
    elif _THREADS and threading._active.get(threading.get_ident()) in _THREADS:  # type: ignore[attr-defined]
        asked = True
        for other in [*_WATCHES.values()]:
            other.hear(event, arguments, True)
    else:
        return
    if asked and event == _START and isinstance(one := getattr(arguments[0], "__self__", None), threading.Thread):
        _THREADS.add(one)


@contextlib.contextmanager
def watched(spec: Path, unkeyed: Unkeyed) -> Iterator[None]:
    """Adds to `unkeyed` what the spec in the file `spec` rests on besides its key: what its text leaves open, and what this
    thread, or one that a spec started, opens, imports or asks for meanwhile."""
    if not _HOOKED:
        _HOOKED.append(True)
        sys.addaudithook(_hook)  # stays: Python takes none away
    known = {os.path.realpath(path) for path in spec_files(spec)}
    doubts = spec_doubts(spec)
    watch = _Watch(str(spec.parent))
    find_places()  # what that imports is not the spec's
    _WATCHES[threading.get_ident()] = watch
    try:
        yield
    finally:
        del _WATCHES[threading.get_ident()]
        unkeyed.files += [file for file in watch.files(known) if file not in unkeyed.files]
        unkeyed.reasons += [reason for reason in (*doubts, *watch.reasons) if reason not in unkeyed.reasons]
