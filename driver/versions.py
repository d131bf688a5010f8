"""The version of a stage for cache keys: the digest of its source and of every module of ours that it imports; and what the key
of a spec covers.

A declared number is forgotten sooner or later, and a stale proof is worse than a recomputed one: so a stage's version changes
with its code. The import closure is read from the text (lazy imports count, nothing is executed): sources.py."""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from volta_pipe.driver.library import LIBRARY, library_files
from volta_pipe.driver.parsing import parse
from volta_pipe.driver.sources import Sources
from volta_pipe.passes.installed import numpy_folder

# Of the driver, what decides which inputs a stage gets and what is kept of its result.
DRIVER_PARTS = (
    "stage.py",
    "stages.py",
    "stage_runs.py",
    "stage_artifacts.py",
    "stage_summaries.py",
    "plan.py",
    "tensors.py",
    "arguments.py",
    "dtypes.py",
    "library.py",
    "facts.py",
    "meaning.py",
    "spec_look.py",
    "spec_reads.py",
    "versions.py",
)
# Stages that run specs, which are Python's and NumPy's as much as ours.
_RUNS_SPECS = ("trace", "dynamic")
ROOT = Path(__file__).resolve().parent.parent


def _package_root() -> Path:
    """The folder that `volta_pipe` names (in a checkout it holds links to the rooms)."""
    inside = ROOT / "volta_pipe"
    return inside if inside.is_dir() else ROOT


@lru_cache(maxsize=4)
def _sources(root: Path) -> Sources:
    return Sources(root)


@lru_cache(maxsize=64)
def stage_version(name: str) -> str:
    """sha256 over the sources that stage `name` (a module or folder of `volta_pipe.passes`) is made of, and of the versions of
    Python and NumPy where it runs specs."""
    version = _own_version(name)
    return hashlib.sha256(f"{version} {_surroundings()}".encode()).hexdigest() if name in _RUNS_SPECS else version


@lru_cache(maxsize=1)
def _surroundings() -> str:
    """Python and NumPy. The latter's file of its version is read, as importing it takes longer than a run that finds all."""
    try:
        numpy = (Path(numpy_folder()) / "version.py").read_bytes()
    except OSError:  # then no spec can run
        numpy = b""
    return f"{sys.implementation.name} {sys.version} {hashlib.sha256(numpy).hexdigest()}"


def _own_version(name: str) -> str:
    root = _package_root()
    sources = _sources(root)
    if name in sources.stages:
        return sources.stages[name]
    start = root / "passes" / name
    files = start.rglob("*.py") if start.is_dir() else [start.with_suffix(".py")]
    todo = [path.relative_to(root).as_posix() for path in files] + ["passes/__init__.py"]
    seen: dict[str, str] = {}
    while todo:
        path = todo.pop()
        if path not in seen:
            seen[path], imports = sources.facts(path)
            todo += imports
    seen |= {path: sources.facts(path)[0] for path in (f"driver/{part}" for part in DRIVER_PARTS)}
    rows = [f"{path} {digest}" for path, digest in sorted(seen.items()) if digest]
    version = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    sources.keep(name, version)
    return version


def spec_digest(path: Path) -> str:
    """sha256 over a spec's file and the modules beside it that it imports, without executing anything. All of
    `volta_pipe.spec` is part of it where the spec is one of its functions, or a file imports something of `volta_pipe`."""
    if path.parent == LIBRARY:
        return library_digest()
    seen, library = _closure(path)
    sha = hashlib.sha256(library_digest().encode() if library else b"")
    for file in sorted(seen):
        sha.update(f"{os.path.relpath(file, path.parent)} {len(seen[file])}\n".encode() + seen[file])
    return sha.hexdigest()


def spec_sources(path: Path) -> dict[Path, bytes]:
    """A spec's file and the modules beside it that it imports, with their contents."""
    return _closure(path)[0]


def spec_files(path: Path) -> set[Path]:
    """The files that `spec_digest` covers."""
    return set(library_files()) if path.parent == LIBRARY else set(spec_sources(path))


def spec_places(path: Path) -> set[Path]:
    """Every file that `spec_digest` covers, or would if it were there: what a spec imports may be a module beside it."""
    tried: set[Path] = set()
    if path.parent != LIBRARY:
        _closure(path, tried)
    return tried


def _closure(path: Path, tried: set[Path] | None = None) -> tuple[dict[Path, bytes], bool]:
    """A spec's file and the modules beside it that it imports, with their contents, and whether one imports `volta_pipe`.
    `tried` gets all files that were looked for."""
    seen: dict[Path, bytes] = {}
    todo = [path]
    library = False
    while todo:
        file = todo.pop()
        if tried is not None:
            tried.add(file)
        if file in seen or not file.is_file():
            continue
        seen[file] = file.read_bytes()
        for one in imports_of(seen[file], path.parent, file.parent):
            library |= one.parts[0] == "volta_pipe"
            todo += one.places()
    return seen, library


@dataclass(frozen=True)
class Import:
    """What a source may import: the parts of a dotted name, the folder to look in, which is that of the spec, or for relative
    ones that of the package, and the line. `from a import b` may name a module a.b."""

    line: int
    parts: tuple[str, ...]
    folder: Path
    relative: bool = False

    def places(self) -> Iterator[Path]:
        """The files that it would be; of `a.b`, a's __init__ runs, too."""
        folder = self.folder
        for part in self.parts:
            yield from (folder / f"{part}.py", folder / part / "__init__.py")
            folder /= part


def imports_of(source: bytes, top: Path, own: Path) -> Iterator[Import]:
    """The imports of a source in the folder `own`, of a spec in the folder `top`. A source that is no Python has none."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, tuple(alias.name.split(".")), top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            folder = [top, own, *own.parents][min(node.level, len(own.parents) + 1)]
            head = tuple((node.module or "").split(".")) if node.module else ()
            yield from (Import(node.lineno, (*head, alias.name), folder, node.level > 0) for alias in node.names)


@lru_cache(maxsize=1)
def library_digest() -> str:
    """sha256 over the library of specs. Once a process, which imports the library once, too."""
    sha = hashlib.sha256()
    for file in library_files():
        data = file.read_bytes()
        sha.update(f"{file.name} {len(data)}\n".encode() + data)
    return sha.hexdigest()
