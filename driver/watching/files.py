"""The files of a contract and what they hold, as fingerprints to compare.

Which files these are is read leniently, so that one that is missing, or a contract that is broken, is waited for as well."""

from __future__ import annotations

import hashlib
import os
import stat
import time
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from volta_pipe.driver.library import is_module
from volta_pipe.driver.session import newer
from volta_pipe.driver.versions import spec_places

ABSENT, EMPTY = "absent", "empty"
# Two writes within a tick of the file system's clock leave the same time: a file is looked into until it is older than this.
_RACY = 1_000_000_000  # ns
Snapshot = dict[Path, str]  # path -> ABSENT, EMPTY or a digest


@dataclass(frozen=True)
class Named:
    """What a contract names. `files`: PTX, .npy and sources; `compiled`: (source, PTX made of it); `spec`: a Python file."""

    files: tuple[Path, ...] = ()
    compiled: tuple[tuple[Path, Path], ...] = ()
    spec: Path | None = None


@dataclass
class ContractFiles:
    """The files of the contract at `path`. A file is read again when its size, its inode or one of its times changed, or these
    are recent. The time of its last change of any kind cannot be set back."""

    path: Path
    named: Named = Named()
    read: Snapshot = field(default_factory=dict)  # by a spec while it ran, and what it held then
    _known: dict[Path, tuple[tuple[int, ...], str, bool]] = field(default_factory=dict)
    _parsed: str = ""
    _imports: set[Path] = field(default_factory=set)
    _traced: list[str] = field(default_factory=list)

    def snapshot(self) -> Snapshot:
        """What all of them hold now. Of a contract that is no TOML the files are those of the one before."""
        found = {self.path: self._look(self.path)}
        if found[self.path] != self._parsed:
            self._parsed = found[self.path]
            self.named = _named(self.path) or self.named
            self._traced = []
        for path in (*self.named.files, *sorted(self._modules()), *sorted(self.read)):
            found[path] = self._look(path)
        for source, ptx in self.named.compiled:
            found[source] += " newer" if newer(source, ptx) else ""
        return found

    def also(self, paths: Iterable[str]) -> None:
        """Files that a spec read, which no name in the contract leads to."""
        self.read |= {Path(path): self._look(Path(path)) for path in paths}

    def _modules(self) -> set[Path]:
        """The spec and what it imports from beside it; worked out again when one of them changed."""
        if self.named.spec is None:
            return set()
        held = [self._look(path) for path in sorted(self._imports)]
        if not self._traced or held != self._traced:
            self._imports = spec_places(self.named.spec)
            self._traced = [self._look(path) for path in sorted(self._imports)]
        return self._imports

    def _look(self, path: Path) -> str:
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):
                return ABSENT  # a folder, or a pipe that would not end
            stamp = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
            known = self._known.get(path)
            if known is not None and known[2] and known[0] == stamp:
                return known[1]
            old = time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > _RACY
            digest = _digest(path) if status.st_size else EMPTY
        except (OSError, ValueError):
            self._known.pop(path, None)
            return ABSENT
        self._known[path] = (stamp, digest, old)
        return digest


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _named(contract: Path) -> Named | None:
    """What the tables of a contract name, right or wrong; None where it is no TOML."""
    try:
        values = tomllib.loads(contract.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    files: list[Path] = []
    compiled: list[tuple[Path, Path]] = []
    folder = contract.parent
    for side in ("reference", "candidate"):
        kernel = _table(values, side)
        ptx, source = (_path(folder, kernel.get(key)) for key in ("source", "compiled_from"))
        files += [path for path in (ptx, source) if path is not None]
        compiled += [(source, ptx)] if source is not None and ptx is not None else []
    for name in _table(values, "tensors"):
        path = _path(folder, _table(_table(values, "tensors"), name).get("values"))
        files += [path] if path is not None and path.suffix == ".npy" else []
    file = str(_table(values, "reference").get("spec") or "").rpartition(":")[0]
    spec = None if not file or is_module(file) else _path(folder, file)
    return Named(tuple(dict.fromkeys(files)), tuple(dict.fromkeys(compiled)), spec)


def _table(values: dict[str, Any], key: str) -> dict[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def _path(folder: Path, name: Any) -> Path | None:
    return folder / name if isinstance(name, str) and name and "\0" not in name else None


def own_sources(root: Path) -> str:
    """A digest of the times and sizes of the tool's own files: a process that goes on after they changed would keep what old
    code made under the name of the new."""
    sha = hashlib.sha256()
    for room in ("ir", "passes", "driver", "spec", "volta_pipe/spec"):
        for folder, folders, names in os.walk(root / room):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(name for name in names if name.endswith(".py")):
                status = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 some hundred files at each turn
                sha.update(f"{folder}/{name} {status.st_mtime_ns} {status.st_size}\n".encode(errors="surrogateescape"))
    return sha.hexdigest()
