"""Lines of the source as words: from operations and rows to `k.cu:41 and 44`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.program import Program

Array = np.ndarray[Any, np.dtype[Any]]
_PTX = "PTX line "
_MOST = 2  # lines that a phrase names


def row_instructions(program: Program, rows: Array) -> Array:
    """The static instruction of each of some rows; of a constant row that of the next row of its CTA with one, for which it
    gives the constant. int64, -1 where there is none."""
    real = np.flatnonzero(program.row_instr >= 0)
    if not len(real):
        return np.full(len(rows), -1, np.int64)
    at = np.searchsorted(real, rows)
    following = real[at.clip(max=len(real) - 1)]
    end = program.cta_rows[np.searchsorted(program.cta_rows, rows, side="right")]
    return np.where((at < len(real)) & (following < end), program.row_instr[following], -1).astype(np.int64)


def lines_of_rows(program: Program, rows: Array, lines: LineTable | None) -> list[str]:
    """The different places of rows, in the order of the rows."""
    instructions, first = np.unique(row_instructions(program, rows), return_index=True)
    ordered = instructions[np.argsort(first)].tolist()
    return list(dict.fromkeys(place(lines, i) for i in ordered if i >= 0))


def place(lines: LineTable | None, index: int) -> str:
    """`k.cu:41` of an operation by its place in the walk of the module, which is the number of the static instruction that
    `unroll` made of it (the line of the kernel's author, as in findings), `PTX line 120` where the PTX has no line of
    the source, or ""."""
    if lines is None:
        return ""
    from volta_pipe.driver.findings import place_of

    found = place_of(lines, index)
    source, ptx = found["source"], found["ptx_line"]
    if source is not None and source["line"]:
        return f"{Path(source['file']).name}:{source['line']}"
    return f"{_PTX}{ptx}" if ptx else ""


def _by_number(text: str) -> tuple[str, int]:
    stem = text.rstrip("0123456789")
    return stem, int(text[len(stem) :] or 0)


def _sources_first(text: str) -> tuple[bool, str, int]:
    """Lines of the PTX are for what has no line of the source, such as what a compiler put in."""
    return text.startswith(_PTX), *_by_number(text)


def at(places: Iterable[str], most: int = _MOST) -> str:
    """` at k.cu:41`, ` at k.cu:41 and 44`, ` at k.cu:41, 44 and 3 other lines`: with a blank before it, the lines of a file in
    order, those of sources before those of the PTX; "" without a place."""
    known = sorted({text for text in places if text}, key=_sources_first)
    if not known:
        return ""
    stems = ["", *(_by_number(text)[0] for text in known)]
    shown = [text.removeprefix(stem) for text, stem in zip(known[:most], stems, strict=False)]
    left = len(known) - len(shown)
    if left:
        shown.append(f"{left} other line{'s' * (left > 1)}")
    return " at " + (" and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0])
