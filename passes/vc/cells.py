"""Loads and stores of nodes: words, pairs of words, halves and bytes. Known bits lie in memory without a sign above them."""

from __future__ import annotations

from volta_pipe.ir.address_space import LOCAL_REGION, REGION_SHIFT
from volta_pipe.ir.compiled import inner, int64, uint64
from volta_pipe.ir.fold import Store, append
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import INIT_KNOWN, INIT_SYMBOLIC
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.contents import half64, half_of, join4, join32, low_part, pack64, quarter_of
from volta_pipe.passes.vc.fills import extended
from volta_pipe.passes.vc.values import FAIL, bits_node, bits_of, is_bits

_LEAF, _UNINIT, _PART = (int64(n) for n in (Node.LEAF, Node.UNINIT, Node.PART))
_ZERO64, _ONE64, _MINUS64 = int64(0), int64(1), int64(-1)


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
def _leaf(store: Store, cells: Cells, region: int, tensor: int, offset: int, size: int, instr: int) -> int:
    """The input element at a byte of its tensor; uninitialised in a gap between strides and behind the end."""
    element = offset // size
    start = cells.table[region, 5]
    if offset >= cells.table[region, 2]:
        return append(store, _UNINIT, instr, _ZERO64, _ZERO64)
    if start >= 0:
        element = int64(cells.map[start + offset // min(size, 4)])
        if element < 0:
            return append(store, _UNINIT, instr, _ZERO64, _ZERO64)
    return append(store, _LEAF, tensor, element, _ZERO64)


@inner
def _word(store: Store, cells: Cells, region: int, at: int, instr: int) -> int:
    """The node of the word at flat byte `at`; the first touch makes the leaf."""
    w = at >> 2
    node = int64(cells.node[w])
    if node:
        return node
    init = cells.table[region, 3]
    if init == INIT_KNOWN:
        node = bits_node(store, int64(cells.data[w]))
    elif init == INIT_SYMBOLIC:
        tensor = cells.table[region, 4]
        size = cells.itemsize[tensor]
        offset = at - cells.table[region, 0]
        if size < 4:
            first = _leaf(store, cells, region, tensor, offset, size, instr)
            second = _leaf(store, cells, region, tensor, offset + size, size, instr)
            if size == 1:
                third = _leaf(store, cells, region, tensor, offset + 2, size, instr)
                fourth = _leaf(store, cells, region, tensor, offset + 3, size, instr)
                node = join4(store, cells, first, second, third, fourth)
            else:
                node = join32(store, cells, first, second)
        else:
            node = _leaf(store, cells, region, tensor, offset, size, instr)
            if store.op[node] == _UNINIT:
                return FAIL
            if size == 8:
                low = at - (offset & 7) >> 2
                # The other half may have been written before.
                if cells.node[low] == 0:
                    cells.node[low] = append(store, _PART, node, _ZERO64, _ZERO64)
                if cells.node[low + 1] == 0:
                    cells.node[low + 1] = append(store, _PART, node, _ONE64, _ZERO64)
                return int64(cells.node[w])
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
    low = _word(store, cells, region, at & ~3, instr)
    if low < 0:
        return FAIL
    if size == 4:  # ld.s32 may go into a register of 64 bits
        return extended(store, cells, low, int64(32)) if signed == 1 else low
    if size == 8:
        high = _word(store, cells, region, at + 4, instr)
        if high < 0:
            return FAIL
        return pack64(store, cells, low, high)
    if is_bits(store, low):
        shift = 64 - 8 * size
        bits = (bits_of(store, low) >> (8 * (at & 3))) << shift
        return bits_node(store, bits >> shift if signed == 1 else int64(uint64(bits) >> uint64(shift)))
    part = half_of(store, cells, low, (at >> 1) & 1) if size == 2 else quarter_of(store, cells, low, at & 3)
    if is_bits(store, part):
        shift = 64 - 8 * size
        return bits_node(store, bits_of(store, part) << shift >> shift) if signed == 1 else part
    return extended(store, cells, part, 8 * size) if signed == 1 else part


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
    if size == 4:  # of a register of 64 bits the lower half is stored
        cells.node[w] = low_part(store, cells, node, int64(32))
        return True
    if size == 8:
        cells.node[w] = half64(store, cells, node, _ZERO64)
        cells.node[w + 1] = half64(store, cells, node, _ONE64)
        return True
    region = address >> REGION_SHIFT
    # What lies around the part: a word that was never touched keeps what it held before.
    old = _word(store, cells, region, at & ~3, _MINUS64)
    if old < 0:
        return False
    part = low_part(store, cells, node, 8 * size)
    if size == 2:
        other = half_of(store, cells, old, 1 - ((at >> 1) & 1))
        cells.node[w] = join32(store, cells, other, part) if at & 2 else join32(store, cells, part, other)
        return True
    b0, b1 = quarter_of(store, cells, old, _ZERO64), quarter_of(store, cells, old, _ONE64)
    b2, b3 = quarter_of(store, cells, old, int64(2)), quarter_of(store, cells, old, int64(3))
    k = at & 3
    cells.node[w] = join4(
        store, cells, part if k == 0 else b0, part if k == 1 else b1, part if k == 2 else b2, part if k == 3 else b3
    )
    return True
