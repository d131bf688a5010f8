"""Line information of a kernel, kept apart from what is hashed: messages use it, digests do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgpack

from volta_pipe.ir.errors import ArtifactError

KIND, VERSION = "lines", 1  # of the text beside it, too: the two are one output of `lower`
_LIMIT = 1 << 31


@dataclass(frozen=True)
class LineTable:
    """For operation i of the kernel's body (walk order): its place in the PTX and, where `.loc` says, in the source.

    `ptx`: (line, column) of the instruction, (0, 0) for operations without one. `source`: (index into `files`, line) or
    (-1, 0). `inlined`: the chain of inlining call sites, each (file index, line), innermost caller first."""

    ptx_file: str
    files: tuple[str, ...]
    ptx: tuple[tuple[int, int], ...]
    source: tuple[tuple[int, int], ...]
    inlined: tuple[tuple[tuple[int, int], ...], ...]

    def ptx_line(self, index: int) -> int:
        """PTX line of operation `index`, 0 when unknown."""
        return self.ptx[index][0] if 0 <= index < len(self.ptx) else 0

    def source_of(self, index: int) -> tuple[str, int] | None:
        """(file, line) in the source of operation `index`, or None."""
        if not 0 <= index < len(self.source):
            return None
        file, line = self.source[index]
        return (self.files[file], line) if 0 <= file < len(self.files) else None

    def encode(self) -> bytes:
        """msgpack form, read back by `decode`."""
        files = list(self.files)
        return bytes(msgpack.packb([KIND, VERSION, self.ptx_file, files, self.ptx, self.source, self.inlined]))

    @staticmethod
    def decode(data: bytes) -> LineTable:
        """Errors: ArtifactError on damage, and on a table of another version."""
        try:
            kind, version, *rest = msgpack.unpackb(data, use_list=False)
            if (kind, version) != (KIND, VERSION):
                raise ArtifactError(f"line table is of another format, this version of the tool has {KIND}/{VERSION}")
            file, files, ptx, source, inlined = rest
            if len(ptx) != len(source) or len(ptx) != len(inlined):
                raise ValueError("its columns differ in length")
            names = tuple(str(f) for f in files)
            places = tuple(_pair(pair, 0, _LIMIT) for pair in ptx)
            lines = tuple(_pair(pair, -1, len(names)) for pair in source)
            chains = tuple(tuple(_pair(pair, 0, len(names)) for pair in chain) for chain in inlined)
            return LineTable(str(file), names, places, lines, chains)
        except (ValueError, TypeError, RecursionError, OverflowError, MemoryError, msgpack.UnpackException) as error:
            raise ArtifactError(f"line table is damaged: {error}") from error


def _pair(pair: Any, low: int, high: int) -> tuple[int, int]:
    """A place whose first number lies in low..high-1. Errors: ValueError."""
    first, second = pair
    if type(first) is not int or type(second) is not int or not low <= first < high or not 0 <= second < _LIMIT:
        raise ValueError("a place is out of range")
    return first, second
