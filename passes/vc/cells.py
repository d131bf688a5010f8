"""Loads and stores of nodes: whole words, pairs of words, and sub-words of concrete bits."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.compiled import inner, int64, uint64
from volta_pipe.ir.fold import Store, append
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import INIT_KNOWN, INIT_SYMBOLIC, LOCAL_REGION, REGION_SHIFT
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.values import FAIL, bits_node, bits_of, is_bits

_LEAF, _UNINIT, _PART, _PACK = (int64(n) for n in (Node.LEAF, Node.UNINIT, Node.PART, Node.PACK))
_WIDE = int64(Node.WIDE)
_ZERO64, _ONE64 = int64(0), int64(1)


@inner
def _byte(cells: Cells, address: int, lane: int) -> int:
    """Flat byte index of an address; -1 outside (check has reported it then)."""
    region = address >> REGION_SHIFT
    if region < 0 or region >= len(cells.table):
        return int64(-1)
    offset = (address & 0xFFFFFFFF) - cells.table[region, 1]
    extent = cells.table[region, 2]
    if offset < 0 or offset >= extent:
        return int64(-1)
    start = cells.table[region, 0]
    if region == LOCAL_REGION:
        start += lane * ((extent + 7) // 8 * 8)
    return int64(start + offset)


@inner
def _word(store: Store, cells: Cells, region: int, at: int, instr: int) -> int:
    """The node of the word at flat byte `at`; the first touch makes the leaf."""
    w = at >> 2
    node = int64(cells.node[w])
    if node:
        return node
    init = cells.table[region, 3]
    if init == INIT_KNOWN:
        node = bits_node(store, int64(np.int32(cells.data[w])))
    elif init == INIT_SYMBOLIC:
        tensor = cells.table[region, 4]
        size = cells.itemsize[tensor]
        if size < 4:
            return FAIL
        offset = at - cells.table[region, 0]
        start = cells.table[region, 5]
        element = offset // size
        if start >= 0:
            element = int64(cells.map[start + (offset >> 2)])
            if element < 0:
                return FAIL
        leaf = append(store, _LEAF, tensor, element, _ZERO64)
        if size == 8:
            low = at - (offset & 7) >> 2
            cells.node[low] = append(store, _PART, leaf, _ZERO64, _ZERO64)
            cells.node[low + 1] = append(store, _PART, leaf, _ONE64, _ZERO64)
            return int64(cells.node[w])
        node = leaf
    else:
        return append(store, _UNINIT, instr, _ZERO64, _ZERO64)
    cells.node[w] = node
    return node


@inner
def load_cell(store: Store, cells: Cells, address: int, size: int, signed: int, lane: int, instr: int) -> int:
    """The node of `size` bytes at an address, or FAIL for a part of a symbolic word."""
    at = _byte(cells, address, lane)
    if at < 0 or at & (min(size, 4) - 1):
        return FAIL
    region = address >> REGION_SHIFT
    low = _word(store, cells, region, at, instr)
    if low < 0:
        return FAIL
    if size == 4:
        return low
    if size == 8:
        high = _word(store, cells, region, at + 4, instr)
        if high < 0:
            return FAIL
        if is_bits(store, low) and is_bits(store, high):
            return bits_node(store, bits_of(store, high) << 32 | (bits_of(store, low) & 0xFFFFFFFF))
        halves = store.op[low] == _PART and store.op[high] == _PART and store.a[low] == store.a[high]
        if halves and store.b[low] == 0 and store.b[high] == 1:
            return int64(store.a[low])
        return append(store, _PACK, low, high, _ZERO64)
    if store.op[low] == _UNINIT:
        return low
    if not is_bits(store, low):
        return FAIL
    shift = 64 - 8 * size
    bits = (bits_of(store, low) >> (8 * (at & 3))) << shift
    return bits_node(store, bits >> shift if signed == 1 else int64(uint64(bits) >> uint64(shift)))


@inner
def store_cell(store: Store, cells: Cells, address: int, size: int, lane: int, node: int) -> bool:
    """Puts a node into memory; False for a part of a symbolic word."""
    at = _byte(cells, address, lane)
    if at < 0 or at & (min(size, 4) - 1):
        return False
    w = at >> 2
    if node == 0:
        node = append(store, _UNINIT, _ZERO64, _ZERO64, _ZERO64)
    for i in range(size):
        cells.written[at + i] = 1
    if size == 4:
        if store.op[node] == _WIDE:
            return False
        cells.node[w] = node
        return True
    if size == 8:
        if is_bits(store, node):
            cells.node[w] = bits_node(store, int64(np.int32(bits_of(store, node))))
            cells.node[w + 1] = bits_node(store, bits_of(store, node) >> 32)
        elif store.op[node] == _PACK:
            cells.node[w] = store.a[node]
            cells.node[w + 1] = store.b[node]
        else:
            cells.node[w] = append(store, _PART, node, _ZERO64, _ZERO64)
            cells.node[w + 1] = append(store, _PART, node, _ONE64, _ZERO64)
        return True
    if not is_bits(store, node):
        return False
    region = address >> REGION_SHIFT
    old = int64(cells.node[w])
    bits = int64(0)
    if old and is_bits(store, old):
        bits = bits_of(store, old)
    elif (old and store.op[old] != _UNINIT) or (not old and cells.table[region, 3] == INIT_SYMBOLIC):
        return False
    elif not old and cells.table[region, 3] == INIT_KNOWN:
        bits = int64(cells.data[w])
    shift = 8 * (at & 3)
    field = ((int64(1) << (8 * size)) - 1) << shift
    cells.node[w] = bits_node(store, int64(np.int32((bits & ~field) | ((bits_of(store, node) << shift) & field))))
    return True
