"""Nodes of two graphs that are the same tree: the form of one is that of the other, and is made once."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry, inner, int64
from volta_pipe.ir.graph import ARITY_TABLE, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.values import read_only

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR)
_ROOM = 1 << 12  # trees to begin with


class Trees:
    """Numbers of trees, from 1, told apart by structure: equal numbers are equal trees whose nodes get names alike. A number is
    never used again: a tree that was forgotten is a new one when it is met."""

    def __init__(self) -> None:
        self.count = 0
        self.node = np.zeros(_ROOM, np.int32)  # of the first graph, by number; 0 for none
        self.keys = np.zeros((_ROOM, 4), np.int32)
        self.slots = np.zeros(4 * _ROOM, np.int32)

    def forget(self) -> None:
        self.node[:] = 0
        self.slots[:] = 0

    def reserve(self, more: int) -> None:
        if self.count + more < len(self.node):
            return
        room = 1 << (self.count + more).bit_length()
        node, keys = np.zeros(room, np.int32), np.zeros((room, 4), np.int32)
        node[: len(self.node)], keys[: len(self.keys)] = self.node, self.keys
        kept = self.slots[self.slots > 0]
        self.node, self.keys, self.slots = node, keys, np.zeros(4 * room, np.int32)
        loops: Any = _enter  # mypy does not see the arguments of compiled loops
        loops(self.keys, self.slots, kept)


class Numbered:
    """The trees under nodes of one graph. first: whether it is the graph that the other one looks into; limits: uint8 [n], with
    how many terms a node gets a name (uses.py), which its form depends on."""

    def __init__(self, graph: Graph, trees: Trees, limits: Array, *, first: bool) -> None:
        self._trees = trees
        self._first = first
        bits = np.ascontiguousarray(graph.constants).view(np.int32)
        self._columns = tuple(read_only(x) for x in (graph.op, graph.a, graph.b, graph.c, ARITY_TABLE, bits, limits))
        self._number = np.zeros(len(graph), np.int32)

    def forget(self) -> None:
        if self._first:
            self._trees.forget()

    def number(self, order: Array) -> None:
        """Numbers nodes, int32 [k], operands first; operands that are not among them have their numbers."""
        t = self._trees
        t.reserve(len(order))
        loops: Any = _number
        t.count = int(loops(*self._columns, order, self._number, t.keys, t.slots, t.node, t.count, self._first))

    def twins(self, order: Array) -> Array:
        """Of each node the one of the first graph with the same tree, or 0."""
        return self._trees.node[self._number[order]]


@inner
def _slot(keys: Array, slots: Array, x: Any, y: Any, z: Any, w: Any) -> int:
    """The slot of a tree, or the one that it goes into."""
    h = np.uint64(np.uint32(x)) * np.uint64(0x9E3779B97F4A7C15)
    for part in (y, z, w):
        h ^= h >> np.uint64(29)
        h = (h ^ np.uint64(np.uint32(part))) * np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(32)
    slot = int64(h & np.uint64(len(slots) - 1))
    while slots[slot] > 0:
        k = slots[slot]
        if keys[k, 0] == x and keys[k, 1] == y and keys[k, 2] == z and keys[k, 3] == w:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return int(slot)


@entry
def _enter(keys: Array, slots: Array, trees: Array) -> None:
    for k in trees:
        slots[_slot(keys, slots, keys[k, 0], keys[k, 1], keys[k, 2], keys[k, 3])] = k


@entry
def _number(
    op: Array, a: Array, b: Array, c: Array, arity: Array, bits: Array, limits: Array,
    order: Array, number: Array, keys: Array, slots: Array, node: Array, count: int, first: bool,
) -> int:  # fmt: skip
    """The key of a tree is its operator with the terms from which it gets a name, and the numbers of its operands; bits: int32
    views of the constants, two each."""
    for v in order:
        o = op[v]
        x = np.int32(o) | np.int32(limits[v]) << np.int32(8)
        y, z, w = np.int32(0), np.int32(0), np.int32(0)
        if o == _CONST:
            y, z = bits[2 * a[v]], bits[2 * a[v] + 1]
        elif o == _LEAF:
            y, z = a[v], b[v]
        elif o == _SCALAR:
            y = a[v]
        elif arity[o] == 0:  # a value that was never written is equal to nothing
            y, z = np.int32(v), np.int32(1 + first)
        else:
            y = number[a[v]]
            if arity[o] > 1:
                z = number[b[v]]
            if arity[o] > 2:
                w = number[c[v]]
        slot = _slot(keys, slots, x, y, z, w)
        if slots[slot] == 0:
            count += 1
            keys[count, 0], keys[count, 1], keys[count, 2], keys[count, 3] = x, y, z, w
            slots[slot] = count
            node[count] = v if first else 0
        number[v] = slots[slot]
    return int(count)
