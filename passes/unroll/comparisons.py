"""Comparisons of known values: of integers lane by lane into 0 or 1, of two floats, and what `set` makes of one. Compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.small_floats import decode, format_for

Array = np.ndarray[Any, np.dtype[Any]]


@inner
def compare(sub: int, signed: bool, A: Array, B: Array, R: Array, lo: int, hi: int) -> None:
    """Integer comparison into 0 or 1 (sub: eq ne lt le gt ge). Sign extension keeps the unsigned order once flipped."""
    flip = int64(0) if signed else int64(-9223372036854775808)
    kind = sub & 15
    if kind == 0:
        for l in range(lo, hi):
            R[l] = A[l] == B[l]
    elif kind == 1:
        for l in range(lo, hi):
            R[l] = A[l] != B[l]
    elif kind == 2:
        for l in range(lo, hi):
            R[l] = (A[l] ^ flip) < (B[l] ^ flip)
    elif kind == 3:
        for l in range(lo, hi):
            R[l] = (A[l] ^ flip) <= (B[l] ^ flip)
    elif kind == 4:
        for l in range(lo, hi):
            R[l] = (A[l] ^ flip) > (B[l] ^ flip)
    else:
        for l in range(lo, hi):
            R[l] = (A[l] ^ flip) >= (B[l] ^ flip)


@inner
def combine(boolean: int, R: Array, P: Array, lo: int, hi: int) -> None:
    """R = R op P for the boolean operator of setp (1 and, 2 or, 3 xor)."""
    for l in range(lo, hi):
        if boolean == 1:
            R[l] = R[l] & P[l]
        elif boolean == 2:
            R[l] = R[l] | P[l]
        elif boolean == 3:
            R[l] = R[l] ^ P[l]


@inner
def compare_floats(sub: int, x: float, y: float) -> int:
    """Float comparison of two known values; 8 is added to the code for the unordered forms; 6 finite, 7
    infinite, 14 num, 15 nan."""
    kind = sub & 15
    unordered = x != x or y != y  # noqa: PLR0124 (NaN test)
    if kind == 6 or kind == 7:  # testp.finite, testp.infinite
        return int(np.isinf(x) if kind == 7 else not (unordered or np.isinf(x)))
    if kind >= 14:
        return int(unordered == (kind == 15))
    if unordered:
        return int(kind >= 8)
    kind &= 7
    if kind == 0:
        return int(x == y)
    if kind == 1:
        return int(x != y)
    if kind == 2:
        return int(x < y)
    if kind == 3:
        return int(x <= y)
    return int(x > y) if kind == 4 else int(x >= y)


@inner
def true_bits(width: int, sg: int) -> int:
    """What `set` gives where the comparison holds, one half of it where the type is packed: 1.0 of a float, else all ones."""
    if sg < 2:
        return int64(-1)
    return int64(0x3F800000) if width == 32 and sg < 4 else int64(0x3F80 if sg & 1 else 0x3C00)


@inner
def set_floats(x: int, y: int, z: int, width: int, sg: int, sub: int, w2: int, sg2: int) -> int:
    """`set` of floats of width w2 and kind sg2 in one lane; z: the predicate that the comparison is combined with."""
    format = format_for(w2, sg2)
    packed = sg2 >= 4
    true = int64(0xFFFF) if packed and sg < 2 else true_bits(width, sg)
    r = int64(0)
    for k in range(2 if packed else 1):
        p = compare_floats(sub, decode(x >> (16 * k), format), decode(y >> (16 * k), format))
        boolean = sub >> 8
        p = p & z if boolean == 1 else p | z if boolean == 2 else p ^ z if boolean == 3 else p
        if p:
            r |= true << (16 * k)
    return r
