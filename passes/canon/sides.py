"""One side's expression graph, ready for the compiled loops, and work on both sides at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.graph import ARITY_TABLE, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import renaming, signatures, walk
from volta_pipe.passes.values import read_only

Array = np.ndarray[Any, np.dtype[Any]]
_loops: Any = walk  # compiled functions: mypy does not see their arguments
_renaming: Any = renaming
_signatures: Any = signatures


class Side:
    """One graph, ready for the compiled loops: read-only columns (one compiled version each) and scratch."""

    def __init__(self, graph: Graph) -> None:
        self.columns = tuple(read_only(x) for x in (graph.op, graph.a, graph.b, graph.c))
        self.bits = read_only(np.ascontiguousarray(graph.constants).view(np.uint64))
        self.arity = read_only(ARITY_TABLE)
        self.mark = np.full(len(graph), -1, np.int32)
        self._found = np.empty(len(graph), np.int32)
        self.element = graph.b
        self.tensor = graph.a

    def signatures(self, roots: Array) -> tuple[Array, Array]:
        """Signature and taint of each root."""
        sign, taint = np.zeros(len(self.mark), np.uint64), np.zeros(len(self.mark), np.uint8)
        _signatures.signatures(*self.columns, self.bits, self.arity, sign, taint)
        return sign[roots], taint[roots]

    def tainted(self, root: int) -> bool:
        """Whether a value that was never written, NaN or an infinity is under a node."""
        order = self.reachable(root)
        self.forget(order)
        op, a = self.columns[0][order], self.columns[1][order]
        bits = self.bits[a[op == Node.CONST]]
        return bool((op == Node.UNINIT).any() or (bits & signatures.EXPONENT == signatures.EXPONENT).any())

    def inputs(self, nodes: Array) -> Array:
        """The inputs that leaves are, int64: tensor · 2^32 + element."""
        found: Array = self.tensor[nodes].astype(np.int64) << 32 | self.element[nodes]
        return found

    def reachable(self, root: int) -> Array:
        """Nodes under `root`, ascending (operands first); `mark` gets each one's place, until `forget`."""
        count = _loops.gather(*self.columns, self.arity, read_only(np.array([root], np.int32)), self.mark, self._found)
        order = np.sort(self._found[:count])
        self.mark[order] = np.arange(count, dtype=np.int32)
        return order

    def forget(self, order: Array) -> None:
        self.mark[order] = -1


def same_tree(sides: tuple[Side, Side], order: Array, roots: tuple[int, int]) -> bool:
    """The same as `identical`, where `order` is what is reachable from the first root and still marked."""
    x, y = sides
    partner = np.full(len(order), -1, np.int32)
    return bool(_renaming.same(*x.columns, x.bits, order, *y.columns, y.bits, roots[1], x.arity, x.mark, partner))


def identical(sides: tuple[Side, Side], roots: tuple[int, int]) -> bool:
    """Whether two expressions are the same tree, free of values that were never written, NaN and infinities."""
    order = sides[0].reachable(roots[0])
    tree = same_tree(sides, order, roots)
    sides[0].forget(order)
    return tree


def both(work: Callable[[int], Any]) -> list[Any]:
    """work(0) and work(1), side by side: the compiled loops release the interpreter lock."""
    found: list[Any] = [None, None]
    errors: list[BaseException | None] = [None, None]

    def call(i: int) -> None:
        try:
            found[i] = work(i)
        except BaseException as error:
            errors[i] = error

    other = threading.Thread(target=call, args=(1,))
    other.start()
    call(0)
    other.join()
    for error in errors:
        if error is not None:
            raise error
    return found
