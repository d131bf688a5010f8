"""A process that has loaded what commands need, and forks one for each that asks.

Nothing is shared between two commands: each runs in a process of its own (worker.py), as it would without a server, only that
modules and compiled code are there already. The server runs no command itself."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from volta_pipe.driver.serving.preload import installed, preload
from volta_pipe.driver.serving.protocol import END, NO, VARIABLE, available, likeness, own_folder, socket_path
from volta_pipe.driver.serving.worker import work
from volta_pipe.driver.versions import ROOT
from volta_pipe.driver.watching.files import own_sources
from volta_pipe.ir.errors import InputError, Place

_WAITING = 64  # commands that may wait to be accepted
_CHUNK = 4096
_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_CREDENTIALS = struct.Struct("iII")  # pid, uid, gid (unix(7), SO_PEERCRED)


def serve(idle: float) -> int:
    """Serves until it is interrupted, its sources change, or nobody has asked for `idle` seconds; the exit code. Errors:
    InputError where that cannot be done here."""
    if not available():
        raise InputError("this system has no fork, SO_PEERCRED or pidfd_open, which `serve` needs")
    place = socket_path()
    if place is None:
        raise InputError(f"servers are switched off: {VARIABLE} is empty, or `off`")
    path = Path(place)
    loaded = _code()  # before anything of it is loaded
    _fill_streams()
    alike = likeness()
    with _alone(path) as lock:
        preload()
        with _listening(path) as listener:
            ready = f"ready at {path} (process {os.getpid()}); commands use it from now on, until Ctrl-C"
            return _Server(listener, lock, loaded, alike, idle).run(ready)


def _code() -> tuple[str, str]:
    """What the code of a new process would be made of."""
    return own_sources(ROOT), installed()


def _fill_streams() -> None:
    """Gives the standard streams that are closed something to be, so that no command's streams get their numbers."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(opened)


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[int]:
    """The lock (a file descriptor) of the one server at `path`. Errors: InputError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not own_folder(str(path.parent)):
            raise InputError("this folder belongs to somebody else, or others may write there", Place(str(path.parent)))
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise _impossible(path, error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield lock
    except BlockingIOError:
        raise InputError("a server is there already", Place(str(path))) from None
    finally:
        os.close(lock)


@contextlib.contextmanager
def _listening(path: Path) -> Iterator[socket.socket]:
    """A socket at `path`, which nobody but the user can connect to, and which goes at the end. Errors: InputError."""
    try:
        path.unlink(missing_ok=True)  # of one that was killed
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)
        try:
            listener.bind(str(path))
        finally:
            os.umask(mask)
        listener.listen(_WAITING)
    except OSError as error:
        raise _impossible(path, error) from None
    try:
        yield listener
    finally:
        listener.close()
        path.unlink(missing_ok=True)


def _impossible(path: Path, error: OSError) -> InputError:
    return InputError(f"no socket can be made: {error.strerror or error}", Place(str(path)))


class _EndedError(Exception):
    """A signal asked the server to end."""


class _Server:
    """The loop. lock: of the one server; alike: what commands must have in common with this process; loaded: the code
    that it has loaded."""

    def __init__(self, listener: socket.socket, lock: int, loaded: tuple[str, str], alike: str, idle: float) -> None:
        self.listener, self.lock, self.loaded, self.alike, self.idle = listener, lock, loaded, alike, idle
        self.pipe = (-1, -1)
        self.working: dict[int, socket.socket] = {}  # by process, what its command listens to

    def run(self, ready: str) -> int:
        """Says that it is ready, and serves until it ends."""
        gc.collect()
        gc.freeze()  # what is there stays shared with those that are forked
        woken, wake = self.pipe = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # so that the pipe is written
        for number in _ENDING:
            signal.signal(number, _end)
        try:
            print(ready, flush=True)
            last = time.monotonic()
            while self.working or time.monotonic() - last < self.idle:
                left = None if self.working else max(0.0, last + self.idle - time.monotonic())
                there, _, _ = select.select([self.listener.fileno(), woken], [], [], left)
                if woken in there:
                    with contextlib.suppress(BlockingIOError):
                        os.read(woken, _CHUNK)
                    self._reap()
                    last = time.monotonic()
                if self.listener.fileno() in there:
                    last = time.monotonic()
                    if not self._answer():
                        print("the files of volta-pipe, or packages, have changed: start the server again", file=sys.stderr)
                        break
            else:
                print(f"ended: no command has come for {self.idle / 60:g} minutes", flush=True)
        except _EndedError:
            print("ended", flush=True)
        return 0

    def _answer(self) -> bool:
        """Takes one command; False where the server must end, as its sources are others by now."""
        try:
            connection, _ = self.listener.accept()
        except OSError:  # who called has gone
            return True
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        if _CREDENTIALS.unpack(credentials)[1] != os.getuid():
            connection.close()
            return True
        if not self._same():
            with contextlib.suppress(OSError):
                connection.send(NO)
            connection.close()
            return False
        try:
            child = os.fork()
        except OSError:  # too many processes: the command can do it itself
            connection.close()
            return True
        if child == 0:
            self._become(connection)
        self.working[child] = connection
        return True

    def _same(self) -> bool:
        try:
            return _code() == self.loaded
        except OSError:  # a file that goes while it is looked at
            return False

    def _become(self, connection: socket.socket) -> NoReturn:
        """In the new process: nothing of the server stays open."""
        try:
            signal.set_wakeup_fd(-1)
            for number in (*_ENDING, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            self.listener.close()
            for own in (self.lock, *self.pipe):
                os.close(own)
            for other in self.working.values():
                other.close()
            work(connection, self.alike)
        finally:
            os._exit(1)

    def _reap(self) -> None:
        """Takes note of who has ended, and tells the command, where that was not as it wanted."""
        for child, connection in [*self.working.items()]:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended == 0:
                continue
            with contextlib.suppress(OSError):
                connection.send(END.pack(os.waitstatus_to_exitcode(status)), socket.MSG_DONTWAIT)
            connection.close()
            del self.working[child]


def _end(*_: object) -> None:
    raise _EndedError
