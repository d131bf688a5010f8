"""What atom and red leave in memory (PTX ISA 9.7.13.13 and 14), of one element: a function of what it held and the operands.

The order in which lanes act is for the caller (passes/replay/atomics.py), and so are vectors: .v2, .v4 and .v8 are elements by
themselves. Scope, order and cache policy change no value."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.instructions import BITS, INT32, INT64, WIDTH
from volta_pipe.passes.replay.bits import U64, masked, number
from volta_pipe.passes.replay.meaning.arithmetic import is_float
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, meaning_for, meaning_of

Array = np.ndarray[Any, np.dtype[Any]]
OPERATIONS = "add min max and or xor inc dec exch cas"
_NO_EFFECT = "relaxed acquire release acq_rel cta cluster gpu sys L2::cache_hint v2 v4 v8"


@meaning_for("atom red", lambda kind: is_float(kind) or kind in (*INT32, *INT64, *BITS))
def _atomic(s: Spelling) -> Function:
    """(old, b) or, of cas, (old, b, c) to what memory holds afterwards; the result of atom is `old`.

    The address' space is a modifier that matters: add.f32 in global memory flushes subnormals, in shared memory it does not.
    A form without a space (a generic address) is to be asked for with the one that the address lies in."""
    for word in _NO_EFFECT.split():
        s.flag(word)
    space, operation = s.one_of("global shared shared::cta"), s.one_of(OPERATIONS)
    s.need(space != "", "has no concrete meaning without a state space")
    s.need(len(s.types) == 1 and operation != "")
    if is_float(s.type):
        return _float_sum(s, operation, space)
    width = WIDTH[s.type]
    s.need((s.type in BITS) == (operation in ("and", "or", "xor", "exch", "cas")), "has another type than the operation's")
    if operation in ("add", "min", "max", "and", "or", "xor"):
        return meaning_of(operation, [], [s.type]).function
    if operation == "exch":
        return lambda old, b: (masked(b, width),)
    if operation == "cas":
        return lambda old, b, c: (np.where(masked(old, width) == masked(b, width), masked(c, width), masked(old, width)),)
    s.need(s.type == "u32", "has another type than the operation's")
    if operation == "inc":
        return lambda old, b: (np.where(number(old, "u", 32) >= number(b, "u", 32), U64(0), masked(old + U64(1), 32)),)

    def decrement(old: Array, b: Array) -> tuple[Array, ...]:
        x, y = number(old, "u", 32), number(b, "u", 32)
        return (np.where((x == 0) | (x > y), y, x - U64(1)),)

    return decrement


def _float_sum(s: Spelling, operation: str, space: str) -> Function:
    """add of floats, to nearest even. The order of the lanes is open, and with it the last bits of a sum."""
    s.need(operation == "add", "has an operation that its type has not")
    kept = s.flag("noftz")
    s.need(not kept or s.type not in ("f32", "f64", "f32x2"), "has .noftz, which its type has not")
    s.approximate = True
    return meaning_of("add", ["ftz"] if s.type == "f32" and space == "global" else [], [s.type]).function
