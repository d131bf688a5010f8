"""Where an uninitialised value comes from: which thread reads which bytes that nothing wrote before.

`unroll` names the instruction that read what was never written, and hands it on with the value, through memory, too. Here the
rows of that instruction are looked through for bytes that no row before them wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import LOCAL_REGION, REGION_SHIFT, SHARED_REGION
from volta_pipe.ir.findings import Access
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import FLAG_SOURCE, INIT_UNINIT, Event, Program, Region
from volta_pipe.passes.check.memory import Location, locate
from volta_pipe.passes.sizes import bytes_of

Array = np.ndarray[Any, np.dtype[Any]]
# A store under a condition that is not known leaves what was there, perhaps.
_READS = (Op.LD, Op.LDMATRIX, Op.ATOM, Op.RED, Op.COPY, Op.ST)
_WRITES = (Op.ST, Op.STMATRIX, Op.ATOM, Op.RED, Op.COPY)
# Rows that are looked through, each in some microseconds, and bytes of memory that are marked.
_MOST_ROWS = 200_000
_MOST_BYTES = 1 << 28
_WINDOW = (1 << REGION_SHIFT) - 1


@dataclass(frozen=True)
class Origin:
    """The read of what was never written: who; `place` of the first such byte; `threads`: all that read such bytes in the same
    row."""

    access: Access
    place: Location
    threads: tuple[int, ...]
    bytes: int

    def words(self) -> str:
        """`thread 8 of CTA (0, 0, 0) reads shared memory part+32, which nothing wrote before`."""
        more = f" (so do {len(self.threads) - 1} more threads with theirs)" if len(self.threads) > 1 else ""
        does = {"read": "reads", "copy": "copies", "write": "may leave as it was"}.get(self.access.action, "updates")
        return f"thread {self.access.thread} of CTA {self.access.cta} {does} {self.place}, which nothing wrote before{more}"

    def why(self) -> str:
        """Why there is nothing to read."""
        region = self.place.region
        if region is None or region.tensor < 0:
            return f"{self.place.space} memory holds nothing when a {'thread' if self.place.space == 'local' else 'CTA'} starts"
        return f"{region.name} has role {region.role} in the contract and no `values`, so it holds nothing before the launch"


def origin_of(program: Program, launch: Launch, event: Event, action: str) -> Origin | None:
    """Of an event about an uninitialised value whose `other` is the instruction that read it; None where it cannot be told.
    A read by the thread of the event itself goes before one by others; action: of that instruction, in a word."""
    instruction = event.other
    if not 0 <= instruction < len(program.op) or program.op[instruction] not in _READS:
        return None
    reads = np.flatnonzero(program.row_instr == instruction)
    reads = reads[reads < program.cta_rows[event.cta + 1]]
    if not len(reads) or len(program.row_instr) > _MOST_ROWS:
        return None
    found: tuple[int, Array, Region] | None = None
    for number in dict.fromkeys(int(program.row_base[row]) >> REGION_SHIFT for row in reads.tolist()):
        region = program.region_of(number << REGION_SHIFT)
        if region is None or region.init != INIT_UNINIT:
            continue
        for row, lanes in _unwritten_reads(program, region, reads):
            threads = program.active_lanes(int(program.row_mask[row]))[lanes]
            own = event.threads[0] in threads.tolist() if event.threads else False
            if found is None or own:
                found = row, lanes, region
            if own:
                return _origin(program, launch, *found, event.threads[0], action)
    return _origin(program, launch, *found, -1, action) if found is not None else None


def _origin(program: Program, launch: Launch, row: int, lanes: Array, region: Region, own: int, action: str) -> Origin:
    threads = program.active_lanes(int(program.row_mask[row]))[lanes]
    first = int(np.flatnonzero(threads == own)[0]) if own >= 0 else 0
    instruction = int(program.row_instr[row])
    cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
    x, y, z = (int(n) for n in program.cta_ids[cta])
    address = int(program.row_values(row)[lanes][first])
    place = locate(program, launch, address, int(program.width[instruction]) // 8)
    access = Access(instruction, (x, y, z), int(threads[first]), action)
    return Origin(access, place, tuple(int(thread) for thread in threads), bytes_of(program, row))


def _unwritten_reads(program: Program, region: Region, reads: Array) -> list[tuple[int, Array]]:
    """(row, lanes among its active ones) of reads of bytes of a region that no row before wrote."""
    local = region.number == LOCAL_REGION
    if region.size * (program.threads if local else 1) > _MOST_BYTES:
        return []
    written = np.zeros((program.threads if local else 1, region.size), np.bool_)
    wanted = {*reads.tolist()}
    writes = np.flatnonzero(np.isin(program.row_instr, np.flatnonzero(np.isin(program.op, _WRITES))))
    # A row lies in one region but where lanes go astray, which is a finding of its own.
    rows = np.union1d(reads, writes[writes <= reads[-1]])
    rows = rows[program.row_base[rows] >> REGION_SHIFT == region.number]
    # Shared and local memory start afresh in each CTA.
    fresh = {*_firsts(program, rows).tolist()} if region.number in (SHARED_REGION, LOCAL_REGION) else set()
    found: list[tuple[int, Array]] = []
    for row in rows.tolist():
        if row in fresh:
            written[:] = False
        threads = program.active_lanes(int(program.row_mask[row])) if local else np.zeros(1, np.int64)
        offsets = (program.row_values(row) & _WINDOW) - region.start
        bytes_touched = offsets[:, None] + np.arange(bytes_of(program, row))[None, :]
        inside: Array = np.asarray(((bytes_touched >= 0) & (bytes_touched < region.size)).all(axis=1))
        whose = np.broadcast_to(threads, len(offsets))[:, None]
        copies = program.op[program.row_instr[row]] == Op.COPY
        source = bool(program.row_flags[row] & FLAG_SOURCE)
        if row in wanted and (source or not copies):
            known: Array = written[whose, np.where(inside[:, None], bytes_touched, 0)]
            missing = inside & ~known.all(axis=1)
            if missing.any():
                found.append((row, np.flatnonzero(missing)))
        if program.op[program.row_instr[row]] in _WRITES and not (copies and source):
            written[whose[inside], bytes_touched[inside]] = True
    return found


def _firsts(program: Program, rows: Array) -> Array:
    """The first of these rows in each CTA."""
    ctas = np.searchsorted(program.cta_rows, rows, side="right")
    return rows[np.flatnonzero(np.diff(ctas, prepend=-1))]
