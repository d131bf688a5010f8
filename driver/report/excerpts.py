"""The lines around a place, from the PTX and from the source that it was compiled from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import KernelSpec
from volta_pipe.ir.errors import InputError, Place
from volta_pipe.passes.lower.embedded import embedded_ptx

AROUND = 4  # lines before and after
_WIDEST = 300  # characters of a line that are shown
_MOST_BYTES = 64 << 20  # of a file that is looked at


class Excerpts:
    """Reads each file of a contract once."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.files: dict[tuple[Path, str], list[str] | None] = {}

    def of(self, place: Mapping[str, Any], side: str, around: int = AROUND) -> dict[str, Any]:
        """`ptx` and `source` of a finding, access or step (`ptx_line`, `source`): each an excerpt with `file` (a name),
        `line`, `first` (the number of the first line) and `lines`; or None where there is none, or the file is not there."""
        source, line = place.get("source"), place.get("ptx_line")
        kernel = self._kernel(side)
        ptx = None
        if isinstance(kernel, KernelSpec) and line:
            ptx = self._excerpt((kernel.path,), int(line), around, kernel.entry)
        found = None
        if source is not None and kernel is not None:
            name = Path(source["file"])
            found = self._excerpt((kernel.path.parent / name.name, name), int(source["line"]), around)
        return {"ptx": ptx, "source": found}

    def line(self, place: Mapping[str, Any], side: str) -> str:
        """The line of the source alone, or of the PTX where there is no source; "" where there is neither."""
        found = self.of(place, side, 0)
        one = found["source"] or found["ptx"]
        return one["lines"][0].strip() if one else ""

    def _kernel(self, side: str) -> Any:
        return self.contract.candidate if side == "candidate" else self.contract.reference

    def _excerpt(self, paths: tuple[Path, ...], line: int, around: int, entry: str = "") -> dict[str, Any] | None:
        for path in paths:
            lines = self._lines(path, entry)
            if lines is not None and 0 < line <= len(lines):
                first = max(1, line - around)
                shown = [_short(text) for text in lines[first - 1 : line + around]]
                return {"file": path.name, "line": line, "first": first, "lines": shown}
        return None

    def _lines(self, path: Path, entry: str = "") -> list[str] | None:
        """The lines of a file; with an entry, of the PTX in it where that is in an MLIR module."""
        inside = entry if path.suffix == ".mlir" else ""
        if (path, inside) not in self.files:
            self.files[path, inside] = None
            try:
                if path.is_file() and path.stat().st_size <= _MOST_BYTES:
                    # by \n alone: a compiler counts no other character as the end of a line
                    text = path.read_text(encoding="utf-8", errors="replace")
                    if inside:
                        text = embedded_ptx(text, entry, Place(path.name)).text
                    self.files[path, inside] = text.split("\n")
            except (OSError, InputError):
                pass  # shown without it
        return self.files[path, inside]


def _short(text: str) -> str:
    text = text.expandtabs(4).rstrip()
    return text if len(text) <= _WIDEST else text[:_WIDEST] + " …"
