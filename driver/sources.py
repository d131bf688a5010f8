"""The tool's own sources as `versions` needs them: the digest of each, and which modules of ours it imports.

A stage is made of hundreds of them. What was found of a stage is kept beside Python's compiled code, with what the file system
says of every source: time of change, size, number. Where any of that is another, all are read again. As with Python's compiled
code, whoever may write there may change the tool itself. Nothing is kept while a file is as new as the clock can tell: a second
change within one tick would not show."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack

Facts = tuple[str, tuple[str, ...]]
# `from volta_pipe.a import b, c` and `import volta_pipe.a`, anywhere in a file: a lazy import counts, too.
_IMPORT = re.compile(
    r"^[ \t]*(?:from\s+(volta_pipe[.\w]*)\s+import\s+(\([^)]*\)|[^\n#]*)|import\s+(volta_pipe[.\w]*))", re.MULTILINE
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_KEPT = "volta_pipe_sources"
_SETTLED = 2_000_000_000  # nanoseconds after which a change shows on any file system


class Sources:
    """The sources below `root`, by their paths from there with `/`, as they are when this is made. `stages`: what was kept, by
    the name of a stage."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.folder = root / "driver" / "__pycache__"
        self.stamps = sorted(_stamps(self.root, ""))
        self.settled = max((max(stamp[1:3]) for stamp in self.stamps), default=0) < time.time_ns() - _SETTLED
        self.seen: dict[str, Facts] = {}
        self.stages: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError, TypeError, msgpack.UnpackException):
            stamps, stages = msgpack.unpackb((self.folder / _KEPT).read_bytes())
            if stamps == self.stamps and all(isinstance(text, str) for pair in dict(stages).items() for text in pair):
                self.stages = stages

    def facts(self, path: str) -> Facts:
        """(sha256, files of the modules of ours that it imports) of a source; ("", ()) when there is no such file."""
        if path not in self.seen:
            try:
                with open(f"{self.root}/{path}", "rb") as stream:  # noqa: PTH123 some hundred small files: pathlib takes longer
                    data = stream.read()
                self.seen[path] = hashlib.sha256(data).hexdigest(), _imports(data)
            except OSError:
                self.seen[path] = "", ()
        return self.seen[path]

    def keep(self, stage: str, version: str) -> None:
        """Keeps what was found of a stage for the next process, where Python may keep compiled code."""
        self.stages[stage] = version
        if sys.dont_write_bytecode or not self.settled or sorted(_stamps(self.root, "")) != self.stamps:
            return
        other = self.folder / f"{_KEPT}.{os.getpid()}"
        with contextlib.suppress(OSError):
            other.write_bytes(msgpack.packb([self.stamps, self.stages]))
            other.replace(self.folder / _KEPT)


def _stamps(root: str, below: str) -> Iterator[list[Any]]:
    """[path from the root, times of change and of the last write, size, number] of each source: what a file system changes with
    each change of a file. A file that is gone in the meantime is none, and neither is a link to nothing, as an editor may leave
    beside a file that is being edited; those after it count."""
    try:
        with os.scandir(f"{root}/{below}") as found:
            entries = list(found)
    except OSError:
        return
    for one in entries:
        if one.is_dir():
            if one.name != "__pycache__":
                yield from _stamps(root, f"{below}{one.name}/")
        elif one.name.endswith(".py"):
            with contextlib.suppress(OSError):
                stat = one.stat()
                yield [below + one.name, stat.st_ctime_ns, stat.st_mtime_ns, stat.st_size, stat.st_ino]


def _imports(data: bytes) -> tuple[str, ...]:
    """The files that a source's imports of ours may be in, each as a module and as a package."""
    modules: set[str] = set()
    for package, names, plain in _IMPORT.findall(data.decode(errors="replace")):
        modules.add(package or plain)
        modules.update(f"{package}.{name}" for name in _WORD.findall(names))
    found: list[str] = []
    for module in sorted(modules):
        base = "/".join(module.split(".")[1:])
        found += [f"{base}/__init__.py", f"{base}.py"] if base else ["__init__.py"]
    return tuple(found)
