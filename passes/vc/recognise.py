"""Whether the nodes that a run made are the expressions of a graph that is there, from an earlier run of another program.

To share terms and to put them in canonical order takes longer than to make them; to see that both would give a certain graph
takes one walk from the roots down, which follows the two side by side: each node that is reached gets its counterpart, the same
for all that use it. Operators, constants and inputs have to be the same, and all of the graph has to be met. The graph has each
term once, so two nodes with one counterpart are one term, and sharing would have made one node of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.compiled import int64
from volta_pipe.ir.fold import Array, Store
from volta_pipe.ir.graph import ARITY_TABLE, FIXED, Graph, Int32
from volta_pipe.ir.graph_order import MAX_ORDERED, inputs
from volta_pipe.ir.share import COMMUTES, SHAPE
from volta_pipe.passes.vc.recognise_walk import AS_MADE, BY_INPUTS, COLUMNS, OTHER, given, met, pairs


class Recogniser:
    """Holds the nodes of a store, of which there may be more each time, against `graph` and its roots, `known` (int32 arrays,
    0 where there is none). `walked`: before which number it has looked at all nodes that roots of pieces reach."""

    def __init__(self, graph: Graph, known: Sequence[Int32]) -> None:
        self.graph, self.known = graph, known
        self._old = (graph.op, graph.a, graph.b, graph.c)
        self._kind = int(pairs(self._old, ARITY_TABLE, COMMUTES)) if len(graph) <= MAX_ORDERED else int(AS_MADE)
        self._forget()

    def _forget(self) -> None:
        """No node was looked at: none has a counterpart, none of the graph was seen, none came late."""
        self.walked, self._count = 0, 0
        self._image: Int32 = np.zeros(0, np.int32)
        self._seen, self._late = np.zeros(len(self.graph), np.uint8), np.zeros(1, np.int64)

    @property
    def by_pieces(self) -> bool:
        """Whether pieces are of use: the first and last inputs of terms, which order some, are found in all terms together."""
        return self._kind not in (AS_MADE, BY_INPUTS)

    def piece(self, store: Store, size: int, roots: Int32, known: Int32) -> bool:
        """Looks at what `roots` reach among the first `size` nodes, of which it has not seen those from `walked` on, beside
        `known` (int32 arrays of one shape). False where they differ; what comes after is of no use then."""
        if len(self._image) < size:
            room = np.zeros(len(store.op) - len(self._image), np.int32)
            self._image = np.concatenate([self._image, room]) if self.walked else room
        found = self._walk(store, (self.walked, size), roots, known)
        self.walked = size
        return found

    def whole(self, store: Store, roots: Sequence[Int32]) -> bool:
        """Whether sharing and ordering what `roots` (the columns of `known` in the store) reach gives the graph and `known`.
        False, too, where the canonical order leaves something to the order of creation. After pieces, none of which may have
        differed, the rest is looked at: their counterparts were roots of the graph, so nothing was met that `roots` do not."""
        if self._kind == AS_MADE or [r.shape for r in roots] != [k.shape for k in self.known]:
            return False
        return self.piece(store, int(store.n[0]), _flat(roots), _flat(self.known)) and self._all_met(store)

    def afresh(self, store: Store, roots: Sequence[Int32]) -> bool:
        """`whole`, whatever pieces there were."""
        self._forget()
        return self.whole(store, roots)

    def _all_met(self, store: Store) -> bool:
        """Looks again from the last node down that a later piece reached first; whether all of the graph was met."""
        none = np.zeros(0, np.int32)
        again = int(self._late[0]) + 1
        self._late[0] = 0
        if again > FIXED and not self._walk(store, (0, again), none, none):
            return False
        return self._count == len(self.graph) - FIXED

    def _walk(self, store: Store, span: tuple[int, int], roots: Int32, known: Int32) -> bool:
        begin, end = int64(span[0]), int64(span[1])
        size = span[1]
        new = (store.op[:size], store.a[:size], store.b[:size], store.c[:size])
        ends = [end for columns in (new, self._old) for end in _ends(columns, alike=self._kind == BY_INPUTS)]
        if not given(self._image, roots, known, begin, self._late):
            return False
        values = store.values.view(np.int64), self.graph.constants.view(np.int64)
        found = int(met(new, self._old, begin, end, self._image, self._seen, self._late, values, SHAPE, COMMUTES, *ends))
        self._count += found
        return found != OTHER


def recognised(store: Store, roots: Sequence[Int32], graph: Graph, known: Sequence[Int32]) -> bool:
    """Whether sharing and ordering what `roots` reach in `store` gives `graph` and, as its roots, `known` (int32 arrays of the
    same shapes, 0 where there is none). False, too, where the canonical order leaves something to the order of creation."""
    return Recogniser(graph, known).whole(store, roots)


def _flat(columns: Sequence[Any]) -> Int32:
    flat: Int32 = np.concatenate([np.zeros(0, np.int32), *(column.ravel() for column in columns)]).astype(np.int32)
    return flat


def _ends(columns: COLUMNS, *, alike: bool) -> tuple[Array, Array]:
    """The first and the last input in each term; empty where nobody asks for them."""
    size = len(columns[0]) if alike else 0
    low, high = np.zeros(size, np.int64), np.zeros(size, np.int64)
    if alike:
        inputs(columns, ARITY_TABLE, low, high)
    return low, high
