"""Line information of a kernel, kept apart from what is hashed: messages use it, digests do not."""

from __future__ import annotations

from dataclasses import dataclass

import msgpack

from volta_pipe.ir.errors import ArtifactError


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
        return bytes(msgpack.packb([self.ptx_file, files, self.ptx, self.source, self.inlined]))

    @staticmethod
    def decode(data: bytes) -> LineTable:
        """Errors: ArtifactError on damage."""
        try:
            file, files, ptx, source, inlined = msgpack.unpackb(data, use_list=False)
            pairs = [tuple((int(a), int(b)) for a, b in rows) for rows in (ptx, source)]
            chains = tuple(tuple((int(a), int(b)) for a, b in chain) for chain in inlined)
            return LineTable(str(file), tuple(str(f) for f in files), pairs[0], pairs[1], chains)
        except (ValueError, TypeError, msgpack.UnpackException) as error:
            raise ArtifactError(f"line table is damaged: {error}") from error
