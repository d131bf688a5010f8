"""Whether a server would do the work of a command that is started as this process was, and why not."""

from __future__ import annotations

import ast
import os
import socket
import struct

from volta_pipe.driver.serving.protocol import (
    VARIABLE,
    YES,
    available,
    own_socket,
    receive_text,
    request,
    send_request,
    socket_path,
)

_PATIENCE = 5.0  # seconds for an answer
_CREDENTIALS = struct.Struct("iII")  # pid, uid, gid (unix(7), SO_PEERCRED): of who listens
_SHORT = 24  # characters of a value that is shown
_NONE = "none; volta-pipe serve starts one"


def server_state() -> str:
    """For people, on one line."""
    path = socket_path()
    if path is None:
        return f"switched off: {VARIABLE} is empty, or `off`"
    if not available():
        return "not available: this system has no fork, SO_PEERCRED or pidfd_open"
    if not os.path.lexists(path):
        return _NONE
    if not own_socket(path):
        return f"not used: {path} is no socket of yours, or others may write in its folder"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(_PATIENCE)
            connection.connect(path)
            (process, _, _) = _CREDENTIALS.unpack(
                connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
            )
            return _answer(connection, f"process {process}", path)
    except (ConnectionRefusedError, FileNotFoundError):  # a server that was killed, or has just ended
        return _NONE
    except OSError as error:
        return f"not reached at {path}: {error.strerror or error}"


def _answer(connection: socket.socket, who: str, path: str) -> str:
    """What the server says to a command, which it then does not get. Errors: OSError."""
    mine = request(["doctor"])
    try:
        send_request(connection, mine)
        if connection.recv(1) == YES:
            return f"ready at {path}, {who}"
        theirs = receive_text(connection)
    except TimeoutError:
        return f"{who} at {path} does not answer"
    except (EOFError, ValueError):  # it says no more where it ends
        return f"{who} at {path} ends: files of volta-pipe, or packages, are others than when it was started"
    return f"{who} at {path} takes no command that is started as this one was: {_apart(mine.likeness, theirs)}"


def _apart(mine: str, theirs: str) -> str:
    """What two processes do not have in common. Values are shown where they are short."""
    try:
        here, there = (dict(ast.literal_eval(text)) for text in (mine, theirs))
    except (ValueError, SyntaxError, TypeError):
        return "it is of another version"
    names = [name for name in {**here, **there} if here.get(name) != there.get(name)]
    said = []
    for name in names:
        values = [side.get(name, "none") for side in (there, here)]
        shown = all(len(value) <= _SHORT for value in values)
        said.append(f"another {name}" + (f" ({values[0]} there, {values[1]} here)" if shown else ""))
    return ", ".join(said) or "it is of another version"
