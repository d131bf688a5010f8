"""Files that a spec reads while it runs, besides the sources that its digest covers: tables, and modules that are imported by a
name that was computed. What was made with them is not kept: the store would give it again when they are others."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

import volta_pipe

# What Python and its packages read of their own; the rooms of this one may be links.
_ROOMS = [os.path.join(folder, room) for folder in volta_pipe.__path__ for room in ("driver", "ir", "passes", "spec")]  # noqa: PTH118
_FOLDERS = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.__file__), *_ROOMS}  # noqa: PTH120
_OWN = tuple(os.path.realpath(folder) + os.sep for folder in sorted(_FOLDERS))
# numba and Python write beside the file and rename: what is compiled for the first time while a spec runs is no input of it.
_COMPILED = re.compile(r"\.(pyc|so|nbi|nbc)(\.tmp\.\w+|\.\d+)?$")
# A package that is imported for the first time may ask for the entry points of all that are installed (numba does), of which
# those in a checkout lie beside the sources.
_METADATA = re.compile(r"\.(egg|dist)-info/entry_points\.txt$")


class _Watch(threading.local):
    """Of this thread: the paths that were opened, or None where nobody asks."""

    opened: list[str] | None = None


_WATCH = _Watch()
_INSTALLED: list[bool] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _WATCH.opened is not None and isinstance(arguments[0], str | bytes):
        _WATCH.opened.append(os.fsdecode(arguments[0]))


@contextlib.contextmanager
def watched(known: Set[Path], found: list[str]) -> Iterator[None]:
    """Adds to `found` what is opened by this thread meanwhile and is neither known nor of Python or of an installed package."""
    if not _INSTALLED:
        _INSTALLED.append(True)
        sys.addaudithook(_hook)  # stays: Python takes none away
    opened: list[str] = []
    _WATCH.opened = opened
    try:
        yield
    finally:
        _WATCH.opened = None
        sources = {os.path.realpath(path) for path in known}
        for path in sorted({os.path.realpath(path) for path in opened}):
            own = path.startswith(_OWN) or _COMPILED.search(path) or _METADATA.search(path)
            if path not in sources and not own:
                found.append(path)
