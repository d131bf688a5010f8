"""ldmatrix, stmatrix, wmma.load and wmma.store: a row for each part of a register, with the address of what each lane gets."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import MICRO_SHIFT
from volta_pipe.ir.tensor_memory import ALIGN, GIVERS, LOOSE, MICRO, PARTS, SIZE, STRIDE, TRANSFER_HEAD, UNIFORM
from volta_pipe.passes.unroll.access import full_address, load, place, store
from volta_pipe.passes.unroll.bytecode import FIRST, IMM, NIN, NRES, OP, RW, SUB, TARGET, W2, WALK, A
from volta_pipe.passes.unroll.lanes import give_constants, poison, set_kind, set_tag, tag_at
from volta_pipe.passes.unroll.reasons import (
    MATRIX_OVERLAP,
    MATRIX_UNEVEN,
    MISALIGNED,
    POISON_ADDRESS,
    POISON_OPERAND,
    SYMBOLIC_ADDRESS,
    SYMBOLIC_OPERAND,
)
from volta_pipe.passes.unroll.state import (
    CONCRETE,
    EVENT_ADDRESS,
    EVENT_LANE,
    EVENT_OTHER,
    L_ACTIVE,
    L_BUF,
    L_INSIDE,
    L_L0,
    L_L1,
    L_ORIGIN,
    L_TMP,
    LOOSE_ROWS,
    POISON,
    SYMBOLIC,
    Lanes,
    Memory,
    Rows,
    emit_row,
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]

_LOAD = int(Op.LDMATRIX)


@inner
def transfer(
    lanes: Lanes, memory: Memory, rows: Rows, st: Array, row: Array, operands: Array, act: Array, n: int, mask: int
) -> int:
    """One transfer by whole warps; 0 or why it cannot."""
    table = row[TARGET]
    reason = _addresses(lanes, st, row, operands, act, n)
    if reason:
        return reason
    is_load = row[OP] == _LOAD
    first, parts, size = row[FIRST], operands[table + PARTS], operands[table + SIZE]
    micro = operands[table + MICRO]
    if not is_load:
        for k in range(micro // parts):
            give_constants(lanes, rows, st, operands[first + 1 + k], act, n)
    base, stride, buf = lanes.lane[L_TMP], lanes.lane[L_INSIDE], lanes.lane[L_BUF]
    entries = table + TRANSFER_HEAD
    for x in range(micro):
        for i in range(n):
            l = act[i]
            e = operands[entries + 32 * x + (l & 31)]
            raw = base[(l & ~31) + (e & 31)] + ((e >> 8) & 255) * stride[l] * size + (e >> 16)
            buf[i] = full_address(row[SUB], raw, row[W2])
        hint = entries + 32 * micro + x
        operands[hint] = intern_pattern(rows, buf, n, operands[hint])
        emit_row(rows, row[WALK], mask, buf[0], operands[hint], int64(x) << MICRO_SHIFT)
        part = x % parts
        if is_load:
            _load_part(lanes, memory, st, row, operands[first + x // parts], act, n, part, parts, size)
        else:
            _store_part(lanes, memory, operands[first + 1 + x // parts], act, n, part, size)
    return 0


@inner
def _addresses(lanes: Lanes, st: Array, row: Array, operands: Array, act: Array, n: int) -> int:
    """The addresses that lanes give into L_TMP, without their state space; the stride into L_INSIDE. 0 or why it cannot."""
    table, a, V = row[TARGET], row[A], lanes.value
    base, stride = lanes.lane[L_TMP], lanes.lane[L_INSIDE]
    size, uniform = operands[table + SIZE], operands[table + UNIFORM] != 0
    registers = operands[table + MICRO] // operands[table + PARTS]
    given = row[NIN] > (1 if row[OP] == _LOAD else 1 + registers)
    last = operands[row[FIRST] + row[NRES] + row[NIN] - 1]
    for i in range(n):
        l = act[i]
        st[EVENT_LANE] = l
        stride[l] = operands[table + STRIDE]
        if given:
            t = tag_at(lanes, last, l)
            if t:
                st[EVENT_OTHER] = V[last, l]
                return SYMBOLIC_OPERAND if t == SYMBOLIC else POISON_OPERAND
            stride[l] = V[last, l] & 0xFFFFFFFF
        if l & 31 >= operands[table + GIVERS]:
            continue
        t = tag_at(lanes, a, l)
        if t:
            st[EVENT_OTHER] = V[a, l]
            return SYMBOLIC_ADDRESS if t == SYMBOLIC else POISON_ADDRESS
        base[l] = V[a, l] + row[IMM]
        whole = operands[table + ALIGN]
        if base[l] % whole:
            st[EVENT_ADDRESS] = full_address(row[SUB], base[l], row[W2])
            return MISALIGNED
        if uniform and (base[l] != base[l & ~31] or stride[l] != stride[l & ~31]):
            return MATRIX_UNEVEN
        if uniform and stride[l] * size % whole:
            if stride[l] * size % operands[table + LOOSE]:
                st[EVENT_ADDRESS] = full_address(row[SUB], base[l] + stride[l] * size, row[W2])
                return MISALIGNED
            st[LOOSE_ROWS] = 1
        if row[OP] != _LOAD and _overlaps(lanes, operands, table, l):
            return MATRIX_OVERLAP
    return 0


@inner
def _overlaps(lanes: Lanes, operands: Array, table: int, lane: int) -> bool:
    """Whether the row that a lane gives to a store is another's, too: one instruction does not say which is written last, and a
    lane's own stores would seem to be in order."""
    base = lanes.lane[L_TMP]
    if operands[table + UNIFORM]:
        return bool(lanes.lane[L_INSIDE, lane] < operands[table + STRIDE])
    found = False
    for other in range(lane & ~31, lane):
        found = found or base[other] == base[lane]  # rows are as long as they are aligned
    return found


