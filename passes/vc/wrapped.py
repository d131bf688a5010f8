"""Integers modulo 2^n as the number between bounds that they are as contents of n bits."""

from __future__ import annotations

from volta_pipe.ir.compiled import float64, inner, int64
from volta_pipe.ir.fold import Store, constant, emit
from volta_pipe.ir.nodes import Node

_CONST, _ADD, _SUB, _MUL, _FLOOR = (int64(n) for n in (Node.CONST, Node.ADD, Node.SUB, Node.MUL, Node.FLOOR))
_NO = int64(0)
# Integers up to here are exact in the constants of a graph.
EXACT = int64(1) << 53


@inner
def wrapped(store: Store, number: int, bits: int, signed: bool) -> int:
    """The integer of `bits` bits, with a sign or without, that is congruent to `number`, an integer, modulo 2^bits."""
    size = 2.0 ** float64(bits)
    if store.op[number] == _CONST and abs(store.values[store.a[number]]) <= float64(EXACT):
        value = int64(store.values[store.a[number]])
        if bits == 64 and (signed or value >= 0):
            return number
        if bits < 64:
            s = 64 - bits
            return constant(store, float64(value << s >> s if signed else value & ((int64(1) << bits) - 1)))
    part = emit(store, _MUL, number, constant(store, 1.0 / size), _NO)
    if signed:
        part = emit(store, _ADD, part, constant(store, 0.5), _NO)
    turns = emit(store, _FLOOR, part, _NO, _NO)
    return emit(store, _SUB, number, emit(store, _MUL, turns, constant(store, size), _NO), _NO)
