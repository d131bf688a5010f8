"""Reads through the non-coherent cache (ld.global.nc, ldu) of what the launch has written: barriers do not reach that cache, so
such a read may find the old value, however well it is ordered behind the write. Memory that is read so has to stay as it is.

A read that comes before the first write of its CTA has the old value only, and is left to the search for races, like writes of
other CTAs."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import FLAG_SOURCE, NONCOHERENT, Program
from volta_pipe.passes.check import faults
from volta_pipe.passes.sizes import bytes_of

Array = np.ndarray[Any, np.dtype[Any]]
_WRITES = (Op.ST, Op.ATOM, Op.RED, Op.COPY, Op.STMATRIX)


def stale(program: Program) -> Array:
    """Raw findings int64 [n, RAW_COLUMNS], folded: each read with the first write of bytes that it reads."""
    through = np.flatnonzero((program.op == Op.LD) & (program.node == NONCOHERENT))
    found: list[Array] = []
    if len(through):
        reads = np.flatnonzero(np.isin(program.row_instr, through))
        stores = np.isin(program.row_instr, np.flatnonzero(np.isin(program.op, _WRITES)))
        copies = np.isin(program.row_instr, np.flatnonzero(program.op == Op.COPY))
        writes = np.flatnonzero(stores & ((program.row_flags & FLAG_SOURCE == 0) | ~copies))
        reads, writes = _of_common_regions(program, reads, writes)
        ctas = [np.searchsorted(program.cta_rows, rows, side="right") for rows in (reads, writes)]
        for cta in sorted(set(ctas[0].tolist()) & set(ctas[1].tolist())):
            found += _in_cta(program, reads[ctas[0] == cta], writes[ctas[1] == cta])
    return np.array(found, np.int64).reshape(-1, faults.RAW_COLUMNS)


def _of_common_regions(program: Program, reads: Array, writes: Array) -> tuple[Array, Array]:
    """The rows that touch a region that both touch: almost always none."""
    spans = [_spans(program, rows) for rows in (reads, writes)]
    both = np.array(sorted(_regions(spans[0]) & _regions(spans[1])), np.int64)
    first, second = (np.searchsorted(both, span[:, 0]) < np.searchsorted(both, span[:, 1], side="right") for span in spans)
    return reads[first], writes[second]


def _regions(spans: Array) -> set[int]:
    if bool((spans[:, 0] == spans[:, 1]).all()):
        return set(np.unique(spans[:, 0]).tolist())
    return {number for low, high in np.unique(spans, axis=0).tolist() for number in range(low, high + 1)}


def _spans(program: Program, rows: Array) -> Array:
    """Numbers of the first and the last region that each row touches, int64 [n, 2]."""
    offsets = program.over_patterns(np.minimum, np.maximum)
    ends = [program.row_base[rows] + offset[program.row_pattern[rows]] for offset in offsets]
    return np.stack(ends, axis=1) >> REGION_SHIFT


def _in_cta(program: Program, reads: Array, writes: Array) -> list[Array]:
    """Of one CTA; reads, writes: rows."""
    row, thread, byte = _bytes(program, writes)
    by = np.lexsort((thread, row, byte))
    written, at = np.unique(byte[by], return_index=True)
    first, by_thread = row[by][at], thread[by][at]
    row, thread, byte = _bytes(program, reads)
    place = np.minimum(np.searchsorted(written, byte), len(written) - 1)
    late = (written[place] == byte) & (first[place] < row)
    row, thread, byte, place = row[late], thread[late], byte[late], place[late]
    # Of the bytes of one lane the one that was written first, then one entry for each pair of instructions.
    by = np.lexsort((byte, by_thread[place], first[place], thread, row))
    _, at = np.unique(np.stack((row[by], thread[by])), axis=1, return_index=True)
    lanes = by[at]
    pairs = np.sort(np.stack((program.row_instr[row[lanes]], program.row_instr[first[place[lanes]]])), axis=0)
    _, heads, counts = np.unique(pairs, axis=1, return_index=True, return_counts=True)
    found = np.zeros((len(heads), faults.RAW_COLUMNS), np.int64)
    for entry, head, count in zip(found, heads.tolist(), counts.tolist(), strict=True):
        lane = lanes[head]
        entry[[faults.R_KIND, faults.R_ROW, faults.R_THREAD]] = faults.STALE, row[lane], thread[lane]
        entry[[faults.R_OTHER_ROW, faults.R_OTHER_THREAD]] = first[place[lane]], by_thread[place[lane]]
        entry[[faults.R_ADDRESS, faults.R_COUNT]] = byte[lane], count
        entry[[faults.R_LOW, faults.R_HIGH]] = pairs[:, head]
    return list(found)


def _bytes(program: Program, rows: Array) -> tuple[Array, Array, Array]:
    """Row, thread and address of each byte that each lane touches, int64."""
    parts: list[tuple[Array, Array, Array]] = []
    for row in rows.tolist():
        threads, size = program.active_lanes(int(program.row_mask[row])), bytes_of(program, row)
        addresses = (program.row_values(row)[:, None] + np.arange(size)).reshape(-1)
        parts.append((np.full(len(addresses), row), np.repeat(threads, size), addresses))
    row, thread, byte = (np.concatenate([part[k] for part in parts]).astype(np.int64) for k in range(3))
    return row, thread, byte
