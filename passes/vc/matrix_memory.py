"""Micro-rows of ldmatrix, stmatrix, wmma.load and wmma.store on nodes, and movmatrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store
from volta_pipe.passes.vc.cells import load_cell, store_cell
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.values import FAIL, bits_node, bits_of, is_bits

Array = np.ndarray[Any, np.dtype[Any]]
_UNSIGNED = int64(0)


@inner
def load_part(
    store: Store, cells: Cells, reg: Array, register: int, address: int, size: int, part: int, lane: int, instr: int
) -> bool:
    """Loads `size` bytes into a part of a lane's register; False for what is no whole value. The parts of a register are
    loaded in order, and stand in it as far as they have come."""
    node = load_cell(store, cells, address, size, _UNSIGNED, lane, instr)
    if node < 0:
        return False
    if size < 4:
        node = _joined(store, int64(reg[register, lane]) if part else int64(0), node, 8 * size, part)
        if node < 0:
            return False
    reg[register, lane] = node
    return True


@inner
def _joined(store: Store, before: int, node: int, bits: int, part: int) -> int:
    """A register with one more part (`before` holds those below), or FAIL."""
    if not is_bits(store, node) or (part and not is_bits(store, before)):
        return FAIL
    low = bits_of(store, before) & ((int64(1) << (bits * part)) - 1) if part else int64(0)
    return bits_node(store, int64(np.int32(low | (bits_of(store, node) & ((int64(1) << bits) - 1)) << (bits * part))))


@inner
def store_part(store: Store, cells: Cells, reg: Array, register: int, address: int, size: int, part: int, lane: int) -> bool:
    """Stores a part of a lane's register."""
    node = int64(reg[register, lane])
    if size < 4:
        if not is_bits(store, node):
            return False
        node = bits_node(store, bits_of(store, node) >> (8 * size * part))
    return store_cell(store, cells, address, size, lane, node)


@inner
def transpose(store: Store, reg: Array, d: int, a: int, lanes: Array, s: int, n: int, scratch: Array) -> int:
    """movmatrix; -1, or the lane whose operand is no pair of halves."""
    return int64(lanes[s])
