"""What is not resolved becomes rows: lanes sorted by what they hold, constants given, the row written, results marked."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.passes.unroll.bytecode import GUARD, MAX_OPERANDS, MAX_RESULTS, NIN, NRES, WALK, A, D
from volta_pipe.passes.unroll.lanes import file_lane, give_constants, kind_of, poison, set_kind, settled, tag_at
from volta_pipe.passes.unroll.state import (
    ALIVE,
    GUARDED,
    L_L1,
    L_ORIGIN,
    L_POISONED,
    L_SUB,
    MIXED,
    NO_PATTERN,
    PLAIN,
    SYMBOLIC,
    Lanes,
    Rows,
    emit_row,
    intern_mask,
)

Array = np.ndarray[Any, np.dtype[Any]]

# keep_concrete of symbolic_work: leave concrete lanes to the caller, or make rows of them, too (float arithmetic).
KEEP_CONCRETE, ROW_OF_ALL = int64(1), int64(0)


@inner
def split_lanes(lanes: Lanes, row: Array, inputs: int, act: Array, n: int) -> tuple[int, int, int]:
    """Sorts the active lanes by the worst tag among the sources into l0 (concrete), l1 (symbolic), poisoned (with
    its origin); returns the three counts."""
    n0, n1, n2 = int64(0), int64(0), int64(0)
    for i in range(n):
        l = act[i]
        worst = int64(0)
        origin = int64(-1)
        for k in range(inputs):
            t = tag_at(lanes, row[A + k], l)
            if t > worst:
                worst = t
                origin = lanes.value[row[A + k], l]
        n0, n1, n2 = file_lane(lanes.lane, l, worst, origin, n0, n1, n2)
    return n0, n1, n2


@inner
def poison_results(lanes: Lanes, row: Array, n2: int) -> None:
    for i in range(n2):
        for k in range(min(row[NRES], MAX_RESULTS)):
            poison(lanes, row[D + k], lanes.lane[L_POISONED, i], lanes.lane[L_ORIGIN, i])
            lanes.meta[1, row[D + k]] = 0


@inner
def value_row(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int, flags: int) -> None:
    """Emits a value row for lanes without poison: constants first, then the row; its results are symbolic."""
    for k in range(min(row[NIN], MAX_OPERANDS)):
        if not settled(lanes.meta, row[A + k]):
            give_constants(lanes, rows, st, row[A + k], act, n)
    if flags & GUARDED:
        give_constants(lanes, rows, st, row[GUARD], act, n)
        for k in range(min(row[NRES], MAX_RESULTS)):
            give_constants(lanes, rows, st, row[D + k], act, n)
    emit_row(rows, row[WALK], mask, PLAIN, NO_PATTERN, flags)
    for k in range(min(row[NRES], MAX_RESULTS)):
        if n == st[ALIVE]:
            lanes.meta[0, row[D + k]] = SYMBOLIC
        else:
            set_kind(lanes, st, row[D + k], SYMBOLIC, act, n)


@inner
def symbolic_work(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int, keep_concrete: int) -> int:
    """Splits lanes by tag: poison spreads, symbolic lanes get a row. Returns how many lanes are left, concrete, in l0.

    keep_concrete 0: float arithmetic, where concrete operands make a row, too."""
    n0, n1, n2 = split_lanes(lanes, row, min(row[NIN], MAX_OPERANDS), act, n)
    poison_results(lanes, row, n2)
    if not keep_concrete and n0:
        n1 = int64(0)
        for i in range(n):
            l = act[i]
            poisoned = False
            for k in range(n2):
                if lanes.lane[L_POISONED, k] == l:
                    poisoned = True
            if not poisoned:
                lanes.lane[L_L1, n1] = l
                n1 += 1
        n0 = int64(0)
    if n1:
        part = mask if n1 == n else intern_mask(rows, lanes.lane[L_L1], n1)
        value_row(lanes, rows, st, row, lanes.lane[L_L1], n1, part, PLAIN)
    return n0


@inner
def float_work(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """A float instruction: a row for all lanes without poison, of concrete operands, too."""
    worst = 0
    for k in range(row[NIN]):
        if lanes.meta[0, row[A + k]] == MIXED:
            worst = max(worst, kind_of(lanes, row[A + k], act, n))
    if worst == 3:
        symbolic_work(lanes, rows, st, row, act, n, mask, ROW_OF_ALL)
    else:
        value_row(lanes, rows, st, row, act, n, mask, PLAIN)


@inner
def guarded_poison(lanes: Lanes, row: Array, k: int) -> bool:
    """Whether a source or the old value is poison in one of the symbolically guarded lanes."""
    for r in range(min(row[NIN], MAX_OPERANDS)):
        if kind_of(lanes, row[A + r], lanes.lane[L_SUB], k) == 3:
            return True
    found = False
    for r in range(min(row[NRES], MAX_RESULTS)):
        found = found or kind_of(lanes, row[D + r], lanes.lane[L_SUB], k) == 3
    return found
