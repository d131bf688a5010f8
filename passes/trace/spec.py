"""Specs: reading the file and the function, and naming the line of a spec where something went wrong."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, ModuleType, TracebackType
from typing import Any

import numpy as np

import volta_pipe
from volta_pipe.ir.errors import InputError, Place, VoltaError
from volta_pipe.passes.trace.beside import modules_beside
from volta_pipe.passes.trace.ending import kept_alive
from volta_pipe.passes.trace.making import SPEC_NUMPY, spec_builtins
from volta_pipe.passes.trace.surroundings import Surroundings, kept_apart

LIBRARY = Path(volta_pipe.__file__).parent / "spec"
# Combinations of dims are traced in several threads. Where standard output goes and which modules can be imported is the whole
# process's: two that overlap would leave it as the other had set it.
_ONE_AT_A_TIME = threading.RLock()


@dataclass(frozen=True)
class SpecSource:
    """A spec that was read. `digest`: SHA-256 of the file's bytes, in hex. `path` is also its code's file name. `library`: it
    is of `volta_pipe.spec`, where a function returns one array; `options`: parameters that are given once and for all; `left`:
    what its import changed of the process, which holds in its calls and nowhere else."""

    function: Callable[..., Any]
    path: Path
    name: str
    digest: str
    library: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    left: Surroundings | None = None

    def running(self) -> contextlib.AbstractContextManager[Any]:
        """To call the function in, as `running`."""
        return running(self.path, self.left)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """For several calls, so that what they change of the process is looked for once."""
        with _ONE_AT_A_TIME, kept_apart((SPEC_NUMPY,), self.left):
            yield

    def by_name(self, result: Any, outputs: Sequence[str]) -> Any:
        """What the function returned, by the names of the out and inout tensors. Errors: InputError for a function of the
        library and several of them."""
        if not self.library:
            return result
        if len(outputs) != 1:
            message = f"{self.name} returns one array, the contract has {len(outputs)} out and inout tensors"
            raise InputError(message, Place(str(self.path), self.function.__code__.co_firstlineno))
        return {outputs[0]: result}

    def frame_place(self, frame: FrameType | None) -> Place:
        """The innermost line of the spec's file (of the library's files) among `frame` and its callers."""
        return _line_of(frame, self.path) or Place(str(self.path), self.function.__code__.co_firstlineno)


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
    module.__dict__["__builtins__"] = spec_builtins()
    with running(path, leaves=True) as left:
        exec(code, module.__dict__)
    function = getattr(module, name, None)
    if function is None:
        defined = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise InputError(f"defines no function {name}" + (f" (but {', '.join(defined)})" if defined else ""), place)
    if not callable(function) or not hasattr(function, "__code__"):
        raise InputError(f"{name} is not a Python function", place)
    return SpecSource(function, path, name, hashlib.sha256(data).hexdigest(), left=left[0] if left else None)


def load_library(name: str, options: Mapping[str, Any]) -> SpecSource:
    """The function `name` of `volta_pipe.spec`, and nothing else. The package is imported as any other, once a process.

    Errors: InputError for a name that it does not offer, and where it cannot be imported, with file and line."""
    head = LIBRARY / "__init__.py"
    with running(head):
        package = importlib.import_module("volta_pipe.spec")
    if name not in package.__all__:
        raise InputError(f"offers no function {name} (but {', '.join(package.__all__)})", Place(str(head)))
    function = getattr(package, name)
    path = Path(function.__code__.co_filename)
    return SpecSource(function, path, name, hashlib.sha256(path.read_bytes()).hexdigest(), True, dict(options))


def _line_of(frame: FrameType | None, path: Path) -> Place | None:
    """The innermost line of the spec's file among `frame` and its callers; None where none is of it."""
    while frame is not None:
        if _is_of(path, frame.f_code.co_filename):
            return Place(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def _is_of(path: Path, file: str) -> bool:
    """Whether the code of `file` is that of the spec at `path`. The library is one spec."""
    return file == str(path) or (path.parent == LIBRARY and Path(file).parent == LIBRARY)


@contextlib.contextmanager
def running(path: Path, left: Surroundings | None = None, *, leaves: bool = False) -> Iterator[list[Surroundings]]:
    """Runs code of the spec: whatever it raises becomes an InputError with its line, as does a call that would end the process
    (ending.py), what it prints goes to standard error, and NumPy's warnings about plain constants (log of 0, …) are silent, as
    such constants are part of the graph.
    Modules beside the spec can be imported and are forgotten afterwards, so that the next spec's helper is its own
    (beside.py); those of the library are modules of a package, and stay. What it changes of the process is put back
    (surroundings.py), and with `leaves` the list gets it; `left`: what the spec's import left behind."""
    beside = contextlib.nullcontext() if path.parent == LIBRARY else modules_beside(str(path.parent))
    alive = kept_alive(lambda frame: _line_of(frame, path) or Place(str(path)))
    try:
        apart = kept_apart((SPEC_NUMPY,), left, leaves=leaves)
        with _ONE_AT_A_TIME, apart as behind, beside, contextlib.redirect_stdout(sys.stderr), np.errstate(all="ignore"), alive:
            yield behind
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
        text = " ".join(_text(error).split())
        message = f"the spec raised {type(error).__name__}" + (f": {text[:300]}" if text else "")
        raise InputError(message, _innermost(error.__traceback__, path)) from error


def _text(error: BaseException) -> str:
    """What an exception says. That is code of whoever wrote its class, and may fail itself."""
    try:
        return str(error)
    except Exception:
        return "(what it says cannot be shown)"


def _innermost(traceback: TracebackType | None, path: Path) -> Place:
    place = Place(str(path))
    while traceback is not None:
        if _is_of(path, traceback.tb_frame.f_code.co_filename):
            place = Place(traceback.tb_frame.f_code.co_filename, traceback.tb_lineno)
        traceback = traceback.tb_next
    return place
