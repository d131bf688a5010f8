"""Atomics and asynchronous copies: cells that are read and written by one row.

Lanes on one cell act in lane order. Over the reals the sum of an atomic add is the same in any order; `check` has refused
programs in which another order could matter."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.atomics import ADD, CAS, CODE_MASK, EXCH, MAX, MIN, combined
from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, emit
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.small_floats import format_for
from volta_pipe.passes.vc.cells import load_cell, store_cell
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, INPUTS, RESULTS, SIGNED, SUB, WIDTH
from volta_pipe.passes.vc.contents import join, part_of
from volta_pipe.passes.vc.integers import as_integer
from volta_pipe.passes.vc.residues import contents_of, residue
from volta_pipe.passes.vc.values import as_float, bits_node, bits_of, in_register, is_bits

Array = np.ndarray[Any, np.dtype[Any]]
_ADD, _MIN, _MAX, _UNINIT, _NO = int64(Node.ADD), int64(Node.MIN), int64(Node.MAX), int64(Node.UNINIT), int64(0)
_FLOAT, _UNSIGNED, _HIGH = 2, int64(0), int64(1)


@inner
def _signed_bits(store: Store, node: int, width: int) -> int:
    shift = 64 - width
    return (bits_of(store, node) << shift) >> shift


@inner
def _sum(store: Store, cells: Cells, old: int, value: int, format: int) -> int:
    x, y = as_float(store, cells, old, format), as_float(store, cells, value, format)
    return in_register(store, cells, emit(store, _ADD, x, y, _NO), format) if x >= 0 and y >= 0 else int64(-1)


@inner
def _integer(store: Store, cells: Cells, kind: int, width: int, signed: bool, old: int, value: int) -> int:
    """add, min and max of integers that are not known; -1 for anything else."""
    if kind == ADD:
        x, y = residue(store, cells, old, width), residue(store, cells, value, width)
        return contents_of(store, emit(store, _ADD, x, y, _NO), width) if x >= 0 and y >= 0 else int64(-1)
    if kind != MIN and kind != MAX:
        return int64(-1)
    x, y = as_integer(store, cells, old, width, signed), as_integer(store, cells, value, width, signed)
    if x < 0 or y < 0:
        return int64(-1)
    return contents_of(store, emit(store, _MIN if kind == MIN else _MAX, x, y, _NO), width)


@inner
def _new(store: Store, cells: Cells, code: Array, old: int, value: int, swapped: int) -> int:
    """What an atomic leaves in a cell that held `old`; -1 for what is not modelled. swapped: third operand, of cas."""
    kind, width = code[SUB] & CODE_MASK, code[WIDTH]
    if kind == EXCH:
        return value
    if code[SIGNED] >= _FLOAT:
        format = format_for(width, code[SIGNED])
        if code[SIGNED] < 4:
            return _sum(store, cells, old, value, format)
        low = _sum(store, cells, part_of(store, cells, old, _NO, width), part_of(store, cells, value, _NO, width), format)
        high = _sum(store, cells, part_of(store, cells, old, _HIGH, width), part_of(store, cells, value, _HIGH, width), format)
        return join(store, cells, low, high, width) if low >= 0 and high >= 0 else int64(-1)
    if store.op[old] == _UNINIT:
        return old
    if store.op[value] == _UNINIT:
        return value
    if not is_bits(store, old) or not is_bits(store, value):
        return _integer(store, cells, kind, width, code[SIGNED] == 1, old, value)
    x, y = _signed_bits(store, old, width), _signed_bits(store, value, width)
    if kind == CAS:
        return swapped if x == y else old
    return bits_node(store, combined(kind, width, code[SIGNED] == 1, x, y))


@inner
def atomic(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, address: int, lane: int, instr: int) -> bool:
    """atom or red of one lane; False for what is not modelled."""
    first = code[FIRST] + code[RESULTS] + 1
    size = code[WIDTH] // 8
    swaps = code[SUB] & CODE_MASK == CAS
    old = int64(0)
    for k in range(1 if swaps else code[INPUTS] - 1):
        old = load_cell(store, cells, address + k * size, size, _UNSIGNED, lane, instr)
        if old < 0:
            return False
        swapped = int64(reg[operands[first + 1], lane]) if swaps else _NO
        new = _new(store, cells, code, old, int64(reg[operands[first + k], lane]), swapped)
        if new < 0 or not store_cell(store, cells, address + k * size, size, lane, new):
            return False
    if code[RESULTS]:
        reg[operands[code[FIRST]], lane] = old
    return True


@inner
def copy(store: Store, cells: Cells, source: int, target: int, count: int, size: int, lane: int, instr: int) -> bool:
    """cp.async of one lane: `count` bytes, and zeros up to `size`; False where a part of a symbolic word is copied."""
    for at in range(0, size, 4):
        if at + 4 <= count:
            node = load_cell(store, cells, source + at, int64(4), _UNSIGNED, lane, instr)
        else:
            bits = int64(0)
            for byte in range(count - at):
                part = load_cell(store, cells, source + at + byte, int64(1), _NO, lane, instr)
                if part < 0 or not is_bits(store, part):
                    return False
                bits |= bits_of(store, part) << (8 * byte)
            node = bits_node(store, int64(np.int32(bits)))
        if node < 0 or not store_cell(store, cells, target + at, int64(4), lane, node):
            return False
    return True
