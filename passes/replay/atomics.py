"""atom and red on concrete memory: lanes on one address act one after the other, in the order of their numbers.

That order is one of those that hardware may choose. Where it can be seen in memory, `check` has refused the program, but for
the rounding of float sums; where it can be seen in a result, the result is not determined, and nothing depends on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT, SHARED_REGION
from volta_pipe.passes.replay.meaning.spelling import Function
from volta_pipe.passes.replay.memory import Addresses, Lanes, Memory

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Update:
    """What an atomic does to one element, in global and in shared memory: (old, *operands) to (new,). vector: each operand is
    an element by itself. merges: operands can be combined by the function itself, exactly and in any order."""

    in_global: Function
    in_shared: Function
    vector: bool
    merges: bool

    def act(self, memory: Memory, at: Addresses, size: int, lanes: Lanes, operands: list[Array], wanted: bool) -> Array | None:
        """Acts on elements of `size` bytes at the addresses; operands uint64 [lanes]. Returns what the first element held
        before each lane acted, uint64 [lanes], where that is wanted. Errors: UnsupportedError for an access outside."""
        cells = _cells(at, lanes)
        order = np.argsort(cells, kind="stable")  # by cell, and by lane on each
        turn = _turns(cells[order])
        if self.merges and not wanted and not self.vector:
            order, merged = self._merge(order, turn, operands[0])
            self._together(memory, _some(at, order), size, lanes.part(order), [merged])
            return None
        before = np.empty(len(order), np.uint64)
        by_turn = np.argsort(turn, kind="stable")
        for which in np.split(order[by_turn], np.flatnonzero(np.diff(turn[by_turn])) + 1):
            chosen = [x[which] for x in operands]
            before[which] = self._together(memory, _some(at, which), size, lanes.part(which), chosen)
        return before

    def _merge(self, order: Array, turn: Array, operand: Array) -> tuple[Array, Array]:
        """(the first lane of each cell, the operands of all its lanes in one): neighbours are combined until one is left."""
        values = operand[order]
        while len(turn) and int(turn.max()):
            second = np.flatnonzero(turn & 1)
            (values[second - 1],) = self.in_global(values[second - 1], values[second])
            keep = np.flatnonzero(turn & 1 == 0)
            order, turn, values = order[keep], turn[keep] >> 1, values[keep]
        return order, values

    def _together(self, memory: Memory, at: Addresses, size: int, lanes: Lanes, operands: list[Array]) -> Array:
        """Lanes of which no two share a cell."""
        shared = at.values >> REGION_SHIFT == SHARED_REGION
        first = np.zeros(0, np.uint64)
        for place, element in enumerate([[x] for x in operands] if self.vector else [operands]):
            old = memory.load(at, place, size, lanes)
            if shared.all():
                (new,) = self.in_shared(old, *element)
            else:
                (new,) = self.in_global(old, *element)
                if shared.any():
                    new = np.where(shared, self.in_shared(old, *element)[0], new)
            memory.store(at, place, size, new, lanes)
            first = first if place else old
        return first


def _some(at: Addresses, which: Array) -> Addresses:
    return at._replace(values=at.values[which])


def _cells(at: Addresses, lanes: Lanes) -> Array:
    """A number for each lane's cell, int64. CTAs of a batch have shared memory of their own, and trials all memory."""
    cells = np.unique(at.values, return_inverse=True)[1].astype(np.int64)
    if lanes.copies is not None:
        shared = at.values >> REGION_SHIFT == SHARED_REGION
        trials = 0 if lanes.trials is None else lanes.trials
        cells += np.where(shared, lanes.copies, trials) * (int(cells.max()) + 1)
    return cells


def _turns(cells: Array) -> Array:
    """How many lanes before each one act on the same cell, int64; `cells` in increasing order."""
    starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]])
    sizes = np.diff(np.r_[starts, len(cells)])
    return np.arange(len(cells)) - np.repeat(starts, sizes)
