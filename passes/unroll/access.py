"""Loads and stores of one lane: bytes with their states, so that any overlap of widths is exact."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import CONST_REGION, GLOBAL_VARIABLES_REGION, LOCAL_REGION, REGION_SHIFT, SHARED_REGION
from volta_pipe.ir.compiled import inner, int64, uint32, uint64
from volta_pipe.ir.program import INIT_KNOWN, INIT_SYMBOLIC
from volta_pipe.passes.unroll.state import (
    BYTE_CONCRETE,
    BYTE_HALF,
    BYTE_POISON,
    BYTE_SYMBOLIC,
    BYTE_UNDETERMINED,
    CONCRETE,
    HALF,
    POISON,
    SYMBOLIC,
    UNDETERMINED,
    Memory,
)

Array = np.ndarray[Any, np.dtype[Any]]

# What one_window returns when there is no single window.
NOWHERE = int64(-1) << 62
# For `half_stored`.
ANY_TOKEN = int64(-1)
# Origins of uninitialised values that are kept in memory: those that fit into halves of words.
_MOST_ORIGIN = int64(0xFFFF)
_ALL_CONCRETE, _ALL_SYMBOLIC = uint32(0x01010101 * BYTE_CONCRETE), uint32(0x01010101 * BYTE_SYMBOLIC)


@inner
def full_address(space: int, address: int, width: int) -> int:
    """The machine's address of a register's contents plus offset in a state space (0 generic, 1 shared, 2 local, 3 const,
    4 global). What lies outside the space's window goes to region 0, where nothing is."""
    if space == 0:
        return address
    if space == 4:
        region = address >> REGION_SHIFT
        return address if region >= GLOBAL_VARIABLES_REGION else address & 0xFFFFFFFF
    offset = address
    if address < 0 or address >= int64(1) << REGION_SHIFT:
        if width == 64:
            return address & 0xFFFFFFFF
        offset = address & 0xFFFFFFFF
    number = SHARED_REGION if space == 1 else LOCAL_REGION if space == 2 else CONST_REGION
    return (int64(number) << REGION_SHIFT) + offset


