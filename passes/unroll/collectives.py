"""match.sync, redux.sync and elect.sync over the named active lanes of each warp (PTX ISA 9.7.13.10, 12 and 15)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.atomics import ADD, combined
from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.bytecode import D2, OP, SG, SUB, A, B, D, W
from volta_pipe.passes.unroll.lanes import kind_of, set_kind
from volta_pipe.passes.unroll.state import CONCRETE, L_INSIDE, L_TMP, Lanes

Array = np.ndarray[Any, np.dtype[Any]]
_MATCH, _ELECT = int(Op.MATCH), int(Op.ELECT)


@inner
def _match(lanes: Lanes, row: Array, act: Array, first: int, end: int, l: int) -> tuple[int, int]:
    """(lanes that hold what lane l holds, whether all named lanes do), among the named ones act[first:end]."""
    V = lanes.value
    member = V[row[B], l]
    same, named = int64(0), int64(0)
    for k in range(first, end):
        bit = int64(1) << (act[k] & 31)
        if member & bit:
            named |= bit
            if V[row[A], act[k]] == V[row[A], l]:
                same |= bit
    if row[SUB]:
        return (named, int64(1)) if same == named else (int64(0), int64(0))
    return same, int64(same == named)


@inner
def _reduce(lanes: Lanes, row: Array, act: Array, first: int, end: int, l: int) -> int:
    """The reduction over the named lanes among act[first:end]; the codes are those of atomics."""
    V = lanes.value
    result, started = int64(0), False
    for k in range(first, end):
        if (V[row[B], l] >> (act[k] & 31)) & 1:
            x = V[row[A], act[k]]
            result = combined(ADD + row[SUB], row[W], row[SG] == 1, result, x) if started else x
            started = True
    return result


@inner
def collective(lanes: Lanes, st: Array, row: Array, act: Array, n: int) -> int:
    """Executes one of them. 0, or 1 for a symbolic operand, 2 for an uninitialised one."""
    if row[OP] != _ELECT:
        q = kind_of(lanes, row[A], act, n)
        if q:
            return 1 if q < 3 else 2
    V = lanes.value
    first = int64(0)
    while first < n:
        end = first + 1
        while end < n and act[end] >> 5 == act[first] >> 5:
            end += 1
        for i in range(first, end):
            l = act[i]
            if row[OP] == _MATCH:
                found, flag = _match(lanes, row, act, first, end, l)
            elif row[OP] == _ELECT:  # the lowest lane that is named and there
                found, flag = int64(-1), int64(0)
                for k in range(first, end):
                    if found < 0 and (V[row[A], l] >> (act[k] & 31)) & 1:
                        found = int64(act[k] & 31)
                flag = int64(found == (l & 31))
            else:
                found, flag = _reduce(lanes, row, act, first, end, l), int64(0)
            lanes.lane[L_TMP, l] = np.int32(found)
            lanes.lane[L_INSIDE, l] = flag
        first = end
    for i in range(n):
        V[row[D], act[i]] = lanes.lane[L_TMP, act[i]]
    set_kind(lanes, st, row[D], CONCRETE, act, n)
    lanes.meta[1, row[D]] = 0
    if row[D2] >= 0:
        for i in range(n):
            V[row[D2], act[i]] = lanes.lane[L_INSIDE, act[i]]
        set_kind(lanes, st, row[D2], CONCRETE, act, n)
        lanes.meta[1, row[D2]] = 0
    return 0
