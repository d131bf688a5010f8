"""The commonest rows without a call per lane: arithmetic whose operands are no constants, and loads of words seen before.

A call passes some sixty array fields, which costs more than the work itself (measured: 575 ns an fma with calls)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import LOCAL_REGION, REGION_SHIFT
from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.small_floats import F32
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, INPUTS, NODE, SIGNED, SIGNED2, SUB, WIDTH, WIDTH2

Array = np.ndarray[Any, np.dtype[Any]]

_LEAF, _ADD, _SELECT = (int64(n) for n in (Node.LEAF, Node.ADD, Node.SELECT))
_NARROW, _PACK = int64(Node.NARROW), int64(Node.PACK)
_F32 = int64(F32)


@inner
def arithmetic(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lanes: Array, s: int, n: int) -> int:
    """ADD … FMA and DIV of float32 in lanes whose operands are all plain float nodes, or such in a register of another format
    than their own, which no fold applies to. Stops at the first lane where one is not, and returns how many were done.

    Node numbers are read without a sign: an index that may be negative costs a test."""
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
    k = np.uint64(store.n[0])
    for i in range(n):
        l = np.uint64(lanes[s + i])
        x, y, z = np.uint32(rx[l]), np.uint32(ry[l]), np.uint32(rz[l])
        ox, oy, oz = op[x], op[y], op[z]
        converted_x = ox == _NARROW and b[x] == _F32
        converted_y = oy == _NARROW and b[y] == _F32
        if converted_x:
            x = np.uint32(a[x])
            ox = op[x]
        if converted_y:
            y = np.uint32(a[y])
            oy = op[y]
        good = (_ADD <= ox <= _SELECT) or (ox == _LEAF and (converted_x or formats[np.uint32(a[x])] == width))
        good = good and ((_ADD <= oy <= _SELECT) or (oy == _LEAF and (converted_y or formats[np.uint32(a[y])] == width)))
        if three:
            good = good and ((_ADD <= oz <= _SELECT) or (oz == _LEAF and formats[np.uint32(a[z])] == width))
        else:
            z = np.uint32(0)
        if not good:
            store.n[0] = k
            return int64(i)
        op[k] = kind
        a[k] = x
        b[k] = y
        c[k] = z
        d[l] = k
        k += np.uint64(1)
    store.n[0] = k
    return int64(n)


@inner
def widen(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lanes: Array, s: int, n: int) -> int:
    """Conversions of elements of 16-bit float tensors to float32, as `arithmetic`. The node of a converted element is made
    once: the element, which has no third operand, keeps its number there."""
    op, a, b, c = store.op, store.a, store.b, store.c
    if code[WIDTH] != 32 or code[SIGNED] != 2 or code[WIDTH2] != 16 or not 2 <= code[SIGNED2] <= 3 or code[SUB] & ~3:
        return int64(0)
    format = 16 + (code[SIGNED2] & 1)
    d, source = reg[operands[code[FIRST]]], reg[operands[code[FIRST] + 1]]
    for i in range(n):
        l = np.uint64(lanes[s + i])
        x = np.uint32(source[l])
        if op[x] != _LEAF or cells.formats[np.uint32(a[x])] != format:
            return int64(i)
        known = c[x]
        if known == 0:
            k = store.n[0]
            op[k] = _NARROW
            a[k] = x
            b[k] = _F32
            c[k] = 0
            store.n[0] = k + 1
            known = c[x] = k
        d[l] = known
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
    if p < 0:
        offset = base - first
        if offset < 0 or offset + 4 > extent or offset & 3:
            return False
        x = node[np.uint64((start + offset) >> 2)]
        for i in range(n):
            out[i] = x
        return bool(x != 0)
    steps = values[p : p + n]
    untouched = 0
    for i in range(n):
        offset = base + steps[i] - first
        if offset < 0 or offset + 4 > extent or offset & 3:
            return False
        x = node[np.uint64((start + offset) >> 2)]
        untouched += x == 0
        out[i] = x
    return untouched == 0


@inner
def put(reg: Array, register: int, lanes: Array, s: int, n: int, nodes: Array) -> None:
    """A register gets nodes[i] in lanes[s + i]."""
    target = reg[register]
    first = lanes[s]
    if lanes[s + n - 1] - first == n - 1:  # ascending, so one behind the other
        run = target[first : first + n]
        for i in range(n):
            run[i] = nodes[i]
    else:
        for i in range(n):
            target[np.uint64(lanes[s + i])] = nodes[i]


@inner
def load_halves(store: Store, cells: Cells, values: Array, p: int, base: int, out: Array, n: int) -> bool:
    """As `load_words`, of halves of words that hold two."""
    region = base >> REGION_SHIFT
    if region == LOCAL_REGION or region < 0 or region >= len(cells.table):
        return False
    first = (region << REGION_SHIFT) + cells.table[region, 1]
    extent = cells.table[region, 2]
    start = cells.table[region, 0]
    node = cells.node
    for i in range(n):
        offset = base + (values[p + i] if p >= 0 else 0) - first
        if offset < 0 or offset + 2 > extent or offset & 1:
            return False
        x = np.uint32(node[np.uint64((start + offset) >> 2)])
        if store.op[x] != _PACK or store.c[x] != 32:
            return False
        out[i] = store.b[x] if (start + offset) & 2 else store.a[x]
    return True
