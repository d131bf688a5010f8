"""A command that has the server do its work, where there is one."""

from __future__ import annotations

import os
import signal
import socket
import sys

from volta_pipe.driver.serving.protocol import (
    END,
    YES,
    available,
    own_socket,
    receive,
    request,
    say_go,
    send_request,
    socket_path,
)

_PATIENCE = 1.0  # seconds until a server has said YES or NO: it looks at the times of its own sources first
_PASSED_ON = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT")


def ask(arguments: list[str]) -> int | None:
    """The exit code of a command that a server ran in the place of this process; None where none did."""
    path = socket_path()
    if path is None or not available() or not _meant(arguments):
        return None
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:  # the socket would get the number of a closed stream
        return None
    try:
        if not own_socket(path):
            return None
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(_PATIENCE)
        connection.connect(path)
        send_request(connection, request(arguments))
        if connection.recv(1) != YES:
            return None
        signals = _Signals(connection)
        connection.settimeout(None)
        try:
            say_go(connection)
        except OSError:
            signals.restore()
            raise
    except (OSError, ValueError):  # none there, an old file, streams that are closed: this process does it
        return None
    with signals:
        try:
            (code,) = END.unpack(receive(connection, END.size))
        except (OSError, EOFError):
            print("volta-pipe: error: the process of volta-pipe serve that worked on this is gone", file=sys.stderr)
            return 2
    if code < 0:
        _die(-code)
    return int(code)


def _meant(arguments: list[str]) -> bool:
    """Whether a command may be run by a server: not the one that becomes a server, or looks after the installation."""
    return bool(arguments) and arguments[0] not in ("serve", "doctor")


class _Signals:
    """Passes the signals that this process gets on to the one that works."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._numbers = [getattr(signal, name) for name in _PASSED_ON]
        # A signal that whoever started this process had switched off (nohup) stays so; the other process has it likewise.
        self._before = {n: signal.signal(n, self._pass_on) for n in self._numbers if signal.getsignal(n) is not signal.SIG_IGN}

    def _pass_on(self, number: int, _: object) -> None:
        try:
            self._connection.send(bytes([number]))
        except OSError:
            return

    def __enter__(self) -> None:
        return

    def __exit__(self, *_: object) -> None:
        self.restore()

    def restore(self) -> None:
        """Has this process take its signals itself again."""
        for number, handler in self._before.items():
            signal.signal(number, handler)


def _die(number: int) -> None:
    """Ends this process by the signal that ended the other one."""
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.pause()
