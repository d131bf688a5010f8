"""Which files are of Python, of an installed package or of this one: what a spec may rest on without its being an input."""

from __future__ import annotations

import importlib.util
import os
from functools import lru_cache

import volta_pipe

# The audit event of a module that a spec imported, with its file: whoever keeps what was made with it hears of it. The file
# itself need not be opened: the module may have been imported before, or be read from its compiled copy.
MODULE = "volta_pipe.module"
# The one of something that a spec changed of its surroundings and that is put back, with its name.
CHANGED = "volta_pipe.changed"
# The rooms of this package may be links.
_ROOMS = [os.path.join(folder, room) for folder in volta_pipe.__path__ for room in ("driver", "ir", "passes", "spec")]  # noqa: PTH118
_PACKAGES = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))


def _below(folders: set[str]) -> tuple[str, ...]:
    return tuple(os.path.realpath(folder) + os.sep for folder in sorted(folders))


_OWN, _HEAD = _below(set(_ROOMS)), os.path.realpath(volta_pipe.__file__)


@lru_cache(maxsize=1)
def _python() -> tuple[str, ...]:
    import sysconfig  # takes as long as a run that finds all

    places = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), os.path.dirname(os.__file__))  # noqa: PTH120
    return _below({place for place in places if place})


@lru_cache(maxsize=1)
def numpy_folder() -> str:
    """The folder of the package NumPy, which is not imported for that."""
    found = importlib.util.find_spec("numpy")
    if found is None or not found.origin:  # then no spec can run
        return ""
    return os.path.realpath(os.path.dirname(found.origin))  # noqa: PTH120


@lru_cache(maxsize=1)
def _numpy() -> tuple[str, ...]:
    folder = numpy_folder()
    return (folder + os.sep, folder + ".libs" + os.sep) if folder else ()


def find_places() -> None:
    """Finds out where things lie, which imports: to be called before what follows imports and asks here."""
    _python()
    _numpy()


def own(path: str) -> bool:
    """Whether a file is one of this package's."""
    return (real := os.path.realpath(path)).startswith(_OWN) or real == _HEAD


def in_versions(path: str) -> bool:
    """Whether a file is of this package, of Python's standard library or of NumPy, by the places of these: what a stage's
    version says of a spec's surroundings covers it. Other packages may lie within the folder of the standard library."""
    real = os.path.realpath(path)
    if own(real) or real.startswith(_numpy()):
        return True
    return any(real.startswith(folder) and not _in_package(real[len(folder) - 1 :]) for folder in _python())


def installed(path: str) -> bool:
    """Whether a file belongs to what is installed, any package included: such modules are imported once a process."""
    return in_versions(path) or _in_package(os.path.realpath(path))


def _in_package(path: str) -> bool:
    return any(name in path for name in _PACKAGES)
