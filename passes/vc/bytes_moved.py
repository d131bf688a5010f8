"""Integer instructions that only move bytes of what is not known: masks of whole bytes, shifts and fields of whole
bytes, prmt, lop3."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import SIGNED, SUB, WIDTH
from volta_pipe.passes.vc.contents import half64, join4, low_part, pack64, quarter_of, same
from volta_pipe.passes.vc.fills import signs_of
from volta_pipe.passes.vc.values import FAIL, bits_node, bits_of, is_bits

Array = np.ndarray[Any, np.dtype[Any]]
_AND, _OR, _XOR, _SHL, _SHR, _PRMT, _LOP3, _SHF, _BFE = (
    int64(o) for o in (Op.AND, Op.OR, Op.XOR, Op.SHL, Op.SHR, Op.PRMT, Op.LOP3, Op.SHF, Op.BFE)
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
def _octet(store: Store, cells: Cells, node: int, k: int, width: int) -> int:
    """Byte k of contents of 16, 32 or 64 bits."""
    if width == 64:
        node = half64(store, cells, node, k >> 2)
    return quarter_of(store, cells, node, k & 3)


@inner
def _field(store: Store, cells: Cells, a: int, first: int, end: int, i: int, width: int, signed: bool) -> int:
    """Byte i of the bytes first to end of `a` in the lowest place, with zeros or their sign above."""
    if first + i < end:
        return _octet(store, cells, a, first + i, width)
    return signs_of(store, cells, _octet(store, cells, a, end - 1, width)) if signed else bits_node(store, _NO)


@inner
def _extracted(store: Store, cells: Cells, code: Array, a: int, b: int, c: int, i: int) -> int:
    """Byte i of bfe of whole bytes (PTX ISA 9.7.1.19: position and length are the low 8 bits of b and c)."""
    if not is_bits(store, b) or not is_bits(store, c):
        return FAIL
    first, length = bits_of(store, b) & 255, bits_of(store, c) & 255
    if first & 7 or length & 7 or length == 0 or first + length > code[WIDTH]:
        return FAIL
    return _field(store, cells, a, first >> 3, (first + length) >> 3, i, code[WIDTH], code[SIGNED] == 1)


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
    zero, width = bits_node(store, _NO), code[WIDTH]
    if op == _AND or op == _OR or op == _XOR:
        table = int64(0xC0 if op == _AND else 0xFC if op == _OR else 0x3C)
        return _logic(store, table, _octet(store, cells, a, i, width), _octet(store, cells, b, i, width), zero)
    if op == _BFE:
        return _extracted(store, cells, code, a, b, c, i)
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
        return signs_of(store, cells, byte) if selector & 8 else byte
    amount = b if op == _SHL or op == _SHR else c
    if not is_bits(store, amount):
        return FAIL
    bits = bits_of(store, amount) & 0xFFFFFFFF
    if op == _SHF:
        bits = min(bits, int64(32)) if code[SUB] & 2 else bits & 31
    if bits & 7:
        return FAIL
    if op == _SHF:  # the 64 bits {b, a}: the low word shifted right, the high one left
        by = min(bits, int64(32)) >> 3
        return _shifted(store, cells, a, b, by if code[SUB] & 1 else 4 - by, i)
    by = min(bits, int64(width)) >> 3  # larger amounts are clamped
    if op == _SHL:
        return _octet(store, cells, a, i - by, width) if i >= by else zero
    if op == _SHR:
        return _field(store, cells, a, by, width >> 3, i, width, code[SIGNED] == 1)
    return FAIL


@inner
def _word(store: Store, cells: Cells, op: int, code: Array, a: int, b: int, c: int, d: int, i: int) -> int:
    """Bytes i to i + 3 of the result."""
    b0 = _byte(store, cells, op, code, a, b, c, d, i)
    b1 = _byte(store, cells, op, code, a, b, c, d, i + 1)
    if code[WIDTH] == 16:  # what is above is cut off, whatever it is
        b2 = bits_node(store, _NO)
        b3 = b2
    else:
        b2 = _byte(store, cells, op, code, a, b, c, d, i + 2)
        b3 = _byte(store, cells, op, code, a, b, c, d, i + 3)
    if b0 < 0 or b1 < 0 or b2 < 0 or b3 < 0:
        return FAIL
    return join4(store, cells, b0, b1, b2, b3)


@inner
def bytes_moved(store: Store, cells: Cells, op: int, code: Array, a: int, b: int, c: int, d: int) -> int:
    """The result of an instruction on 16, 32 or 64 bits, or FAIL where a byte is neither known nor one of the operands'."""
    if code[WIDTH] == 64:
        if op == _SHF or op == _LOP3 or op == _PRMT:
            return FAIL
        low = _word(store, cells, op, code, a, b, c, d, _NO)
        high = _word(store, cells, op, code, a, b, c, d, int64(4)) if low >= 0 else FAIL
        return pack64(store, cells, low, high) if high >= 0 else FAIL
    word = _word(store, cells, op, code, a, b, c, d, _NO)
    return low_part(store, cells, word, code[WIDTH]) if word >= 0 else FAIL
