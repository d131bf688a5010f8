"""The machine's arrays: code, lanes, memory, and the rows it writes. Named tuples, so that compiled code takes them whole."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from volta_pipe.ir.compiled import entry, entry_of, inner, int64, uint64
from volta_pipe.ir.program import FLAG_GUARDED

Array = np.ndarray[Any, np.dtype[Any]]

# Numbers that compiled functions are called with are np.int64: numba compiles a function anew for each literal.
# What a register lane or a memory byte holds. POISON: uninitialised; the lane's value is then the walk index of the read that
# gave it (-1: a register that was never written), or UNDETERMINED and the walk index of what made it: a value that is there,
# but not one that is known (the result of an atomic that others race for).
CONCRETE, SYMBOLIC, POISON = int64(0), int64(1), int64(2)
UNDETERMINED = int64(1) << 40
# What `access.store` is given for bytes that are initialised in one of two cases, and their state: a store under a guard that
# is not known wrote over uninitialised ones, and the other case has a store of its own (complements.py). Whoever reads them
# before gets POISON.
HALF, BYTE_HALF = int64(3), 5
# Register summaries: all lanes concrete, all symbolic, or look at each lane's tag.
MIXED = 2
# Byte states: 0 is what the region held before the launch. Those from 128 on are of barrier objects (mbarriers.py).
BYTE_CONCRETE, BYTE_SYMBOLIC, BYTE_POISON, BYTE_UNDETERMINED = 1, 2, 3, 4
# Lane statuses. AT_OBJECT: waits for a phase of an mbarrier, L_BARRIER its address, L_EXPECTED the parity of the phase. AGAIN:
# to execute the same instruction once more (only until the next group is chosen). ASIDE: for good, see halted.py.
RUNNING, AT_BARRIER, WAITING, EXITED, AT_OBJECT, AGAIN, ASIDE = 0, 1, 2, 3, 4, 5, 6

# Scalars kept between calls, int64 [SCALARS].
(
    PC,
    LIMIT,
    COUNT,
    MASK,
    ALIVE,
    STEPS,
    MAX_STEPS,
    EVENT_LANE,
    EVENT_OTHER,
    PAUSE_AT,
    EXITED_BLOCK,
    ALIVE_MASK,
    EVENT_ADDRESS,
    LOOSE_ROWS,
) = range(14)
SCALARS = 14
# Row flags, and "none" for patterns and hints.
PLAIN, GUARDED, NO_PATTERN = int64(0), int64(FLAG_GUARDED), int64(-1)
# Room that one instruction may need.
ROWS_PER_STEP = 64


# Rows of Lanes.lane: per thread where it is and what it waits for, the active lanes in order, and scratch.
(
    L_PC, L_STATUS, L_BARRIER, L_EXPECTED, L_WALK, L_ACT, L_SUB, L_L0, L_L1, L_L2, L_TMP, L_BUF, L_POISONED, L_ORIGIN, L_ACTIVE,
    L_INSIDE, L_REDUCE, L_RESULT, L_ARRIVED, L_ARRIVED2,
) = range(20)  # fmt: skip
LANE_ROWS = 20


class Lanes(NamedTuple):
    """value int64 [registers + 1, threads], the last row scratch; tag uint8 [registers, threads]; meta uint8 [2, registers]:
    summaries, and whether the program's rows have given the register its concrete value; lane int64 [LANE_ROWS + warp
    instructions whose masks are noted (warps.py), threads]. Few arrays: each costs time to compile."""

    value: Array
    tag: Array
    meta: Array
    lane: Array


class Memory(NamedTuple):
    """data, state uint32 [words]: four bytes each, little-endian, and the state of each byte; table int64 [regions, 4] of
    (flat start in bytes, window start, size, init)."""

    data: Array
    state: Array
    table: Array


class Rows(NamedTuple):
    """The program being written: row int64 [n, 3] of (instr << 32 | mask, base, pattern << 8 | flags); mask bits and pattern
    values with their open-addressing tables; used: int64 [4] of rows, masks, patterns, pattern values."""

    row: Array
    bits: Array
    mask_table: Array
    start: Array
    values: Array
    pattern_table: Array
    used: Array


def new_rows(threads: int) -> Rows:
    """An empty program."""
    n, masks, patterns = 1 << 12, 1 << 8, 1 << 8
    return Rows(
        np.zeros((n, 3), np.int64), np.zeros((masks, (threads + 63) // 64), np.uint64), np.full(4 * masks, -1, np.int64),
        np.zeros(patterns + 1, np.int64), np.zeros(max(1 << 14, ROWS_PER_STEP * threads), np.int64),
        np.full(4 * patterns, -1, np.int64), np.zeros(4, np.int64),
    )  # fmt: skip


def _extended(array: Array, size: int) -> Array:
    grown = np.zeros((size, *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


def grow(rows: Rows, threads: int) -> Rows:
    """A program with room for more, doubled wherever one more step might not fit."""
    n, masks, patterns, values = (int(x) for x in rows.used)
    if n + ROWS_PER_STEP > len(rows.row):
        rows = rows._replace(row=_extended(rows.row, 2 * len(rows.row)))
    if masks + ROWS_PER_STEP > len(rows.bits):
        rows = rows._replace(bits=_extended(rows.bits, 2 * len(rows.bits)))
        table = np.full(4 * len(rows.bits), -1, np.int64)
        _rehash_masks(rows.bits, masks, table)
        rows = rows._replace(mask_table=table)
    if patterns + ROWS_PER_STEP > len(rows.start) - 1:
        rows = rows._replace(start=_extended(rows.start, 2 * len(rows.start)))
        table = np.full(4 * len(rows.start), -1, np.int64)
        _rehash_patterns(rows.start, rows.values, patterns, table)
        rows = rows._replace(pattern_table=table)
    if values + ROWS_PER_STEP * threads > len(rows.values):
        rows = rows._replace(values=_extended(rows.values, 2 * len(rows.values) + ROWS_PER_STEP * threads))
    return rows


@inner
def has_room(rows: Rows, threads: int) -> bool:
    """Whether one more instruction surely fits."""
    return bool(
        rows.used[0] + ROWS_PER_STEP <= len(rows.row)
        and rows.used[1] + ROWS_PER_STEP <= len(rows.bits)
        and rows.used[2] + ROWS_PER_STEP <= len(rows.start) - 1
        and rows.used[3] + ROWS_PER_STEP * threads <= len(rows.values)
    )


@inner
def _hash_words(words: Array, begin: int, end: int) -> int:
    h = uint64(0x9E3779B97F4A7C15)
    for i in range(begin, end):
        h = (h ^ uint64(words[i])) * uint64(0xBF58476D1CE4E5B9)
        h ^= h >> uint64(29)
    return int64(h & uint64(0x7FFFFFFFFFFFFFFF))


@entry
def _rehash_masks(bits: Array, count: int, table: Array) -> None:
    for k in range(count):
        slot = _hash_words(bits[k], 0, bits.shape[1]) % len(table)
        while table[slot] >= 0:
            slot = (slot + 1) % len(table)
        table[slot] = k


@entry
def _rehash_patterns(start: Array, values: Array, count: int, table: Array) -> None:
    for k in range(count):
        slot = _hash_words(values, start[k], start[k + 1]) % len(table)
        while table[slot] >= 0:
            slot = (slot + 1) % len(table)
        table[slot] = k


@inner
def intern_mask(rows: Rows, act: Array, n: int) -> int:
    """The number of the mask with these lanes."""
    k = rows.used[1]
    words = rows.bits[k]
    words[:] = 0
    for i in range(n):
        words[act[i] >> 6] |= uint64(1) << uint64(act[i] & 63)
    slot = _hash_words(words, 0, len(words)) % len(rows.mask_table)
    while rows.mask_table[slot] >= 0:
        m = rows.mask_table[slot]
        same = True
        for i in range(len(words)):
            if rows.bits[m, i] != words[i]:
                same = False
        if same:
            return int64(m)
        slot = (slot + 1) % len(rows.mask_table)
    rows.mask_table[slot] = k
    rows.used[1] = k + 1
    return int64(k)


intern_mask_entry = entry_of(intern_mask)


@inner
def intern_pattern(rows: Rows, buf: Array, n: int, hint: int) -> int:
    """The number of the pattern buf[0:n] - buf[0], or -1 where all are equal; `hint` is tried first."""
    base = buf[0]
    differ = int64(0)
    for i in range(1, n):  # no early exit: this way the loop is vectorised
        differ |= buf[i] ^ base
    if differ == 0:
        return NO_PATTERN
    if hint >= 0 and rows.start[hint + 1] - rows.start[hint] == n:
        s = rows.start[hint]
        differ = int64(0)
        for i in range(n):
            differ |= rows.values[s + i] ^ (buf[i] - base)
        if differ == 0:
            return int64(hint)
    k = rows.used[2]
    s = rows.used[3]
    for i in range(n):
        rows.values[s + i] = buf[i] - base
    slot = _hash_words(rows.values, s, s + n) % len(rows.pattern_table)
    while rows.pattern_table[slot] >= 0:
        m = rows.pattern_table[slot]
        if rows.start[m + 1] - rows.start[m] == n:
            t = rows.start[m]
            same = True
            for i in range(n):
                if rows.values[t + i] != rows.values[s + i]:
                    same = False
                    break
            if same:
                return int64(m)
        slot = (slot + 1) % len(rows.pattern_table)
    rows.pattern_table[slot] = k
    rows.start[k + 1] = s + n
    rows.used[2] = k + 1
    rows.used[3] = s + n
    return int64(k)


@inner
def emit_row(rows: Rows, instr: int, mask: int, base: int, pattern: int, flags: int) -> None:
    """Appends a row."""
    k = rows.used[0]
    rows.row[k, 0] = int64(instr) << 32 | mask
    rows.row[k, 1] = base
    rows.row[k, 2] = int64(pattern) << 8 | flags
    rows.used[0] = k + 1
