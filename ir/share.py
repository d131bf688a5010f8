"""Sharing: only what the roots reach, each term once, renumbered in the order of creation.

One backward pass marks, one forward pass hash-conses. Terms are compared by their columns: equal hashes merge nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating, inner, inner_allocating, int64
from volta_pipe.ir.fold import Array, Store
from volta_pipe.ir.graph import ARITY_TABLE, FIXED, NONE, Graph, Int32
from volta_pipe.ir.nodes import Node

_CONST, _LEAF, _ROUND = int(Node.CONST), int(Node.LEAF), int(Node.ROUND)
# uint8 [256]: 1 where the first two operands of an operator may be exchanged.
COMMUTES = np.zeros(256, np.uint8)
COMMUTES[[Node.ADD, Node.MUL, Node.FMA, Node.MIN, Node.MAX, Node.EQ, Node.NE, Node.AND, Node.OR, Node.XOR]] = 1
# uint8 [2, 256] by operator code: how many of the columns a, b, c hold operands, and how many mean something at all.
SHAPE = np.stack([ARITY_TABLE, ARITY_TABLE])
for _node, _used in ((Node.CONST, 1), (Node.LEAF, 2), (Node.SCALAR, 1), (Node.UNINIT, 1), (Node.BITS, 2)):
    SHAPE[1, _node] = _used
SHAPE[1, Node.NARROW] = SHAPE[1, Node.BITSHL] = 2
SHAPE[1, [Node.PART, Node.PACK, Node.SIGNED, Node.SIGNS, Node.MASK]] = 3
# A table's entry: the upper half of a term's hash over its number; 0 is a free entry.
_NUMBER = np.uint64(0xFFFFFFFF)


def share(store: Store, roots: Sequence[Int32], *, spent: bool = False) -> tuple[Graph, list[Int32]]:
    """The graph of what `roots` (int32 arrays of any shape; 0 stays 0) reach in `store`, and the roots renumbered.

    Equal operator and operands become one node, and a ROUND what it rounds, which is the same real number; nodes and constants
    are numbered in order of creation and first use; the fixed nodes stay 0..5. Operands must precede their node, as all makers
    of nodes see to. `store` is left as it is, unless it is `spent`: then the graph takes its place, as memory that was never
    touched costs more than the work itself."""
    size = int(store.n[0])
    marks, number = np.zeros(size, np.uint8), np.empty(size, np.int32)
    for column in roots:
        marks[column] = 1
    room = mark(store, SHAPE[0], marks) + FIXED
    oldest = np.zeros(room, np.int32)
    if spent:
        op, a, b, c = store.op, store.a, store.b, store.c
    else:
        op = np.zeros(room, np.uint8)
        a, b, c = (np.zeros(room, np.int32) for _ in range(3))
    constants = np.zeros(int(store.counts[0]), np.float64)
    old = (store.op, _natural(store.a), _natural(store.b), _natural(store.c), store.values)
    new = (op, _natural(a), _natural(b), _natural(c), constants, _natural(oldest))
    made, known = _rebuild(old, SHAPE, marks, _natural(number), new)
    graph = Graph(op[:made], a[:made], b[:made], c[:made], constants[:known].copy())
    return graph, [number[column] for column in roots]


def _natural(column: Int32) -> Array:
    """The same numbers without a sign: an index that may be negative costs the loops a test each time (measured: three times as
    long in all)."""
    return column.view(np.uint32)


@allocating
def mark(store: Store, arity: Array, marks: Array) -> int:
    """Sets marks[i] (uint8) to 1 for every operand reached; returns how many are marked."""
    live = 0
    for node in range(len(marks) - 1, NONE, -1):
        if marks[node] == 0:
            continue
        live += 1
        operands = arity[store.op[node]]
        if operands > 0:
            marks[np.uint32(store.a[node])] = 1
        if operands > 1:
            marks[np.uint32(store.b[node])] = 1
        if operands > 2:
            marks[np.uint32(store.c[node])] = 1
    return live


@inner_allocating
def _hash(op: Any, x: Any, y: Any, z: Any) -> Any:
    """64 well-mixed bits of a term (multipliers: the golden ratio, and those of splitmix64's finaliser)."""
    h = (np.uint64(x) << np.uint64(32)) ^ np.uint64(y)
    h = (h ^ (np.uint64(op) << np.uint64(56))) * np.uint64(0x9E3779B97F4A7C15)
    h ^= h >> np.uint64(30)
    h = (h + np.uint64(z)) * np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(27)
    h *= np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@allocating
def _rebuild(old: tuple[Array, ...], shape: Array, marks: Array, number: Array, new: tuple[Array, ...]) -> tuple[int, int]:
    """Fills `new` (op, a, b, c, constants, oldest) from what is marked in `old` (op, a, b, c, values), and `number` with the
    new numbers of that. The first four columns of both may be the same: no new number is larger than the old one.

    oldest[y] is the first term whose youngest operand is y (0: none yet), where operands that have operands themselves count
    as younger than leaves: the total that a step of a sum adds to is used there and nowhere else, its factors in many places.
    Most terms of a long sum are that, and the entries of neighbours lie together. Other terms are in a table, where each is a
    miss of the cache (measured on a matrix product whose threads have eight sums each: eight times as long with all in the
    table), and which grows, because one with room for all of them would be a page fault for each.

    Of operands that may be exchanged, which makes a + b and b + a one node, the one with the smaller operator comes first, then
    leaves by tensor and element, so that the same product in two places has the same order of factors and the classes of
    `canon` stay few, then the one with the smaller number."""
    old_op, old_a, old_b, old_c, values = old
    op, a, b, c, constants, oldest = new
    table = np.zeros(1 << 14, np.uint64)
    taken = 0
    constant_of = np.full(len(constants), -1, np.int32)
    made: Any = np.uint32(1)
    known: Any = np.uint32(0)
    number[NONE] = NONE
    for node in range(1, len(number)):
        if marks[node] == 0 and node >= FIXED:
            continue
        code = old_op[node]
        x: Any = old_a[node]
        y: Any = old_b[node]
        z: Any = old_c[node]
        if code == _ROUND:
            number[node] = number[x]
            continue
        if code == _CONST:
            if constant_of[x] < 0:
                constant_of[x] = known
                constants[known] = values[x]
                known += np.uint32(1)
            x = np.uint32(constant_of[x])
        operands = shape[0, code]
        used = shape[1, code]
        youngest = inside = np.uint32(0)
        op_x = op_y = np.uint8(0)
        if operands > 0:
            youngest = x = number[x]
            op_x = op[x]
            if shape[0, op_x] > 0:
                inside = x
        if operands > 1:
            y = number[y]
            op_y = op[y]
            youngest = max(youngest, y)
            if shape[0, op_y] > 0:
                inside = max(inside, y)
        if operands > 2:
            z = number[z]
            youngest = max(youngest, z)
            if shape[0, op[z]] > 0:
                inside = max(inside, z)
        key = inside if inside > 0 else youngest
        if COMMUTES[code]:
            if op_x != op_y:
                swap = op_y < op_x
            elif op_x != _LEAF:
                swap = y < x
            else:
                swap = a[y] < a[x] if a[x] != a[y] else b[y] < b[x]
            if swap:
                x, y = y, x
        if used < 3:
            z = np.uint32(0)
        if used < 2:
            y = np.uint32(0)
        if used < 1:
            x = np.uint32(0)
        first = oldest[key] if operands > 0 else np.uint32(0)
        if first != 0 and op[first] == code and a[first] == x and b[first] == y and c[first] == z:
            number[node] = first
            continue
        op[made] = code
        a[made] = x
        b[made] = y
        c[made] = z
        if operands > 0 and first == 0:
            oldest[key] = made
        else:
            h = _hash(code, x, y, z)
            slot = _slot(table, h, op, a, b, c, made)
            if table[slot] != 0:
                number[node] = np.uint32(table[slot] & _NUMBER)
                continue
            table[slot] = h & ~_NUMBER | np.uint64(made)
            taken += 1
            if 2 * taken > len(table):
                table = _doubled(table, op, a, b, c)
        number[node] = made
        made += np.uint32(1)
    return made, known


@inner
def _slot(table: Array, h: Any, op: Array, a: Array, b: Array, c: Array, term: Any) -> int:
    """Where in `table` the term with hash `h` is, or the free slot for it."""
    mask = np.uint64(len(table) - 1)
    slot = np.uint64(h) & mask
    while table[slot] != 0:
        if table[slot] & ~_NUMBER == h & ~_NUMBER:
            k = table[slot] & _NUMBER
            if op[k] == op[term] and a[k] == a[term] and b[k] == b[term] and c[k] == c[term]:
                break
        slot = (slot + np.uint64(1)) & mask
    return int64(slot)


@inner_allocating
def _doubled(table: Array, op: Array, a: Array, b: Array, c: Array) -> Array:
    """A table twice as large with the same terms."""
    larger = np.zeros(2 * len(table), np.uint64)
    for entry in table:
        if entry != 0:
            k = np.uint32(entry & _NUMBER)
            larger[_slot(larger, _hash(op[k], a[k], b[k], c[k]), op, a, b, c, k)] = entry
    return larger
