"""Pairs of plain stores that nothing orders: no race where both store the same value, which only expressions can tell.

The loops collect the pairs ("claims"); `pairs_of` brings them down to values of registers, and `settle_claims` asks for these.

Each store is paired with the youngest earlier store of the same granule that is not ordered before it (two levels: with one of
the two that are kept). That is enough: if all these pairs agree, then so do all stores that a later read could see. Take the
stores to one granule that come before a read and before no other such store; two neighbours m < n of them in the order of the
run. The youngest store that is unordered with n is m, or it comes between them and is ordered before a later one of the
set, so it is unordered with m, and the same holds for its own partner: the chain of partners ends at m. With two levels a store
that is dropped was paired with one that is kept, and the two that are kept with each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, inner_allocating
from volta_pipe.ir.program import Program
from volta_pipe.passes.check.clocks import THREAD_BITS, THREAD_MASK
from volta_pipe.passes.check.faults import RACE, record

Array = np.ndarray[Any, np.dtype[Any]]
# Columns of claims: the later store, the stamp of the earlier one, the address of the granule.
K_ROW, K_THREAD, K_OTHER, K_ADDRESS = range(4)
CLAIM_COLUMNS = 4
MAX_CLAIMS = 1 << 22  # more are races without a question


@inner
def claim(
    instr: Array, plain: Array, row: int, thread: int, other: int, cta_floor: int, address: int, claims: Array, used: Array
) -> bool:  # fmt: skip
    """Keeps a pair of stores for later where that can help: both plain, of one CTA, and there is room."""
    if other < cta_floor or plain[instr[row]] == 0 or plain[instr[(other >> THREAD_BITS) - 1]] == 0:
        return False
    n = used[2]
    if n == len(claims):
        return False
    claims[n, K_ROW] = row
    claims[n, K_THREAD] = thread
    claims[n, K_OTHER] = other
    claims[n, K_ADDRESS] = address
    used[2] = n + 1
    return True


@inner
def report_hits(
    instr: Array, plain: Array, hits: Array, count: int, shift: int, row: int, thread: int, address: int, cta_floor: int,
    claims: Array, raw: Array, used: Array,
) -> None:  # fmt: skip
    """What one access to `count` granules is in conflict with (hits of `visit`, which are taken): claims and races."""
    for sort in range(2):
        told = False
        for granule in range(count):
            other = hits[2 * granule + sort]
            if other == 0:
                continue
            hits[2 * granule + sort] = 0
            place = address + (granule << shift)
            if sort == 0 and claim(instr, plain, row, thread, other, cta_floor, place, claims, used):
                continue
            if not told:
                record(instr, raw, used, RACE, row, thread, other, place)
                told = True


@inner_allocating
def more_claims(claims: Array, used: Array, room: int) -> Array:
    """The claims, with room for so many more as long as that is within bounds."""
    if used[2] + room <= len(claims) or len(claims) >= MAX_CLAIMS:
        return claims
    larger = np.zeros((2 * len(claims), CLAIM_COLUMNS), np.int64)
    for k in range(used[2]):
        for c in range(CLAIM_COLUMNS):
            larger[k, c] = claims[k, c]
    return larger


@dataclass(frozen=True)
class Pairs:
    """Values that must be equal. rows, threads, values: int64 [pairs, 2], the earlier store and the later one, which of a
    store's values; address: int64 [pairs]; whole: bool [pairs], whether both store one value to the very same bytes."""

    rows: Array
    threads: Array
    values: Array
    address: Array
    whole: Array


def pairs_of(program: Program, claims: Array) -> Pairs:
    """The distinct pairs of values among claims, in the order of the later store."""
    rows = np.stack([(claims[:, K_OTHER] >> THREAD_BITS) - 1, claims[:, K_ROW]], axis=1)
    threads = np.stack([claims[:, K_OTHER] & THREAD_MASK, claims[:, K_THREAD]], axis=1)
    width = program.width[program.row_instr[rows]].astype(np.int64) // 8
    start = _addresses(program, rows, threads)
    values = (claims[:, K_ADDRESS, None] - start) // width
    place = start + values * width
    whole = (place[:, 0] == place[:, 1]) & (width[:, 0] == width[:, 1])
    columns = np.stack([rows[:, 1], rows[:, 0], threads[:, 1], threads[:, 0], values[:, 1], values[:, 0]], axis=1)
    _, first = np.unique(columns, axis=0, return_index=True)
    return Pairs(rows[first], threads[first], values[first], claims[first, K_ADDRESS], whole[first])


def _addresses(program: Program, rows: Array, threads: Array) -> Array:
    """Where these lanes of these rows store: int64, of the same shape."""
    out: Array = program.row_base[rows].astype(np.int64)
    for index in np.ndindex(rows.shape):
        pattern = int(program.row_pattern[rows[index]])
        if pattern >= 0:
            lane = program.active_lanes(int(program.row_mask[rows[index]])).searchsorted(threads[index])
            out[index] += program.pattern_values[program.pattern_start[pattern] + lane]
    return out


def sites(pairs: Pairs) -> Iterator[tuple[int, int, int]]:
    """(row, thread, which value) of every value in question, each once, in the order of rows."""
    columns = np.stack([pairs.rows, pairs.threads, pairs.values], axis=-1).reshape(-1, 3)
    for row, thread, value in np.unique(columns, axis=0):
        yield int(row), int(thread), int(value)
