"""Modules that a spec imports, always from their source: those beside it, and those that lie elsewhere and are not installed.

Python trusts its compiled copy of a module while the source has the same size and, in whole seconds, the same time; a constant
that is changed within a second of a run would be proved with its old value. So would one of a module that stays imported."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from volta_pipe.passes.installed import MODULE, find_places, installed
from volta_pipe.passes.trace.making import spec_builtins


class _Text(SourceFileLoader):
    """Neither reads nor writes bytecode."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class _Source(_Text):
    """Of a module beside the spec, whose NumPy is the spec's."""

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__builtins__"] = spec_builtins()
        super().exec_module(module)


class _Beside(MetaPathFinder):
    """Finds the modules of a folder and of the packages in it, then those of sys.path."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        for entry in [self._folder] if path is None else path:
            if entry == self._folder or entry.startswith(self._folder + "/"):
                found = FileFinder(entry, (_Source, SOURCE_SUFFIXES)).find_spec(fullname)
                if found is not None and found.loader is not None:
                    return found
        elsewhere = PathFinder.find_spec(fullname, path, target)
        if elsewhere is not None and type(elsewhere.loader) is SourceFileLoader and not installed(elsewhere.loader.path):
            elsewhere.loader = _Text(elsewhere.loader.name, elsewhere.loader.path)
        return elsewhere


@contextlib.contextmanager
def modules_beside(folder: str) -> Iterator[None]:
    """Modules of a folder can be imported, before those of sys.path; they, and others that are not installed, are forgotten
    afterwards."""
    find_places()
    before, finder = set(sys.modules), _Beside(folder)
    place = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else len(sys.meta_path)
    sys.meta_path.insert(place, finder)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(finder)
        _forget(set(sys.modules) - before, folder + "/")


def _forget(names: set[str], beside: str) -> None:
    """Takes modules beside the spec, and others that are not installed, out of Python's table, and says which they were.
    Of the others a package with compiled parts stays: many cannot be imported twice."""
    places = {name: _place(name) for name in names}
    ours = {name: place for name, place in places.items() if place.startswith(beside) or not (place and installed(place))}
    files = {name: str(getattr(sys.modules.get(name), "__file__", None) or "") for name in ours}
    compiled = {name.partition(".")[0] for name, file in files.items() if file and not file.endswith(".py")}
    for name, file in files.items():
        if file:
            sys.audit(MODULE, file)
        if file.startswith(beside) or name.partition(".")[0] not in compiled:
            sys.modules.pop(name, None)


def _place(name: str) -> str:
    """Where a module comes from: its file, or a folder without an `__init__.py`; "" where somebody made it of nothing, but for
    packages, which do so within themselves. What is built into Python has no file of its own."""
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    if spec is not None and spec.origin in ("built-in", "frozen"):
        return contextlib.__file__
    folders = [*getattr(module, "__path__", ())]
    found = str(getattr(module, "__file__", None) or "") or (f"{folders[0]}/" if folders else "")
    package = name.partition(".")[0]
    return found or (_place(package) if package != name else "")
