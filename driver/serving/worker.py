"""What a server forks for a command: a process that becomes what the command would have been."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import signal
import socket
import sys
import threading
from types import FrameType
from typing import NoReturn

import numpy

from volta_pipe.driver.error_line import INTERRUPTED, say
from volta_pipe.driver.serving.protocol import END, YES, Request, hear_go, receive_request, refuse

_PATIENCE = 10.0  # seconds for a command to say what it wants
_CHUNK = 64


def work(connection: socket.socket, alike: str) -> NoReturn:
    """Takes a request, runs it and ends. Signals that the command got come to this process; where the command dies, it dies."""
    connection.settimeout(_PATIENCE)
    try:
        wanted = receive_request(connection)
        if wanted.likeness != alike:
            refuse(connection, alike)
            os._exit(0)
        os.setsid()  # the terminal is the command's
        connection.sendall(YES)
        streams = hear_go(connection)
    except (OSError, EOFError, ValueError):
        os._exit(0)
    connection.settimeout(None)
    threading.Thread(target=_listen, args=(connection,), daemon=True).start()
    code = 2
    try:
        _become(wanted, streams)
        from volta_pipe.driver.cli import finished

        code = finished(wanted.arguments)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except KeyboardInterrupt:  # before the command line takes over
        code = INTERRUPTED
        say("interrupted")
    except BaseException as error:  # before the command line takes over: said as it says errors
        with contextlib.suppress(Exception):
            say(str(error))
    with contextlib.suppress(OSError):
        connection.sendall(END.pack(code))
    os._exit(code)


def _listen(connection: socket.socket) -> None:
    """Takes the signals of the command, until it is gone."""
    while True:
        try:
            numbers = connection.recv(_CHUNK)
        except OSError:
            numbers = b""
        for number in numbers or bytes([signal.SIGKILL]):
            with contextlib.suppress(OSError):
                os.kill(os.getpid(), number)


def _become(wanted: Request, streams: list[int]) -> None:
    """Takes on what a process has from whoever starts it. Errors: OSError."""
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL  # as Python starts
        signal.signal(number, signal.SIG_IGN if number in wanted.ignored else usual)
    _renew_streams()
    os.environ.clear()
    os.environ.update(wanted.environment)
    os.umask(wanted.umask)
    os.chdir(wanted.folder)
    sys.argv = ["volta-pipe", *wanted.arguments]
    importlib.invalidate_caches()
    numpy.random.seed()  # a spec that draws numbers draws others each time
    frame: FrameType | None = sys._getframe()
    depth = 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(sys.getrecursionlimit() + depth)  # what is left of it is what a new process has


def _renew_streams() -> None:
    """The standard streams as a new process makes them. The server has the settings of the command (likeness)."""
    for place, name, errors in ((0, "stdin", "strict"), (1, "stdout", "strict"), (2, "stderr", "backslashreplace")):
        old = getattr(sys, f"__{name}__")
        encoding = old.encoding if isinstance(old, io.TextIOWrapper) else "utf-8"
        if place == 0 and isinstance(old, io.TextIOWrapper):
            errors = old.errors or errors
        through = isinstance(old, io.TextIOWrapper) and old.write_through  # python -u
        raw = open(place, "rb" if place == 0 else "wb", buffering=0 if through else -1, closefd=False)  # noqa: SIM115
        lines = not through and (place == 2 or os.isatty(place))
        made = io.TextIOWrapper(raw, encoding=encoding, errors=errors, line_buffering=lines, write_through=through)
        setattr(sys, name, made)
        setattr(sys, f"__{name}__", made)
