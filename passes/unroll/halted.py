"""What becomes of the other threads where some can go no further: these run on, so that a race is seen.

A loop may wait for what another thread writes, or branch on what another has not written yet. If it reads with weak loads
(`ld`, PTX ISA 8.3), nothing orders that write and the read: a race. But the write is in no row if the machine stops at the
read. So there the lanes are set aside for good, and those that can still run do so, up to where they need the ones set aside;
if what was read is no memory of the CTA's own, some of the CTAs that follow run, too. Every row made then is of a schedule that
is allowed, whose races are races of the kernel. The event that stopped the first lanes stays, and the program is not complete:
so nothing is taken to be safe that was not before.

Loops that read with strong operations (`ld.volatile`, `ld.relaxed`, atomics) end the run at once: they do not race with strong
writes, and `check` does not tell these from weak ones.

A loop that waits but counts how often never comes back to one state, and takes all steps of the budget. Then the lanes that
took them are set aside likewise, and the others have some more steps, once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT, SHARED_REGION
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.bytecode import OP, TARGET, TARGET2, WALK
from volta_pipe.passes.unroll.code import Code
from volta_pipe.passes.unroll.reasons import BUDGET, POISON_BRANCH
from volta_pipe.passes.unroll.state import ASIDE, COUNT, EVENT_OTHER, L_ACT, L_PC, L_STATUS, MAX_STEPS, PC, Lanes, Rows

Array = np.ndarray[Any, np.dtype[Any]]
_LOOKED_AT = 64  # rows from the end, as many as a look at a loop takes steps
_MORE_STEPS = 16  # the part of the budget by which it is raised
_MOST_CTAS = 8  # that are set aside before the run ends: each may spin for some millions of steps


class Halted:
    """What a run has set aside."""

    def __init__(self) -> None:
        self.ctas = 0
        self.extended = False
        self.elsewhere = False  # whether another CTA may write what the lanes wait for

    def set_aside(self, reads: Iterable[int], code: Code, lanes: Lanes, st: Array, rows: Rows) -> bool:
        """Sets the group aside if the walk indices `reads`, of what it depends on, are all weak loads; whether it did."""
        reads = frozenset(reads)
        if not reads or not reads <= code.plain:
            return False
        members = lanes.lane[L_ACT, : st[COUNT]]
        lanes.lane[L_PC, members], lanes.lane[L_STATUS, members] = st[PC], ASIDE
        st[COUNT] = 0
        last = rows.row[max(int(rows.used[0]) - _LOOKED_AT, 0) : int(rows.used[0])]
        last = last[np.isin(last[:, 0] >> 32, list(reads))]
        self.elsewhere = self.elsewhere or bool((last[:, 1] >> REGION_SHIFT > SHARED_REGION + 1).any())
        return True

    def goes_on(self, reason: int, code: Code, lanes: Lanes, st: Array, rows: Rows) -> bool:
        """Where the machine has stopped for a reason: sets the group aside if that is what an ordinary read may have led to;
        whether it did."""
        if reason == POISON_BRANCH:
            return self.set_aside((int(st[EVENT_OTHER]),), code, lanes, st, rows)
        if reason != BUDGET or self.extended or not st[COUNT]:
            return False
        self.extended = True
        st[MAX_STEPS] += st[MAX_STEPS] // _MORE_STEPS
        return self.set_aside(_read_around(code.code, int(st[PC])), code, lanes, st, rows)

    def next_cta(self) -> bool:
        """Where a CTA did not come to its end: whether those behind it run all the same."""
        self.ctas += 1
        return self.elsewhere and self.ctas < _MOST_CTAS


def _read_around(code: Array, pc: int) -> tuple[int, ...]:
    """The walk indices of what reads memory in the smallest loop around pc that reads any."""
    ops = code[:, OP]
    reads = np.isin(ops, (int(Op.LD), int(Op.ATOM)))
    best, width = np.zeros(0, np.int64), len(code)
    for at in np.flatnonzero(np.isin(ops, (int(Op.BRA), int(Op.CBRA)))).tolist():
        for column in (TARGET, TARGET2) if ops[at] == Op.CBRA else (TARGET,):
            head = int(code[at, column])
            inside = np.flatnonzero(reads[head : at + 1]) + head
            if head <= pc <= at and at - head < width and len(inside):
                best, width = inside, at - head
    return tuple(int(walk) for walk in code[best, WALK])
