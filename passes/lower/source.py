"""Reading PTX from disk, with the checks that keep a wrong file from becoming a puzzling syntax error."""

from __future__ import annotations

from pathlib import Path

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.passes.lower.embedded import embedded_ptx

# The largest PTX we have met (a whole library) is 20 MB; more than this is a mistake, and would fill the memory.
MAX_BYTES = 64 * 1024 * 1024


def read_source(path: str | Path, shown: str, entry: str) -> tuple[str, str]:
    """(PTX text, what to call it in messages) of a `.ptx` file, or of the binary in an `.mlir` file that has the entry.

    Lines that errors and findings name are then those of the assembly. Raises InputError when there is none."""
    return source_of(read_ptx(path), path, shown, entry)


def source_of(text: str, path: str | Path, shown: str, entry: str) -> tuple[str, str]:
    """The same of a file whose text is at hand."""
    if Path(path).suffix != ".mlir":
        return text, shown
    assembly = embedded_ptx(text, entry, Place(str(path)))
    name = f" of @{assembly.binary}" if assembly.binary else ""
    return check_text(assembly.text.encode(), Place(str(path), assembly.line)), f"{shown}: assembly{name}"


def read_ptx(path: str | Path) -> str:
    """The text of a PTX file; raises InputError when it cannot be one."""
    place = Place(str(path))
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except IsADirectoryError as error:
        raise InputError("is a directory, not a PTX file", place) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot read: {reason}", place) from error
    return check_text(data, place)


def check_text(data: bytes, place: Place) -> str:
    """Decode PTX; raises InputError on too much, binary or no text."""
    if len(data) > MAX_BYTES:
        raise InputError(f"larger than {MAX_BYTES >> 20} MB: extract the kernel's module first", place)
    if b"\0" in data:
        raise InputError("not a PTX text (it holds NUL bytes; of a cubin or fatbin, extract the PTX)", place)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("not a PTX text (it is not UTF-8)", place) from error
    if not text.strip():
        raise InputError("the PTX is empty", place)
    return text
