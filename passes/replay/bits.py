"""Bit arrays: the values of a register in all lanes, uint64, zero-extended from the register's width."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
U64 = np.uint64
_ONE = U64(1)
_LOW_HALF = 0 if sys.byteorder == "little" else 1


_MASKS = tuple(U64((1 << width) - 1) for width in range(65))


def full(width: int) -> np.uint64:
    """The mask of `width` bits, 0 to 64."""
    return _MASKS[width]


def masked(x: Array, width: int) -> Array:
    """The low `width` bits."""
    return x if width >= 64 else x & full(width)


def signed(x: Array, width: int) -> Array:
    """Two's complement of `width` bits, as int64. The bits above `width` are ignored."""
    if width == 64:
        return x.view(np.int64)
    up = 64 - width
    return (x << U64(up)).view(np.int64) >> np.int64(up)


def unsigned(x: Array, width: int) -> Array:
    """int64 to bits of `width`."""
    return masked(x.view(np.uint64), width)


def number(x: Array, kind: str, width: int) -> Array:
    """The integer that bits stand for: int64 of a signed type, uint64 of any other."""
    return signed(x, width) if kind == "s" else masked(x, width)


def flags(x: Array) -> Array:
    """A predicate register from a boolean array."""
    return x.astype(np.uint64)


def truth(x: Array) -> Array:
    """A boolean array from a predicate register."""
    return (x & _ONE).astype(np.bool_)


def singles(x: Array) -> Array:
    """The float32 numbers in the low halves of a contiguous array, a view: no copy, and writing to it sets the bits."""
    return x.view(np.float32)[_LOW_HALF::2]


def bit_length(x: Array) -> Array:
    """The position above the highest set bit (0 for zero), int64, exact for all uint64."""
    # frexp of a float64 is exact up to 53 bits; halves keep it so.
    high = (x >> U64(32)).astype(np.float64)
    low = (x & full(32)).astype(np.float64)
    top = np.frexp(high)[1].astype(np.int64)
    return np.where(top > 0, top + 32, np.frexp(low)[1])


def shift_right_sticky(x: Array, by: Array) -> Array:
    """x >> by with the lowest bit set where a one was shifted out; `by` int64, 0 or more."""
    capped = np.minimum(by, 63).astype(np.uint64)
    out = x >> capped
    lost = (out << capped) != x
    gone = by > 63
    out = np.where(gone, U64(0), out)
    sticky: Array = np.where(gone, x != 0, lost).astype(np.uint64)
    return out | sticky
