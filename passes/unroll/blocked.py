"""Threads that cannot go on: deadlocks, barriers that threads meet in a way that is not allowed, and misused barrier
objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.findings import Step
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import FLAG_ENDS_PHASE, Event, Region
from volta_pipe.passes.unroll import reasons
from volta_pipe.passes.unroll.arrivals import count_given
from volta_pipe.passes.unroll.awaited import awaited_at, named
from volta_pipe.passes.unroll.bytecode import OP, WALK, A
from volta_pipe.passes.unroll.code import Code
from volta_pipe.passes.unroll.state import (
    AT_BARRIER,
    AT_OBJECT,
    EVENT_LANE,
    EVENT_OTHER,
    EXITED,
    L_BARRIER,
    L_EXPECTED,
    L_PC,
    L_STATUS,
    WAITING,
    Lanes,
    Memory,
    Rows,
)

Array = np.ndarray[Any, np.dtype[Any]]
# PTX ISA 9.7.13.15 calls each of these undefined.
OBJECT_MESSAGES = {
    reasons.OBJECT_OUTSIDE: ("out-of-bounds", "an mbarrier object is asked for that does not lie in the CTA's shared memory"),
    reasons.OBJECT_MISALIGNED: ("misaligned", "the address of an mbarrier object is no multiple of 8"),
    reasons.NO_OBJECT: (
        "uninitialized-read",
        "there is no mbarrier object: it was not initialised, or its bytes were overwritten, or it was invalidated",
    ),
    reasons.OBJECT_LIVE: (
        "unsupported-instruction",
        "mbarrier.init where an mbarrier object is that was not invalidated, which is undefined",
    ),
    reasons.OBJECT_COUNT: (
        "unsupported-instruction",
        "a count of an mbarrier object is out of range (arrivals: 1 to 2^20-1, bytes: at most 2^20-1, parity: 0 or 1)",
    ),
    reasons.OBJECT_TOO_MANY: (
        "unsupported-instruction",
        "more arrive at an mbarrier object than its phase has pending arrivals, which is undefined",
    ),
    reasons.OBJECT_STALE: (
        "unsupported-instruction",
        "a wait with a token that is of another mbarrier object, or of no phase that it may be asked for",
    ),
    reasons.OBJECT_ENDED: ("unsupported-instruction", "an arrival with .noComplete completes the phase, which is undefined"),
    reasons.OBJECT_BELOW: (
        "unsupported-instruction",
        "the tx-count of an mbarrier object is below zero, and no arrivals are pending: its phase could be complete",
    ),
    reasons.OBJECT_COUNTS_OUT: ("unsupported-instruction", "mbarrier objects have more phases than can be told apart here"),
    reasons.UNPROVED_WAIT: (
        "unsupported-instruction",
        "the answer of this mbarrier wait decides more than whether to ask again: what follows a false one is not only the "
        "same wait with the same operands",
    ),
}


# Reasons that `blocked` explains.
BLOCKED = (
    reasons.STUCK, reasons.DIVERGED_BARRIER, reasons.CROWDED_BARRIER, reasons.UNLIKE_COUNTS, reasons.MIXED_BARRIER,
)  # fmt: skip


def blocked(
    reason: int, cta: int, code: Code, lanes: Lanes, st: Array, memory: Memory, regions: Sequence[Region], rows: Rows,
    first_row: int,
) -> Event:  # fmt: skip
    """A deadlock, or a barrier that threads meet in a way that is not allowed. first_row: where the CTA's rows begin."""
    if reason == reasons.STUCK:
        return _stuck(cta, code, lanes, memory, regions, rows, first_row)
    lane, first = int(st[EVENT_LANE]), int(st[EVENT_OTHER])
    number = int(lanes.lane[L_BARRIER, first])
    here, there = int(code.code[lanes.lane[L_PC, first], WALK]), int(code.code[lanes.lane[L_PC, lane], WALK])
    if reason != reasons.DIVERGED_BARRIER and lanes.lane[L_STATUS, lane] == EXITED:
        there = -1  # it arrived and went on
    kind, message = "unsupported-instruction", f"barrier {number}: more threads arrive than it expects, or it may have opened"
    if reason == reasons.MIXED_BARRIER:
        message = f"barrier {number}: bar.red meets another kind of barrier instruction"
    elif reason == reasons.UNLIKE_COUNTS:
        kind = "barrier-divergence"
        message = (
            f"threads meet at barrier {number} with different thread counts: thread {first} gives "
            f"{_count(lanes, number, first)}, thread {lane} {_count(lanes, number, lane)}"
        )
    elif reason == reasons.DIVERGED_BARRIER:
        kind, message = "barrier-divergence", _apart(code, lanes, number, first, lane)
    return Event(kind, message, here, cta, (first, lane), -1, there)


