"""The commonest rows without a call per lane: arithmetic whose operands are no constants, and loads of words seen before.

A call passes some sixty array fields, which costs more than the work itself (measured: 575 ns an fma with calls)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import LOCAL_REGION, REGION_SHIFT
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, INPUTS, NODE, SIGNED, SUB, WIDTH

Array = np.ndarray[Any, np.dtype[Any]]

_LEAF, _ADD, _SELECT = (int64(n) for n in (Node.LEAF, Node.ADD, Node.SELECT))


@inner
def arithmetic(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lanes: Array, s: int, n: int) -> int:
    """ADD … FMA and DIV of lanes whose operands are all plain float nodes, which no fold applies to. Stops at the first lane
    where one is not, and returns how many were done."""
    op, a, b, c = store.op, store.a, store.b, store.c
    width = code[WIDTH]
    if width != 32 or code[SIGNED] != 2 or code[SUB] & 12:
        return int64(0)
    formats = cells.formats
    first = code[FIRST]
    d = reg[operands[first]]
    rx = reg[operands[first + 1]]
    ry = reg[operands[first + 2]]
    three = code[INPUTS] > 2
    rz = reg[operands[first + 3]] if three else rx
    kind = code[NODE]
    k = store.n[0]
    for i in range(n):
        l = lanes[s + i]
        x, y, z = rx[l], ry[l], rz[l]
        ox, oy, oz = op[x], op[y], op[z]
        good = (_ADD <= ox <= _SELECT) or (ox == _LEAF and formats[a[x]] == width)
        good = good and ((_ADD <= oy <= _SELECT) or (oy == _LEAF and formats[a[y]] == width))
        good = good and ((_ADD <= oz <= _SELECT) or (oz == _LEAF and formats[a[z]] == width))
        if not good:
            store.n[0] = k
            return int64(i)
        op[k] = kind
        a[k] = x
        b[k] = y
        c[k] = z if three else 0
        d[l] = k
        k += 1
    store.n[0] = k
    return int64(n)


@inner
def load_words(cells: Cells, values: Array, p: int, base: int, out: Array, n: int) -> bool:
    """Nodes of aligned words of one region that all have been touched before; False leaves the work to load_cell."""
    region = base >> REGION_SHIFT
    if region == LOCAL_REGION or region < 0 or region >= len(cells.table):
        return False
    window = region << REGION_SHIFT
    first = window + cells.table[region, 1]
    extent = cells.table[region, 2]
    start = cells.table[region, 0]
    node = cells.node
    for i in range(n):
        offset = base + (values[p + i] if p >= 0 else 0) - first
        if offset < 0 or offset + 4 > extent or offset & 3:
            return False
        x = node[(start + offset) >> 2]
        if x == 0:
            return False
        out[i] = x
    return True
