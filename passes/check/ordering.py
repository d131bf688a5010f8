"""What an explanation of a race says: the last synchronisation that both threads took part in, what one of them alone waited or
arrived at since, and what would order the two accesses (of mbarrier phases: phase_words.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.findings import Access, Step
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import FLAG_ENDS_PHASE, Program
from volta_pipe.passes.check.phase_words import phases_between
from volta_pipe.passes.check.run import collecting

Array = np.ndarray[Any, np.dtype[Any]]
_WAITS = (Op.BAR, Op.BAR_RED)
_BARRIERS = (*_WAITS, Op.BAR_ARRIVE)
_COLLECTIVES = (Op.SHFL, Op.MMA, Op.MOVMATRIX)
_MOST_ALONE = 2
_WARP = 32


def why_unordered(
    program: Program, launch: Launch, rows: tuple[int, int], before: Access, now: Access, shared: bool, apart: bool
) -> tuple[Step, ...]:
    """Of two accesses in the order in which they were met. rows: theirs; shared: whether they are to shared memory; apart:
    whether there are others at the same two instructions by threads of different warps."""
    if before.cta != now.cta:
        return (Step("nothing orders the CTAs of a launch: two launches do, or atomics for both accesses"),)
    first, last = sorted(rows)
    candidates, who = _waits(program, launch, (before.thread, now.thread), last, shared)
    both = candidates[who.all(axis=0)]
    common, between = both[both < first], both[(both > first) & (both < last)]
    steps = []
    if len(common):
        row = int(common[-1])
        text = f"the last barrier that both waited at before: {_name(program, row, before.thread)}"
        steps.append(Step(text, int(program.row_instr[row])))
    else:
        steps.append(Step("there is no barrier that both waited at before"))
    phase, remedy = phases_between(program, launch, rows, before, now)
    steps += phase
    copies = "copy" in (before.action, now.action)
    if len(between):  # copies go on behind barriers
        row = int(between[-1])
        text = f"between the two both waited at {_name(program, row, before.thread)}, but the copy may go on behind it"
        steps.append(Step(text, int(program.row_instr[row])))
    alone = candidates[who.any(axis=0) & ~who.all(axis=0)]
    for row in alone[(alone > first) & (alone < last)][:_MOST_ALONE]:
        waits = _takes_part(program, int(row), before.thread)
        who_waits, other = (before, now) if waits else (now, before)
        done = "arrived, without waiting," if program.op[program.row_instr[row]] == Op.BAR_ARRIVE else "waited"
        text = f"in between only thread {who_waits.thread} {done} at {_name(program, int(row), who_waits.thread)}"
        steps.append(Step(f"{text}, without thread {other.thread}", int(program.row_instr[row])))
        early = -1 if waits else _arrived_before(program, int(row), now.thread, before.thread)
        if 0 <= early < first:
            text = f"thread {before.thread} arrived there before its {before.action}, not behind it"
            steps.append(Step(text, int(program.row_instr[early])))
    if before.action == "copy":
        steps += _groups(program, rows, before, last)
    steps += remedy or [Step(_remedy(before, now, rows, copies, apart, program.threads))]
    return tuple(steps)


def _takes_part(program: Program, row: int, thread: int) -> bool:
    return bool(program.mask_bits[program.row_mask[row], thread // 64] >> np.uint64(thread % 64) & np.uint64(1))


def _arrived_before(program: Program, row: int, waiting: int, arriving: int) -> int:
    """The row at which one thread arrived, without waiting, for the round of a barrier that another waits for in `row`; -1
    where it did not."""
    if program.op[program.row_instr[row]] not in _WAITS:
        return -1
    number = _number(program, row, waiting)
    begin = int(program.cta_rows[np.searchsorted(program.cta_rows, row, side="right") - 1])
    barriers = np.flatnonzero(np.isin(program.row_instr[begin:row], np.flatnonzero(np.isin(program.op, _BARRIERS))))
    for earlier in (begin + barriers[::-1]).tolist():
        arrives = program.op[program.row_instr[earlier]] == Op.BAR_ARRIVE
        ends = not arrives or program.row_flags[earlier] & FLAG_ENDS_PHASE
        if ends and program.row_values(earlier)[-1] == number:
            return -1  # the round before
        if arrives and _takes_part(program, earlier, arriving) and _number(program, earlier, arriving) == number:
            return int(earlier)
    return -1


def _groups(program: Program, rows: tuple[int, int], copy: Access, last: int) -> list[Step]:
    """Which group of its thread's copies a copy is in, and which of them the thread's last wait before the row `last` leaves
    under way (PTX ISA 9.7.9.25.3.3)."""
    copied = next((row for row in rows if int(program.row_instr[row]) == copy.instruction), rows[0])
    begin = int(program.cta_rows[np.searchsorted(program.cta_rows, last, side="right") - 1])
    counted = np.flatnonzero(np.isin(program.op, (Op.COPY_COMMIT, Op.COPY_WAIT)))
    group, committed, wait, left = 1, 0, -1, 0
    for row in (begin + np.flatnonzero(np.isin(program.row_instr[begin:last], counted))).tolist():
        if not _takes_part(program, row, copy.thread):
            continue
        if program.op[program.row_instr[row]] == Op.COPY_COMMIT:
            committed += 1
            group += row < copied
        elif row > copied:
            wait, left = row, int(program.row_base[row])
            seen = committed
    if wait < 0:
        return [Step(f"thread {copy.thread} waits for none of its copies in between")]
    whose = f"of thread {copy.thread}, whose last wait leaves the newest {left} of {seen} groups under way"
    text = f"the copy is in group {group} {whose}"
    return [Step(text, int(program.row_instr[wait]))]


def _waits(program: Program, launch: Launch, threads: tuple[int, int], last: int, shared: bool) -> tuple[Array, Array]:
    """Rows of the CTA before `last` at which one of two threads waits for others, or arrives for them to go on: int64 [n], and
    bool [2, n] who does."""
    orders = np.isin(program.op, (*_BARRIERS, Op.WARPSYNC))
    if shared and launch.warp_collectives_order_memory:
        orders |= np.isin(program.op, _COLLECTIVES) | collecting(program)
    begin = int(program.cta_rows[np.searchsorted(program.cta_rows, last, side="right") - 1])
    rows = begin + np.flatnonzero(np.isin(program.row_instr[begin:last], np.flatnonzero(orders)))
    masks = program.mask_bits[program.row_mask[rows]]
    who = np.array([masks[:, t // 64] >> np.uint64(t % 64) & np.uint64(1) for t in threads]).astype(np.bool_)
    apart = threads[0] // _WARP != threads[1] // _WARP
    for k in np.flatnonzero(who.all(axis=0)):
        barrier = program.op[program.row_instr[rows[k]]] in _BARRIERS
        # One row may be barriers of several numbers, or instructions of several warps: each thread is in one of its own. Who
        # arrives only does not wait for the other.
        waits = program.op[program.row_instr[rows[k]]] != Op.BAR_ARRIVE
        if (barrier and len({_number(program, int(rows[k]), t) for t in threads}) > 1) or (not barrier and apart) or not waits:
            who[:, k] = False
    return rows, who


def _number(program: Program, row: int, thread: int) -> int:
    values = program.row_values(row)
    return int(values[program.active_lanes(int(program.row_mask[row])).searchsorted(thread)])


def _name(program: Program, row: int, thread: int) -> str:
    op = Op(int(program.op[program.row_instr[row]]))
    if op in _BARRIERS:
        return f"barrier {_number(program, row, thread)} of the CTA"
    return "a barrier of their warp" if op is Op.WARPSYNC else "an instruction of their warp that orders shared memory here"


def _remedy(before: Access, now: Access, rows: tuple[int, int], copies: bool, apart: bool, threads: int) -> str:
    """What would order them. Findings of other dims are shown with this one, and their pairs may lie in several warps: a
    barrier of the warp is offered alone only where the CTA has one."""
    if rows[0] == rows[1]:
        return "no barrier can order one instruction with itself: let one thread do it, or make it an atomic"
    place = f"behind the {before.action} by thread {before.thread} and before the {now.action} by thread {now.thread}"
    same = before.thread // _WARP == now.thread // _WARP and not apart
    barrier = "__syncthreads() (bar.sync 0)"
    if same:
        barrier += ", or __syncwarp() within a warp,"
        if threads <= _WARP:
            barrier = "__syncwarp() (bar.warp.sync), or a barrier of the CTA,"
    if copies and before.thread == now.thread:
        return f"a wait of thread {now.thread} for its copies (cp.async.wait_group, wait_all) between the two would order them"
    if copies:
        copier = before if before.action == "copy" else now
        wait = f"a wait of thread {copier.thread} for its copies (cp.async.wait_group, wait_all), and then {barrier}"
        return f"{wait} {place} would order them" if copier is before else f"{barrier} {place} would order them"
    return f"{barrier} {place} would order them"
