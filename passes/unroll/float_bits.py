"""Float arithmetic on bits as the PTX ISA rounds it (9.7.3, 9.7.9.21), for the operations where that is cheap; else UNKNOWN.

Single precision is computed in double precision and rounded once more. For one sum, product, quotient or root that gives
the correctly rounded result, since 53 >= 2 * 24 + 2 (Figueroa, "When is double rounding innocuous?"); the sum of an fma is
rounded to odd first (Boldo and Melquiond)."""

from __future__ import annotations

import math

import numpy as np

from volta_pipe.ir.compiled import float64, inner, int64
from volta_pipe.ir.nodes import Node

# What says that bits are not known: no canonical contents of 32 bits, and of 64 the bits of a NaN.
UNKNOWN = int64(0x7FF8DEADBEEF0001)
_ADD, _SUB, _MUL, _FMA, _DIV, _NEG, _ABS = (
    int64(n) for n in (Node.ADD, Node.SUB, Node.MUL, Node.FMA, Node.DIV, Node.NEG, Node.ABS)
)
_MIN, _MAX, _RCP, _SQRT = (int64(n) for n in (Node.MIN, Node.MAX, Node.RCP, Node.SQRT))
_SATURATE, _INTEGRAL = 4, 8
_LEAST_NORMAL = 2.0**-126
_TOP = int64(-9223372036854775808)


@inner
def bits_to_float(bits: int, width: int, ftz: bool) -> float:
    """The number; subnormal ones of single precision are zeros of their sign with .ftz."""
    if width == 64:
        return float64(np.int64(bits).view(np.float64))
    x = float64(np.int32(bits).view(np.float32))
    return math.copysign(0.0, x) if ftz and abs(x) < _LEAST_NORMAL else x


@inner
def _to_bits(x: float, width: int, ftz: bool) -> int:
    """A number rounded to nearest, as the register holds it; UNKNOWN for NaN, whose bits differ."""
    if x != x:  # noqa: PLR0124 (NaN test)
        return UNKNOWN
    if width == 64:
        return int64(np.float64(x).view(np.int64))
    y = np.float32(x)
    if ftz and abs(float64(y)) < _LEAST_NORMAL:
        y = np.float32(math.copysign(0.0, x))
    return int64(np.float32(y).view(np.int32))


@inner
def _sum_to_odd(x: float, y: float) -> float:
    """x + y rounded to odd: of the two numbers around an inexact sum the one whose last bit is 1."""
    s = x + y
    t = s - x
    rest = (x - (s - t)) + (y - t)
    if rest == 0.0 or math.isinf(s) or s != s:  # noqa: PLR0124 (NaN test)
        return s
    bits = int64(np.float64(s).view(np.int64))
    if bits & 1:
        return s
    bits = bits + 1 if (rest > 0.0) == (s > 0.0) else bits - 1
    return float64(np.int64(bits).view(np.float64))


@inner
def _extreme(x: int, y: int, width: int, ftz: bool, largest: bool) -> int:
    """min or max; -0 is less than +0 (PTX ISA 9.7.3.11). UNKNOWN where there is a NaN."""
    a, b = bits_to_float(x, width, ftz), bits_to_float(y, width, ftz)
    if a != a or b != b:  # noqa: PLR0124 (NaN test)
        return UNKNOWN
    first = (a > b) == largest if a != b else (math.copysign(1.0, a) > math.copysign(1.0, b)) == largest
    return _to_bits(a if first else b, width, False)


@inner
def arithmetic(node: int, x: int, y: int, z: int, inputs: int, width: int, sub: int, ftz: bool) -> int:
    """The bits of an operation of the graph on bits of `width`, rounded to nearest, .sat after it."""
    if node == _MIN or node == _MAX:
        chosen = _extreme(x, y, width, ftz, node == _MAX)
        return _extreme(chosen, z, width, ftz, node == _MAX) if inputs > 2 and chosen != UNKNOWN else chosen
    a, b, c = bits_to_float(x, width, ftz), bits_to_float(y, width, ftz), bits_to_float(z, width, ftz)
    if node == _NEG or node == _ABS:
        return _to_bits(-a if node == _NEG else abs(a), width, False)
    r = float64(np.nan)
    if node == _ADD:
        r = a + b
    elif node == _SUB:
        r = a - b
    elif node == _MUL:
        r = a * b
    elif node == _FMA:
        if width == 64:
            return UNKNOWN
        r = _sum_to_odd(a * b, c)
    elif node == _SQRT:
        if a < 0.0:
            return UNKNOWN
        r = math.sqrt(a)
    elif node == _DIV or node == _RCP:
        above, below = (a, b) if node == _DIV else (1.0, a)
        if below == 0.0 or math.isinf(below):
            return UNKNOWN
        r = above / below
        if width == 32 and r != 0.0 and abs(r) < 2.0 * _LEAST_NORMAL:  # a subnormal quotient is rounded twice
            return UNKNOWN
    if r != r:  # noqa: PLR0124 (NaN test)
        return UNKNOWN
    if sub & _SATURATE:
        # Rounding is monotone, and 0 and 1 are numbers: clamping may come first. What is below 0 becomes +0.
        r = 0.0 if r <= 0.0 else min(r, 1.0)
    return _to_bits(r, width, ftz)


@inner
def converted(x: int, width: int, source: int, kind: int, sub: int, ftz: bool) -> int:
    """cvt to a float of `width` from type (source, kind): 0 unsigned, 1 signed, 2 a float. Rounding to integers (8 is added)
    and to nearest (0); other modes where nothing is rounded."""
    mode = sub & 3
    if kind < 2:
        v = x
        if source < 64:
            s = 64 - source
            v = (x << s) >> s if kind == 1 else x & ((int64(1) << source) - 1)
        if abs(v) > int64(1) << 53 or (source == 64 and kind == 0 and v < 0) or v == _TOP:
            return UNKNOWN
        r = float64(v)
    else:
        r = bits_to_float(x, source, ftz)
        if r != r:  # noqa: PLR0124 (NaN test)
            return UNKNOWN
        if sub & _INTEGRAL:
            r = np.floor(r) if mode == 1 else np.ceil(r) if mode == 2 else np.trunc(r) if mode == 3 else np.rint(r)
            mode = int64(0)
    if mode != 0 and width == 32 and float64(np.float32(r)) != r:
        return UNKNOWN
    if sub & _SATURATE:
        r = 0.0 if r <= 0.0 else min(r, 1.0)
    if sub & ~(_SATURATE | _INTEGRAL | 3):
        return UNKNOWN
    return _to_bits(r, width, ftz)
