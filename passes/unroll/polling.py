"""Loops that wait for memory to change: flags, locks, and barriers of the whole grid that are made of counters.

The machine runs one CTA after the other, and in a CTA the lanes with the smallest pc first, so such a loop never ends here.
It is recognised by the state of the CTA, registers and memory, that comes back after a few steps: the machine would go on for
ever. What becomes of the other lanes then is in halted.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import Event
from volta_pipe.passes.unroll.bytecode import OP, WALK
from volta_pipe.passes.unroll.code import Code
from volta_pipe.passes.unroll.state import COUNT, L_ACT, L_PC, L_STATUS, LIMIT, MASK, PAUSE_AT, PC, STEPS, Lanes, Memory

Array = np.ndarray[Any, np.dtype[Any]]
# Steps before the first look, how much later each following one comes, and rows of the code that one look takes at most. A look
# costs some milliseconds, so there are few of them in a run.
_FIRST, _FACTOR, _LONGEST = 1 << 22, 4, 64
_MOST_BYTES = 1 << 28  # of memory, of which a copy is made
_NEVER = 1 << 62
_READS = (Op.LD, Op.ATOM)


@dataclass(frozen=True)
class Poll:
    """A loop that waits: the event, and the walk indices of what it reads memory with."""

    event: Event
    reads: tuple[int, ...]


class Watch:
    """Looks now and then in a run whether a state of a CTA comes back."""

    def __init__(self) -> None:
        self.wait = _FIRST
        self.next = _FIRST
        self.kept: tuple[Array, ...] | None = None
        self.left = 0
        self.visited: list[int] = []

    def forget(self, steps: int) -> None:
        """Another CTA starts, after so many steps. A look that the end of the last one broke off counts as one, else each of
        many short CTAs would have its own."""
        if self.kept is not None:
            self._over(steps)

    def pause(self, st: Array, report: int) -> None:
        """Sets when the machine stops next; report: when it has to stop anyway."""
        st[PAUSE_AT] = st[STEPS] + 1 if self.kept is not None else min(self.next, report)

    def look(self, cta: int, code: Code, lanes: Lanes, st: Array, memory: Memory) -> Poll | None:
        """Where the machine has paused: what polls if it goes round a loop that reads memory and changes nothing."""
        steps = int(st[STEPS])
        if self.kept is None:
            if steps >= self.next and memory.data.nbytes <= _MOST_BYTES:
                self.kept, self.left, self.visited = _state(lanes, st, memory, copy=True), _LONGEST, []
            elif steps >= self.next:
                self.next = _NEVER
            return None
        self.visited.append(int(st[PC]))
        now = _state(lanes, st, memory, copy=False)
        if all(np.array_equal(part, then) for part, then in zip(now, self.kept, strict=True)):
            reads = [pc for pc in self.visited if int(code.code[pc, OP]) in _READS]
            if reads:
                self.kept, self.next = None, steps + self.wait
                walks = tuple(dict.fromkeys(int(code.code[pc, WALK]) for pc in reads))
                return Poll(_event(cta, lanes, st, walks), walks)
            self.left = 0
        self.left -= 1
        if self.left <= 0:
            self._over(steps)
        return None

    def _over(self, steps: int) -> None:
        self.kept = None
        self.wait *= _FACTOR
        self.next = steps + self.wait


def _state(lanes: Lanes, st: Array, memory: Memory, copy: bool) -> tuple[Array, ...]:
    """What decides how a run goes on; the smallest arrays first."""
    count = len(lanes.tag)
    now = st[[PC, COUNT, MASK, LIMIT]], lanes.lane[L_ACT, : st[COUNT]], lanes.lane[L_PC], lanes.lane[L_STATUS]
    parts = (*now, lanes.meta, lanes.value[:count], lanes.tag, memory.data, memory.state)
    return tuple(part.copy() for part in parts) if copy else parts


def _event(cta: int, lanes: Lanes, st: Array, reads: tuple[int, ...]) -> Event:
    threads = tuple(int(lane) for lane in lanes.lane[L_ACT, : st[COUNT]])
    message = (
        "a loop waits for memory to change, which none of its threads does: a flag, a lock, or a barrier of the grid to which "
        "other threads or CTAs have to come. Memory as a signal between threads is not followed"
    )
    return Event("unsupported-instruction", message, reads[0], cta, threads)
