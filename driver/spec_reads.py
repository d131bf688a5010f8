"""Files that a spec reads while it runs, besides the sources that its digest covers: tables, modules that are imported by a
name that was computed, and modules that lie elsewhere. What was made with them is not kept: the store would give it again when
they are others."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

from volta_pipe.passes.installed import MODULE, installed

# numba and Python write beside the file and rename: what is compiled for the first time while a spec runs is no input of it.
_COMPILED = re.compile(r"\.(pyc|so|nbi|nbc)(\.tmp\.\w+|\.\d+)?$")
# A package that is imported for the first time may ask for the entry points of all that are installed (numba does), of which
# those in a checkout lie beside the sources.
_METADATA = re.compile(r"\.(egg|dist)-info/entry_points\.txt$")


class _Watch(threading.local):
    """Of this thread: the paths that were opened or (True) are modules that the spec got, or None where nobody asks."""

    opened: list[tuple[str, bool]] | None = None


_WATCH = _Watch()
_INSTALLED: list[bool] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("open", MODULE) and _WATCH.opened is not None and isinstance(arguments[0], str | bytes):
        _WATCH.opened.append((os.fsdecode(arguments[0]), event == MODULE))


@contextlib.contextmanager
def watched(known: Set[Path], found: list[str]) -> Iterator[None]:
    """Adds to `found` what this thread opens or imports meanwhile and is neither known nor installed."""
    if not _INSTALLED:
        _INSTALLED.append(True)
        sys.addaudithook(_hook)  # stays: Python takes none away
    opened: list[tuple[str, bool]] = []
    _WATCH.opened = opened
    try:
        yield
    finally:
        _WATCH.opened = None
        sources = {os.path.realpath(path) for path in known}
        read = {os.path.realpath(path) for path, module in opened if module or not _own(os.path.realpath(path))}
        found += [path for path in sorted(read - sources) if not installed(path)]


def _own(path: str) -> bool:
    """Whether Python or a package read a file for purposes of its own. Who opens a folder makes a nameless file in it, as numba
    does to see whether it may write its cache: nothing is read."""
    return bool(_COMPILED.search(path) or _METADATA.search(path)) or os.path.isdir(path)  # noqa: PTH112
