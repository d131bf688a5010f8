"""Extended-precision arithmetic (PTX ISA 9.7.2): add.cc addc sub.cc subc mad.cc madc.

The carry flag is an operand like any other here: forms that read it (addc, subc, madc) take it as their last input, forms that
write it (.cc) give it as their last result. It is a predicate; for subtractions it is the borrow."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.instructions import WIDTH
from volta_pipe.passes.replay.bits import U64, flags, masked
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]
_WORDS = ("u32", "s32", "u64", "s64")


def _sum(x: Array, y: Array, carry: Array, width: int) -> tuple[Array, Array]:
    """(x + y + carry modulo 2^width, carry out)."""
    x, y = masked(x, width), masked(y, width)
    out = masked(x + y, width)
    over = out < x
    total = masked(out + (carry & U64(1)), width)
    return total, flags(over | (total < out))


def _difference(x: Array, y: Array, borrow: Array, width: int) -> tuple[Array, Array]:
    """(x - (y + borrow) modulo 2^width, borrow out)."""
    x, y = masked(x, width), masked(y, width)
    out = masked(x - y, width)
    total = masked(out - (borrow & U64(1)), width)
    return total, flags((x < y) | (out < (borrow & U64(1))))


def with_carry(s: Spelling) -> Function:
    """add, sub, addc, subc; takes .cc."""
    s.need(s.type in _WORDS, "has .cc, which its type has not")
    width, gives, takes = WIDTH[s.type], s.flag("cc"), s.mnemonic.endswith("c")
    step = _difference if s.mnemonic.startswith("sub") else _sum

    def function(a: Array, b: Array, *carry: Array) -> tuple[Array, ...]:
        out = step(a, b, carry[0] if takes else np.zeros(len(a), np.uint64), width)
        return out if gives else out[:1]

    return function


def mad_with_carry(s: Spelling, mode: str) -> Function:
    """mad.cc and madc of .lo or .hi; takes .cc."""
    from volta_pipe.passes.replay.meaning.integers import product_of

    s.need(s.type in _WORDS and mode in ("lo", "hi") and s.mnemonic != "mul", "has .cc, which its type or mode has not")
    width, gives, takes = WIDTH[s.type], s.flag("cc"), s.mnemonic == "madc"
    product = product_of(width, s.type[0], mode)

    def function(a: Array, b: Array, c: Array, *carry: Array) -> tuple[Array, ...]:
        out = _sum(product(a, b)[0], c, carry[0] if takes else np.zeros(len(a), np.uint64), width)
        return out if gives else out[:1]

    return function


@meaning_for("addc subc", among(*_WORDS))
def _carried(s: Spelling) -> Function:
    return with_carry(s)


@meaning_for("madc", among(*_WORDS))
def _mad_carried(s: Spelling) -> Function:
    mode = s.one_of("lo hi")
    s.need(mode != "", "needs .lo or .hi")
    return mad_with_carry(s, mode)
