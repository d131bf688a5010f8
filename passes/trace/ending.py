"""A spec cannot end the process that runs it: what is asked for becomes an error at its line.

`os._exit(0)` would end the tool without a word and with the exit code of `equivalent`. Python tells nobody of such a call, so
the functions that end a process are others while a spec runs. What native code does on its own (ctypes, a crash) they do not
see."""

from __future__ import annotations

import contextlib
import os
import posix
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType, ModuleType
from typing import Any

from volta_pipe.ir.errors import InputError, Place

Line = Callable[[FrameType | None], Place]

# These end the process, or put another program in its place, whatever they are given. `os.execl` and the others that take a
# name or a list call these.
_ENDS = ("_exit", "abort", "execv", "execve")


class _Guard:
    """While one spec runs, in the thread that makes this. `refused`: what it was not given, the first call first."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._process = os.getpid()
        self._others = {one.ident for one in threading.enumerate()} - {threading.get_ident()}
        self.refused: list[InputError] = []

    def around(self, own: Callable[..., Any], name: str, ends: Callable[..., bool]) -> Callable[..., Any]:
        """The function that specs get for `own`; `ends`: whether its arguments end this process."""

        def call(*given: Any, **named: Any) -> Any:
            frame = sys._getframe(1)
            if not self._is_of_spec(frame) or not ends(*given, **named):
                return own(*given, **named)
            error = InputError(
                f"the spec calls {name}, which would end volta-pipe: a spec returns its outputs", self._line(frame)
            )
            self.refused.append(error)
            raise error

        call.__name__, call.__doc__ = own.__name__, own.__doc__
        return call

    def at_home(self) -> bool:
        """Whether this is the process in which the spec was started."""
        return os.getpid() == self._process

    def _is_of_spec(self, frame: FrameType) -> bool:
        """Whether a call is the spec's: not one of a process that it started, of a thread that was there before, or of the
        tool's own code, such as the end of a command that was interrupted."""
        if not self.at_home() or threading.get_ident() in self._others:
            return False
        return not str(frame.f_globals.get("__name__", "")).startswith("volta_pipe.")


_GUARDS: list[_Guard] = []


@contextlib.contextmanager
def kept_alive(line: Line) -> Iterator[None]:
    """Runs code of a spec; one spec at a time (within it, the same once more). `line`: the place of a call by its frame.

    Errors: InputError where it tried to end the process, even where it caught that."""
    if _GUARDS:
        yield
        return
    guard, end = _Guard(line), os._exit
    _GUARDS.append(guard)
    olds = [(module, name, getattr(module, name)) for module, name, _ in _functions()]
    try:
        for module, name, ends in _functions():
            setattr(module, name, guard.around(getattr(module, name), f"{module.__name__.replace('posix', 'os')}.{name}", ends))
        yield
    finally:
        for module, name, old in olds:
            setattr(module, name, old)
        _GUARDS.remove(guard)
        if not guard.at_home():
            end(1)  # a process that the spec forked and that came back from it: it must not go on as another run
    if guard.refused:
        raise guard.refused[0]


def _functions() -> Iterator[tuple[ModuleType, str, Callable[..., bool]]]:
    """(module, name, whether a call with these arguments ends this process)."""
    for module in (os, posix):
        for name in _ENDS:
            yield module, name, lambda *_, **__: True
        yield module, "kill", _kills
        yield module, "killpg", lambda group, number: bool(number) and group in (0, os.getpgrp())
    yield signal, "raise_signal", lambda *_, **__: True
    yield signal, "pthread_kill", lambda _, number: bool(number)


def _kills(process: int, number: int) -> bool:
    """Whether a signal goes to this process (0: to its group, -1: to all, below: to a group); 0 is none, it only looks."""
    return bool(number) and process in (os.getpid(), 0, -1, -os.getpgrp())