def _apart(code: Code, lanes: Lanes, number: int, first: int, lane: int) -> str:
    """Where two threads are, of which the first waits at a barrier that both have to come to at one instruction."""
    status, pc = lanes.lane[L_STATUS, lane], lanes.lane[L_PC, lane]
    if status == AT_BARRIER and lanes.lane[L_BARRIER, lane] == number:
        places = f"thread {first} waits at one bar.sync, thread {lane} at another"
        return f"threads meet at barrier {number} in different places: {places}"
    where = "is at another instruction"
    if status == AT_BARRIER:
        where = f"waits at barrier {int(lanes.lane[L_BARRIER, lane])}"
    elif status == AT_OBJECT:
        where = "waits for an mbarrier object"
    elif status == WAITING:
        where = "waits at a bar.arrive" if code.code[pc, OP] == Op.BAR_ARRIVE else "waits in a warp instruction"
    return f"the threads of a warp have to come to barrier {number} together: thread {first} waits there, thread {lane} {where}"


def _stuck(
    cta: int, code: Code, lanes: Lanes, memory: Memory, regions: Sequence[Region], rows: Rows, first_row: int
) -> Event:  # fmt: skip
    """Who waits where for what."""
    groups: dict[tuple[int, int, int, int], list[int]] = {}
    for l in np.flatnonzero(np.isin(lanes.lane[L_STATUS], (AT_BARRIER, WAITING, AT_OBJECT))):
        status = int(lanes.lane[L_STATUS, l])
        number = int(lanes.lane[L_BARRIER, l]) if status != WAITING else -1
        detail = int(lanes.lane[L_EXPECTED, l]) if status != AT_BARRIER else -1  # a parity, or a member mask
        groups.setdefault((status, int(lanes.lane[L_PC, l]), number, detail), []).append(int(l))
    ordered = sorted(groups.items(), key=lambda item: item[1][0])
    parts, steps, phases = [], [], {}
    for (status, pc, number, detail), members in ordered:
        what = f"at barrier {number}"
        if status == WAITING and code.code[pc, OP] == Op.BAR_ARRIVE:
            if any(_may_arrive(code, lanes, lane) for lane in members):
                message = "the lanes of a warp come to a barrier at several instructions, one of them a bar.arrive"
                return Event("unsupported-instruction", message, int(code.code[pc, WALK]), cta, (members[0],))
            what = "at a bar.arrive for others of their warps"
        elif status == WAITING:
            what = f"in a warp instruction for lanes that do not come with their mask {detail & 0xFFFFFFFF:#x}"
        elif status == AT_OBJECT:
            phases[number] = awaited_at(number, memory, rows, first_row, code, regions)
            what = str(phases[number])
        parts.append(f"{len(members)} threads wait {what} (the first is thread {members[0]})")
        whom = _for_whom(lanes, status, number, detail, members)
        steps.append(Step(f"{named(members)} wait{'s' * (len(members) == 1)} {what}{whom}", int(code.code[pc, WALK])))
        filled = _filled_before(code, rows, first_row, number) if status == AT_BARRIER else -1
        if filled >= 0:
            steps.append(Step(f"before, arrivals alone filled barrier {number}, and it began anew: they do not count", filled))
    waiting: dict[int, list[int]] = {}
    for (_, pc, _, _), members in ordered:
        waiting.setdefault(pc, []).extend(members)
    for phase in phases.values():
        steps += phase.steps(code, waiting)
    exited = [int(l) for l in np.flatnonzero(lanes.lane[L_STATUS] == EXITED)]
    if exited:
        parts.append(f"{len(exited)} threads have exited")
        steps.append(Step(f"{named(exited)} {'has' if len(exited) == 1 else 'have'} exited"))
    walks = [int(code.code[pc, WALK]) for (_, pc, _, _), _ in ordered]
    return Event(
        "deadlock",
        "no thread can go on: " + "; ".join(parts),
        walks[0],
        cta,
        tuple(members[0] for _, members in ordered),
        next((number for status, _, number, _ in groups if status == AT_OBJECT), -1),
        walks[1] if len(walks) > 1 else -1,
        tuple(steps),
    )


