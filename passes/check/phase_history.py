"""Which phases of mbarrier objects two threads took part in, and which of them each knew to be complete: for explanations.

A plain replay of the synchronisations of one CTA; what is a race is found elsewhere (walk.py, phases.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.mbarriers import ARRIVES, RELAXED
from volta_pipe.ir.program import FLAG_ENDS_PHASE, Program

Array = np.ndarray[Any, np.dtype[Any]]
_OBJECTS = (Op.MBARRIER_INIT, Op.MBARRIER_SIGNAL, Op.MBARRIER_TRACK, Op.MBARRIER_WAIT)
_OTHERS = (Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE, Op.WARPSYNC)
# A CTA with more synchronisations than these is not replayed, which would take seconds for each finding.
_MOST_ROWS = 20_000


@dataclass(frozen=True)
class Part:
    """What a thread did for a phase of an object, or asked of it, in a row. phase: counted since the object was initialised,
    from 0, so that its lowest bit is the parity."""

    row: int
    place: int
    phase: int
    op: Op
    relaxed: bool


@dataclass
class History:
    """ends: by object and phase the row that completed it (of the last object that was made there); parts: of both threads, in
    order; known: by object how many phases each knew to be complete at the row it was asked for; arrivals: by object and phase
    the threads that arrived."""

    ends: dict[tuple[int, int], int] = field(default_factory=dict)
    parts: dict[int, list[Part]] = field(default_factory=dict)
    known: dict[int, dict[int, int]] = field(default_factory=dict)
    arrivals: dict[tuple[int, int], set[int]] = field(default_factory=dict)


def history(program: Program, last: int, asked: dict[int, int]) -> History | None:
    """Of the CTA to which the row `last` belongs. asked: by thread the row at which its knowledge matters. None where there are
    no objects, or too much happened."""
    cta = int(np.searchsorted(program.cta_rows, last, side="right")) - 1
    begin, end = (int(x) for x in program.cta_rows[cta : cta + 2])
    mine = program.row_instr[begin:end]
    if not np.isin(mine, np.flatnonzero(program.op == Op.MBARRIER_INIT)).any():
        return None
    rows = begin + np.flatnonzero(np.isin(mine, np.flatnonzero(np.isin(program.op, (*_OBJECTS, *_OTHERS)))))
    return _Replay(program, asked).run(rows) if len(rows) <= _MOST_ROWS else None


class _Replay:
    """Knowledge is how many phases of each object are known to be complete: int64 [threads, objects]."""

    def __init__(self, program: Program, asked: dict[int, int]) -> None:
        self.program, self.asked = program, asked
        self.story = History(parts={thread: [] for thread in asked})
        self.places: dict[int, int] = {}  # by address the column
        self.number: dict[int, int] = {}  # by address the phase under way
        self.known = np.zeros((program.threads, 0), np.int64)
        self.told: dict[int, Array] = {}  # by address what the signals of the phase under way know
        self.ended: dict[int, Array] = {}
        self.arrived: dict[int, Array] = {}  # by number of a barrier what those know who arrived without waiting

    def run(self, rows: Array) -> History:
        left = dict(self.asked)
        for row in rows.tolist():
            for thread in [thread for thread, at in left.items() if at <= row]:
                del left[thread]
                self._note(thread)
            op = Op(int(self.program.op[self.program.row_instr[row]]))
            lanes = self.program.active_lanes(int(self.program.row_mask[row]))
            values = self.program.row_values(row)
            if op in _OBJECTS:
                for lane, place in zip(lanes.tolist(), values.tolist(), strict=True):
                    self._object(row, op, lane, place)
                if self.program.row_flags[row] & FLAG_ENDS_PHASE:
                    self._complete(row, int(values[-1]))
            else:
                groups = lanes >> 5 if op == Op.WARPSYNC else values
                for group in np.unique(groups).tolist():
                    self._meet(op, lanes[groups == group], group)
                if op == Op.BAR_ARRIVE and self.program.row_flags[row] & FLAG_ENDS_PHASE:
                    self.arrived.pop(int(values[-1]), None)
        for thread in left:
            self._note(thread)
        return self.story

    def _note(self, thread: int) -> None:
        self.story.known[thread] = {place: int(self.known[thread, column]) for place, column in self.places.items()}

    def _object(self, row: int, op: Op, lane: int, place: int) -> None:
        if op == Op.MBARRIER_INIT:
            self._begin(place)
            return
        if place not in self.places:
            return
        column, number = self.places[place], self.number[place]
        sub = int(self.program.sub[self.program.row_instr[row]])
        relaxed = bool(sub & RELAXED)
        waits = op == Op.MBARRIER_WAIT
        if waits:
            if not relaxed:
                self.known[lane] = np.maximum(self.known[lane], self._of(self.ended, place))
                self.known[lane, column] = max(int(self.known[lane, column]), number)
        elif not relaxed:
            self.told[place] = np.maximum(self._of(self.told, place), self.known[lane])
        arrives = op == Op.MBARRIER_TRACK or bool(sub & ARRIVES)
        if arrives and not waits:
            self.story.arrivals.setdefault((place, number), set()).add(lane)
        if lane in self.asked and (waits or arrives):
            self.story.parts[lane].append(Part(row, place, number - waits, op, relaxed))

    def _begin(self, place: int) -> None:
        if place not in self.places:
            self.places[place] = len(self.places)
            self.known = np.pad(self.known, ((0, 0), (0, 1)))
        self.known[:, self.places[place]] = 0
        self.number[place] = 0
        self.told.pop(place, None)
        self.ended.pop(place, None)
        for table in (self.story.ends, self.story.arrivals):
            for key in [key for key in table if key[0] == place]:
                del table[key]
        for thread, parts in self.story.parts.items():
            self.story.parts[thread] = [part for part in parts if part.place != place]

    def _complete(self, row: int, place: int) -> None:
        if place in self.places:
            self.story.ends[place, self.number[place]] = row
            self.ended[place] = self._of(self.told, place)
            self.told.pop(place, None)
            self.number[place] += 1

    def _meet(self, op: Op, lanes: Array, number: int) -> None:
        most = self.known[lanes].max(axis=0)
        if op == Op.BAR_ARRIVE:
            self.arrived[number] = np.maximum(self._of(self.arrived, number), most)
        elif op == Op.WARPSYNC:
            self.known[lanes] = most
        else:
            self.known[lanes] = np.maximum(most, self._of(self.arrived, number))
            self.arrived.pop(number, None)

    def _of(self, table: dict[int, Array], key: int) -> Array:
        kept = table.get(key, np.zeros(0, np.int64))
        return np.pad(kept, (0, self.known.shape[1] - len(kept)))
