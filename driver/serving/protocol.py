"""What a command and a server say to each other, and where they meet.

The command sends a request; the answer is YES or NO, mostly with why (state.py). After YES the command says GO, with its
standard streams: a server that does not answer must not keep them open. Then it sends numbers of signals, a byte each; it is
told how its work ended, as an int32: an exit code, or minus a signal. Who hears nothing any more takes the other for gone.

A command imports this before anything else, so it does without pathlib, dataclasses and typing, which take milliseconds."""

from __future__ import annotations

import os
import signal
import socket
import stat
import struct
import sys
from zlib import crc32

YES, NO, GO = b"Y", b"N", b"G"
END = struct.Struct("<i")
_SIZE = struct.Struct("<I")
_LARGEST = 8 << 20  # bytes of a text: arguments and environment have a limit of a few megabytes (execve)
_MAGIC = "volta-pipe serve 1"
VARIABLE = "VOLTA_SERVER"
# The folder of the tool's code: each installation has a server of its own.
HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Settings that a process reads when it starts, or that what it imports does.
_READ_AT_START = (
    "PYTHON", "PY_", "NUMBA", "LLVM", "LD_", "OMP_", "KMP_", "GOMP_", "OPENBLAS", "MKL_", "BLIS_", "NPY_", "NUMPY", "MSGPACK",
    "LC_", "GLIBC", "MALLOC_",
)  # fmt: skip
_READ_AT_START_TOO = ("LANG", "LANGUAGE", "HOME", "XDG_CACHE_HOME", "TZ")


class Request:
    """A command: where and with what it was called. ignored: numbers of the signals that it was told to ignore; likeness: what
    the server must have in common with it."""

    def __init__(
        self, folder: str, umask: int, ignored: list[int], arguments: list[str], environment: dict[str, str], likeness: str
    ) -> None:
        self.folder, self.umask, self.ignored = folder, umask, ignored
        self.arguments, self.environment, self.likeness = arguments, environment, likeness


def available() -> bool:
    """Whether this system has what serving needs."""
    return hasattr(os, "fork") and hasattr(socket, "SO_PEERCRED") and hasattr(os, "pidfd_open")


def socket_path() -> str | None:
    """Where the server of this installation listens: $VOLTA_SERVER, else in a folder of the user's own; None where servers are
    switched off (the variable is empty, or `off`)."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return chosen if chosen not in ("", "off") else None
    folder = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    name = f"{HOME}\0{sys.executable}".encode(errors="surrogateescape")
    return os.path.join(folder, "volta-pipe", f"serve-{crc32(name):08x}")


def own_folder(folder: str) -> bool:
    """Whether a folder is the user's, and nobody else may write there."""
    try:
        status = os.stat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def own_socket(path: str) -> bool:
    """Whether a socket of the user's is there, where nobody else may put one. Errors: OSError where nothing is."""
    status = os.lstat(path)
    return stat.S_ISSOCK(status.st_mode) and status.st_uid == os.getuid() and own_folder(os.path.dirname(path))


def likeness() -> str:
    """What two processes must have in common for one to do the work of the other: the same code, read with the same settings,
    and the same rights and limits. A list of names and values, as Python writes it (state.py)."""
    import resource

    limits = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]
    settings = {
        name: value for name, value in os.environ.items() if name.startswith(_READ_AT_START) or name in _READ_AT_START_TOO
    }  # fmt: skip
    root = os.stat("/")
    place = (os.readlink("/proc/self/ns/mnt"), root.st_dev, root.st_ino)  # a container may share the user's folder
    parts = {
        "protocol": _MAGIC, "installation": HOME, "interpreter": sys.executable, "version of Python": sys.version,
        "flags of Python": sys.flags, "sys.path": sys.path, "-X option": sys._xoptions, "-W option": sys.warnoptions,
        "buffering of standard output": getattr(sys.stdout, "write_through", None),
        **{f"environment variable {name}": settings[name] for name in sorted(settings)},
        "user": os.getuid(), "effective user": os.geteuid(), "group": os.getgid(), "effective group": os.getegid(),
        "list of groups": sorted(os.getgroups()), "niceness": os.getpriority(os.PRIO_PROCESS, 0),
        "limit (ulimit)": [resource.getrlimit(limit) for limit in limits],
        "set of processors": sorted(os.sched_getaffinity(0)),
        "set of blocked signals": sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))), "file system": place,
    }  # fmt: skip
    return repr([(name, repr(value)) for name, value in parts.items()])


def request(arguments: list[str]) -> Request:
    """This process as a request. Errors: OSError where the folder it was called in is gone."""
    umask = os.umask(0o077)
    os.umask(umask)
    ignored = [int(n) for n in signal.valid_signals() if signal.getsignal(n) is signal.SIG_IGN]
    return Request(os.getcwd(), umask, ignored, arguments, dict(os.environ), likeness())


def send_request(connection: socket.socket, made: Request) -> None:
    """Sends it. Errors: OSError."""
    ignored = " ".join(map(str, made.ignored))
    fields = [made.folder, str(made.umask), ignored, made.likeness, str(len(made.arguments)), *made.arguments]
    fields += [f"{name}={value}" for name, value in made.environment.items()]
    data = "\0".join(fields).encode(errors="surrogateescape")
    connection.sendall(_SIZE.pack(len(data)) + data)


def receive_request(connection: socket.socket) -> Request:
    """Errors: OSError, EOFError, ValueError on anything else."""
    fields = receive_text(connection).split("\0")
    folder, umask, ignored, alike, count, *rest = fields
    arguments, settings = rest[: int(count)], rest[int(count) :]
    if len(arguments) != int(count) or not 0 <= int(umask) <= 0o777:
        raise ValueError("no request")
    environment = dict(setting.split("=", 1) for setting in settings)
    return Request(folder, int(umask), [int(n) for n in ignored.split()], arguments, environment, alike)


def say_go(connection: socket.socket) -> None:
    """Has the work begin on the standard streams of this process. Errors: OSError."""
    socket.send_fds(connection, [GO], [0, 1, 2])


def hear_go(connection: socket.socket) -> list[int]:
    """The streams that the work has. Errors: OSError, ValueError where the command has gone, or says something else."""
    head, streams, _, _ = socket.recv_fds(connection, len(GO), 3)
    if head != GO or len(streams) != 3:
        raise ValueError("no GO")
    return streams


def refuse(connection: socket.socket, alike: str) -> None:
    """Says NO, and what a command would have to have in common with the server. Errors: OSError."""
    data = alike.encode(errors="surrogateescape")
    connection.sendall(NO + _SIZE.pack(len(data)) + data)


def receive_text(connection: socket.socket) -> str:
    """A text and its size in front. Errors: OSError, EOFError where nothing comes, ValueError."""
    (size,) = _SIZE.unpack(receive(connection, _SIZE.size))
    if size > _LARGEST:
        raise ValueError("a text that is too large")
    return receive(connection, size).decode(errors="surrogateescape")


def receive(connection: socket.socket, size: int) -> bytes:
    """So many bytes. Errors: OSError; EOFError where the other has gone."""
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(size - len(parts))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
