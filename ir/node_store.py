"""The growing node columns that makers of graphs write, and the interning of constants."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from volta_pipe.ir.compiled import entry, entry_of, inner, int64, uint64
from volta_pipe.ir.graph import FIXED, FIXED_CONSTANTS
from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _OPERATORS = int64(Node.CONST), int64(Node.ADD)
# Dropped operands that are remembered; of more than these it is not known which they are.
DROPPED = 1 << 12


class Store(NamedTuple):
    """Growing columns. op, a, b, c: node columns; n: int64 [1] nodes used; values: float64 constants; counts: int64 [3], how
    many of them, how many results were indeterminate (±inf times an unknown sign, division by 0: the maker refuses), and how
    many operands folds have dropped; node_of: int32 node of constant k; table: int32 open-addressing table of constant
    numbers, -1 free, 2^m entries; dropped: int32 [DROPPED], the first of the dropped operands."""

    op: Array
    a: Array
    b: Array
    c: Array
    n: Array
    values: Array
    counts: Array
    node_of: Array
    table: Array
    dropped: Array


def new_store(capacity: int = 1 << 16) -> Store:
    """A store with the fixed nodes."""
    constants = 1 << 12
    store = Store(
        np.zeros(capacity, np.uint8), np.zeros(capacity, np.int32), np.zeros(capacity, np.int32), np.zeros(capacity, np.int32),
        np.array([1], np.int64), np.zeros(constants, np.float64), np.zeros(3, np.int64), np.zeros(constants, np.int32),
        np.full(4 * constants, -1, np.int32), np.zeros(DROPPED, np.int32),
    )  # fmt: skip
    for value in FIXED_CONSTANTS:
        constant_entry(store, value)
    if int(store.n[0]) != FIXED:
        raise AssertionError("fixed nodes are out of step")
    return store


def grown(store: Store, nodes: int, constants: int) -> Store:
    """A store with room for that many more nodes and constants (the same one where there is room already)."""
    need = int(store.n[0]) + nodes
    op, a, b, c = store.op, store.a, store.b, store.c
    if need > len(op):
        size = max(need, 2 * len(op))
        op, a, b, c = (np.concatenate([x, np.zeros(size - len(x), x.dtype)]) for x in (op, a, b, c))
    values, node_of, table = store.values, store.node_of, store.table
    need = int(store.counts[0]) + constants
    if need > len(values):
        size = 1 << (max(need, 2 * len(values)) - 1).bit_length()
        values, node_of = (np.concatenate([x, np.zeros(size - len(x), x.dtype)]) for x in (values, node_of))
        table = np.full(4 * size, -1, np.int32)
        _rehash(values, int(store.counts[0]), table)
    return Store(op, a, b, c, store.n, values, store.counts, node_of, table, store.dropped)


@inner
def _slot(bits: int, table: Array) -> int:
    mixed = uint64(bits) * uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> uint64(29)
    return int64(mixed & uint64(len(table) - 1))


@entry
def _rehash(values: Array, count: int, table: Array) -> None:
    bits = values.view(np.int64)
    for k in range(count):
        slot = _slot(bits[k], table)
        while table[slot] >= 0:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = k


@inner
def constant(store: Store, value: float) -> int:
    """The node of a constant; -0 is 0 over the reals, and there is one NaN."""
    if value == 0.0:
        value = 0.0
    count = store.counts[0]
    store.values[count] = value if value == value else np.nan  # noqa: PLR0124 (NaN test)
    bits = store.values.view(np.int64)
    key = bits[count]
    slot = _slot(key, store.table)
    while store.table[slot] >= 0:
        k = store.table[slot]
        if bits[k] == key:
            return int64(store.node_of[k])
        slot = (slot + 1) & (len(store.table) - 1)
    node = store.n[0]
    store.op[node] = _CONST
    store.a[node] = count
    store.b[node] = 0
    store.c[node] = 0
    store.n[0] = node + 1
    store.table[slot] = count
    store.node_of[count] = node
    store.counts[0] = count + 1
    return int64(node)


@inner
def append(store: Store, op: int, x: int, y: int, z: int) -> int:
    """Appends a node as it is."""
    node = store.n[0]
    store.op[node] = op
    store.a[node] = x
    store.b[node] = y
    store.c[node] = z
    store.n[0] = node + 1
    return int64(node)


@inner
def drop(store: Store, x: int) -> None:
    """A fold leaves out an operand: what has no value then has one (0 · sqrt x), which dropped.py says."""
    if store.op[x] >= _OPERATORS:
        count = store.counts[2]
        if count < DROPPED:
            store.dropped[count] = x
        store.counts[2] = count + 1


constant_entry, append_entry = entry_of(constant), entry_of(append)
