"""Line information of a kernel, kept apart from what is hashed: messages use it, digests do not."""

from __future__ import annotations

from dataclasses import dataclass


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
