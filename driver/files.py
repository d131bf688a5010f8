"""Reading the user's files, with one clear error for everything that is not a plain, non-empty file of a sane size."""

from __future__ import annotations

import os
from pathlib import Path

from volta_pipe.ir.errors import InputError, Place

# What was read for a key and what a stage read have to be the same: else the store would give the one for the other.
CHANGED = "changed while it was being verified: run again"


def is_folder(path: Path) -> bool:
    """Whether `path` is a folder; not where that cannot be told (a name that is too long, a folder above that is closed)."""
    return os.path.isdir(path)  # noqa: PTH112 pathlib raises what os.path takes for no


def is_file(path: Path) -> bool:
    """Whether `path` is a plain file; not where that cannot be told."""
    return os.path.isfile(path)  # noqa: PTH113


def is_there(path: Path) -> bool:
    """Whether there is something at `path`, be it a link to nothing; not where that cannot be told."""
    return os.path.lexists(path)


def file_problem(path: Path, most: int) -> str:
    """Why `path` cannot be read as an input file, or "" when it can."""
    try:
        if path.is_dir():
            return "is a directory, not a file"
        if not path.exists():
            return "does not exist"
        if not path.is_file():
            return "is not a plain file"
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        return f"cannot be read: {_reason(error)}"
    if size == 0:
        return "is empty"
    if size > most:
        return f"has {size:,} bytes (at most {most:,})"
    return "" if os.access(path, os.R_OK) else "cannot be read: permission denied"


def read_bytes(path: Path, what: str, most: int) -> bytes:
    """The bytes of an input file. Errors: InputError that names the file."""
    if problem := file_problem(path, most):
        hint = ""
        if is_file(path / "volta.toml"):
            hint = f" (did you mean {path / 'volta.toml'}?)"
        raise InputError(f"{what} {problem}{hint}", Place(str(path)))
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{what} cannot be read: {_reason(error)}", Place(str(path))) from None


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
