"""Accesses to memory that atomics or asynchronous copies touch, from the test to the record; copies from issue to end."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner
from volta_pipe.ir.program import COPIED_SHIFT
from volta_pipe.passes.check.claims import claim
from volta_pipe.passes.check.clocks import THREAD_BITS, THREAD_MASK
from volta_pipe.passes.check.copies import (
    C_FROM,
    C_FROM_REGION,
    C_READ,
    C_SIZE,
    C_STAMP,
    C_TO,
    C_TO_REGION,
    begin,
    culprit,
    mark,
)
from volta_pipe.passes.check.faults import MISALIGNED, ORDER, OUT_OF_BOUNDS, RACE, fault, record
from volta_pipe.passes.check.memory import CELL, CELL_AT, LOW, SHIFT, WINDOW
from volta_pipe.passes.check.mixed import H_RULE, H_STAMP, look, put
from volta_pipe.passes.check.rows import Rows, region_at
from volta_pipe.passes.check.sorts import ORDER as ORDER_RULE
from volta_pipe.passes.check.sorts import READ, WRITE

Array = np.ndarray[Any, np.dtype[Any]]


@inner
def meet(
    instr: Array, plain: Array, cells: Array, at: int, cell: int, count: int, shift: int, stamp: int, sort: int, rules: Array,
    cta_floor: int, floor: int, warp_floor: int, warp_shift: int, by_clock: bool, clock: Array, vectors: Array, copies: Array,
    groups: Array, address: int, row: int, hits: Array, claims: Array, raw: Array, used: Array,
) -> None:  # fmt: skip
    """Tests one access to memory that atomics or copies touch, and records what it conflicts with: of each sort the first, and
    all claims."""
    under_way = look(
        cells, at, cell, count, stamp, sort, rules, cta_floor, floor, warp_floor, warp_shift, by_clock, clock, vectors, hits
    )
    thread = stamp & THREAD_MASK
    if under_way < 0:
        under_way = ~under_way
        sorts = len(rules[0])
        for s in range(sorts):
            told = False
            for granule in range(count):
                other = hits[granule * sorts + s, H_STAMP]
                if other == 0:
                    continue
                hits[granule * sorts + s, H_STAMP] = 0
                place = address + (granule << shift)
                writes = s == WRITE and sort == WRITE
                if writes and claim(instr, plain, row, thread, other, cta_floor, place, claims, used):
                    continue
                if not told:
                    kind = ORDER if hits[granule * sorts + s, H_RULE] == ORDER_RULE else RACE
                    record(instr, raw, used, kind, row, thread, other, place)
                    told = True
    if under_way:
        place = address + ((under_way - 1) << shift)
        record(instr, raw, used, RACE, row, thread, culprit(copies, groups, place, 1 << shift, sort), place)


@inner
def cell_of(table: Array, region: int, address: int) -> int:
    """Place of the cell of an address in a region that has cells."""
    granule = ((address & WINDOW) - table[region, LOW]) >> table[region, SHIFT]
    return int(table[region, CELL_AT] + granule * table[region, CELL])


@inner
def issue(
    rows: Rows, r: int, k: int, place: Array, table: Array, slots: Array, cells: Array, copies: Array, groups: Array,
    rules: Array, thread: int, cta_floor: int, floor: int, warp_floor: int, warp_shift: int, by_clock: bool, clock: Array,
    vectors: Array, taken: Array, agent: int, bounds: int, hits: Array, claims: Array, raw: Array, used: Array,
) -> None:  # fmt: skip
    """The k-th lane of row r issues its cp.async: bounds, and both sides against what came before. Copies has a free entry, and
    there is room for the vectors of both sides. agent: who copies (agents.py), or -1 where copies are counted in and out."""
    e = begin(copies, groups, thread)
    size = rows.bytes[rows.instr[r]]
    copies[e, C_STAMP] = ((r + 1) << THREAD_BITS) | thread
    copies[e, C_SIZE] = size
    copies[e, C_READ] = rows.flags[r] >> COPIED_SHIFT
    sorts = len(rules[0])
    for side in range(2):  # the source, then the target
        q = r - 1 + side
        address = rows.base[q]
        if rows.pattern[q] >= 0:
            address += rows.pattern_values[rows.pattern_start[rows.pattern[q]] + k]
        many = size if side else copies[e, C_READ]
        kind = 0
        if many:
            kind = fault(place, table, slots, address, many, side == 1)
            if kind == MISALIGNED and side == 0:
                kind = 0  # what is read need not be a power of two
        if kind != OUT_OF_BOUNDS and address % size:
            kind = MISALIGNED
        if kind and bounds:
            record(rows.instr, raw, used, kind, q, thread, 0, address)
        region = -1
        if many and kind != OUT_OF_BOUNDS:
            region = region_at(place, table, address, many)
            if table[region, CELL_AT] < 0:
                region = -1
        if region >= 0:
            cell, shift = table[region, CELL], table[region, SHIFT]
            at = cell_of(table, region, address)
            stamp = ((q + 1) << THREAD_BITS) | thread
            meet(
                rows.instr, rows.plain, cells, at, cell, many >> shift, shift, stamp, WRITE if side else READ, rules, cta_floor,
                floor, warp_floor, warp_shift, by_clock, clock, vectors, copies, groups, address, q, hits, claims, raw, used,
            )  # fmt: skip
            if agent < 0:
                mark(cells, at, cell, many >> shift, sorts, side == 1, 1)
            else:
                put(
                    cells, at, cell, many >> shift, ((q + 1) << THREAD_BITS) | agent, thread, WRITE if side else READ, sorts,
                    cta_floor, floor, warp_floor, warp_shift, by_clock, clock, vectors, taken,
                )  # fmt: skip
        copies[e, C_TO if side else C_FROM] = address
        copies[e, C_TO_REGION if side else C_FROM_REGION] = region


@inner
def finish(
    cells: Array, table: Array, copies: Array, e: int, read_stamp: int, write_stamp: int, rules: Array, cta_floor: int,
    floor: int, warp_floor: int, warp_shift: int, by_clock: bool, clock: Array, vectors: Array, taken: Array,
) -> None:  # fmt: skip
    """A copy is no longer under way: its accesses get stamps. With vector clocks there must be room for both sides."""
    sorts = len(rules[0])
    for side in range(2):
        region = copies[e, C_TO_REGION if side else C_FROM_REGION]
        if region < 0:
            continue
        at = cell_of(table, region, copies[e, C_TO if side else C_FROM])
        cell = table[region, CELL]
        count = copies[e, C_SIZE if side else C_READ] >> table[region, SHIFT]
        mark(cells, at, cell, count, sorts, side == 1, -1)
        stamp, sort = (write_stamp, WRITE) if side else (read_stamp, READ)
        put(
            cells,
            at,
            cell,
            count,
            stamp,
            stamp & THREAD_MASK,
            sort,
            sorts,
            cta_floor,
            floor,
            warp_floor,
            warp_shift,
            by_clock,
            clock,
            vectors,
            taken,
        )
