"""The version of a stage for cache keys: the digest of its source and of every module of ours that it imports.

A declared number is forgotten sooner or later, and a stale proof is worse than a recomputed one: so a stage's version changes
with its code. The import closure is read from the text (lazy imports count, nothing is executed): sources.py."""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from volta_pipe.driver.library import LIBRARY, library_files
from volta_pipe.driver.parsing import parse
from volta_pipe.driver.sources import Sources

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
)
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
    """sha256 over the sources that stage `name` (a module or folder of `volta_pipe.passes`) is made of."""
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


def spec_files(path: Path) -> set[Path]:
    """The files that `spec_digest` covers."""
    return set(library_files()) if path.parent == LIBRARY else set(_closure(path)[0])


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
        for parts, folder in _imports(seen[file], path.parent, file.parent):
            library |= parts[0] == "volta_pipe"
            for part in parts:  # of `a.b`, a's __init__ runs, too
                todo += [folder / f"{part}.py", folder / part / "__init__.py"]
                folder /= part
    return seen, library


def _imports(source: bytes, top: Path, own: Path) -> Iterator[tuple[tuple[str, ...], Path]]:
    """What a source may import, as the parts of dotted names, and the folder to look in: that of the spec, or for relative ones
    that of the package. `from a import b` may name a module a.b. A source that is no Python imports nothing."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((tuple(alias.name.split(".")), top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            folder = [top, own, *own.parents][min(node.level, len(own.parents) + 1)]
            head = tuple((node.module or "").split(".")) if node.module else ()
            yield from (((*head, alias.name), folder) for alias in node.names)


@lru_cache(maxsize=1)
def library_digest() -> str:
    """sha256 over the library of specs. Once a process, which imports the library once, too."""
    sha = hashlib.sha256()
    for file in library_files():
        data = file.read_bytes()
        sha.update(f"{file.name} {len(data)}\n".encode() + data)
    return sha.hexdigest()
