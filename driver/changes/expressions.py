"""Which output elements have another expression in one graph than in another, and where two expressions first differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.driver.changes.numbering import Numbering
from volta_pipe.ir.fold import Store
from volta_pipe.ir.graph import FIXED, Conditions, Graph, Int32
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.share import share

Array = np.ndarray[Any, np.dtype[Any]]
# Operators whose first two operands may be exchanged.
_COMMUTES = {Node.ADD, Node.MUL, Node.FMA, Node.MIN, Node.MAX, Node.EQ, Node.NE, Node.AND, Node.OR, Node.XOR}


@dataclass(frozen=True)
class TensorChanges:
    """Of one output: `differ`, `gone` (only old writes them), `come`: int64, row-major elements; `written`: how many elements
    either side writes."""

    tensor: str
    differ: Array
    gone: Array
    come: Array
    written: int

    @property
    def count(self) -> int:
        return len(self.differ) + len(self.gone) + len(self.come)


@dataclass(frozen=True)
class ExpressionChanges:
    """`both`: the graphs of both sides as one, in which equal expressions are one node, with the roots of old and of new by
    tensor; `tensors`: what differs of each output; `other`: names of what else differs."""

    both: Graph
    tensors: tuple[str, ...]
    scalars: tuple[str, ...]
    old: dict[str, Int32]
    new: dict[str, Int32]
    outputs: tuple[TensorChanges, ...]
    other: tuple[str, ...]

    @property
    def count(self) -> int:
        return sum(one.count for one in self.outputs)

    def side(self, which: str) -> Conditions:
        """What `old` or `new` computes, over the common graph."""
        roots = self.old if which == "old" else self.new
        outputs = {self.tensors.index(name): column for name, column in roots.items()}
        return Conditions(self.both, outputs, self.tensors, self.scalars)


def expression_changes(old: Conditions, new: Conditions, numbers: Numbering | None = None) -> ExpressionChanges:
    """Compares the expressions of two sides by structure; inputs correspond by their tensors' names, and elements by index
    where `numbers` says how both sides number them, else by their numbers. Operands of sums, products and the like may be
    exchanged, which is no difference over the reals."""
    if numbers is not None:
        old, new = numbers.conditions("old", old), numbers.conditions("new", new)
    tensors = tuple(dict.fromkeys([*old.tensors, *new.tensors]))
    scalars = tuple(dict.fromkeys([*old.scalars, *new.scalars]))
    store, shift = _joined(old, new, tensors, scalars)
    roots = [*old.outputs.values(), *(_moved(column, shift) for column in new.outputs.values())]
    both, columns = share(store, roots, spent=True)
    mine = {old.tensors[number]: column for number, column in zip(old.outputs, columns, strict=False)}
    its = {new.tensors[number]: column for number, column in zip(new.outputs, columns[len(mine) :], strict=True)}
    outputs = tuple(_of_tensor(name, mine.get(name), its.get(name)) for name in dict.fromkeys([*mine, *its]))
    other = tuple(
        word
        for word, name in (("assumptions", "assumptions"), ("dtypes", "tensor_types"), ("dtypes of scalars", "scalar_types"))
        if getattr(old, name) != getattr(new, name)
    )
    return ExpressionChanges(both, tensors, scalars, mine, its, outputs, other)


def first_difference(graph: Graph, left: int, right: int) -> tuple[int, int, int]:
    """(part of left, part of right, how deep they lie) where two different expressions of one graph first differ in themselves,
    in the order of reading: their operators, or their leaves."""
    depth = 0
    while graph.op[left] == graph.op[right] and graph.operands(left):
        ours, theirs = graph.operands(left), graph.operands(right)
        pairs = list(zip(ours, theirs, strict=True))
        if int(graph.op[left]) in _COMMUTES:
            pairs = _fitting(graph, ours, theirs) + pairs[2:]
        left, right = next(pair for pair in pairs if pair[0] != pair[1])
        depth += 1
    return left, right, depth


def _fitting(graph: Graph, ours: tuple[int, ...], theirs: tuple[int, ...]) -> list[tuple[int, int]]:
    """Pairs of the first two operands, which may be exchanged: so that one is the same on both sides, or has the operator."""
    straight, crossed = [(ours[0], theirs[0]), (ours[1], theirs[1])], [(ours[0], theirs[1]), (ours[1], theirs[0])]
    same = [sum(a == b for a, b in pairs) for pairs in (straight, crossed)]
    if same[0] == same[1]:
        same = [sum(bool(graph.op[a] == graph.op[b]) for a, b in pairs) for pairs in (straight, crossed)]
    return crossed if same[1] > same[0] else straight


def _moved(column: Array, shift: int) -> Int32:
    """Node numbers of the second graph in the joined one; the fixed nodes are the same."""
    return np.where(column >= FIXED, column + shift, column).astype(np.int32)


def _joined(old: Conditions, new: Conditions, tensors: tuple[str, ...], scalars: tuple[str, ...]) -> tuple[Store, int]:
    """The nodes of both graphs one after the other, with common numbers of tensors, scalars and constants."""
    bits, number = np.unique(np.concatenate([old.graph.constants, new.graph.constants]).view(np.int64), return_inverse=True)
    columns: list[tuple[Array, Array, Array, Array]] = []
    shift = len(old.graph) - FIXED
    for side, first, constants in (
        (old, 0, number[: len(old.graph.constants)]),
        (new, FIXED, number[len(old.graph.constants) :]),
    ):
        op, moved = side.graph.op[first:], 0 if first == 0 else shift
        a, b, c = (_moved(column[first:], moved) for column in (side.graph.a, side.graph.b, side.graph.c))
        for kind, table in (
            (Node.LEAF, np.array([tensors.index(name) for name in side.tensors], np.int32)),
            (Node.SCALAR, np.array([scalars.index(name) for name in side.scalars], np.int32)),
            (Node.CONST, constants.astype(np.int32)),
        ):
            chosen = op == kind
            a[chosen] = table[side.graph.a[first:][chosen]]
            if kind == Node.LEAF:
                b[chosen] = side.graph.b[first:][chosen]
        columns.append((op, a, b, c))
    op, a, b, c = (np.concatenate(pair) for pair in zip(*columns, strict=True))
    none, one = np.zeros(1, np.int32), np.array([len(op)], np.int64)
    counts = np.array([len(bits), 0, 0], np.int64)
    return Store(op, a, b, c, one, bits.view(np.float64), counts, none, none, none), shift


def _of_tensor(name: str, old: Int32 | None, new: Int32 | None) -> TensorChanges:
    sizes = [0 if column is None else len(column) for column in (old, new)]
    left, right = np.zeros((2, max(sizes)), np.int32)
    for column, whole in ((old, left), (new, right)):
        if column is not None:
            whole[: len(column)] = column
    apart = left != right
    return TensorChanges(
        name,
        np.flatnonzero(apart & (left != 0) & (right != 0)),
        np.flatnonzero(apart & (right == 0)),
        np.flatnonzero(apart & (left == 0)),
        int(((left != 0) | (right != 0)).sum()),
    )
