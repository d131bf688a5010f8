"""The tool's own sources as `versions` needs them: the digest of each, and which modules of ours it imports.

A run asks for hundreds of them. What was read of a file is kept beside Python's compiled code, with what the file system says
of the file, and is read again where that is another: time of change, size, number. As with Python's compiled code, whoever may
write there may change the tool itself. A file that changed just before it was read is not kept: a second change within one tick
of the clock would not show."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import time
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
    """The sources below `root`, by their paths from there with `/`. Each is looked at once: what it is then is what counts."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.folder = root / "driver" / "__pycache__"
        self.seen: dict[str, Facts] = {}
        self.kept: dict[str, Any] = {}
        self.changed = False
        with contextlib.suppress(OSError, ValueError, msgpack.UnpackException):
            found = msgpack.unpackb((self.folder / _KEPT).read_bytes())
            self.kept = found if isinstance(found, dict) else {}

    def facts(self, path: str) -> Facts:
        """(sha256, files of the modules of ours that it imports) of a source; ("", ()) when there is no such file."""
        if path not in self.seen:
            self.seen[path] = self._facts(path)
        return self.seen[path]

    def _facts(self, path: str) -> Facts:
        full = f"{self.root}/{path}"
        try:
            stamp = _stamp(full)
            kept = self.kept.get(path)
            if type(kept) is list and len(kept) == 3 and kept[0] == stamp:
                return kept[1], tuple(kept[2])
            with open(full, "rb") as stream:  # noqa: PTH123 some hundred small files: pathlib takes longer than reading them
                data = stream.read()
            facts = hashlib.sha256(data).hexdigest(), _imports(data)
            if _stamp(full) == stamp and max(stamp[:2]) < time.time_ns() - _SETTLED:
                self.kept[path] = [stamp, *facts]
                self.changed = True
        except OSError:
            return "", ()
        return facts

    def keep(self) -> None:
        """Keeps what was read for the next process, where Python may keep compiled code."""
        if not self.changed or sys.dont_write_bytecode:
            return
        self.changed = False
        other = self.folder / f"{_KEPT}.{os.getpid()}"
        with contextlib.suppress(OSError):
            other.write_bytes(msgpack.packb(self.kept))
            other.replace(self.folder / _KEPT)


def _stamp(path: str) -> list[int]:
    """What a file system changes with each change of a file. Errors: OSError where there is none."""
    found = os.stat(path)  # noqa: PTH116
    return [found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino]


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
