"""Integer instructions that only move bytes of what is not known: masks of whole bytes, shifts by whole bytes, prmt, lop3."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import SIGNED, SUB, WIDTH
from volta_pipe.passes.vc.contents import join4, low_part, quarter_of, same
from volta_pipe.passes.vc.values import FAIL, bits_node, bits_of, is_bits

Array = np.ndarray[Any, np.dtype[Any]]
_AND, _OR, _XOR, _SHL, _SHR, _PRMT, _LOP3, _SHF = (
    int64(o) for o in (Op.AND, Op.OR, Op.XOR, Op.SHL, Op.SHR, Op.PRMT, Op.LOP3, Op.SHF)
)
_NO = int64(0)


@inner
def _logic(store: Store, table: int, x: int, y: int, z: int) -> int:
    """A byte of a bitwise function given by its truth table (as the immediate of lop3), where it is known or one of its
    operands as it is."""
    unknown = int64(0)
    node = _NO
    for i in range(3):
        one = x if i == 0 else y if i == 1 else z
        if not is_bits(store, one):
            # The same byte twice is one unknown.
            if unknown and not same(store, one, node):
                return _independent(store, table, x, y, z)
            node = one
            unknown |= int64(1) << i
    cleared, kept = int64(0), int64(0)  # the result where the unknown bit is 0, and where it is 1
    for bit in range(8):
        index = int64(0)
        for i in range(3):
            one = x if i == 0 else y if i == 1 else z
            known = (bits_of(store, one) >> bit) & 1 if is_bits(store, one) else int64(0)
            index |= known << (2 - i)
        mask = (4 if unknown & 1 else 0) | (2 if unknown & 2 else 0) | (1 if unknown & 4 else 0)
        cleared |= ((table >> index) & 1) << bit
        kept |= ((table >> (index | mask)) & 1) << bit
    if cleared == kept:
        return bits_node(store, cleared)
    return node if cleared == 0 and kept == 255 else FAIL


@inner
def _independent(store: Store, table: int, x: int, y: int, z: int) -> int:
    """A byte of two or three unknown ones: the function must ignore all but one of them, as it is."""
    if table == 0xF0:
        return x
    if table == 0xCC:
        return y
    return z if table == 0xAA else FAIL


@inner
def _shifted(store: Store, cells: Cells, low: int, high: int, by: int, i: int) -> int:
    """Byte i of the 64 bits {high, low} shifted right by `by` bytes."""
    k = i + by
    return (
        quarter_of(store, cells, low, k) if k < 4 else quarter_of(store, cells, high, k - 4) if k < 8 else bits_node(store, _NO)
    )


@inner
def _byte(store: Store, cells: Cells, op: int, code: Array, a: int, b: int, c: int, d: int, i: int) -> int:
    """Byte i of the result, or FAIL."""
    zero = bits_node(store, _NO)
    if op == _AND or op == _OR or op == _XOR:
        table = int64(0xC0 if op == _AND else 0xFC if op == _OR else 0x3C)
        return _logic(store, table, quarter_of(store, cells, a, i), quarter_of(store, cells, b, i), zero)
    if op == _LOP3:
        if not is_bits(store, d):
            return FAIL
        x, y, z = quarter_of(store, cells, a, i), quarter_of(store, cells, b, i), quarter_of(store, cells, c, i)
        return _logic(store, bits_of(store, d) & 255, x, y, z)
    if op == _PRMT:
        if not is_bits(store, c) or code[SUB]:
            return FAIL
        selector = (bits_of(store, c) >> (4 * i)) & 15
        k = selector & 7
        byte = quarter_of(store, cells, a, k) if k < 4 else quarter_of(store, cells, b, k - 4)
        if selector & 8:
            if not is_bits(store, byte):
                return FAIL
            return bits_node(store, int64(255) if bits_of(store, byte) & 128 else int64(0))
        return byte
    amount = b if op == _SHL or op == _SHR else c
    if not is_bits(store, amount):
        return FAIL
    bits = bits_of(store, amount) & 0xFFFFFFFF
    if op == _SHF:
        bits = min(bits, int64(32)) if code[SUB] & 2 else bits & 31
    if bits & 7:
        return FAIL
    by = min(bits, int64(32)) >> 3
    if op == _SHL:
        return _shifted(store, cells, zero, a, 4 - by, i)
    if op == _SHR:
        return _shifted(store, cells, a, zero, by, i) if code[SIGNED] != 1 or by == 0 else FAIL
    if op == _SHF:  # the 64 bits {b, a}: the low word shifted right, the high one left
        return _shifted(store, cells, a, b, by if code[SUB] & 1 else 4 - by, i)
    return FAIL


@inner
def bytes_moved(store: Store, cells: Cells, op: int, code: Array, a: int, b: int, c: int, d: int) -> int:
    """The result of an instruction on 16 or 32 bits, or FAIL where a byte is neither known nor one of the operands'."""
    b0 = _byte(store, cells, op, code, a, b, c, d, _NO)
    b1 = _byte(store, cells, op, code, a, b, c, d, int64(1))
    b2 = _byte(store, cells, op, code, a, b, c, d, int64(2))
    b3 = _byte(store, cells, op, code, a, b, c, d, int64(3))
    if code[WIDTH] == 16:  # what is above is cut off, whatever it is
        b2 = bits_node(store, _NO)
        b3 = b2
    if b0 < 0 or b1 < 0 or b2 < 0 or b3 < 0:
        return FAIL
    return low_part(store, cells, join4(store, cells, b0, b1, b2, b3), code[WIDTH])
