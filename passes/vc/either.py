"""Choices between known bits (EITHER, see contents.py): x > 0 ? 1 : 0 is an integer or a float, as whoever reads it takes it.

A choice of choices is kept, a deeper one is not."""

from __future__ import annotations

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, append, emit
from volta_pipe.ir.graph import ONE, ZERO
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.vc.values import FAIL, bits_node, bits_of, is_bits

_EITHER, _MASK, _AND, _OR, _XOR, _NOT = (int64(n) for n in (Node.EITHER, Node.MASK, Node.AND, Node.OR, Node.XOR, Node.NOT))
_O_AND, _O_OR, _O_XOR, _O_NOT = (int64(o) for o in (Op.AND, Op.OR, Op.XOR, Op.NOT))
_NO = int64(0)


@inner
def is_choice(store: Store, node: int) -> bool:
    """Whether contents are a choice of known bits (not of choices)."""
    return bool(store.op[node] == _EITHER and is_bits(store, int64(store.b[node])) and is_bits(store, int64(store.c[node])))


@inner
def either(store: Store, p: int, x: int, y: int, width: int) -> int:
    """x where p holds, else y, of contents of at most 32 bits that are known or choices of known ones; else FAIL."""
    if width > 32 or not (is_bits(store, x) or is_choice(store, x)) or not (is_bits(store, y) or is_choice(store, y)):
        return FAIL
    if is_bits(store, x) and is_bits(store, y):
        ones = (int64(1) << width) - 1
        u, v = bits_of(store, x) & ones, bits_of(store, y) & ones
        if u == v:
            return x
        if u == ones and v == 0:
            return append(store, _MASK, p, _NO, width)
        x, y = bits_node(store, u), bits_node(store, v)  # zeros are above
    elif width < 32:
        return FAIL
    return append(store, _EITHER, p, x, y)


@inner
def _combined(store: Store, op: int, x: int, y: int) -> int:
    """A bitwise function of known bits."""
    u, v = bits_of(store, x), bits_of(store, y)
    return bits_node(store, u & v if op == _O_AND else u | v if op == _O_OR else u ^ v if op == _O_XOR else ~u)


@inner
def choice_logic(store: Store, op: int, width: int, a: int, b: int) -> int:
    """and, or, xor and not of choices, or of one and known bits, in 16 or 32 bits; FAIL for anything else."""
    if op != _O_AND and op != _O_OR and op != _O_XOR and op != _O_NOT:
        return FAIL
    if not is_choice(store, a):
        a, b = b, a
    if not is_choice(store, a) or not (is_bits(store, b) or is_choice(store, b)):
        return FAIL
    p, x, y = int64(store.a[a]), int64(store.b[a]), int64(store.c[a])
    if op == _O_NOT or is_bits(store, b):
        return either(store, p, _combined(store, op, x, b), _combined(store, op, y, b), width)
    q, z, w = int64(store.a[b]), int64(store.b[b]), int64(store.c[b])
    both, first = _combined(store, op, x, z), _combined(store, op, x, w)
    second, none = _combined(store, op, y, z), _combined(store, op, y, w)
    s, t, u, v = bits_of(store, both), bits_of(store, first), bits_of(store, second), bits_of(store, none)
    if t == u and u == v:
        return either(store, emit(store, _AND, p, q, _NO), both, none, width)
    if s == t and t == u:
        return either(store, emit(store, _OR, p, q, _NO), both, none, width)
    if s == v and t == u:
        return either(store, emit(store, _XOR, p, q, _NO), first, none, width)
    return either(store, p, either(store, q, both, first, width), either(store, q, second, none, width), width)


@inner
def where(store: Store, p: int, first: bool, second: bool) -> int:
    """The predicate that is `first` where p holds, else `second`."""
    if first == second:
        return int64(ONE if first else ZERO)
    return p if first else emit(store, _NOT, p, _NO, _NO)
