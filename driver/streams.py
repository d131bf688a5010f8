"""The standard streams of a process that runs a command: what cannot be written to one is told apart from all other errors.

A full disk behind standard output looks like a full disk under the store, a reader that is gone like one of our own pipes: the
same `OSError`. So standard output says which it is, where it is written."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from volta_pipe.ir.errors import VoltaError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputError(VoltaError):
    """Standard output takes nothing any more: exit code 2, as nobody has got what was to be said."""


class _Output(io.FileIO):
    """Standard output. Errors: OutputError."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data) or 0
        except OSError as error:
            raise OutputError(f"standard output: {error.strerror or error}") from None


class _Messages(io.FileIO):
    """Standard error: what cannot be said there can be said nowhere, and is no reason to give up a verdict."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return memoryview(data).nbytes


def take_over() -> None:
    """Makes the standard streams of this process new ones on the same files. One that is closed gets a file that takes nothing:
    writing to it fails as it would, and no other file gets its number."""
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest number that is free, which is this one
    sys.stdout = _stream(_Output(1, "w", closefd=False), sys.stdout)
    sys.stderr = _stream(_Messages(2, "w", closefd=False), sys.stderr)


def _stream(raw: io.FileIO, old: object) -> io.TextIOWrapper:
    """A text stream with the settings of the one that Python made; `old`: None where it found the file closed."""
    known = old if isinstance(old, io.TextIOWrapper) else None
    through = known is not None and known.write_through  # python -u
    return io.TextIOWrapper(
        raw if through else io.BufferedWriter(raw),  # as `open` does without a buffer
        encoding=known.encoding if known is not None else "utf-8",
        errors="backslashreplace",  # a locale may lack a character of ours, or of a name in the contract
        line_buffering=known.line_buffering if known is not None else False,
        write_through=through,
    )