@inner
def _load_part(
    lanes: Lanes, memory: Memory, st: Array, row: Array, register: int, act: Array, n: int, part: int, parts: int, size: int
) -> None:
    """Collects a part of each lane's register (bits in L_L0, tag in L_L1), and writes the register after the last one."""
    buf, bits, tags, out = lanes.lane[L_BUF], lanes.lane[L_L0], lanes.lane[L_L1], lanes.lane[L_ACTIVE]
    origins = lanes.lane[L_ORIGIN]
    for i in range(n):
        l = act[i]
        at = place(memory, buf[i], size, l)
        t = POISON
        out[0] = -1
        if at >= 0:
            t = load(memory, at, size, buf[i] >> REGION_SHIFT, out)
        if part == 0:
            bits[l] = 0
            tags[l] = CONCRETE
            origins[l] = row[WALK]
        if t == POISON and out[0] > 0:
            origins[l] = out[0]
        if t == CONCRETE:
            bits[l] |= out[0] << (8 * size * part)
        tags[l] = max(tags[l], t)
    if part < parts - 1:
        return
    lanes.meta[1, register] = 0
    kind = tags[act[0]]
    same = kind != POISON
    for i in range(n):
        same = same and tags[act[i]] == kind
        if tags[act[i]] == CONCRETE:
            lanes.value[register, act[i]] = int64(np.int32(bits[act[i]])) if row[RW] == 32 else bits[act[i]]
    if same:
        set_kind(lanes, st, register, kind, act, n)
        return
    for i in range(n):
        if tags[act[i]] == POISON:
            poison(lanes, register, act[i], origins[act[i]])
        else:
            set_tag(lanes, register, act[i], tags[act[i]])


@inner
def _store_part(lanes: Lanes, memory: Memory, register: int, act: Array, n: int, part: int, size: int) -> None:
    """Writes a part of each lane's register."""
    buf = lanes.lane[L_BUF]
    for i in range(n):
        at = place(memory, buf[i], size, act[i])
        if at >= 0:
            t = tag_at(lanes, register, act[i])
            v = lanes.value[register, act[i]]
            store(memory, at, size, t, v if t == POISON else v >> (8 * size * part))
