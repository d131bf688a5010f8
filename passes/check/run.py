"""From a program to raw findings: lays out tables and cells for the compiled loops and calls them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT, SHARED_REGION
from volta_pipe.ir.atomics import CAS, CODE_MASK
from volta_pipe.ir.errors import BudgetError
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.mbarriers import OBJECT_BYTES
from volta_pipe.ir.program import Program
from volta_pipe.passes.check import memory
from volta_pipe.passes.check.agreement import merged
from volta_pipe.passes.check.clocks import LOCAL_CELL, SHARED_CELL
from volta_pipe.passes.check.faults import R_COUNT, RAW_COLUMNS
from volta_pipe.passes.check.meetings import meetings
from volta_pipe.passes.check.memory import Regions, regions_of
from volta_pipe.passes.check.mixed import cell_size
from volta_pipe.passes.check.noncoherent import stale
from volta_pipe.passes.check.origins import Again
from volta_pipe.passes.check.outputs import Unwritten, unwritten_of
from volta_pipe.passes.check.rows import (
    ARRIVE,
    ATOMIC,
    AWAIT,
    BARRIER,
    COMMIT,
    COPY,
    INIT,
    INVAL,
    LOAD,
    NOTHING,
    SIGNAL,
    STORE,
    TRACK,
    WAIT,
    WARP_BARRIER,
    Rows,
    modes,
    scan,
)
from volta_pipe.passes.check.sorts import Sorts, sorts_of
from volta_pipe.passes.check.variables import beyond
from volta_pipe.passes.check.walk import walk

Array = np.ndarray[Any, np.dtype[Any]]
MAX_FINDINGS = 100
WARP_SHIFT = 5  # 32 lanes a warp
_LARGEST_GRANULE = 16
_ACTIONS = (
    (Op.LD, LOAD), (Op.ST, STORE), (Op.LDMATRIX, LOAD), (Op.STMATRIX, STORE),
    (Op.ATOM, ATOMIC), (Op.RED, ATOMIC), (Op.COPY, COPY), (Op.COPY_COMMIT, COMMIT),
    (Op.COPY_WAIT, WAIT), (Op.BAR, BARRIER), (Op.BAR_RED, BARRIER), (Op.BAR_ARRIVE, ARRIVE), (Op.WARPSYNC, WARP_BARRIER),
    (Op.MBARRIER_INIT, INIT), (Op.MBARRIER_INVAL, INVAL), (Op.MBARRIER_SIGNAL, SIGNAL), (Op.MBARRIER_TRACK, TRACK),
    (Op.MBARRIER_WAIT, AWAIT),
)  # fmt: skip


@dataclass(frozen=True)
class Result:
    """raw: int64 [findings, RAW_COLUMNS]; dropped: accesses at fault beyond MAX_FINDINGS; claims: int64 [claims,
    CLAIM_COLUMNS], stores that are not ordered and race unless they write the same value; untraced: rows whose addresses may
    be of any of several variables (variables.py)."""

    raw: Array
    claims: Array
    dropped: int
    accesses: int
    barriers: int
    clocked: int
    unwritten: tuple[Unwritten, ...]
    untraced: int


def run(program: Program, launch: Launch, warp_shift: int = WARP_SHIFT, again: Again | None = None) -> Result:
    """Checks bounds, alignment, frame, races and unwritten outputs. again: see `beyond`."""
    regions = regions_of(program, launch)
    sorts = sorts_of(program)
    rows = _rows(program, sorts)
    collectives = np.isin(program.op, (Op.SHFL, Op.MMA, Op.MOVMATRIX))
    transfers = collecting(program)
    ordering = launch.warp_collectives_order_memory and bool((collectives | transfers).any())
    if ordering:
        rows.action[collectives] = WARP_BARRIER
        rows.orders[transfers] = 1
    partial = scan(rows, regions.place, regions.table, program.threads)
    raw = np.zeros((MAX_FINDINGS, RAW_COLUMNS), np.int64)
    used = np.zeros(3, np.int64)
    claims: list[Array] = []
    clocked = np.zeros(len(program.cta_ids), np.uint8)
    waits = np.flatnonzero(np.isin(program.op, (Op.BAR, Op.BAR_RED, Op.WARPSYNC)))
    objects = objects_of(program)
    barriers = int(np.isin(program.row_instr, waits).sum())

    def races_in(spaces: tuple[str, ...], bounds: int) -> tuple[Array, int]:
        cells = _lay_out(program, regions, spaces, sorts)
        if partial:
            modes(rows, regions.place, regions.table, program.threads, warp_shift, clocked)
        if objects[1]:
            clocked[:] = 1
        where = (regions.place, regions.table, regions.slots, cells)
        used[2] = 0
        accesses, found = walk(rows, *where, sorts.rules, *objects, clocked, program.threads, warp_shift, bounds, raw, used)
        claims.append(found[: used[2]])
        return cells, accesses

    if partial:
        meetings(rows, program.threads, warp_shift, raw, used)
    clocks = 0
    if ordering:
        # They order shared memory only, so global memory is looked at apart, without them.
        _, accesses = races_in(("shared",), 1)
        clocks = int(clocked.sum())
        rows.action[collectives] = NOTHING
        rows.orders[:] = 0
        cells, _ = races_in(("global",), 0)
    else:
        cells, accesses = races_in(("shared", "global"), 1)
    unwritten: tuple[Unwritten, ...] = ()
    if program.complete and launch.ctas is None:
        unwritten = tuple(unwritten_of(launch, regions, cells, sorts.count))
    clocks = max(clocks, int(clocked.sum()))
    found, dropped = raw[: used[0]], int(used[1])
    more, untraced = beyond(program, rows, again)
    more = np.concatenate([more, stale(program)])
    if len(more):
        found = merged(found, more)
        dropped += int(found[MAX_FINDINGS:, R_COUNT].sum())
    return Result(
        found[:MAX_FINDINGS], np.concatenate(claims), dropped, int(accesses), barriers, clocks, unwritten, untraced
    )  # fmt: skip


def _lay_out(program: Program, regions: Regions, spaces: tuple[str, ...], sorts: Sorts) -> Array:
    """Gives each region in which accesses can race its granule and its cells; the cells, all zero.

    A granule is the largest power of two that divides every address and size met in the region: accesses then overlap
    exactly where they share a granule. The memory is touched, and so paid for, only where the kernel touches it."""
    total = 0
    for i, region in enumerate(program.regions):
        regions.table[i, memory.CELL_AT] = -1
        if region.space not in spaces or not regions.table[i, memory.WRITTEN]:
            continue
        row = regions.table[i]
        bits = int(row[memory.BITS]) | _LARGEST_GRANULE
        shift = (bits & -bits).bit_length() - 1
        row[memory.SHIFT] = shift
        met = region.space == "global" and len(program.cta_ids) > 1
        row[memory.CELL] = cell_size(sorts.count, met) if row[memory.MIXED] else SHARED_CELL if met else LOCAL_CELL
        row[memory.CELL_AT] = total
        total += (int(row[memory.HIGH] - row[memory.LOW]) >> shift) * int(row[memory.CELL])
    try:
        return np.zeros(total, np.int64)
    except MemoryError as error:
        raise BudgetError(f"the race check needs {8 * total} bytes for the memory that the kernel touches") from error


def objects_of(program: Program) -> tuple[Array, int, bool]:
    """Where barrier objects lie (int64 [bytes of shared memory / 8], the number of each or -1), how many they are, and whether
    copies arrive at them."""
    shared = next((region for region in program.regions if region.number == SHARED_REGION), None)
    begun = np.flatnonzero(np.isin(program.row_instr, np.flatnonzero(program.op == Op.MBARRIER_INIT)))
    if shared is None or not len(begun):
        return np.zeros(0, np.int64), 0, False
    numbers = np.full((shared.start + shared.size + OBJECT_BYTES - 1) // OBJECT_BYTES, -1, np.int64)
    addresses = np.unique(np.concatenate([program.row_values(int(row)) for row in begun]))
    places = (addresses - (SHARED_REGION << REGION_SHIFT)) // OBJECT_BYTES
    places = places[(places >= 0) & (places < len(numbers))]
    numbers[places] = np.arange(len(places))
    copies = np.isin(program.row_instr, np.flatnonzero(program.op == Op.MBARRIER_TRACK))
    return numbers, len(places), bool(copies.any())


def collecting(program: Program) -> Array:
    """bool [instructions]: matrix transfers among the warp collectives that a contract may let order shared memory: ldmatrix,
    wmma.load and wmma.store."""
    wmma = (program.op == Op.STMATRIX) & (program.signed2 == 1)
    transfers: Array = (program.op == Op.LDMATRIX) | wmma
    return transfers


def _rows(program: Program, sorts: Sorts) -> Rows:
    action = np.zeros(len(program.op), np.uint8)
    values = np.zeros(len(program.op), np.int64)
    for op, number in _ACTIONS:
        action[program.op == op] = number
    loads, stores = action == LOAD, action == STORE
    values[loads] = program.results[loads]
    values[stores] = program.inputs[stores].astype(np.int64) - 1
    atomics = action == ATOMIC
    values[atomics] = np.where(program.sub[atomics] & CODE_MASK == CAS, 1, program.inputs[atomics].astype(np.int64) - 1)
    values[(action == COPY) | ((action >= INIT) & (action < COMMIT))] = 1
    values[np.isin(program.op, (Op.LDMATRIX, Op.STMATRIX))] = 1  # a row is one value of each lane
    bits = np.unpackbits(np.ascontiguousarray(program.mask_bits).view(np.uint8), axis=1, bitorder="little")
    masks, lanes = np.nonzero(bits[:, : program.threads])
    lane_start = np.zeros(len(program.mask_bits) + 1, np.int64)
    np.cumsum(np.bincount(masks, minlength=len(program.mask_bits)), out=lane_start[1:])
    first, last, either = program.over_patterns(np.minimum, np.maximum, np.bitwise_or)
    return Rows(
        instr=_frozen(program.row_instr, np.int32), mask=_frozen(program.row_mask, np.int32),
        base=_frozen(program.row_base, np.int64), pattern=_frozen(program.row_pattern, np.int32),
        flags=_frozen(program.row_flags, np.uint8), action=action, bytes=values * (program.width.astype(np.int64) // 8),
        sort=sorts.of, sub=program.sub.astype(np.int64), plain=(program.op == Op.ST).astype(np.uint8),
        orders=np.zeros(len(program.op), np.uint8), counted=_counted(program),
        mask_bits=_frozen(program.mask_bits, np.uint64),
        lane_start=lane_start, lanes=_frozen(lanes, np.int64), pattern_start=_frozen(program.pattern_start, np.int64),
        pattern_values=_frozen(program.pattern_values, np.int64), first=first, last=last, either=either,
        cta_rows=_frozen(program.cta_rows, np.int64),
    )  # fmt: skip


def _counted(program: Program) -> Array:
    """uint8 [instructions]: barriers that are given a thread count."""
    counted: Array = (program.op == Op.BAR_ARRIVE) | ((program.op == Op.BAR) & (program.inputs > 1))
    counted |= (program.op == Op.BAR_RED) & (program.inputs > 2)
    return counted.astype(np.uint8)


def _frozen(column: Array, dtype: type) -> Array:
    """Read-only, contiguous and of one dtype: a program from a file and one just made are then one type to numba."""
    frozen: Array = np.ascontiguousarray(column, dtype).view()
    frozen.flags.writeable = False
    return frozen
