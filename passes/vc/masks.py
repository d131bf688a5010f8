"""Masks that depend on data (`set` into an integer register): bitwise functions of them are selects between what is left."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, append, emit
from volta_pipe.ir.graph import ONE, ZERO
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.vc.arithmetic import choose
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.contents import join, part_of
from volta_pipe.passes.vc.values import FAIL, bits_node, bits_of, is_bits

Array = np.ndarray[Any, np.dtype[Any]]
_MASK, _PACK, _AND, _OR, _NOT = (int64(n) for n in (Node.MASK, Node.PACK, Node.AND, Node.OR, Node.NOT))
_O_AND, _O_OR, _O_XOR, _O_NOT, _O_LOP3 = (int64(o) for o in (Op.AND, Op.OR, Op.XOR, Op.NOT, Op.LOP3))
_NO, _HIGH, _ONES = int64(0), int64(1), int64(-1)


@inner
def _truth(store: Store, x: int, width: int) -> int:
    """The predicate that all bits of contents are, or FAIL."""
    if store.op[x] == _MASK and store.c[x] == width:
        return int64(store.a[x])
    if is_bits(store, x):
        ones = (int64(1) << width) - 1
        bits = bits_of(store, x) & ones
        return int64(ZERO) if bits == 0 else int64(ONE) if bits == ones else FAIL
    return FAIL


@inner
def mask(store: Store, p: int, width: int) -> int:
    """`width` times a predicate."""
    if p == ZERO:
        return bits_node(store, _NO)
    return bits_node(store, (int64(1) << width) - 1) if p == ONE else append(store, _MASK, p, _NO, width)


@inner
def _chosen(store: Store, cells: Cells, p: int, x: int, y: int, width: int) -> int:
    """x where p, else y: masks, or what `choose` chooses between."""
    q, r = _truth(store, x, width), _truth(store, y, width)
    if q < 0 or r < 0:
        return choose(store, cells, p, x, y, width, _NO)
    where = emit(store, _AND, p, q, _NO)
    otherwise = emit(store, _AND, emit(store, _NOT, p, _NO, _NO), r, _NO)
    return mask(store, emit(store, _OR, where, otherwise, _NO), width)


@inner
def _complement(store: Store, x: int, width: int) -> int:
    """The bits of a mask or of known contents flipped, else FAIL."""
    if store.op[x] == _MASK and store.c[x] == width:
        return append(store, _MASK, emit(store, _NOT, int64(store.a[x]), _NO, _NO), _NO, width)
    return bits_node(store, ~bits_of(store, x)) if is_bits(store, x) else FAIL


@inner
def _left(store: Store, table: int, value: int, place: int, x: int, y: int, width: int) -> int:
    """What is left of a bitwise function of three operands where the one at `place` is 0 or all ones: one of the others (x
    before y) or its complement, nothing, or ones; else FAIL. table: as the immediate of lop3."""
    rest = int64(0)
    for i in range(4):
        high, low = i >> 1, i & 1
        index = value << 2 | i if place == 0 else high << 2 | value << 1 | low if place == 1 else i << 1 | value
        rest |= ((table >> index) & 1) << i
    if rest == 0:
        return bits_node(store, _NO)
    if rest == 15:
        return bits_node(store, _ONES)
    if rest == 3 or rest == 5:
        return _complement(store, x if rest == 3 else y, width)
    return x if rest == 0xC else y if rest == 0xA else FAIL


@inner
def _word(store: Store, cells: Cells, table: int, a: int, b: int, c: int, width: int) -> int:
    """A bitwise function of which one operand at least is a mask of `width` bits, or FAIL."""
    for place in range(3):
        one = a if place == 0 else b if place == 1 else c
        if store.op[one] != _MASK or store.c[one] != width:
            continue
        x, y = b if place == 0 else a, b if place == 2 else c
        where = _left(store, table, int64(1), int64(place), x, y, width)
        otherwise = _left(store, table, int64(0), int64(place), x, y, width)
        if where >= 0 and otherwise >= 0:
            return _chosen(store, cells, int64(store.a[one]), where, otherwise, width)
    return FAIL


@inner
def _has_masks(store: Store, node: int) -> bool:
    """Whether one of the halves of 32 bits is a mask."""
    if store.op[node] != _PACK or store.c[node] != 32:
        return False
    return bool(store.op[store.a[node]] == _MASK or store.op[store.b[node]] == _MASK)


@inner
def masked(store: Store, cells: Cells, op: int, width: int, a: int, b: int, c: int, d: int) -> int:
    """and, or, xor, not and lop3 with a mask, or with a pair of them; FAIL for anything else."""
    zero = bits_node(store, _NO)
    if op == _O_LOP3:
        if not is_bits(store, d):
            return FAIL
        table = bits_of(store, d) & 255
    else:
        table = int64(0xC0 if op == _O_AND else 0xFC if op == _O_OR else 0x3C if op == _O_XOR else 0x0F)
        if op != _O_AND and op != _O_OR and op != _O_XOR and op != _O_NOT:
            return FAIL
        b, c = zero if op == _O_NOT else b, zero
    node = _word(store, cells, table, a, b, c, width)
    if node >= 0 or width != 32 or not (_has_masks(store, a) or _has_masks(store, b) or _has_masks(store, c)):
        return node
    low = high = FAIL
    for i in range(2):
        half = int64(i)
        x, y = part_of(store, cells, a, half, width), part_of(store, cells, b, half, width)
        found = _word(store, cells, table, x, y, part_of(store, cells, c, half, width), int64(16))
        if i:
            high = found
        else:
            low = found
    return join(store, cells, low, high, width) if low >= 0 and high >= 0 else FAIL
