"""ld and st: addresses, the row, and the concrete part of the contents."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.compiled import inlined, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.access import (
    ANY_TOKEN,
    NOWHERE,
    full_address,
    half_stored,
    load,
    load_words,
    one_window,
    place,
    store,
    store_words,
)
from volta_pipe.passes.unroll.bytecode import (
    FIRST,
    GUARD,
    HINT,
    IMM,
    NIN,
    NRES,
    OP,
    PARTNER,
    RW,
    SG,
    SUB,
    TOKEN,
    W2,
    WALK,
    A,
    W,
)
from volta_pipe.passes.unroll.lanes import address_fault, give_constants, kind_of, poison, set_kind, settled, tag_at
from volta_pipe.passes.unroll.state import (
    ALIVE,
    CONCRETE,
    GUARDED,
    HALF,
    L_BUF,
    L_L0,
    L_L1,
    L_TMP,
    POISON,
    SYMBOLIC,
    UNDETERMINED,
    Lanes,
    Memory,
    Rows,
    emit_row,
    intern_pattern,
)

Array = np.ndarray[Any, np.dtype[Any]]

_LD, _ST = (int(o) for o in (Op.LD, Op.ST))


@inlined
def memory_access(
    lanes: Lanes, memory: Memory, rows: Rows, st: Array, row: Array, operands: Array,
    act: Array, n: int, mask: int, flags: int,
) -> int:  # fmt: skip
    """ld and st: addresses, the row, and the concrete part of the contents. Returns 0 or why it cannot."""
    op, a = row[OP], row[A]
    if lanes.meta[0, a] != CONCRETE:
        reason = address_fault(lanes, st, a, act, n)
        if reason:
            return reason
    V = lanes.value
    size = row[W] // 8
    first = row[FIRST]
    if op == _ST:
        for k in range(row[NIN] - 1):
            if not settled(lanes.meta, operands[first + 1 + k]):
                give_constants(lanes, rows, st, operands[first + 1 + k], act, n)
        if flags & GUARDED:
            give_constants(lanes, rows, st, row[GUARD], act, n)
    buf = lanes.lane[L_BUF]
    for i in range(n):
        buf[i] = full_address(row[SUB], V[a, act[i]] + row[IMM], row[W2])
    row[HINT] = intern_pattern(rows, buf, n, row[HINT])
    emit_row(rows, row[WALK], mask, buf[0], row[HINT], flags)
    shift = one_window(memory, buf, n, 4 * (row[NRES] if op == _LD else row[NIN] - 1)) if size == 4 else NOWHERE
    if op == _ST:
        for k in range(row[NIN] - 1):
            r = operands[first + 1 + k]
            kind = kind_of(lanes, r, act, n)
            if shift != NOWHERE and kind < 2 and not flags & GUARDED:
                store_words(memory, buf, n, shift + 4 * k, V[r], act, kind)
                continue
            for i in range(n):
                l = act[i]
                at = place(memory, buf[i] + k * size, size, l)
                if at >= 0:
                    t = tag_at(lanes, r, l)
                    v = V[r, l]
                    if flags & GUARDED:
                        # The old contents may stay: where they are uninitialised, so may be the new ones.
                        old = load(memory, at, size, buf[i] >> REGION_SHIFT, lanes.lane[L_TMP])
                        if old == POISON and t != POISON and row[PARTNER] > 0 and half_stored(memory, at, size, row[PARTNER]):
                            t = SYMBOLIC  # one of the two stores has happened
                        elif old == POISON and t != POISON and row[TOKEN] > 0 and lanes.lane[L_TMP, 0] < UNDETERMINED:
                            t, v = HALF, row[TOKEN]
                        elif old == POISON and t != POISON and half_stored(memory, at, size, ANY_TOKEN):
                            continue  # what was initialised in one case still is
                        elif t == POISON or old == POISON:
                            if t != POISON:
                                v = lanes.lane[L_TMP, 0] if lanes.lane[L_TMP, 0] > 0 else row[WALK]
                            t = POISON
                        else:
                            t = SYMBOLIC
                    store(memory, at, size, t, v)
        return 0
    extra = row[RW]
    value = lanes.lane[L_TMP]
    for k in range(row[NRES]):
        r = operands[first + k]
        n0, n1 = int64(0), int64(0)
        lanes.meta[1, r] = 0
        if shift != NOWHERE:
            kind = load_words(memory, buf, n, shift + 4 * k, buf[0] >> REGION_SHIFT, V[r], act, row[SG] == 1, extra)
            if kind >= 0:
                if n == st[ALIVE]:
                    lanes.meta[0, r] = kind
                else:
                    set_kind(lanes, st, r, kind, act, n)
                continue
        for i in range(n):
            l = act[i]
            address = buf[i] + k * size
            at = place(memory, address, size, l)
            t = POISON
            value[0] = -1
            if at >= 0:
                t = load(memory, at, size, address >> REGION_SHIFT, value)
            if t == CONCRETE:
                x = value[0]
                if row[SG] == 1 and size < 8:
                    s = 64 - 8 * size
                    x = (x << s) >> s
                if extra < 64:
                    s = 64 - extra
                    x = (x << s) >> s
                lanes.lane[L_L0, n0] = l
                n0 += 1
                V[r, l] = x
            elif t == SYMBOLIC:
                lanes.lane[L_L1, n1] = l
                n1 += 1
            else:
                poison(lanes, r, l, value[0] if value[0] > 0 else row[WALK])
        if n0:
            set_kind(lanes, st, r, CONCRETE, lanes.lane[L_L0], n0)
        if n1:
            set_kind(lanes, st, r, SYMBOLIC, lanes.lane[L_L1], n1)
    return 0