def _for_whom(lanes: Lanes, status: int, number: int, detail: int, members: Sequence[int]) -> str:
    """For which threads a group of threads waits; "" where that is no matter of threads."""
    come = np.zeros(lanes.lane.shape[1], np.bool_)
    come[members] = True
    alive = lanes.lane[L_STATUS] != EXITED
    if status == WAITING:
        warps = {member >> 5 for member in members}
        left = [l for l in range(len(come)) if l >> 5 in warps and detail >> (l & 31) & 1 and not come[l]]
        return f": {named(left)} {'is' if len(left) == 1 else 'are'} missing" if left else ""
    if status != AT_BARRIER:
        return ""
    come |= (lanes.lane[L_STATUS] == AT_BARRIER) & (lanes.lane[L_BARRIER] == number)
    expected = int(lanes.lane[L_EXPECTED, members[0]])
    if expected:
        arrived = [int(lane) for lane in np.flatnonzero(~come) if count_given(lanes, number, int(lane))]
        only = f", {named(arrived)} of them by bar.arrive" if arrived else ""
        return f", which opens for {expected} threads: {int(come.sum()) + len(arrived)} have come{only}"
    left = [int(l) for l in np.flatnonzero(alive & ~come)]
    return f" for {named(left)}" if left else " for threads that have exited, as the contract assumes"


def _filled_before(code: Code, rows: Rows, first_row: int, number: int) -> int:
    """The walk index of the last bar.arrive that filled a barrier at which nobody waited; -1 for none."""
    made = rows.row[first_row : int(rows.used[0])]
    filling = (code.static["op"][np.maximum(made[:, 0] >> 32, 0)] == Op.BAR_ARRIVE) & (made[:, 2] & FLAG_ENDS_PHASE != 0)
    walks = made[filling & (made[:, 0] >= 0) & (made[:, 1] == number), 0] >> 32
    return int(walks[-1]) if len(walks) else -1


def _may_arrive(code: Code, lanes: Lanes, lane: int) -> bool:
    """Whether others of its warp have come, at another instruction, to the barrier at which a lane waits to arrive: what this
    machine takes for waiting apart may be an arrival."""
    number = lanes.value[code.code[lanes.lane[L_PC, lane], A], lane]
    base = lane & ~31
    for mate in range(base, min(base + 32, lanes.lane.shape[1])):
        row = code.code[lanes.lane[L_PC, mate]]
        waits = lanes.lane[L_STATUS, mate] in (AT_BARRIER, WAITING) and lanes.lane[L_PC, mate] != lanes.lane[L_PC, lane]
        if waits and row[OP] in (Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE) and lanes.value[row[A], mate] == number:
            return True
    return False


def _count(lanes: Lanes, number: int, lane: int) -> str:
    """The thread count that a lane gave."""
    if lanes.lane[L_STATUS, lane] == AT_BARRIER and lanes.lane[L_BARRIER, lane] == number:
        count = int(lanes.lane[L_EXPECTED, lane])
        return str(count) if count else "none"
    return f"{count_given(lanes, number, lane)} (it arrived and went on)"
