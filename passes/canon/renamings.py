"""The renaming of a class: shifts of its inputs, as the walk of its representative met them in each member."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from volta_pipe.ir.renaming import Renaming

if TYPE_CHECKING:
    from volta_pipe.passes.canon.sides import Side

Array = np.ndarray[Any, np.dtype[Any]]
MAX_CELLS = 1 << 24  # shifts of all classes, 64 MiB; a class for which there is no room has none
_PIECE = 1 << 22  # group nodes of inputs that are looked at together


def places(at: Array, count: Array) -> tuple[Array, Array]:
    """The places at[i] … at[i] + count[i] - 1 of all i in a row, and where each i begins in it, int64."""
    first = np.cumsum(count, dtype=np.int64) - count
    return np.arange(int(count.sum())) + np.repeat(at - first, count), first


class Shifts:
    """Those of one class, piece by piece of its members, in order. `room`: how many shifts there may be."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._keys: Array = np.zeros(0, np.int64)
        self._numbers: list[Array] = []
        self._rows: list[Array] = []

    def add(self, sides: tuple[Side, Side], leaves: list[tuple[Array, ...]], rows: Array, sizes: Array, ok: Array) -> None:
        """A piece, as the walk gives it; ok: which of its elements are members."""
        if self.room < 0 or not ok.any():
            return
        self._keys, number, table = patterns(sides, leaves, rows, sizes, ok)
        self._numbers.append(number)
        self._rows.append(table)
        self.room -= table.size

    def renaming(self) -> Renaming | None:
        """None where there is no room for it."""
        if self.room < 0 or not self._rows:
            return None
        pattern = np.zeros(len(self._keys), np.int64)  # of the pieces so far
        first_of = pattern
        for number, rows in zip(self._numbers, self._rows, strict=True):
            _, first_of, pattern = np.unique(pattern * max(len(rows), 1) + number, return_index=True, return_inverse=True)
        table = [rows[number[first_of]] for number, rows in zip(self._numbers, self._rows, strict=True)]
        if sum(part.size for part in table) > self.room + sum(part.size for part in self._rows):
            return None
        shifts = np.concatenate(table, axis=1)
        columns = (x.astype(np.int32) for x in (self._keys >> 32, self._keys & 0xFFFFFFFF, pattern, shifts))
        return Renaming(*columns)


def _first(keys: Array) -> Array:
    """Which of them occur for the first time."""
    _, where = np.unique(keys, return_index=True)
    found = np.zeros(len(keys), np.bool_)
    found[where] = True
    return found


def patterns(
    sides: tuple[Side, Side], leaves: list[tuple[Array, ...]], rows: Array, sizes: Array, ok: Array
) -> tuple[Array, Array, Array]:
    """(leaves of the representative as tensor · 2^32 + element, sorted; the number of each one's shifts; these, int32
    [patterns, members]: the elements that are `ok`)."""
    part_of = rows[:, ok]
    known: dict[bytes, int] = {}
    table: list[Array] = []
    seen: dict[tuple[int, bytes], int] = {}
    of_leaf: dict[int, int] = {}
    for side, (nodes, part, at, pool) in zip(sides, leaves, strict=True):
        own = side.inputs(nodes)
        # Each input once, the first time it is met; as many at a time as have groups for a piece of memory.
        fresh = np.array([k not in of_leaf for k in own.tolist()], np.bool_)
        fresh[fresh] = _first(own[fresh])
        nodes, part, at, own = nodes[fresh], part[fresh], at[fresh], own[fresh]
        ends = np.cumsum(sizes[part], dtype=np.int64)
        for piece in np.split(np.arange(len(nodes)), np.flatnonzero(np.diff(ends // _PIECE)) + 1):
            place, first = places(at[piece], sizes[part[piece]])
            shift = side.element[pool[place]] - np.repeat(side.element[nodes[piece]], sizes[part[piece]])
            whole = shift.tobytes()
            width = shift.itemsize
            starts = [*(first * width).tolist(), len(whole)]
            for i, (key, p) in enumerate(zip(own[piece].tolist(), part[piece].tolist(), strict=True)):
                grouped = (p, whole[starts[i] : starts[i + 1]])
                number = seen.get(grouped)
                if number is None:
                    row = np.frombuffer(grouped[1], shift.dtype)[part_of[p]]
                    number = seen[grouped] = known.setdefault(row.tobytes(), len(table))
                    if number == len(table):
                        table.append(row)
                of_leaf[key] = number
    keys = np.array(sorted(of_leaf), np.int64)
    members = part_of.shape[1]
    stacked = np.stack(table) if table else np.zeros((0, members), np.int32)
    return keys, np.array([of_leaf[int(k)] for k in keys], np.int64), stacked
