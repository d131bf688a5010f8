"""A look at whether a program's expressions are those of an earlier run, in a thread of its own while they are made.

What an output holds after some of the CTAs is mostly what it holds in the end: so these elements are compared while the next
CTAs run. Where one is written again later, its node is compared in vain: it is no root, and whether it is the same says nothing
of what is. So the end looks at all roots; what it does not look at again is what was seen to be the same already."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from volta_pipe.ir.fold import Store
from volta_pipe.ir.graph import Conditions, Int32
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import Program
from volta_pipe.passes.vc.cells_type import Array, Cells
from volta_pipe.passes.vc.outputs import Roots
from volta_pipe.passes.vc.recognise import Recogniser

PIECES = 16  # into which the rows of a program are cut
_WORD = 4
_MOST = 1 << 20  # elements of an output that are looked through for each piece


class _Piece(NamedTuple):
    """Of a store its first `size` nodes, and by output the elements (int64) that hold other nodes (int32) than before."""

    store: Store
    size: int
    found: dict[int, tuple[Array, Int32]]


class _End(NamedTuple):
    """All nodes, and the roots by output. Until the answer is asked for, `store` may only be read."""

    store: Store
    outputs: Mapping[int, Roots]


class Match:
    """The look. known: the expressions of the earlier run, once the answer is yes."""

    def __init__(self, before: Callable[[], Conditions | None], program: Program, launch: Launch) -> None:
        self.known: Conditions | None = None
        self._before, self._launch = before, launch
        self._guess = _Guess(program, launch)
        self._asked: queue.SimpleQueue[_Piece | _End | None] = queue.SimpleQueue()
        self._failed: Exception | None = None
        self._thread = threading.Thread(target=self._answer)
        self._thread.start()

    def piece(self, store: Store, cells: Cells) -> None:
        """Some CTAs have been run."""
        if self._thread.is_alive():  # it has something to look at
            self._asked.put(_Piece(store, int(store.n[0]), self._guess.changed(store, cells)))

    def end(self, store: Store, outputs: Mapping[int, Roots]) -> None:
        """All have been."""
        self._asked.put(_End(store, outputs))

    def close(self) -> None:
        """Gives up, if the answer was not asked for."""
        self._asked.put(None)
        self._thread.join()

    def found(self) -> Conditions | None:
        """The expressions that are there already, or None. Errors: those of `before`."""
        self.close()
        if self._failed is not None:
            raise self._failed
        return self.known

    def _answer(self) -> None:
        try:
            known = self._before()
            if known is None:
                return
            with contextlib.suppress(MemoryError):  # then the longer way may tell
                if _Look(known, self._launch).agrees(iter(self._asked.get, None)):
                    self.known = known
        except Exception as error:  # raised where the answer is asked for
            self._failed = error


@contextmanager
def matching(before: Callable[[], Conditions | None], program: Program, launch: Launch) -> Iterator[Match]:
    """A look that is over when this is left."""
    match = Match(before, program, launch)
    try:
        yield match
    finally:
        match.close()


class _Guess:
    """What the elements of outputs hold, as far as that is one node and a float: elements of four bytes that lie one behind the
    other."""

    def __init__(self, program: Program, launch: Launch) -> None:
        regions = {region.tensor: region.number for region in program.regions}
        self._outputs = {
            index: (regions[tensor.alias_of if tensor.alias_of >= 0 else index], np.zeros(tensor.size, np.int32))
            for index, tensor in enumerate(launch.tensors)
            if tensor.role in ("out", "inout") and tensor.itemsize == _WORD and tensor.contiguous and tensor.size <= _MOST
        }

    def changed(self, store: Store, cells: Cells) -> dict[int, tuple[Array, Int32]]:
        """By output the elements (int64) that hold other nodes than the last time, and these (int32)."""
        found = {}
        for index, (region, last) in self._outputs.items():
            start = int(cells.table[region, 0]) // _WORD
            now = cells.node[start : start + len(last)]
            elements = np.flatnonzero(now != last)
            last[elements] = now[elements]
            elements = elements[store.op[now[elements]] != Node.BITS]  # a constant is stored as bits; its root is another node
            if len(elements):
                found[index] = elements, now[elements]
        return found


class _Look:
    """Takes pieces, then the end."""

    def __init__(self, known: Conditions, launch: Launch) -> None:
        self._known, self._launch = known, launch
        self._recogniser = Recogniser(known.graph, list(known.outputs.values()))
        self._useful = self._recogniser.by_pieces

    def agrees(self, asked: Iterator[_Piece | _End]) -> bool:
        """Whether all of it is the same; no, where there is no end."""
        for one in asked:
            if isinstance(one, _End):
                return self._end(one)
            self._useful = self._useful and self._piece(one)
        return False

    def _piece(self, piece: _Piece) -> bool:
        for index, (elements, _) in piece.found.items():
            if index not in self._known.outputs or len(self._known.outputs[index]) <= int(elements[-1]):
                return False  # another launch
        roots = [nodes for _, nodes in piece.found.values()]
        known = [self._known.outputs[index][elements] for index, (elements, _) in piece.found.items()]
        empty = [np.zeros(0, np.int32)]
        return self._recogniser.piece(piece.store, piece.size, np.concatenate(empty + roots), np.concatenate(empty + known))

    def _end(self, end: _End) -> bool:
        known, outputs = self._known.outputs, end.outputs
        if [*known] != [*outputs]:
            return False
        roots: list[Int32] = []
        for (index, whole), (elements, nodes) in zip(known.items(), outputs.values(), strict=True):
            if len(whole) != self._launch.tensors[index].size or np.count_nonzero(whole) != np.count_nonzero(nodes):
                return False
            ours = np.zeros(len(whole), np.int32)
            ours[elements] = nodes
            roots.append(ours)
        look = self._recogniser.whole if self._useful else self._recogniser.afresh
        return look(end.store, roots)