@inner
def place(memory: Memory, address: int, size: int, lane: int) -> int:
    """Index of the first byte in the flat arrays, or -1 where the access leaves its region."""
    region = address >> REGION_SHIFT
    if region < 0 or region >= len(memory.table):
        return int64(-1)
    start = memory.table[region, 0]
    first = memory.table[region, 1]
    extent = memory.table[region, 2]
    offset = address & 0xFFFFFFFF
    if offset < first or offset + size > first + extent:
        return int64(-1)
    if region == LOCAL_REGION:
        start += lane * ((extent + 7) // 8 * 8)
    return int64(start + offset - first)


@inner
def load(memory: Memory, at: int, size: int, region: int, value: Array) -> int:
    """The tag of the bytes at `at`; where they are all concrete, value[0] is their little-endian value (unsigned); where they
    are poison, UNDETERMINED with the origin (low 31 bits, if a whole word has one) if none is uninitialised; the origin (see
    `store`) of what was uninitialised when it was stored; -1 where a byte was never written, or the origin is not known."""
    if size == 4 and at & 3 == 0:
        word = memory.state[at >> 2]
        if word == 0x01010101:
            value[0] = int64(memory.data[at >> 2])
            return CONCRETE
        if word == 0x02020202:
            return SYMBOLIC
    init = memory.table[region, 3]
    worst = CONCRETE
    undetermined = uninitialised = fresh = int64(0)
    v = uint64(0)
    for i in range(size):
        word = at + i >> 2
        shift = uint32(8 * ((at + i) & 3))
        s = int64((memory.state[word] >> shift) & uint32(255))
        if s == 0:
            s = int64(BYTE_SYMBOLIC if init == INIT_SYMBOLIC else BYTE_CONCRETE if init == INIT_KNOWN else BYTE_POISON)
            fresh += int64(s == BYTE_POISON)
        if s >= BYTE_POISON:
            worst = POISON
            undetermined += int64(s == BYTE_UNDETERMINED)
            uninitialised += int64(s == BYTE_POISON or s == BYTE_HALF)
        elif s == BYTE_SYMBOLIC and worst == CONCRETE:
            worst = SYMBOLIC
        v |= uint64((memory.data[word] >> shift) & uint32(255)) << uint64(8 * i)
    value[0] = int64(v)
    if worst == POISON:
        whole = undetermined == size and size >= 4 and at & 3 == 0
        value[0] = UNDETERMINED | (int64(v & uint64(0x7FFFFFFF)) if whole else int64(0x7FFFFFFF))
        if uninitialised:
            origin = int64(v & uint64(0xFFFFFFFF))
            whole = uninitialised == size and size > 1 and not fresh
            value[0] = origin if whole and 0 < origin <= _MOST_ORIGIN else int64(-1)
    return worst


@inner
def store(memory: Memory, at: int, size: int, tag: int, value: int) -> None:
    """Writes the low bytes of a value with its tag; of an uninitialised value its origin, the instruction that read what was
    never written, or 0 where that does not fit into every part of it that is loaded (so that no two parts make up another); of
    HALF the token of the store."""
    state = uint32(BYTE_CONCRETE if tag == CONCRETE else BYTE_SYMBOLIC if tag == SYMBOLIC else BYTE_POISON)
    if tag == HALF:
        state = uint32(BYTE_HALF)
    elif tag == POISON and value >= UNDETERMINED:
        state = uint32(BYTE_UNDETERMINED)
    elif tag == POISON and (size == 1 or value < 0 or value > _MOST_ORIGIN):
        value = int64(0)
    if size == 4 and at & 3 == 0:
        memory.data[at >> 2] = uint32(value & 0xFFFFFFFF)
        memory.state[at >> 2] = state * uint32(0x01010101)
        return
    v = uint64(value)
    for i in range(size):
        word = at + i >> 2
        shift = uint32(8 * ((at + i) & 3))
        keep = ~(uint32(255) << shift)
        byte = uint32((v >> uint64(8 * i)) & uint64(255))
        memory.data[word] = (memory.data[word] & keep) | (byte << shift)
        memory.state[word] = (memory.state[word] & keep) | (state << shift)


@inner
def half_stored(memory: Memory, at: int, size: int, token: int) -> bool:
    """Whether all bytes are in the state BYTE_HALF; with a token above 0: and hold it."""
    v = uint64(0)
    for i in range(size):
        word = at + i >> 2
        shift = uint32(8 * ((at + i) & 3))
        if (memory.state[word] >> shift) & uint32(255) != uint32(BYTE_HALF):
            return False
        v |= uint64((memory.data[word] >> shift) & uint32(255)) << uint64(8 * i)
    return bool(token < 0 or int64(v) == token)


@inner
def one_window(memory: Memory, buf: Array, n: int, size: int) -> int:
    """Where all addresses buf[0:n] are word-aligned and inside one region with `size` bytes each: what to add to an address to
    get its flat byte index. NOWHERE otherwise, and for local memory (which is per lane)."""
    low, high, bits = buf[0], buf[0], buf[0]
    for i in range(n):
        x = buf[i]
        low = min(low, x)
        high = max(high, x)
        bits |= x
    region = low >> REGION_SHIFT
    if bits & 3 or region != high >> REGION_SHIFT or region == LOCAL_REGION or region < 0 or region >= len(memory.table):
        return NOWHERE
    first, extent = memory.table[region, 1], memory.table[region, 2]
    if first & 3 or (low & 0xFFFFFFFF) < first or (high & 0xFFFFFFFF) + size > first + extent:
        return NOWHERE
    return int64(memory.table[region, 0] - first - (region << REGION_SHIFT))


@inner
def load_words(
    memory: Memory, buf: Array, n: int, shift: int, region: int, out: Array, act: Array, signed: bool, width: int
) -> int:
    """Loads words where all lanes find concrete or all find symbolic bytes; the kind, or -1 for a mixture (nothing is lost:
    the lanes' registers are written again then)."""
    fresh = int64(memory.table[region, 3] == INIT_SYMBOLIC)
    symbolic, concrete = int64(0), int64(0)
    for i in range(n):
        s = memory.state[(buf[i] + shift) >> 2]
        symbolic += int64(s == _ALL_SYMBOLIC) + fresh * int64(s == 0)
        concrete += int64(s == _ALL_CONCRETE)
    if symbolic == n:
        return SYMBOLIC
    if concrete != n:
        return int64(-1)
    for i in range(n):
        word = memory.data[(buf[i] + shift) >> 2]
        out[act[i]] = int64(np.int32(word)) if signed or width == 32 else int64(word)
    return CONCRETE


@inner
def store_words(memory: Memory, buf: Array, n: int, shift: int, values: Array, act: Array, kind: int) -> None:
    """Stores words that are all concrete or all symbolic."""
    if kind == SYMBOLIC:
        for i in range(n):
            memory.state[(buf[i] + shift) >> 2] = _ALL_SYMBOLIC
        return
    for i in range(n):
        at = (buf[i] + shift) >> 2
        memory.data[at] = uint32(values[act[i]] & 0xFFFFFFFF)
        memory.state[at] = _ALL_CONCRETE
