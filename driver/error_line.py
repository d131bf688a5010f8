"""Any error as the one line that people get in place of a traceback."""

from __future__ import annotations

import os
import sys

from volta_pipe.driver.shortages import shortage
from volta_pipe.ir.errors import VoltaError

BAD_INPUT = 2
INTERRUPTED = 130


def error_line(error: Exception) -> str:
    """What went wrong, with its place; of a defect of ours the innermost line of our code."""
    if isinstance(error, VoltaError):
        return str(error)
    if said := shortage(error):
        return said
    if isinstance(error, RecursionError):
        return "an input is nested too deeply"
    if isinstance(error, OSError) and isinstance(error.filename, str | bytes) and error.strerror:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    frame, where = error.__traceback__, ""
    while frame is not None:
        name = frame.tb_frame.f_code.co_filename
        where = f"{name}:{frame.tb_lineno}" if "volta_pipe" in name else where
        frame = frame.tb_next
    return f"internal error, please report it: {type(error).__name__}: {error} ({where})"


def say(message: str) -> None:
    """Prints an error on standard error, on one line whatever it holds."""
    print("volta-pipe: error: " + " ".join(message.split()), file=sys.stderr, flush=True)
