"""Classes of few elements, and what tells apart the elements of many: both need the inputs of the two sides numbered."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from volta_pipe.ir.nodes import Node
from volta_pipe.ir.renaming import Renaming
from volta_pipe.passes.canon import pairs, trees

if TYPE_CHECKING:
    from volta_pipe.passes.canon.sides import Side

Array = np.ndarray[Any, np.dtype[Any]]
_pairs: Any = pairs  # compiled functions: mypy does not see their arguments
_trees: Any = trees


class Inputs:
    """The inputs that are read, numbered by tensor and element where it is first asked for: that takes a look at all nodes.

    known: int64 [inputs], tensor · 2^32 + element, ascending; leaf: int32 [nodes] of each side, the input of a LEAF, else 0."""

    def __init__(self, sides: tuple[Side, Side]) -> None:
        self._sides = sides
        self._turn = 1

    @cached_property
    def _numbered(self) -> tuple[Array, tuple[Array, Array]]:
        where = [np.flatnonzero(side.columns[0] == Node.LEAF) for side in self._sides]
        keys = [side.inputs(nodes) for side, nodes in zip(self._sides, where, strict=True)]
        known, number = np.unique(np.concatenate(keys), return_inverse=True)
        x, y = (np.zeros(len(side.mark), np.int32) for side in self._sides)
        x[where[0]], y[where[1]] = number[: len(where[0])], number[len(where[0]) :]
        return known, (x, y)

    @cached_property
    def _place(self) -> Array:
        return np.full(len(self._numbered[0]), -1, np.int32)

    @cached_property
    def _seen(self) -> Array:
        return np.zeros(len(self._numbered[0]), np.int64)

    def signatures(self, roots: tuple[Array, Array]) -> Array:
        """uint64 [elements]: equal for elements of one class."""
        known, leaf = self._numbered
        arguments: list[Array] = []
        for side, own, root in zip(self._sides, leaf, roots, strict=True):
            n = len(side.mark)
            arguments += [*side.columns, side.bits, own, np.ascontiguousarray(root, np.int32), np.zeros(n, np.int32)]
            arguments += [np.zeros(n, np.int32), np.empty(n, np.uint64), np.empty(3 * n + 1, np.int32)]
        met, number, found = np.zeros(len(known), np.int32), np.zeros(len(known), np.int32), np.empty(len(roots[0]), np.uint64)
        _trees.trees(*arguments, self._sides[0].arity, met, number, found)
        return found

    def members(self, orders: tuple[Array, ...], roots: tuple[Array, Array], room: int) -> tuple[Array, Renaming | None]:
        """Which elements are of the first one's class, bool [elements], and the renaming, None where it takes more than `room`
        shifts. orders: nodes under the first one's roots, which `Side.mark` tells the places of."""
        known, leaf = self._numbered
        found, count = np.empty(sum(len(order) for order in orders), np.int32), 0
        for side, order, own in zip(self._sides, orders, leaf, strict=True):
            count = _pairs.gather(side.columns[0], order, own, self._place, found, count)
        met = found[:count]  # in the order in which they are met
        inputs = np.sort(met)
        self._place[inputs] = np.arange(count, dtype=np.int32)
        ok = np.ones(len(roots[0]), np.bool_)
        to = np.full((len(ok), count), -1, np.int32)
        to[0] = inputs
        if len(ok) > 1:
            for side, order, own, root in zip(self._sides, orders, leaf, roots, strict=True):
                _pairs.follow(
                    *side.columns, side.bits, side.arity, order, side.mark, own, self._place,
                    np.ascontiguousarray(root[1:], np.int32), np.empty(len(order), np.int32), to[1:], ok[1:],
                )  # fmt: skip
            _pairs.distinct(to, self._seen, self._turn, ok)
            self._turn += len(ok)
        renaming = self._renaming(known, inputs, self._place[met], to[ok], room)
        self._place[inputs] = -1
        return ok, renaming

    @staticmethod
    def _renaming(known: Array, inputs: Array, order: Array, to: Array, room: int) -> Renaming | None:
        """Patterns are numbered by the first input that has them, in `order`. to: int32 [members, inputs of the first]."""
        own = known[inputs]
        pattern, first = np.zeros(len(own), np.int32), np.zeros(len(own), np.int32)
        if len(to) == 1:
            shifts = np.zeros((min(len(own), 1), 1), np.int32)
        else:
            rows = np.ascontiguousarray((known[to] - own).T.astype(np.int32))  # of the same tensor: the difference of elements
            table = np.full(2 << len(own).bit_length(), -1, np.int32)
            shifts = rows[first[: _pairs.number_rows(rows, order, table, pattern, first)]]
        if shifts.size > room:
            return None
        return Renaming((own >> 32).astype(np.int32), (own & 0xFFFFFFFF).astype(np.int32), pattern, shifts)
