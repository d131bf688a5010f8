"""Loops that wait for memory to change: flags, locks, and barriers of the whole grid that are made of counters.

The machine runs one CTA after the other, and in a CTA the lanes with the smallest pc first, so such a loop never ends here.
It is recognised by the state of the CTA, registers and memory, that comes back after a few steps: the machine would go on for
ever.

What such a loop reads by ordinary loads is no signal: another thread that writes there meanwhile races with it (PTX ISA 8.7),
which `check` finds once both have happened. So where it has no other reads its lanes stand aside until the others are done, or
wait, too. What volatile and stronger accesses and atomics bring from one thread to another is not followed, and refused."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import Event
from volta_pipe.passes.unroll.assemble import Code
from volta_pipe.passes.unroll.bytecode import OP, WALK
from volta_pipe.passes.unroll.state import (
    ASIDE,
    COUNT,
    EXITED,
    L_ACT,
    L_PC,
    L_STATUS,
    LIMIT,
    MASK,
    PAUSE_AT,
    PC,
    RUNNING,
    STEPS,
    Lanes,
    Memory,
)

Array = np.ndarray[Any, np.dtype[Any]]
# Steps before the first look, how much later each following one comes, and rows of the code that one look takes at most. A look
# costs some milliseconds, so there are few of them in a run.
_FIRST, _FACTOR, _LONGEST = 1 << 22, 4, 64
_MOST_BYTES = 1 << 28  # of memory, of which a copy is made
_NEVER = 1 << 62
_READS = (Op.LD, Op.ATOM)


class Watch:
    """Looks now and then in a run whether a state of a CTA comes back."""

    def __init__(self) -> None:
        self.wait = _FIRST
        self.next = _FIRST
        self.kept: tuple[Array, ...] | None = None
        self.left = 0
        self.visited: list[int] = []
        self.turns: set[bytes] = set()  # how things stood whenever lanes stood aside
        self.loops: dict[int, int] = {}  # by lane that stood aside, the first pc of its loop

    def forget(self) -> None:
        """Another CTA starts."""
        self.kept = None
        self.turns.clear()
        self.loops.clear()

    def pause(self, st: Array, report: int) -> None:
        """Sets when the machine stops next; report: when it has to stop anyway."""
        st[PAUSE_AT] = st[STEPS] + 1 if self.kept is not None else min(self.next, report)

    def look(self, cta: int, code: Code, lanes: Lanes, st: Array, memory: Memory) -> Event | None:
        """Where the machine has paused: an event if it goes round a loop that reads memory and changes nothing, and nobody else
        can go on, or it may not wait for them."""
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
            ordinary = all(int(code.code[pc, WALK]) in code.ordinary for pc in reads)
            if reads and ordinary and self._stands_aside(lanes, st, memory):
                self.kept = None
                self.next = steps + self.wait
                return None
            if reads:
                return _event(cta, code, lanes, st, reads)
            self.left = 0
        self.left -= 1
        if self.left <= 0:
            self.kept = None
            self.wait *= _FACTOR
            self.next = steps + self.wait
        return None

    def _stands_aside(self, lanes: Lanes, st: Array, memory: Memory) -> bool:
        """Lets the lanes that go round a loop wait for all others, those that stood aside before among these; False where there
        are none, or everything stands as it stood at such a moment before."""
        status, pc = lanes.lane[L_STATUS], lanes.lane[L_PC]
        group = lanes.lane[L_ACT, : st[COUNT]].copy()
        others = status != EXITED
        others[group] = False
        if not others.any():
            return False
        self.loops |= dict.fromkeys(group.tolist(), min(self.visited))
        then = np.where(status == ASIDE, RUNNING, status)
        then[group] = ASIDE
        where = [self.loops[lane] if then[lane] == ASIDE else int(at) for lane, at in enumerate(pc)]
        digest = hashlib.sha256(repr((where, then.tolist())).encode())
        digest.update(memory.data.tobytes())
        digest.update(memory.state.tobytes())
        if digest.digest() in self.turns:
            return False
        self.turns.add(digest.digest())
        status[:], pc[group] = then, st[PC]
        st[COUNT] = 0
        return True


def _state(lanes: Lanes, st: Array, memory: Memory, copy: bool) -> tuple[Array, ...]:
    """What decides how a run goes on; the smallest arrays first."""
    count = len(lanes.tag)
    now = st[[PC, COUNT, MASK, LIMIT]], lanes.lane[L_ACT, : st[COUNT]], lanes.lane[L_PC], lanes.lane[L_STATUS]
    parts = (*now, lanes.meta, lanes.value[:count], lanes.tag, memory.data, memory.state)
    return tuple(part.copy() for part in parts) if copy else parts


def _event(cta: int, code: Code, lanes: Lanes, st: Array, reads: list[int]) -> Event:
    threads = tuple(int(lane) for lane in lanes.lane[L_ACT, : st[COUNT]])
    message = (
        "a loop waits for memory to change, which none of its threads does: a flag, a lock, or a barrier of the grid to which "
        "other threads or CTAs have to come. Memory as a signal between threads is not followed"
    )
    return Event("unsupported-instruction", message, int(code.code[reads[0], WALK]), cta, threads)
