"""The tape: the store that a trace fills, and the compiled loops that put nodes on it, one call for a whole array."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import numpy as np

from volta_pipe.ir.compiled import allocating, inner_allocating
from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.fold import NODES_PER_EMIT, Array, Store, append, constant, emit, grown, new_store
from volta_pipe.ir.graph import Int32
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace.spec import SpecSource

_CONST, _MUL, _FMA = int(Node.CONST), int(Node.MUL), int(Node.FMA)


def _plain(values: Any, dtype: Any = np.int32) -> Array:
    """Contiguous and writable: one type, for which the loops below are compiled once."""
    return np.require(values, dtype, ["C", "W"])


class Tape:
    """One trace's store. Node arrays are int32 of any shape; methods broadcast them as NumPy does."""

    def __init__(self, spec: SpecSource) -> None:
        self.spec = spec
        self.store = new_store()
        self.assumptions: set[str] = set()
        self.refused: UnsupportedError | None = None
        # By node: what it was wrapped from, and modulo how many bits; 0 for what was not wrapped.
        self._wrapped = np.zeros(0, np.int32)
        self._modulo = np.zeros(0, np.uint8)

    def refuse(self, message: str) -> NoReturn:
        """Raises UnsupportedError at the line of the spec that is running: NumPy may well do it, a proof cannot."""
        error = UnsupportedError(message, self.spec.frame_place(sys._getframe()))
        self.refused = self.refused or error
        raise error

    def check_refused(self) -> None:
        """Raises the first refusal, for a spec that caught it: on plain arrays it would have gone on there."""
        if self.refused is not None:
            raise self.refused

    def check(self, what: str) -> None:
        """Refuses if a result since the last check is no real number and no known infinity."""
        if self.store.counts[1] > 0:
            self.store.counts[1] = 0
            self.refuse(
                f"{what}: a result is indeterminate (division by zero, infinity times a value of unknown sign, "
                "or a NaN in maximum or minimum)"
            )

    def _grow(self, nodes: int = 1 << 12) -> None:
        self.store = grown(self.store, nodes, nodes)

    def inputs(self, op: Node, a: Any, b: Any) -> Int32:
        """Nodes of LEAF or SCALAR, unchanged by folds; a, b: integer arrays [n]."""
        out = np.empty(len(b), np.int32)
        self._grow(len(b))
        _append_many(self.store, int(op), _plain(np.broadcast_to(a, out.shape)), _plain(b), out)
        return out

    def remember(self, nodes: Int32, raw: Int32, bits: int) -> None:
        """`nodes` are `raw` modulo 2^bits."""
        size = int(self.store.n[0])
        if size > len(self._wrapped):
            more = max(size, 2 * len(self._wrapped)) - len(self._wrapped)
            self._wrapped = np.concatenate([self._wrapped, np.zeros(more, np.int32)])
            self._modulo = np.concatenate([self._modulo, np.zeros(more, np.uint8)])
        self._wrapped[nodes], self._modulo[nodes] = np.broadcast_to(raw, np.shape(nodes)), bits

    def remembered(self, nodes: Int32, bits: int) -> Int32:
        """Nodes that are congruent to `nodes` modulo 2^bits: what they were wrapped from."""
        if not len(self._wrapped):
            return nodes
        index = np.minimum(nodes, len(self._wrapped) - 1)
        known = (self._modulo[index] >= bits) & (index == nodes)
        return np.where(known, self._wrapped[index], nodes).astype(np.int32)

    def constants(self, values: Any) -> Int32:
        """Nodes of float64 values, in their shape."""
        flat = _plain(values, np.float64).reshape(-1)
        out = np.empty(len(flat), np.int32)
        done = 0
        while done < len(flat):
            self._grow()
            done = _constant_many(self.store, flat, out, done)
        return out.reshape(np.shape(values))

    def emit(self, op: Node, x: Any, y: Any = 0, z: Any = 0) -> Int32:
        """op(x, y, z) elementwise after folds."""
        shape = np.broadcast_shapes(*map(np.shape, (x, y, z)))
        x, y, z = (_plain(np.broadcast_to(v, shape)).reshape(-1) for v in (x, y, z))
        out = np.empty(x.size, np.int32)
        done = 0
        while done < len(out):
            self._grow()
            done = _emit_many(self.store, int(op), (x, y, z), out, done)
        return out.reshape(shape)

    def chain(self, op: Node, x: Int32) -> Int32:
        """All prefixes ((x0 op x1) op x2) … along the last axis, in the shape of x."""
        out: Int32 = np.array(x, np.int32, order="C")
        flat = out.reshape(-1)
        width = x.shape[-1] if x.ndim else 1
        done = 0
        while done < len(flat):
            self._grow()
            done = _chain_many(self.store, int(op), flat, max(width, 1), done)
        return flat.reshape(x.shape)

    def products(self, x: Int32, y: Int32) -> Int32:
        """Sums of products, int32 [batch, m, n], of x [batch, m, k] and y [batch, n, k], k > 0: a product, then fma's."""
        x, y = _plain(x), _plain(y)
        out = np.empty((x.shape[0], x.shape[1], y.shape[1]), np.int32)
        flat = out.reshape(-1)
        done = 0
        # Room for a node a term at once: growing bit by bit would copy all of it several times.
        self.store = grown(self.store, len(flat) * x.shape[2], 0)
        while done < len(flat):
            self._grow(NODES_PER_EMIT * x.shape[2] + (1 << 12))
            done = _product_many(self.store, x, y, flat, done)
        return out


