"""Building conditions for tests: node numbers in NumPy arrays, appended column-wise without any folding."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.graph import FIXED, FIXED_CONSTANTS, Conditions, Graph
from volta_pipe.ir.nodes import ARITY, Node

Array = np.ndarray[Any, np.dtype[Any]]


class Builder:
    """A graph in the making. Methods take node numbers or arrays of them (broadcast) and give node arrays."""

    def __init__(self) -> None:
        self._columns: list[tuple[Array, Array, Array, Array]] = []
        self._count = FIXED
        self._known: dict[tuple[int, int, int], int] = {}
        self._constants = list(FIXED_CONSTANTS)
        head = np.zeros((4, FIXED), np.int32)
        head[0, 1:] = int(Node.CONST)
        head[1, 1:] = np.arange(FIXED - 1)
        self._columns.append((head[0], head[1], head[2], head[3]))

    def _append(self, op: int, x: Array, y: Array, z: Array) -> Array:
        out = np.arange(self._count, self._count + x.size, dtype=np.int32)
        self._columns.append((np.full(x.size, op, np.int32), x, y, z))
        self._count += x.size
        return out

    def _one(self, op: Node, x: int, y: int = 0) -> int:
        key = (int(op), x, y)
        if key not in self._known:
            self._known[key] = int(self._append(int(op), *(np.array([i], np.int32) for i in (x, y, 0)))[0])
        return self._known[key]

    def const(self, value: float) -> Array:
        bits = [np.float64(v).tobytes() for v in self._constants]
        key = np.float64(value + 0.0).tobytes()
        if key in bits:
            index = bits.index(key)
            return np.array(index + 1 if index < FIXED - 1 else self._one(Node.CONST, index), np.int32)
        self._constants.append(value)
        return np.array(self._one(Node.CONST, len(self._constants) - 1), np.int32)

    def leaf(self, tensor: int, elements: Any) -> Array:
        """LEAF nodes of a tensor, each made once."""
        elements = np.asarray(elements)
        nodes = [self._one(Node.LEAF, tensor, int(e)) for e in elements.ravel()]
        return np.array(nodes, np.int32).reshape(elements.shape)

    def uninit(self) -> Array:
        return np.array(self._one(Node.UNINIT, 7), np.int32)

    def op(self, op: Node, *operands: Any) -> Array:
        """One node per element of the broadcast operands; floats become constants."""
        nodes = [self.const(x) if isinstance(x, float) else np.asarray(x, np.int32) for x in operands]
        if ARITY[op] != len(operands):
            raise ValueError(f"{op.name} takes {ARITY[op]} operands")
        shape = np.broadcast_shapes(*(n.shape for n in nodes))
        columns = [np.broadcast_to(n, shape).ravel() for n in nodes]
        columns += [np.zeros(columns[0].size, np.int32)] * (3 - len(columns))
        return self._append(int(op), *columns).reshape(shape)

    def scalar(self, index: int) -> Array:
        return np.array(self._one(Node.SCALAR, index), np.int32)

    def add(self, x: Any, y: Any) -> Array:
        return self.op(Node.ADD, x, y)

    def sub(self, x: Any, y: Any) -> Array:
        return self.op(Node.SUB, x, y)

    def mul(self, x: Any, y: Any) -> Array:
        return self.op(Node.MUL, x, y)

    def div(self, x: Any, y: Any) -> Array:
        return self.op(Node.DIV, x, y)

    def fma(self, x: Any, y: Any, z: Any) -> Array:
        return self.op(Node.FMA, x, y, z)

    def max(self, x: Any, y: Any) -> Array:
        return self.op(Node.MAX, x, y)

    def min(self, x: Any, y: Any) -> Array:
        return self.op(Node.MIN, x, y)

    def neg(self, x: Any) -> Array:
        return self.op(Node.NEG, x)

    def exp(self, x: Any) -> Array:
        return self.op(Node.EXP, x)

    def ex2(self, x: Any) -> Array:
        return self.op(Node.EX2, x)

    def total(self, x: Array, axis: int, op: Node = Node.ADD) -> Array:
        """Sum (or another operator) along an axis, left to right."""
        parts = np.moveaxis(x, axis, 0)
        result = parts[0]
        for part in parts[1:]:
            result = self.op(op, result, part)
        return result

    def tree(self, x: Array, axis: int, op: Node = Node.ADD) -> Array:
        """The same in a binary tree, halves apart, as reductions in shared memory do."""
        parts = np.moveaxis(x, axis, 0)
        while len(parts) > 1:
            half = (len(parts) + 1) // 2
            lower = self.op(op, parts[: len(parts) - half], parts[half:])
            parts = np.concatenate([lower, parts[len(parts) - half : half]])
        return parts[0]

    def done(
        self, outputs: dict[int, Any], tensors: tuple[str, ...] = ("Q", "K", "V", "O"), scalars: tuple[str, ...] = ("scale",)
    ) -> Conditions:
        op, x, y, z = (np.concatenate(parts) for parts in zip(*self._columns, strict=True))
        graph = Graph(op.astype(np.uint8), x, y, z, np.array(self._constants))
        roots = {t: np.asarray(nodes, np.int32).ravel() for t, nodes in outputs.items()}
        return Conditions(graph, roots, tensors, scalars)


def matrix(b: Builder, tensor: int, rows: int, columns: int) -> Array:
    return b.leaf(tensor, np.arange(rows * columns).reshape(rows, columns))


def product(b: Builder, x: Array, y: Array, *, order: str = "fma") -> Array:
    """x @ y for node matrices: an FMA chain, the same backwards, or products summed in a tree."""
    k = x.shape[1]
    if order == "tree":
        return b.tree(b.mul(x[:, :, None], y[None, :, :]), 1)
    steps = range(k) if order == "fma" else range(k - 1, -1, -1)
    total: Any = None
    for i in steps:
        xi, yi = x[:, i, None], y[None, i, :]
        total = b.mul(xi, yi) if total is None else b.fma(xi, yi, total)
    return total


def attention(
    n: int, keys: int, d: int, *, block: int = 0, late: bool = False, mutant: str = "", exp: str = "exp", shifted: bool = True
) -> Conditions:
    """softmax(scale · Q Kᵀ) V. block 0: naive, two passes, the first of which finds the largest score if
    `shifted`; else FlashAttention-1 order, which divides by l in each block, or, if `late`, FlashAttention-2 order, which does
    it once."""
    b = Builder()
    q, k, v = matrix(b, 0, n, d), matrix(b, 1, keys, d), matrix(b, 2, keys, d)
    scale = b.scalar(0)
    s = b.mul(product(b, q, k.T if mutant != "swapped" else k[::-1].T), scale)

    def power(x: Array) -> Array:
        return b.exp(x) if exp == "exp" else b.ex2(b.mul(x, float(np.float32(1.4426950408889634))))

    if not block:
        e = power(b.sub(s, b.total(s, 1, Node.MAX)[:, None]) if shifted else s)
        total = b.total(e, 1)
        p = b.div(e, total[:, None])
        return b.done({3: product(b, p, v)})
    m = l = o = None
    for start in range(0, keys, block):
        part = s[:, start : start + block]
        new_m = b.total(part, 1, Node.MAX)
        new_m = new_m if m is None else b.max(m, new_m)
        p = power(b.sub(part, new_m[:, None]))
        here = product(b, p, v[start : start + block])
        new_l = b.tree(p, 1)
        if m is not None:
            old = power(b.sub(m, new_m))
            new_l = b.fma(old, l, new_l)
            scaled = old if late else b.mul(old, l)
            before = b.mul(scaled[:, None] if mutant != "rescale" else l[:, None], o)
            here = b.add(before, here)
        o = here if late else b.div(here, new_l[:, None])
        m, l = new_m, new_l
    return b.done({3: b.div(o, l[:, None]) if late else o})


def matmul(n: int, m: int, k: int, *, order: str = "fma") -> Conditions:
    b = Builder()
    return b.done({3: product(b, matrix(b, 0, n, k), matrix(b, 1, k, m), order=order)})


def pair(x: Any, y: Any, b: Builder, c: Builder) -> tuple[Conditions, Conditions]:
    """Two roots as the only element of tensor 3."""
    return b.done({3: x}), c.done({3: y})
