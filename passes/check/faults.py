"""Raw findings as the compiled loops record them, and the faults of one access that need no other: bounds, alignment, frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.passes.check.clocks import THREAD_BITS, THREAD_MASK
from volta_pipe.passes.check.memory import EXISTS, FRAME, SLOT_AT, SLOT_SHIFT, START, WINDOW, WRITABLE
from volta_pipe.passes.check.rows import region_at

Array = np.ndarray[Any, np.dtype[Any]]
# Kinds of raw findings and their columns. R_LOW, R_HIGH: the two instructions, by which findings are folded; R_APART: whether
# the two threads of one of those that were folded are of different warps.
# PHASE: of which phase of a barrier object something is depends on the schedule; OBJECT: an access to the bytes of one;
# MEETING: in which round of a barrier an arrival counts depends on the schedule (its address is the barrier's number).
# BEYOND: outside the variable that the address is computed from, inside the memory (variables.py).
# STALE: a read through the non-coherent cache of what was written (noncoherent.py).
RACE, OUT_OF_BOUNDS, MISALIGNED, UNFRAMED, ORDER, PHASE, OBJECT, MEETING, BEYOND, STALE = range(10)
R_KIND, R_ROW, R_THREAD, R_OTHER_ROW, R_OTHER_THREAD, R_ADDRESS, R_COUNT, R_LOW, R_HIGH, R_APART = range(10)
RAW_COLUMNS = 10
_WARP_BITS = 5


@inner
def record(instr: Array, raw: Array, used: Array, kind: int, row: int, thread: int, other: int, address: int) -> None:
    """Adds a raw finding, folded with the one of the same kind and instructions.

    other: stamp of the second access, 0 without; used: entries, how many found no room, and claims (claims.py)."""
    i = int(instr[row])
    other_row = (other >> THREAD_BITS) - 1
    j = int(instr[other_row]) if other else -1
    low = min(i, j)
    high = max(i, j)
    apart = int64(other != 0 and thread >> _WARP_BITS != (other & THREAD_MASK) >> _WARP_BITS)
    for k in range(used[0]):
        if raw[k, R_KIND] == kind and raw[k, R_LOW] == low and raw[k, R_HIGH] == high:
            raw[k, R_COUNT] += 1
            raw[k, R_APART] |= apart
            return
    k = used[0]
    if k == len(raw):
        used[1] += 1
        return
    used[0] += 1
    raw[k, R_KIND] = kind
    raw[k, R_ROW] = row
    raw[k, R_THREAD] = thread
    raw[k, R_OTHER_ROW] = other_row
    raw[k, R_OTHER_THREAD] = other & THREAD_MASK
    raw[k, R_ADDRESS] = address
    raw[k, R_COUNT] = 1
    raw[k, R_LOW] = low
    raw[k, R_HIGH] = high
    raw[k, R_APART] = apart


@inner
def fault(place: Array, table: Array, slots: Array, address: int, size: int, store: bool) -> int:
    """The kind of fault of one access, or 0."""
    region = region_at(place, table, address, size)
    if region < 0:
        return OUT_OF_BOUNDS
    shift = table[region, SLOT_SHIFT]
    bits = EXISTS if table[region, FRAME] else EXISTS | WRITABLE
    if shift >= 0:
        offset = (address & WINDOW) - table[region, START]
        first = table[region, SLOT_AT]
        for slot in range(first + (offset >> shift), first + ((offset + size - 1) >> shift) + 1):
            bits &= slots[slot]
        if not bits & EXISTS:
            return OUT_OF_BOUNDS
    if address % size:
        return MISALIGNED
    return UNFRAMED if store and not bits & WRITABLE else 0
