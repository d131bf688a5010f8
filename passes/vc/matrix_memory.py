"""Micro-rows of ldmatrix, stmatrix, wmma.load and wmma.store on nodes, and movmatrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store
from volta_pipe.passes.vc.cells import load_cell, store_cell
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.contents import half_of, join16, join32, quarter_of

Array = np.ndarray[Any, np.dtype[Any]]
_UNSIGNED, _LOW, _HIGH = int64(0), int64(0), int64(1)


@inner
def load_part(
    store: Store, cells: Cells, reg: Array, register: int, address: int, size: int, part: int, lane: int, instr: int
) -> bool:
    """Loads `size` bytes into a part of a lane's register; False for what cannot be loaded. The parts of a register are
    loaded in order, and stand in it as far as they have come."""
    node = load_cell(store, cells, address, size, _UNSIGNED, lane, instr)
    if node < 0:
        return False
    before = int64(reg[register, lane])
    if part and size == 2:
        node = join32(store, cells, before, node)
    elif part == 1:
        node = join16(store, cells, before, node)
    elif part == 2:
        node = join32(store, cells, before, node)
    elif part == 3:
        third = half_of(store, cells, before, _HIGH)
        node = join32(store, cells, half_of(store, cells, before, _LOW), join16(store, cells, third, node))
    reg[register, lane] = node
    return True


@inner
def store_part(store: Store, cells: Cells, reg: Array, register: int, address: int, size: int, part: int, lane: int) -> bool:
    """Stores a part of a lane's register."""
    node = int64(reg[register, lane])
    if size == 2:
        node = half_of(store, cells, node, part)
    elif size == 1:
        node = quarter_of(store, cells, node, part)
    return store_cell(store, cells, address, size, lane, node)


@inner
def transpose(store: Store, cells: Cells, reg: Array, d: int, a: int, lanes: Array, s: int, n: int, scratch: Array) -> None:
    """movmatrix: lane l gets element l // 4 of rows 2 (l % 4) and the next, each of which lies in four lanes."""
    for i in range(n):
        l = lanes[s + i]
        source = (l & ~31) + 8 * (l & 3) + (l & 31) // 8
        i0 = half_of(store, cells, int64(reg[a, source]), (l >> 2) & 1)
        i1 = half_of(store, cells, int64(reg[a, source + 4]), (l >> 2) & 1)
        scratch[i] = join32(store, cells, i0, i1)
    for i in range(n):
        reg[d, lanes[s + i]] = scratch[i]
