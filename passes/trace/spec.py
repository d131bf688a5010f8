"""Specs: reading the file and the function, and naming the line of a spec where something went wrong."""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType, TracebackType
from typing import Any

import numpy as np

from volta_pipe.ir.errors import InputError, Place, VoltaError
from volta_pipe.passes.trace.beside import modules_beside


@dataclass(frozen=True)
class SpecSource:
    """A spec that was read. `digest`: SHA-256 of the file's bytes, in hex. `path` is also its code's file name."""

    function: Callable[..., Any]
    path: Path
    name: str
    digest: str

    def frame_place(self, frame: FrameType | None) -> Place:
        """The innermost line of the spec's file among `frame` and its callers."""
        while frame is not None:
            if frame.f_code.co_filename == str(self.path):
                return Place(str(self.path), frame.f_lineno)
            frame = frame.f_back
        return Place(str(self.path), self.function.__code__.co_firstlineno)


def load_spec(reference: str, directory: Path) -> SpecSource:
    """The spec that "file.py:function" names, the file relative to `directory`; runs the file as a module of its own.

    Errors: InputError with file and line for a file that is missing, no file, no Python or fails, and a missing function."""
    file, colon, name = reference.rpartition(":")
    if not colon or not file or not name.isidentifier():
        raise InputError(f'a spec is named "file.py:function", not "{reference}"')
    path = directory / file
    place = Place(str(path))
    if path.is_dir():
        raise InputError("is a directory, not a Python file with the spec", place)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError("there is no such file (the contract's reference.spec names it)", place) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", place) from None
    try:
        code = compile(data, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        where = Place(str(path), error.lineno or 0, error.offset or 0)
        raise InputError(f"is not Python: {error.msg}", where) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"is not Python: {error}", place) from None
    module = ModuleType(f"spec_{path.stem}")
    module.__file__ = str(path)
    with running(path):
        exec(code, module.__dict__)
    function = getattr(module, name, None)
    if function is None:
        defined = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise InputError(f"defines no function {name}" + (f" (but {', '.join(defined)})" if defined else ""), place)
    if not callable(function) or not hasattr(function, "__code__"):
        raise InputError(f"{name} is not a Python function", place)
    return SpecSource(function, path, name, hashlib.sha256(data).hexdigest())


@contextlib.contextmanager
def running(path: Path) -> Iterator[None]:
    """Runs code of the spec: whatever it raises becomes an InputError with its line, what it prints goes to standard error,
    and NumPy's warnings about plain constants (log of 0, …) are silent, as such constants are part of the graph.
    Modules beside the spec can be imported and are forgotten afterwards, so that the next spec's helper is its own
    (beside.py)."""
    try:
        with modules_beside(str(path.parent)), contextlib.redirect_stdout(sys.stderr), np.errstate(all="ignore"):
            yield
    except VoltaError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        cause: BaseException | None = error
        while cause is not None:
            # NumPy wraps our own refusal where a scalar is assigned into a plain array.
            if isinstance(cause, VoltaError):
                raise cause from None
            cause = cause.__cause__
        text = " ".join(str(error).split())
        message = f"the spec raised {type(error).__name__}" + (f": {text[:300]}" if text else "")
        raise InputError(message, _innermost(error.__traceback__, path)) from error


def _innermost(traceback: TracebackType | None, path: Path) -> Place:
    line = 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(path):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return Place(str(path), line)
