"""What the compiled loops read of a program, and a first look at it.

`scan` finds what memory is touched and which regions are written (a region nobody writes cannot race); `modes` decides for
each CTA whether two-level clocks are exact."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.compiled import allocating, inner
from volta_pipe.ir.program import COPIED_SHIFT, FLAG_SOURCE
from volta_pipe.passes.check.memory import BITS, CELL_AT, END, HIGH, LOW, MIXED, START, WRITTEN

Array = np.ndarray[Any, np.dtype[Any]]
# What a row does. Memory comes first, barrier objects (mbarrier) last among it; then groups of copies; then what orders
# threads.
NOTHING, LOAD, STORE, ATOMIC, COPY, INIT, INVAL, SIGNAL, TRACK, AWAIT, COMMIT, WAIT, BARRIER, WARP_BARRIER, ARRIVE = range(15)
_WINDOW = (1 << REGION_SHIFT) - 1


class Rows(NamedTuple):
    """The program's columns that the loops read.

    action: uint8, bytes: int64, sort: int64 (sorts.py), sub: int64 (the variant), plain: uint8 (1: an ordinary store) and
    orders: uint8 (1: a matrix transfer that the contract lets order its warp) and counted: uint8 (1: a barrier with a thread
    count), of the static instructions; first, last,
    either: of each pattern (the last entry is that of no pattern) the smallest and the largest value and the or of all;
    lane_start, lanes: threads of each mask."""

    instr: Array
    mask: Array
    base: Array
    pattern: Array
    flags: Array
    action: Array
    bytes: Array
    sort: Array
    sub: Array
    plain: Array
    orders: Array
    counted: Array
    mask_bits: Array
    lane_start: Array
    lanes: Array
    pattern_start: Array
    pattern_values: Array
    first: Array
    last: Array
    either: Array
    cta_rows: Array


@inner
def region_at(place: Array, table: Array, address: int, size: int) -> int:
    """Row of the region that holds all bytes of an access, or -1."""
    number = address >> REGION_SHIFT
    if number < 0 or number >= len(place):
        return -1
    region = place[number]
    offset = address & _WINDOW
    if region >= 0 and (offset < table[region, START] or offset + size > table[region, END]):
        return -1
    return int(region)


@allocating
def scan(rows: Rows, place: Array, table: Array, threads: int) -> bool:
    """Fills LOW, HIGH, BITS and WRITTEN of the regions; whether some barrier misses a thread."""
    partial = False
    for r in range(len(rows.instr)):
        i = rows.instr[r]
        if i < 0 or rows.action[i] == NOTHING:
            continue
        action = rows.action[i]
        if action >= COMMIT:
            if action >= BARRIER:
                partial |= rows.lane_start[rows.mask[r] + 1] - rows.lane_start[rows.mask[r]] != threads or action == ARRIVE
            continue
        size = rows.bytes[i]
        reads = action == LOAD
        if action == COPY and rows.flags[r] & FLAG_SOURCE:
            reads = True
            size = np.int64(rows.flags[r] >> COPIED_SHIFT)
            if size == 0:
                continue
        pattern = rows.pattern[r]
        if pattern < 0:
            pattern = len(rows.first) - 1
        low = rows.base[r] + rows.first[pattern]
        high = rows.base[r] + rows.last[pattern]
        region = region_at(place, table, low, size)
        count = 1
        if region < 0 or region_at(place, table, high, size) != region:
            count = rows.lane_start[rows.mask[r] + 1] - rows.lane_start[rows.mask[r]] if rows.pattern[r] >= 0 else 0
        whole = count == 1 and region >= 0
        for k in range(count):
            if not whole:
                low = rows.base[r] + rows.pattern_values[rows.pattern_start[pattern] + k]
                high = low
                region = region_at(place, table, low, size)
                if region < 0:
                    continue
            table[region, LOW] = min(table[region, LOW], low & _WINDOW)
            table[region, HIGH] = max(table[region, HIGH], (high & _WINDOW) + size)
            table[region, BITS] |= low | rows.base[r] | rows.either[pattern] | size
            if not reads:
                table[region, WRITTEN] = 1
            if action >= ATOMIC:
                table[region, MIXED] = 1
    return partial


@allocating
def modes(rows: Rows, place: Array, table: Array, threads: int, warp_shift: int, clocked: Array) -> None:
    """Fills uint8 [ctas]: 1 where two-level clocks would not be exact.

    A thread that misses a barrier does no harm if it did nothing since the barrier before, and does nothing afterwards:
    counting it in orders nothing that was not ordered already. (A thread that returned at once is the common case.)"""
    words = (threads + 63) // 64
    everyone = np.zeros(words, np.uint64)
    for t in range(threads):
        everyone[t >> 6] |= np.uint64(1) << np.uint64(t & 63)
    acted = np.zeros(words, np.uint64)  # since the last barrier of the CTA
    warp_acted = np.zeros(words, np.uint64)  # since the last barrier of the warp
    gone = np.zeros(words, np.uint64)  # missed a barrier of the CTA: must not act any more
    absent = np.zeros(words, np.uint64)  # missed a barrier of the warp: must not act before the next barrier of the CTA
    for cta in range(len(clocked)):
        for w in range(words):
            acted[w] = 0
            warp_acted[w] = 0
            gone[w] = 0
            absent[w] = 0
        bad = False
        for r in range(rows.cta_rows[cta], rows.cta_rows[cta + 1]):
            i = rows.instr[r]
            if i < 0 or rows.action[i] == NOTHING:
                continue
            m = rows.mask[r]
            start = rows.lane_start[rows.mask[r]]
            end = rows.lane_start[rows.mask[r] + 1]
            if rows.action[i] < COMMIT:
                pattern = rows.pattern[r]
                if pattern < 0:
                    pattern = len(rows.first) - 1
                region = region_at(place, table, rows.base[r] + rows.first[pattern], 1)
                alike = region >= 0 and region == region_at(place, table, rows.base[r] + rows.last[pattern], 1)
                if alike and table[region, CELL_AT] < 0:
                    continue  # nothing races there
                for w in range(words):
                    bad |= (rows.mask_bits[m, w] & (gone[w] | absent[w])) != 0
                    acted[w] |= rows.mask_bits[m, w]
                    warp_acted[w] |= rows.mask_bits[m, w]
            elif rows.action[i] == COMMIT:
                continue
            elif rows.action[i] == WAIT:  # where copies count as done
                for w in range(words):
                    bad |= (rows.mask_bits[m, w] & (gone[w] | absent[w])) != 0
                    acted[w] |= rows.mask_bits[m, w]
                    warp_acted[w] |= rows.mask_bits[m, w]
            elif rows.action[i] == ARRIVE:
                bad = True
            elif rows.action[i] == BARRIER:
                if end - start == 1:
                    continue  # a thread alone is ordered anyway
                for w in range(words):
                    bad |= (everyone[w] & ~rows.mask_bits[m, w] & acted[w]) != 0
                    gone[w] |= everyone[w] & ~rows.mask_bits[m, w]
                    acted[w] = 0
                    warp_acted[w] = 0
                    absent[w] = 0
            else:
                k = start
                while k < end:
                    warp = rows.lanes[k] >> warp_shift
                    stop = k + 1
                    while stop < end and rows.lanes[stop] >> warp_shift == warp:
                        stop += 1
                    size = min(threads - (warp << warp_shift), 1 << warp_shift)
                    if stop - k > 1:
                        for t in range(warp << warp_shift, (warp << warp_shift) + size):
                            bit = np.uint64(1) << np.uint64(t & 63)
                            if rows.mask_bits[m, t >> 6] & bit == 0:
                                bad |= (warp_acted[t >> 6] & bit) != 0
                                absent[t >> 6] |= bit
                            warp_acted[t >> 6] &= ~bit
                    k = stop
            if bad:
                break
        clocked[cta] = 1 if bad else 0
