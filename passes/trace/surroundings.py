"""What code of a spec can change of the process that runs it, and how that is put back: a process that stays must give the next
spec what a new one would. The changes of a spec's import hold in its calls, as its author expects."""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat
from operator import is_
from types import ModuleType
from typing import Any, cast

import numpy as np

from volta_pipe.passes.installed import CHANGED, installed

# What a spec can have imported and still be kept (driver/spec_look.py), but for `warnings`: Python exchanges its names.
_NAMES = frozenset((
    "builtins", "math", "cmath", "itertools", "functools", "operator", "dataclasses", "typing", "collections", "enum",
    "fractions", "decimal", "numbers", "abc", "contextlib", "copy", "string", "re", "types", "bisect", "heapq", "struct",
    "json", "zlib", "binascii", "random",
))  # fmt: skip
_PACKAGES = ("numpy", "volta_pipe.spec")
_GONE: Any = object()
_STATE, _FILTERS = "the state of ", "the filters of warnings"
_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE of a class, which nobody can change


def _counts(name: str) -> bool:
    return name in _NAMES or name.startswith(tuple(package + "." for package in _PACKAGES)) or name in _PACKAGES


@dataclass
class Surroundings:
    """What they are at one time. `more`: modules that Python's table does not have."""

    more: tuple[ModuleType, ...] = ()
    modules: dict[int, tuple[str, ModuleType, dict[str, Any]]] = field(default_factory=dict)  # what they define, by id
    classes: dict[int, tuple[type, dict[str, Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lists = {name: (getattr(sys, name), [*getattr(sys, name)]) for name in ("path", "meta_path", "path_hooks")}
        self.variables = dict(os.environ)
        self.folder = _folder()
        self.depth = sys.getrecursionlimit()
        self.filters: tuple[list[Any], list[Any]] = (cast("list[Any]", warnings.filters), [*warnings.filters])
        self.random = _random_states()
        for module in self.more:
            self.modules[id(module)] = ("", module, dict(vars(module)))
        self.also()

    def also(self) -> None:
        """Looks at modules that were imported since."""
        for name, module in [*sys.modules.items()]:
            if _counts(name) and isinstance(module, ModuleType) and id(module) not in self.modules:
                self.modules[id(module)] = (name, module, dict(vars(module)))
                own = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == name]
                self.classes |= {id(one): (one, dict(vars(one))) for one in own if not one.__flags__ & _IMMUTABLE}

    def restore(self) -> list[str]:
        """Makes everything what it was then; the names of what was not."""
        changed = []
        for name, module, held in self.modules.values():
            if name and sys.modules.get(name) is not module:
                changed.append(f"sys.modules[{name!r}]")
                sys.modules[name] = module
            now = vars(module)
            if len(now) != len(held) or not all(map(is_, now.values(), held.values())):
                changed += [f"{module.__name__}.{one}" for one in _differing(now, held)]
                _put_back(now, held)
        for one, held in self.classes.values():
            if not all(map(is_, map(vars(one).get, held), held.values())):
                changed += [
                    f"{one.__module__}.{one.__qualname__}.{name}" for name, value in held.items() if _set(one, name, value)
                ]
        return changed + self._restore_process() + self._restore_random()

    def _restore_process(self) -> list[str]:
        changed = []
        for name, (owner, held) in self.lists.items():
            now = getattr(sys, name)
            wanted = held + [one for one in now if not any(map(is_, repeat(one), held)) and _of_package(one)]
            if now is not owner or len(now) != len(wanted) or not all(map(is_, now, wanted)):
                changed.append(f"sys.{name}")
                owner[:] = wanted
                setattr(sys, name, owner)
        now = dict(os.environ)
        for name in sorted({key for key, _ in now.items() ^ self.variables.items()}):
            changed.append(f"os.environ[{name!r}]")
            if name in self.variables:
                os.environ[name] = self.variables[name]
            else:
                os.environ.pop(name, None)
        if _folder() != self.folder:
            changed.append("the working folder")
            with contextlib.suppress(OSError):
                os.chdir(self.folder)
        if sys.getrecursionlimit() != self.depth:
            changed.append("the recursion limit")
            sys.setrecursionlimit(self.depth)
        owner, held = self.filters
        if owner != held:
            changed.append(_FILTERS)
            owner[:] = held
            with warnings.catch_warnings():  # at its end Python forgets what it knows of the filters
                pass
        return changed

    def _restore_random(self) -> list[str]:
        changed = []
        for name, state in _random_states().items():
            if name not in self.random:  # imported meanwhile
                sys.modules[name].seed()
            elif not _same(state, self.random[name]):
                changed.append(_STATE + name)
                _set_random(name, self.random[name])
        return changed


@contextlib.contextmanager
def kept_apart(
    more: tuple[ModuleType, ...], left: Surroundings | None, *, leaves: bool = False
) -> Iterator[list[Surroundings]]:
    """Puts back what is changed meanwhile, and says so (CHANGED). `left`: what is to hold meanwhile; with `leaves` the list
    gets what is left behind, where something was changed. One thread at a time; what lies within another such block is left to
    that."""
    if _CURRENT:
        yield []
        return
    linecache.clearcache()  # the lines of files, as Python has read them once
    before = Surroundings(more)
    _CURRENT.append(before)
    behind: list[Surroundings] = []
    if left is not None:
        left.restore()
    try:
        with np.printoptions(), _decimals():
            yield behind
    finally:
        _CURRENT.remove(before)
        after = [Surroundings(more)] if leaves else []
        if changed := before.restore():
            behind += after
            for name in changed:
                if not name.startswith((_STATE, _FILTERS)):  # other threads may change them at the same time
                    sys.audit(CHANGED, name)


_CURRENT: list[Surroundings] = []


def imported() -> None:
    """To be called when a spec imported something, before it can change that."""
    for one in _CURRENT:
        one.also()


def _differing(now: dict[str, Any], held: dict[str, Any]) -> list[str]:
    """Names that a module defines as something else. A module that is new in a package was imported."""
    return [name for name in sorted({*now, *held}) if _differs(now.get(name, _GONE), held.get(name, _GONE))]


def _differs(now: Any, held: Any) -> bool:
    return now is not held and not (held is _GONE and isinstance(now, ModuleType))


def _put_back(now: dict[str, Any], held: dict[str, Any]) -> None:
    for name in _differing(now, held):
        if name in held:
            now[name] = held[name]
        else:
            del now[name]


def _of_package(entry: Any) -> bool:
    """Whether an entry of a list of `sys` is one that an installed package has made for itself, which it will need again."""
    if isinstance(entry, str):
        return installed(entry)
    maker = sys.modules.get(str(getattr(entry, "__module__", None) or type(entry).__module__))
    file = getattr(maker, "__file__", None)
    return bool(file) and installed(str(file))


def _set(owner: type, name: str, value: Any) -> bool:
    """Sets an attribute of a class; whether that was another."""
    other = vars(owner).get(name, _GONE) is not value
    if other:
        setattr(owner, name, value)
    return other


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:  # it was removed
        return ""


@contextlib.contextmanager
def _decimals() -> Iterator[None]:
    """Python's decimal numbers have a precision of their own in each thread."""
    if "decimal" in sys.modules:
        import decimal

        with decimal.localcontext():
            yield
    else:
        try:
            yield
        finally:
            if "decimal" in sys.modules:
                import decimal

                decimal.setcontext(decimal.Context())


def _random_states() -> dict[str, Any]:
    """The state of each generator that is the whole process's."""
    states: dict[str, Any] = {}
    if (plain := sys.modules.get("random")) is not None:
        states["random"] = plain.getstate()
    if (numpy := sys.modules.get("numpy.random")) is not None:
        states["numpy.random"] = numpy.get_state()
    return states


def _set_random(name: str, state: Any) -> None:
    if name == "random":
        sys.modules[name].setstate(state)
    else:
        sys.modules[name].set_state(state)


def _same(one: Any, other: Any) -> bool:
    """Whether two states are the same; NumPy's have an array."""
    return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in zip(one, other, strict=True))
