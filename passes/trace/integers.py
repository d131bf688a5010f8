"""Integer arithmetic of NumPy on symbolic arrays: exact modulo 2^bits of the dtype, as NumPy wraps.

What wraps is x − 2^n · floor(x / 2^n), with a sign x − 2^n · floor(x / 2^n + 1/2). The tape remembers the x of each such node:
sums and products need no more than what is congruent, so a sum of many terms wraps once, at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.graph import ONE, Int32
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace.tape import Tape

FITS = "floats that the spec converts to integers fit into the integers' type (NumPy leaves the others open)"
_MAX_POWER = 64
_WITH_DIVISOR = ("floor_divide", "remainder", "right_shift", "left_shift", "bitwise_and")


def is_integer(dtype: Any) -> bool:
    """Whether a NumPy dtype is of integers."""
    return bool(np.dtype(dtype).kind in "iu")


def wrap(tape: Tape, nodes: Int32, dtype: Any) -> Int32:
    """Numbers that are congruent to integers as the integers of a dtype."""
    dtype = np.dtype(dtype)
    bits = 8 * dtype.itemsize
    part = tape.emit(Node.MUL, nodes, tape.constants(2.0**-bits))
    if dtype.kind == "i":
        part = tape.emit(Node.ADD, part, tape.constants(0.5))
    turns = tape.emit(Node.MUL, tape.emit(Node.FLOOR, part), tape.constants(2.0**bits))
    wrapped = tape.emit(Node.SUB, nodes, turns)
    tape.remember(wrapped, nodes, bits)
    return wrapped


def congruent(tape: Tape, nodes: Int32, dtype: Any) -> Int32:
    """Numbers that are congruent to integers of a dtype, as short as they are known."""
    return tape.remembered(nodes, 8 * np.dtype(dtype).itemsize)


def to_integer(tape: Tape, nodes: Int32, dtype: Any) -> Int32:
    """Floats cut off to integers of a dtype; those that do not fit are assumed not to be."""
    limits = np.iinfo(dtype)
    tape.assumptions.add(FITS)
    cut = tape.emit(Node.TRUNC, nodes)
    low, high = tape.constants(float(limits.min)), tape.emit(Node.SUB, tape.constants(float(int(limits.max) + 1)), ONE)
    return tape.emit(Node.MIN, tape.emit(Node.MAX, cut, low), high)


def arithmetic(tape: Tape, name: str, nodes: list[Int32], known: Any, dtype: Any) -> Int32 | None:
    """A ufunc on integers of one dtype, or None where it has no rule. known: the second operand where it is a plain array."""
    plain = _RING.get(name)
    if plain is not None:
        return wrap(tape, plain(tape, *(congruent(tape, x, dtype) for x in nodes)), dtype)
    if name == "absolute":
        return wrap(tape, tape.emit(Node.ABS, nodes[0]), dtype)
    if known is None or (name not in _WITH_DIVISOR and name != "power"):
        return None
    known = np.asarray(known)
    if name == "power":
        return _power(tape, nodes[0], known, dtype)
    bits = 8 * np.dtype(dtype).itemsize
    if name.endswith("shift"):
        if bool(((known < 0) | (known >= bits)).any()):
            return None
        factor = tape.constants(np.exp2(known.astype(np.float64)))
        if name == "left_shift":
            return wrap(tape, tape.emit(Node.MUL, congruent(tape, nodes[0], dtype), factor), dtype)
        return tape.emit(Node.FLOOR, tape.emit(Node.DIV, nodes[0], factor))
    if name == "bitwise_and":  # with low ones
        sizes = [int(mask) + 1 for mask in known.reshape(-1)]
        if not all(size > 0 and size & (size - 1) == 0 for size in sizes):
            return None
        divisor = tape.constants(np.array(sizes, np.float64).reshape(known.shape))
    elif bool((known == 0).any()):
        return None
    else:
        divisor = nodes[1]
    floor = tape.emit(Node.FLOOR, tape.emit(Node.DIV, nodes[0], divisor))
    if name == "floor_divide":
        return wrap(tape, floor, dtype)
    return tape.emit(Node.SUB, nodes[0], tape.emit(Node.MUL, floor, divisor))


def _power(tape: Tape, x: Int32, known: Any, dtype: Any) -> Int32 | None:
    exponents = np.unique(known)
    if len(exponents) != 1 or not 1 <= int(exponents[0]) <= _MAX_POWER:
        return None
    x = congruent(tape, x, dtype)
    power = np.broadcast_to(x, np.broadcast_shapes(x.shape, known.shape))
    for _ in range(int(exponents[0]) - 1):
        power = tape.emit(Node.MUL, power, x)
    return wrap(tape, power, dtype)


_RING: dict[str, Callable[..., Int32]] = {
    "add": lambda tape, x, y: tape.emit(Node.ADD, x, y),
    "subtract": lambda tape, x, y: tape.emit(Node.SUB, x, y),
    "multiply": lambda tape, x, y: tape.emit(Node.MUL, x, y),
    "negative": lambda tape, x: tape.emit(Node.NEG, x),
    "square": lambda tape, x: tape.emit(Node.MUL, x, x),
    "invert": lambda tape, x: tape.emit(Node.SUB, tape.constants(-1.0), x),
}
