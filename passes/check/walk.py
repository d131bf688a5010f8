"""The compiled loops of `check`: rows, then lanes, then granules of memory. Bounds, alignment, frame and races in one go."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating
from volta_pipe.ir.program import FLAG_DECIDED, FLAG_SOURCE
from volta_pipe.passes.check.agents import all_known, beyond
from volta_pipe.passes.check.claims import CLAIM_COLUMNS, more_claims, report_hits
from volta_pipe.passes.check.clocks import LOCAL_CELL, THREAD_BITS, THREAD_MASK, enlarged, settle_row, visit, visit_clock
from volta_pipe.passes.check.copies import C_SIZE, C_STAMP, C_TO, COPY_COLUMNS, T_COMMITTED, T_FIRST, T_LAST, due, more_copies
from volta_pipe.passes.check.faults import OBJECT, OUT_OF_BOUNDS, fault, record
from volta_pipe.passes.check.flight import finish, issue, meet
from volta_pipe.passes.check.joins import BARRIERS, announce, continues, meet_at, raise_warps
from volta_pipe.passes.check.memory import CELL, CELL_AT, FRAME, LOW, MIXED, SHIFT, SLOT_SHIFT, WINDOW
from volta_pipe.passes.check.mixed import put, settle_mixed
from volta_pipe.passes.check.phases import COLUMNS, PLANES, advance, close, share, touched
from volta_pipe.passes.check.rows import (
    ARRIVE,
    ATOMIC,
    BARRIER,
    COMMIT,
    COPY,
    INIT,
    LOAD,
    NOTHING,
    SIGNAL,
    WAIT,
    Rows,
    region_at,
)
from volta_pipe.passes.check.sorts import READ, WRITE

Array = np.ndarray[Any, np.dtype[Any]]
_MOST_GRANULES = 64  # of one access


@allocating
def walk(
    rows: Rows,
    place: Array,
    table: Array,
    slots: Array,
    cells: Array,
    rules: Array,
    objects: Array,
    count: int,
    agents: bool,
    clocked: Array,
    threads: int,
    warp_shift: int,
    bounds: int,
    raw: Array,
    used: Array,
) -> tuple[int, Array]:
    """Checks all rows; returns the number of lane accesses, and the claims (used[2] of them). `cells`: the stamps, zero;
    `rules`: see sorts.py; `bounds`: 0 to look for races only. objects, count: places of barrier objects (phases.py), and how
    many there are; agents: whether copies arrive at them (agents.py)."""
    accesses = 0
    order = threads if clocked.max() else 1
    warps = ((threads - 1) >> warp_shift) + 1
    warp_floors = np.zeros(warps, np.int64)
    known = 2 * order if agents else order
    clock = np.zeros((order, known), np.int64)
    joined = np.zeros(max(known, order + count), np.int64)
    vectors = np.zeros((2 * _MOST_GRANULES, known), np.int64)
    causal = np.zeros((order, order + count), np.int64)
    heard = np.zeros((BARRIERS + 1, order + count), np.int64)  # what is known of bar.arrive, as `arrived`
    planes = np.zeros((PLANES, count, order + count), np.int64)
    told = np.zeros((2, count, known), np.int64)
    state = np.zeros((count, COLUMNS), np.int64)
    issued = np.zeros(order, np.int64)
    taken = np.zeros(1, np.int64)
    hits = np.zeros(2 * _MOST_GRANULES, np.int64)
    many_hits = np.zeros((_MOST_GRANULES * len(rules[0]), 2), np.int64)
    claims = np.zeros((2 * _MOST_GRANULES, CLAIM_COLUMNS), np.int64)
    arrived = np.zeros((BARRIERS + 1, known), np.int64)  # the last one is of no barrier
    copies = np.zeros((1, COPY_COLUMNS), np.int64)
    groups = np.zeros((3, threads), np.int64)
    for cta in range(len(clocked)):
        first_row = rows.cta_rows[cta]
        cta_floor = (first_row + 1) << THREAD_BITS  # stamps below are of earlier CTAs
        floor = cta_floor  # stamps below are ordered before all threads
        by_clock = clocked[cta] != 0
        transfer = -1  # the last row of a matrix transfer that orders, while rows behind it may be of the same one
        taken[0] = 1  # vector 0 stands for none
        for t in range(warps):
            warp_floors[t] = floor
        if by_clock:
            for t in range(threads):
                for u in range(known):
                    clock[t, u] = floor
        arrived[:] = 0
        groups[:] = 0
        if count:
            causal[:], heard[:], issued[:] = 0, 0, 0
            state[:], planes[:], told[:] = 0, 0, 0
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
            if transfer >= 0 or rows.orders[i]:  # a matrix transfer that is assumed to order: before its rows and behind them
                goes_on = transfer >= 0 and continues(rows, transfer, r)
                for k in range(2):
                    edge = r if k else transfer
                    if goes_on or edge < 0 or (k and not rows.orders[i]):
                        continue
                    if by_clock:
                        meet_at(rows, edge, now, clock, joined, arrived, warp_shift)
                        if count:
                            meet_at(rows, edge, now, causal, joined, heard, warp_shift)
                    else:
                        raise_warps(rows, edge, now, warp_floors, warp_shift)
                transfer = r if rows.orders[i] else -1
            if action == COMMIT:
                for k in range(start, end):
                    groups[T_COMMITTED, rows.lanes[k]] += 1
                continue
            if action == WAIT:
                for k in range(start, end):
                    thread = rows.lanes[k]
                    while True:
                        e = due(copies, groups, thread, rows.base[r])
                        if e == 0:
                            break
                        if agents:
                            clock[thread, threads + thread] = max(clock[thread, threads + thread], beyond(copies[e, C_STAMP]))
                            continue
                        if by_clock and taken[0] + 2 * _MOST_GRANULES > len(vectors):
                            vectors = enlarged(vectors)
                        stamp = now | thread
                        finish(
                            cells, table, copies, e, stamp, stamp, rules, cta_floor, floor, warp_floors[thread >> warp_shift],
                            warp_shift, by_clock, clock, vectors, taken,
                        )  # fmt: skip
                continue
            if action == ARRIVE:
                announce(rows, r, clock, arrived)
                if count:
                    announce(rows, r, causal, heard)
                continue
            if action >= BARRIER:
                if action == BARRIER and (end - start == threads or (end - start > 1 and not by_clock)):
                    if count:
                        share(causal)
                    if agents:
                        meet_at(rows, r, now, clock, joined, arrived, warp_shift)
                        if not all_known(clock, issued):
                            meet_at(rows, r, now, causal, joined, heard, warp_shift)
                            continue
                    floor = now  # what `clock` says of stamps below does not matter any more
                    taken[0] = 1
                    for t in range(warps):
                        warp_floors[t] = now
                    continue
                if by_clock:
                    meet_at(rows, r, now, clock, joined, arrived, warp_shift)
                    if count:
                        meet_at(rows, r, now, causal, joined, heard, warp_shift)
                elif action != BARRIER:
                    raise_warps(rows, r, now, warp_floors, warp_shift)
                continue
            if action == COPY:
                if rows.flags[r] & FLAG_SOURCE:
                    continue  # with the row behind it
                accesses += 2 * (end - start)
                for k in range(end - start):
                    if by_clock and taken[0] + 2 * _MOST_GRANULES > len(vectors):
                        vectors = enlarged(vectors)
                    copies = more_copies(copies, 1)
                    thread = rows.lanes[start + k]
                    issue(
                        rows, r, k, place, table, slots, cells, copies, groups, rules, thread, cta_floor, floor,
                        warp_floors[thread >> warp_shift], warp_shift, by_clock, clock, vectors, taken,
                        threads + thread if agents else -1, bounds, many_hits, claims, raw, used,
                    )  # fmt: skip
                    if count:
                        e = groups[T_LAST, thread]
                        issued[thread] = now
                        if touched(objects, state, copies[e, C_TO], copies[e, C_SIZE]):
                            record(rows.instr, raw, used, OBJECT, r, thread, 0, copies[e, C_TO])
                continue
            size = rows.bytes[i]
            store = action != LOAD
            sort = READ if action == LOAD else WRITE
            if action == ATOMIC:
                sort = rows.sort[i] + (1 if rows.flags[r] & FLAG_DECIDED else 0)
            elif action >= SIGNAL:
                sort = rows.sort[i]
            accesses += end - start
            pattern = rows.pattern[r]
            shape = pattern if pattern >= 0 else len(rows.first) - 1
            base = rows.base[r]
            region = region_at(place, table, base + rows.first[shape], size)
            whole = region >= 0 and region_at(place, table, base + rows.last[shape], size) == region
            whole = whole and (base | rows.either[shape]) & (size - 1) == 0 and table[region, SLOT_SHIFT] < 0
            whole = whole and not (store and table[region, FRAME])
            if whole and table[region, CELL_AT] < 0:
                if action < INIT:
                    continue
                end = start
            values = rows.pattern_start[pattern] if pattern >= 0 else 0
            shift = table[region, SHIFT]  # of `whole` rows; others look again for each lane
            cell = table[region, CELL]
            first_cell = table[region, CELL_AT]
            low = table[region, LOW]
            mixed = table[region, MIXED] != 0
            quick = whole and not by_clock and cell == LOCAL_CELL and not mixed
            lane = -1
            while True:
                lane += 1
                if quick:
                    lane = settle_row(
                        cells, rows.pattern_values, values if pattern >= 0 else -1, base, rows.lanes, start, lane, end - start,
                        first_cell, low, shift, size >> shift, now, store, floor, warp_floors, warp_shift,
                    )  # fmt: skip
                if lane >= end - start:
                    break
                address = base + rows.pattern_values[values + lane] if pattern >= 0 else base
                thread = rows.lanes[start + lane]
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
                    mixed = table[region, MIXED] != 0
                    if first_cell < 0:
                        continue
                at = first_cell + (((address & WINDOW) - low) >> shift) * cell
                stamp = now | thread
                granules = size >> shift
                warp_floor = warp_floors[thread >> warp_shift]
                if by_clock:
                    if count and action < INIT and touched(objects, state, address, size):
                        record(rows.instr, raw, used, OBJECT, r, thread, 0, address)
                    if taken[0] + _MOST_GRANULES > len(vectors):
                        vectors = enlarged(vectors)
                if mixed:
                    alone = not by_clock and cell == 2 * len(rules[0]) + 2
                    if alone and settle_mixed(
                        cells, at, cell, granules, stamp, sort, len(rules[0]), floor, warp_shift, warp_floor
                    ):  # fmt: skip
                        continue
                    claims = more_claims(claims, used, _MOST_GRANULES)
                    meet(
                        rows.instr, rows.plain, cells, at, cell, granules, shift, stamp, sort, rules, cta_floor, floor,
                        warp_floor, warp_shift, by_clock, clock, vectors, copies, groups, address, r, many_hits, claims, raw,
                        used,
                    )  # fmt: skip
                    put(
                        cells, at, cell, granules, stamp, thread, sort, len(rules[0]), cta_floor, floor, warp_floor, warp_shift,
                        by_clock, clock, vectors, taken,
                    )  # fmt: skip
                    continue
                if by_clock:
                    found = visit_clock(cells, at, cell, granules, stamp, store, cta_floor, floor, clock, vectors, taken, hits)
                else:
                    found = visit(cells, at, cell, granules, stamp, store, cta_floor, floor, warp_floor, warp_shift, hits)
                if found:
                    claims = more_claims(claims, used, _MOST_GRANULES)
                    report_hits(
                        rows.instr, rows.plain, hits, granules, shift, r, thread, address, cta_floor, claims, raw, used
                    )  # fmt: skip
            if action >= INIT:
                advance(rows, r, objects, state, planes, told, causal, clock, floor, raw, used)
        if count:
            close(rows, objects, planes, threads, raw, used)
        for t in range(threads):  # nobody waited for these; other CTAs meet what they read
            while groups[T_FIRST, t]:
                e = due(copies, groups, t, -1)
                if agents:
                    continue  # their accesses have stamps already
                stamp = copies[e, C_STAMP]
                if by_clock and taken[0] + 2 * _MOST_GRANULES > len(vectors):
                    vectors = enlarged(vectors)
                finish(
                    cells, table, copies, e, stamp - (THREAD_MASK + 1), stamp, rules, cta_floor, floor,
                    warp_floors[t >> warp_shift], warp_shift, by_clock, clock, vectors, taken,
                )  # fmt: skip
    return accesses, claims
