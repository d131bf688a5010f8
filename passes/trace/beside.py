"""Modules beside a spec, always from their source.

Python trusts its compiled copy of a module while the source has the same size and, in whole seconds, the same time; a constant
that is changed within a second of a run would be proved with its old value."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from volta_pipe.passes.trace.making import spec_builtins


class _Source(SourceFileLoader):
    """Neither reads nor writes bytecode."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__builtins__"] = spec_builtins()
        super().exec_module(module)


class _Beside(MetaPathFinder):
    """Finds the modules of a folder and of the packages in it."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        for entry in [self._folder] if path is None else path:
            if entry == self._folder or entry.startswith(self._folder + "/"):
                found = FileFinder(entry, (_Source, SOURCE_SUFFIXES)).find_spec(fullname)
                if found is not None and found.loader is not None:
                    return found
        return None


@contextlib.contextmanager
def modules_beside(folder: str) -> Iterator[None]:
    """Modules of a folder can be imported, before those of sys.path, and are forgotten afterwards."""
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
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(folder + "/"):
                del sys.modules[name]
