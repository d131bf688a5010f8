"""Reads through the non-coherent cache (ld.global.nc, ldu) of what the launch has written: barriers do not reach that cache, so
such a read may find the old value, however well it is ordered behind the write. Memory that is read so has to stay as it is.

A read that comes before the first write of its CTA has the old value only, and is left to the search for races, like writes of
other CTAs."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import FLAG_SOURCE, NONCOHERENT, REGION_SHIFT, Program
from volta_pipe.passes.check import faults
from volta_pipe.passes.check.sizes import bytes_of

Array = np.ndarray[Any, np.dtype[Any]]
_WRITES = (Op.ST, Op.ATOM, Op.RED, Op.COPY, Op.STMATRIX)


def stale(program: Program) -> Array:
    """Raw findings int64 [n, RAW_COLUMNS], folded: each read with the first write of bytes that it reads."""
    through = np.flatnonzero((program.op == Op.LD) & (program.node == NONCOHERENT))
    found: list[Array] = []
    if len(through):
        reads = np.isin(program.row_instr, through)
        writes = np.isin(program.row_instr, np.flatnonzero(np.isin(program.op, _WRITES)))
        writes &= (program.row_flags & FLAG_SOURCE == 0) | ~np.isin(program.row_instr, np.flatnonzero(program.op == Op.COPY))
        for begin, end in zip(program.cta_rows[:-1].tolist(), program.cta_rows[1:].tolist(), strict=True):
            found += _in_cta(program, begin + np.flatnonzero(reads[begin:end]), begin + np.flatnonzero(writes[begin:end]))
    return np.array(found, np.int64).reshape(-1, faults.RAW_COLUMNS)


def _in_cta(program: Program, reads: Array, writes: Array) -> list[Array]:
    """Of one CTA; reads, writes: rows."""
    both = _regions(program, reads) & _regions(program, writes)
    first: dict[int, tuple[int, int]] = {}  # by byte the row and thread of the first write
    for row in writes.tolist():
        for thread, address in _lanes(program, row):
            if address >> REGION_SHIFT in both:
                for byte in range(address, address + bytes_of(program, row)):
                    first.setdefault(byte, (row, thread))
    found: dict[tuple[int, int], Array] = {}
    for row in reads.tolist() if first else ():
        for thread, address in _lanes(program, row):
            met = (first.get(byte) for byte in range(address, address + bytes_of(program, row)))
            before = min((entry for entry in met if entry is not None and entry[0] < row), default=None)
            if before is not None:
                _record(program, found, row, thread, before, address)
    return list(found.values())


def _regions(program: Program, rows: Array) -> set[int]:
    """Numbers of the regions that rows begin in, or end in."""
    numbers: set[int] = set()
    for pattern in np.unique(program.row_pattern[rows]).tolist():
        bases = program.row_base[rows[program.row_pattern[rows] == pattern]]
        values = program.pattern_values[program.pattern_start[pattern] : program.pattern_start[pattern + 1]]
        for offset in np.unique(values) if pattern >= 0 else (0,):
            numbers.update(np.unique((bases + offset) >> REGION_SHIFT).tolist())
    return numbers


def _lanes(program: Program, row: int) -> list[tuple[int, int]]:
    """(thread, address) of each active lane."""
    threads = program.active_lanes(int(program.row_mask[row]))
    return list(zip(threads.tolist(), program.row_values(row).tolist(), strict=True))


def _record(
    program: Program, found: dict[tuple[int, int], Array], row: int, thread: int, before: tuple[int, int], address: int
) -> None:  # fmt: skip
    pair = sorted((int(program.row_instr[row]), int(program.row_instr[before[0]])))
    entry = found.get((pair[0], pair[1]))
    if entry is not None:
        entry[faults.R_COUNT] += 1
        return
    entry = np.zeros(faults.RAW_COLUMNS, np.int64)
    entry[[faults.R_KIND, faults.R_ROW, faults.R_THREAD, faults.R_OTHER_ROW]] = faults.STALE, row, thread, before[0]
    entry[[faults.R_OTHER_THREAD, faults.R_ADDRESS, faults.R_COUNT]] = before[1], address, 1
    entry[[faults.R_LOW, faults.R_HIGH]] = pair
    found[pair[0], pair[1]] = entry
