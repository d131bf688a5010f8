"""Bit work: logic and shifts (PTX ISA 9.7.8), bit fields and counts (9.7.1.14 to 9.7.1.22), prmt (9.7.9.7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.instructions import BITS, INT32, INT64, INTS, WIDTH
from volta_pipe.passes.replay.bits import U64, bit_length, flags, full, masked, signed, truth, unsigned
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]
_ONE = U64(1)
_NONE = full(32)  # what bfind and fns give where there is no such bit


def ones(count: Array) -> Array:
    """The lowest `count` bits set, per lane; count uint64, 0 to 64."""
    return np.where(count >= 64, full(64), (_ONE << np.minimum(count, U64(63))) - _ONE)


@meaning_for("and or xor", among(*BITS, "pred"))
def _logic(s: Spelling) -> Function:
    width = WIDTH[s.type]
    operate = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[s.mnemonic]
    return lambda a, b: (masked(operate(a, b), width),)


@meaning_for("not cnot", among(*BITS, "pred"))
def _not(s: Spelling) -> Function:
    width = WIDTH[s.type]
    if s.mnemonic == "not":
        return lambda a: (masked(~a, width),)
    s.need(s.type != "pred")
    return lambda a: (flags(masked(a, width) == 0),)


@meaning_for("lop3", among("b32"))
def _lop3(s: Spelling) -> Function:
    """Bit 4a + 2b + c of the table. With .or or .and the second result is (d != 0) op q, q the last input."""
    operator = s.one_of("or and")

    def function(a: Array, b: Array, c: Array, table: Array, *q: Array) -> tuple[Array, ...]:
        out = np.zeros(len(a), np.uint64)
        for k in range(8):
            chosen = U64(0) - ((table >> U64(k)) & _ONE)
            out = out | (chosen & (a if k & 4 else ~a) & (b if k & 2 else ~b) & (c if k & 1 else ~c))
        out = masked(out, 32)
        if not operator:
            return (out,)
        set_, with_ = out != 0, truth(q[0])
        return out, flags(set_ | with_ if operator == "or" else set_ & with_)

    return function


@meaning_for("shl", among(*BITS))
def _shl(s: Spelling) -> Function:
    """Amounts beyond the width give 0."""
    width = WIDTH[s.type]

    def function(a: Array, by: Array) -> tuple[Array, ...]:
        by = masked(by, 32)
        return (np.where(by >= width, U64(0), masked(a << np.minimum(by, U64(63)), width)),)

    return function


@meaning_for("shr", among(*BITS, *INTS))
def _shr(s: Spelling) -> Function:
    """Amounts beyond the width are the width: zeros, or the sign bit of a signed type."""
    width = WIDTH[s.type]

    def function(a: Array, by: Array) -> tuple[Array, ...]:
        by = masked(by, 32)
        if s.type[0] == "s":
            return (unsigned(signed(a, width) >> np.minimum(by, U64(63)).astype(np.int64), width),)
        return (np.where(by >= width, U64(0), masked(a, width) >> np.minimum(by, U64(63))),)

    return function


@meaning_for("shf", among("b32"))
def _shf(s: Spelling) -> Function:
    """The 64 bits {b, a} shifted; the upper word to the left, the lower to the right."""
    side, mode = s.one_of("l r"), s.one_of("wrap clamp")
    s.need(side != "" and mode != "", "needs .l or .r, and .wrap or .clamp")

    def function(a: Array, b: Array, by: Array) -> tuple[Array, ...]:
        by = np.minimum(masked(by, 32), U64(32)) if mode == "clamp" else by & U64(31)
        both = masked(a, 32) | masked(b, 32) << U64(32)
        return (masked(both >> by, 32) if side == "r" else both << by >> U64(32),)

    return function


@meaning_for("popc clz brev", among("b32", "b64"))
def _count(s: Spelling) -> Function:
    width = WIDTH[s.type]
    if s.mnemonic == "popc":
        return lambda a: (np.bitwise_count(masked(a, width)).astype(np.uint64),)
    if s.mnemonic == "clz":
        return lambda a: ((width - bit_length(masked(a, width))).astype(np.uint64),)

    def reverse(a: Array) -> tuple[Array, ...]:
        out = np.zeros(len(a), np.uint64)
        for at in range(width):
            out |= ((a >> U64(at)) & _ONE) << U64(width - 1 - at)
        return (out,)

    return reverse


@meaning_for("bfind", among(*INT32, *INT64))
def _bfind(s: Spelling) -> Function:
    """The highest bit that is no sign bit; .shiftamt: how far it is from the top."""
    width, distance = WIDTH[s.type], s.flag("shiftamt")

    def function(a: Array) -> tuple[Array, ...]:
        if s.type[0] == "s":
            a = np.where(signed(a, width) < 0, ~a, a)
        length = bit_length(masked(a, width))
        place = width - length if distance else length - 1
        return (np.where(length == 0, _NONE, place.astype(np.uint64)),)

    return function


@meaning_for("fns", among("b32"))
def _fns(s: Spelling) -> Function:
    """The offset-th set bit from `base` upwards (downwards for a negative offset); offset 0 asks for the bit `base` itself."""

    def function(mask: Array, base: Array, offset: Array) -> tuple[Array, ...]:
        base, offset = signed(base, 32), signed(offset, 32)
        s.need(bool(((base >= 0) & (base < 32)).all()), "has a base beyond 31, which the ISA leaves open")
        found = np.where((offset == 0) & ((mask >> base.astype(np.uint64)) & _ONE == 1), base.astype(np.uint64), _NONE)
        left = np.abs(offset)
        step = np.sign(offset)
        for k in range(32):
            at = base + step * k
            inside = (at >= 0) & (at < 32) & (step != 0)
            is_set = inside & ((mask >> np.where(inside, at, 0).astype(np.uint64)) & _ONE == 1)
            left = left - is_set
            found = np.where(is_set & (left == 0), at.astype(np.uint64), found)
        return (found,)

    return function


@meaning_for("bfe", among(*INT32, *INT64))
def _bfe(s: Spelling) -> Function:
    width = WIDTH[s.type]

    def function(a: Array, position: Array, length: Array) -> tuple[Array, ...]:
        a, position, length = masked(a, width), position & U64(255), length & U64(255)
        within = np.minimum(length, U64(width) - np.minimum(position, U64(width)))  # bits that come from a
        part = (a >> np.minimum(position, U64(63))) & ones(within)
        if s.type[0] == "s":
            last = np.minimum(position + length - _ONE, U64(width - 1))
            sign = ((a >> np.where(length == 0, U64(0), last)) & _ONE == 1) & (length != 0)
            part = part | np.where(sign, full(width) & ~ones(within), U64(0))
        return (part,)

    return function


@meaning_for("bfi", among("b32", "b64"))
def _bfi(s: Spelling) -> Function:
    width = WIDTH[s.type]

    def function(a: Array, b: Array, position: Array, length: Array) -> tuple[Array, ...]:
        position, length = position & U64(255), length & U64(255)
        within = np.minimum(length, U64(width) - np.minimum(position, U64(width)))
        shift = np.minimum(position, U64(63))
        field = masked(ones(within) << shift, width)
        return ((masked(b, width) & ~field) | ((a << shift) & field),)

    return function


@meaning_for("bmsk", among("b32"))
def _bmsk(s: Spelling) -> Function:
    """`width` ones from `position`."""
    mode = s.one_of("wrap clamp")
    s.need(mode != "", "needs .wrap or .clamp")

    def function(position: Array, width: Array) -> tuple[Array, ...]:
        position, width = masked(position, 32), masked(width, 32)
        if mode == "wrap":
            position, width = position & U64(31), width & U64(31)
        field = ones(np.minimum(width, U64(32))) << np.minimum(position, U64(32))
        return (masked(field, 32),)

    return function


@meaning_for("szext", among("u32", "s32"))
def _szext(s: Spelling) -> Function:
    """The low N bits, extended by their sign or by zeros."""
    mode = s.one_of("wrap clamp")
    s.need(mode != "", "needs .wrap or .clamp")

    def function(a: Array, n: Array) -> tuple[Array, ...]:
        n = masked(n, 32)
        n = n & U64(31) if mode == "wrap" else np.minimum(n, U64(32))
        kept = masked(a, 32) & ones(n)
        if s.type == "s32":
            sign = (n != 0) & ((a >> (np.maximum(n, _ONE) - _ONE)) & _ONE == 1)
            kept = kept | np.where(sign, full(32) & ~ones(n), U64(0))
        return (kept,)

    return function


# The bytes of {b, a} (0 to 7) that the modes of prmt choose for selector values 0 to 3, lowest result byte first.
_MODES = {
    "f4e": ((0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)),
    "b4e": ((0, 7, 6, 5), (1, 0, 7, 6), (2, 1, 0, 7), (3, 2, 1, 0)),
    "rc8": ((0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3)),
    "ecl": ((0, 1, 2, 3), (1, 1, 2, 3), (2, 2, 2, 3), (3, 3, 3, 3)),
    "ecr": ((0, 0, 0, 0), (0, 1, 1, 1), (0, 1, 2, 2), (0, 1, 2, 3)),
    "rc16": ((0, 1, 0, 1), (2, 3, 2, 3), (0, 1, 0, 1), (2, 3, 2, 3)),
}


@meaning_for("prmt", among("b32"))
def _prmt(s: Spelling) -> Function:
    """Without a mode each nibble of c chooses a byte, its top bit asks for the byte's sign instead."""
    mode = s.one_of(" ".join(_MODES))

    def function(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
        both = masked(a, 32) | masked(b, 32) << U64(32)
        out = np.zeros(len(a), np.uint64)
        for place in range(4):
            if mode:
                select = np.array([row[place] for row in _MODES[mode]], np.uint64)[c & U64(3)]
            else:
                select = (c >> U64(4 * place)) & U64(15)
            byte = (both >> (U64(8) * (select & U64(7)))) & U64(255)
            byte = np.where(select >= 8, np.where(byte >= 128, U64(255), U64(0)), byte)
            out = out | byte << U64(8 * place)
        return (out,)

    return function