@inner_allocating
def _room(store: Store) -> Any:
    """How many more nodes, and as many constants, fit."""
    return min(len(store.op) - store.n[0], len(store.values) - store.counts[0])


@inner_allocating
def _wide(node: Any) -> Any:
    """int64, so that `emit` is compiled for one type only."""
    return np.int64(node)


@allocating
def _append_many(store: Store, op: int, a: Array, b: Array, out: Array) -> None:
    for i in range(len(out)):
        out[i] = append(store, op, a[i], b[i], 0)


@allocating
def _constant_many(store: Store, values: Array, out: Array, done: int) -> int:
    """From `done` on; returns where it stopped for want of room (so do the loops below)."""
    for i in range(done, len(values)):
        if _room(store) < NODES_PER_EMIT:
            return i
        out[i] = constant(store, values[i])
    return len(values)


@allocating
def _emit_many(store: Store, op: int, operands: tuple[Array, Array, Array], out: Array, done: int) -> int:
    x, y, z = operands
    for i in range(done, len(out)):
        if _room(store) < NODES_PER_EMIT:
            return i
        out[i] = emit(store, op, _wide(x[i]), _wide(y[i]), _wide(z[i]))
    return len(out)


@allocating
def _chain_many(store: Store, op: int, out: Array, width: int, done: int) -> int:
    for i in range(done, len(out)):
        if _room(store) < NODES_PER_EMIT:
            return i
        if i % width > 0:
            out[i] = emit(store, op, _wide(out[i - 1]), _wide(out[i]), _wide(0))
    return len(out)


@allocating
def _product_many(store: Store, x: Array, y: Array, out: Array, done: int) -> int:
    terms = x.shape[2]
    rows = x.shape[1]
    columns = y.shape[1]
    for i in range(done, len(out)):
        if _room(store) < NODES_PER_EMIT * terms:
            return i
        batch = i // (rows * columns)
        row = i // columns % rows
        column = i % columns
        total = emit(store, _MUL, _wide(x[batch, row, 0]), _wide(y[batch, column, 0]), _wide(0))
        for k in range(1, terms):
            left, right = x[batch, row, k], y[batch, column, k]
            if store.op[left] != _CONST and store.op[right] != _CONST and store.op[total] != _CONST:
                # Nothing folds, as `emit` would find; saves two thirds of the time.
                node = store.n[0]
                store.op[node] = _FMA
                store.a[node] = left
                store.b[node] = right
                store.c[node] = total
                store.n[0] = node + 1
                total = node
                continue
            total = emit(store, _FMA, _wide(left), _wide(right), total)
        out[i] = total
    return len(out)
