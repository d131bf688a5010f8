"""The compiled loops of `check`: rows, then lanes, then granules of memory. Bounds, alignment, frame and races in one go."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating
from volta_pipe.ir.program import REGION_SHIFT
from volta_pipe.passes.check.clocks import LOCAL_CELL, THREAD_BITS, THREAD_MASK, enlarged, join, settle, visit, visit_clock
from volta_pipe.passes.check.memory import CELL, CELL_AT, EXISTS, FRAME, LOW, SHIFT, SLOT_AT, SLOT_SHIFT, START, WRITABLE
from volta_pipe.passes.check.rows import BARRIER, NOTHING, STORE, Rows, region_at

Array = np.ndarray[Any, np.dtype[Any]]
# Kinds of raw findings and their columns. R_LOW, R_HIGH: the two instructions, by which findings are folded.
RACE, OUT_OF_BOUNDS, MISALIGNED, UNFRAMED = range(4)
R_KIND, R_ROW, R_THREAD, R_OTHER_ROW, R_OTHER_THREAD, R_ADDRESS, R_COUNT, R_LOW, R_HIGH = range(9)
RAW_COLUMNS = 9
_WINDOW = (1 << REGION_SHIFT) - 1
_MOST_GRANULES = 64  # of one access


@allocating
def record(instr: Array, raw: Array, used: Array, kind: int, row: int, thread: int, other: int, address: int) -> None:
    """Adds a raw finding, folded with the one of the same kind and instructions.

    other: stamp of the second access, 0 without; used: entries, and how many found no room."""
    i = int(instr[row])
    other_row = (other >> THREAD_BITS) - 1
    j = int(instr[other_row]) if other else -1
    low = min(i, j)
    high = max(i, j)
    for k in range(used[0]):
        if raw[k, R_KIND] == kind and raw[k, R_LOW] == low and raw[k, R_HIGH] == high:
            raw[k, R_COUNT] += 1
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


@allocating
def fault(place: Array, table: Array, slots: Array, address: int, size: int, store: bool) -> int:
    """The kind of fault of one access, or 0."""
    region = region_at(place, table, address, size)
    if region < 0:
        return OUT_OF_BOUNDS
    shift = table[region, SLOT_SHIFT]
    bits = EXISTS if table[region, FRAME] else EXISTS | WRITABLE
    if shift >= 0:
        offset = (address & _WINDOW) - table[region, START]
        first = table[region, SLOT_AT]
        for slot in range(first + (offset >> shift), first + ((offset + size - 1) >> shift) + 1):
            bits &= slots[slot]
        if not bits & EXISTS:
            return OUT_OF_BOUNDS
    if address % size:
        return MISALIGNED
    return UNFRAMED if store and not bits & WRITABLE else 0


@allocating
def walk(
    rows: Rows,
    place: Array,
    table: Array,
    slots: Array,
    cells: Array,
    clocked: Array,
    threads: int,
    warp_shift: int,
    bounds: int,
    raw: Array,
    used: Array,
) -> int:
    """Checks all rows; returns the number of lane accesses. `cells`: the stamps, zero; `bounds`: 0 to look for races only."""
    accesses = 0
    order = threads if clocked.max() else 1
    warps = ((threads - 1) >> warp_shift) + 1
    warp_floors = np.zeros(warps, np.int64)
    clock = np.zeros((order, order), np.int64)
    joined = np.zeros(order, np.int64)
    vectors = np.zeros((2 * _MOST_GRANULES, order), np.int64)
    taken = np.zeros(1, np.int64)
    hits = np.zeros(4, np.int64)
    for cta in range(len(clocked)):
        first_row = rows.cta_rows[cta]
        cta_floor = (first_row + 1) << THREAD_BITS  # stamps below are of earlier CTAs
        floor = cta_floor  # stamps below are ordered before all threads
        by_clock = clocked[cta] != 0
        taken[0] = 1  # vector 0 stands for none
        for t in range(warps):
            warp_floors[t] = floor
        if by_clock:
            for t in range(threads):
                for u in range(threads):
                    clock[t, u] = floor
        for r in range(first_row, rows.cta_rows[cta + 1]):
            i = rows.instr[r]
            if i < 0:
                continue
            action = rows.action[i]
            if action == NOTHING:
                continue
            start = rows.lane_start[rows.mask[r]]
            end = rows.lane_start[rows.mask[r] + 1]
            now = (r + 1) << THREAD_BITS
            if action >= BARRIER:
                if action == BARRIER and (end - start == threads or (end - start > 1 and not by_clock)):
                    floor = now  # what `clock` says of stamps below does not matter any more
                    taken[0] = 1
                    for t in range(warps):
                        warp_floors[t] = now
                    continue
                for k in range(start, end):
                    # A barrier of warps: each of them on its own, k runs over the first lane of each.
                    stop = end
                    if action != BARRIER:
                        warp = rows.lanes[k] >> warp_shift
                        if k > start and rows.lanes[k - 1] >> warp_shift == warp:
                            continue
                        stop = k + 1
                        while stop < end and rows.lanes[stop] >> warp_shift == warp:
                            stop += 1
                    if by_clock:
                        join(clock, joined, rows.lanes, k, stop, now)
                    elif stop - k > 1 and action != BARRIER:
                        warp_floors[rows.lanes[k] >> warp_shift] = now
                    if action == BARRIER:
                        break
                continue
            size = rows.bytes[i]
            store = action == STORE
            accesses += end - start
            pattern = rows.pattern[r]
            shape = pattern if pattern >= 0 else len(rows.first) - 1
            base = rows.base[r]
            region = region_at(place, table, base + rows.first[shape], size)
            whole = region >= 0 and region_at(place, table, base + rows.last[shape], size) == region
            whole = whole and (base | rows.either[shape]) & (size - 1) == 0 and table[region, SLOT_SHIFT] < 0
            whole = whole and not (store and table[region, FRAME])
            if whole and table[region, CELL_AT] < 0:
                continue
            values = rows.pattern_start[pattern] if pattern >= 0 else 0
            shift = table[region, SHIFT]  # of `whole` rows; others look again for each lane
            cell = table[region, CELL]
            first_cell = table[region, CELL_AT]
            low = table[region, LOW]
            quick = whole and not by_clock and cell == LOCAL_CELL
            for k in range(end - start):
                address = base + rows.pattern_values[values + k] if pattern >= 0 else base
                thread = rows.lanes[start + k]
                if not whole:
                    kind = fault(place, table, slots, address, size, store)
                    if kind and bounds:
                        record(rows.instr, raw, used, kind, r, thread, 0, address)
                    if kind == OUT_OF_BOUNDS:
                        continue
                    region = region_at(place, table, address, size)
                    shift = table[region, SHIFT]
                    cell = table[region, CELL]
                    first_cell = table[region, CELL_AT]
                    low = table[region, LOW]
                    if first_cell < 0:
                        continue
                at = first_cell + (((address & _WINDOW) - low) >> shift) * cell
                stamp = now | thread
                count = size >> shift
                warp_floor = warp_floors[thread >> warp_shift]
                if quick and settle(cells, at, count, stamp, store, floor, warp_shift, warp_floor):
                    continue
                if by_clock:
                    if taken[0] + _MOST_GRANULES > len(vectors):
                        vectors = enlarged(vectors)
                    found = visit_clock(cells, at, cell, count, stamp, store, cta_floor, floor, clock, vectors, taken, hits)
                else:
                    found = visit(cells, at, cell, count, stamp, store, cta_floor, floor, warp_floor, warp_shift, hits)
                if found:
                    for h in range(0, 4, 2):
                        if hits[h]:
                            record(rows.instr, raw, used, RACE, r, thread, hits[h], address + (hits[h + 1] << shift))
                            hits[h] = 0
    return accesses
