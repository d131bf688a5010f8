"""Loads what commands may need: modules, and compiled code as it lies in numba's cache."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from volta_pipe.driver.compiling import COMPILED, NOTICE, cold
from volta_pipe.ir.errors import InputError

# What commands use of others only now and then, in functions.
_ALSO = ("rich.console", "rich.status", "flint", "importlib.metadata", "numpy.random")


def preload() -> None:
    """Loads all of it. What has to be compiled is compiled in a process of its own first, as the compiler leaves a gigabyte
    behind that each command would be forked with. Errors: InputError where that fails."""
    if any(cold(stage) for stage in COMPILED):
        print(NOTICE, file=sys.stderr, flush=True)
        _compile_elsewhere()
    _import_all()
    for function in _entries():
        _load(function)
    from volta_pipe.driver.cli import parser
    from volta_pipe.driver.held import HELD
    from volta_pipe.driver.stages import STAGES
    from volta_pipe.driver.warm import warm_expressions, warm_machine

    warm_machine()  # what is only imported, or looked up by numba, at the first call
    warm_expressions()
    HELD.clear()
    parser("run")
    for stage in STAGES.values():
        stage.version()  # of the sources, which are looked at before each command
    tempfile.tempdir = None  # $TMPDIR is the command's


def installed() -> str:
    """The packages beside ours as text that is another once one is installed, removed or updated: a process would mix modules
    that it has loaded with new ones."""
    found = []
    for folder in sys.path:
        if os.path.basename(folder) in ("site-packages", "dist-packages") and os.path.isdir(folder):  # noqa: PTH112, PTH119
            names = sorted(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info", ".pth")))  # noqa: PTH208
            found.append(f"{folder} {names}")
    status = os.stat(sys.executable)  # noqa: PTH116
    return "\n".join([*found, f"{status.st_ino} {status.st_mtime_ns} {status.st_size}"])


def _compile_elsewhere() -> None:
    from volta_pipe.driver.warm import warm

    child = os.fork()
    if child == 0:
        code = 1
        try:
            warm()
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1] != 0:
        raise InputError("the tool's own loops could not be compiled: volta-pipe doctor --warm says why")


def _import_all() -> None:
    import volta_pipe

    for module in pkgutil.walk_packages(volta_pipe.__path__, "volta_pipe."):
        importlib.import_module(module.name)
    for name in _ALSO:
        importlib.import_module(name)


def _entries() -> Iterator[Any]:
    """The compiled functions that Python calls, of all modules of ours."""
    seen: set[int] = set()
    for name, module in [*sys.modules.items()]:
        if name.startswith("volta_pipe."):
            for value in [*vars(module).values()]:
                if hasattr(value, "_cache") and hasattr(value, "overloads") and id(value) not in seen:
                    seen.add(id(value))
                    yield value


def _load(function: Any) -> None:
    """Loads the machine code of an entry for each signature that it was compiled for. Nothing is compiled."""
    file = getattr(function._cache, "_cache_file", None)
    if file is None:  # an inner function, which has none of its own
        return
    wanted = function.targetctx.codegen().magic_tuple()
    for signature, machine, *_ in [*file._load_index()]:
        if machine == wanted:
            function.compile(signature)
