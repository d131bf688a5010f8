"""selp, slct, and comparisons of floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.selection import takes_first
from volta_pipe.ir.small_floats import decode, format_for
from volta_pipe.passes.unroll.bytecode import D2, MAX_RESULTS, NIN, NRES, OP, SG, SG2, SUB, A, B, C, D, W
from volta_pipe.passes.unroll.comparisons import compare_floats
from volta_pipe.passes.unroll.lanes import file_lane, set_kind, tag_at
from volta_pipe.passes.unroll.state import (
    CONCRETE,
    L_L0,
    L_L1,
    L_TMP,
    PLAIN,
    POISON,
    SYMBOLIC,
    Lanes,
    Rows,
    intern_mask,
)
from volta_pipe.passes.unroll.value_rows import KEEP_CONCRETE, poison_results, symbolic_work, value_row

Array = np.ndarray[Any, np.dtype[Any]]

_SLCT = int(Op.SLCT)


@inner
def select(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """selp and slct: a lane with a concrete selector takes one operand; a symbolic one, or a symbolic operand, makes a row."""
    d, a, b, p = row[D], row[A], row[B], row[C]
    V = lanes.value
    n0, n1, n2 = int64(0), int64(0), int64(0)
    for i in range(n):
        l = act[i]
        t = tag_at(lanes, p, l)
        origin = V[p, l]
        if t == CONCRETE:
            first = V[p, l] != 0
            if row[OP] == _SLCT:
                first = takes_first(V[p, l], row[SG2] == 2, row[SUB] != 0)
            chosen = a if first else b
            t = tag_at(lanes, chosen, l)
            origin = V[chosen, l]
        elif t == SYMBOLIC:
            ta, tb = tag_at(lanes, a, l), tag_at(lanes, b, l)
            if ta == POISON or tb == POISON:
                t = POISON
                origin = V[a, l] if ta == POISON else V[b, l]
        lanes.lane[L_TMP, l] = origin
        n0, n1, n2 = file_lane(lanes.lane, l, t, origin, n0, n1, n2)
    poison_results(lanes, row, n2)
    if n1:
        value_row(
            lanes, rows, st, row, lanes.lane[L_L1], n1, mask if n1 == n else intern_mask(rows, lanes.lane[L_L1], n1), PLAIN
        )
    for i in range(n0):
        V[d, lanes.lane[L_L0, i]] = lanes.lane[L_TMP, lanes.lane[L_L0, i]]
    if n0:
        set_kind(lanes, st, d, CONCRETE, lanes.lane[L_L0], n0)
        lanes.meta[1, d] = 0


@inner
def float_compare(lanes: Lanes, rows: Rows, st: Array, row: Array, act: Array, n: int, mask: int) -> None:
    """setp on floats: known bits are compared, anything else is a row with a symbolic predicate."""
    m = symbolic_work(lanes, rows, st, row, act, n, mask, KEEP_CONCRETE)
    V = lanes.value
    format = format_for(row[W], row[SG])
    for i in range(m):
        l = lanes.lane[L_L0, i]
        x = decode(V[row[A], l], format)
        first = compare_floats(row[SUB], x, decode(V[row[B], l], format) if row[NIN] > 1 else x)
        second = 1 - first
        boolean = row[SUB] >> 8
        if boolean:
            z = V[row[C], l]
            first = first & z if boolean == 1 else first | z if boolean == 2 else first ^ z
            second = second & z if boolean == 1 else second | z if boolean == 2 else second ^ z
        lanes.lane[L_TMP, l] = first
        if row[D2] >= 0:
            V[row[D2], l] = second
    for i in range(m):
        V[row[D], lanes.lane[L_L0, i]] = lanes.lane[L_TMP, lanes.lane[L_L0, i]]
    for k in range(min(row[NRES], MAX_RESULTS)):
        if m:
            set_kind(lanes, st, row[D + k], CONCRETE, lanes.lane[L_L0], m)
            lanes.meta[1, row[D + k]] = 0
