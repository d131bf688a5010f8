"""What the machine met and could not pass, told as events with the threads and places that explain it."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import REGION_SHIFT, Event, Program
from volta_pipe.passes.unroll import reasons
from volta_pipe.passes.unroll.assemble import Code
from volta_pipe.passes.unroll.bytecode import OP, TARGET, TARGET2, WALK
from volta_pipe.passes.unroll.memory import Layout
from volta_pipe.passes.unroll.state import (
    AT_BARRIER,
    BYTE_POISON,
    COUNT,
    EVENT_ADDRESS,
    EVENT_LANE,
    EVENT_OTHER,
    EXITED,
    L_ACT,
    L_BARRIER,
    L_PC,
    L_STATUS,
    PC,
    WAITING,
    Lanes,
)

Array = np.ndarray[Any, np.dtype[Any]]
_MESSAGES = {
    reasons.SYMBOLIC_BRANCH: ("data-dependent-control", "a branch depends on a value that is only known symbolically"),
    reasons.POISON_BRANCH: ("uninitialized-read", "a branch depends on an uninitialised value"),
    reasons.SYMBOLIC_ADDRESS: ("data-dependent-address", "an address depends on a value that is only known symbolically"),
    reasons.POISON_ADDRESS: ("uninitialized-read", "an address depends on an uninitialised value"),
    reasons.SYMBOLIC_OPERAND: ("data-dependent-control", "an operand that decides who takes part is only known symbolically"),
    reasons.POISON_OPERAND: ("uninitialized-read", "a guard, or an operand that decides who takes part, is uninitialised"),
    reasons.BAD_MASK: ("barrier-divergence", "a thread executes a warp instruction whose member mask does not name it"),
    reasons.GUARDED_SYMBOLIC: (
        "data-dependent-control",
        "this instruction is guarded by a predicate that is only known symbolically",
    ),
    reasons.BAD_BARRIER: (
        "unsupported-instruction",
        "there is no such barrier: numbers are 0 to 15, thread counts positive multiples of 32",
    ),
    reasons.BROKEN_WARP: (
        "barrier-divergence",
        "a matrix instruction needs all 32 lanes of the warp, but some have exited or do not exist",
    ),
    reasons.MISALIGNED: ("misaligned", "a row of a matrix does not start at a multiple of the alignment that it needs"),
    reasons.MATRIX_UNEVEN: (
        "unsupported-instruction",
        "the lanes of a warp give different addresses or strides to a wmma instruction, whose result is then undefined",
    ),
    reasons.MATRIX_OVERLAP: ("race", "rows of one matrix that is stored lie in the same bytes"),
    reasons.MATRIX_ALIAS: ("unsupported-instruction", "a result of this product is in the register of another operand"),
    reasons.TRAPPED: ("unsupported-instruction", "trap is reached"),
}


def describe(reason: int, cta: int, budget: str, code: Code, lanes: Lanes, st: Array) -> Event:
    """The event for a reason of the machine's, as the lanes stand."""
    if reason == reasons.BUDGET:
        threads = tuple(int(l) for l in lanes.lane[L_ACT, : st[COUNT]])
        pc = int(st[PC]) if st[COUNT] else int(lanes.lane[L_PC, lanes.lane[L_STATUS] != EXITED].min(initial=0))
        return Event("budget", f"the {budget} ran out", _loop_head(code, pc), cta, threads)
    if reason in (reasons.STUCK, reasons.DIVERGED_BARRIER, reasons.CROWDED_BARRIER):
        return _blocked(reason, cta, code, lanes, st)
    kind, message = _MESSAGES.get(reason, ("unsupported-instruction", f"the machine stopped with reason {reason}"))
    walk = int(code.code[st[PC], WALK])
    if walk in code.refusals and reason in (reasons.TRAPPED, reasons.SYMBOLIC_BRANCH):
        guarded = " (whether it is executed is only known symbolically)" if reason == reasons.SYMBOLIC_BRANCH else ""
        kind, message = "unsupported-instruction", code.refusals[walk] + guarded
    poisoned = kind == "uninitialized-read" and reason in (reasons.POISON_BRANCH, reasons.POISON_ADDRESS)
    other = int(st[EVENT_OTHER]) if poisoned else -1
    address = int(st[EVENT_ADDRESS]) if reason == reasons.MISALIGNED else -1
    return Event(kind, message, walk, cta, (int(st[EVENT_LANE]),), address, other)


def _loop_head(code: Code, pc: int) -> int:
    """The walk index that stands for the loop around pc: the target of the innermost backward branch that spans it."""
    best, width = int(code.code[pc, WALK]), 1 << 60
    for at, row in enumerate(code.code):
        if row[OP] not in (int(Op.BRA), int(Op.CBRA)):
            continue
        for target in (int(row[TARGET]), int(row[TARGET2])) if row[OP] == int(Op.CBRA) else (int(row[TARGET]),):
            if target <= pc <= at and at - target < width:
                best, width = int(code.code[target, WALK]), at - target
    return best


def _blocked(reason: int, cta: int, code: Code, lanes: Lanes, st: Array) -> Event:
    """A deadlock, or a barrier that threads meet in a way that is not allowed."""
    waiting = np.flatnonzero((lanes.lane[L_STATUS] == AT_BARRIER) | (lanes.lane[L_STATUS] == WAITING))
    if reason == reasons.STUCK:
        groups: dict[tuple[int, int, int], list[int]] = {}
        for l in waiting:
            number = int(lanes.lane[L_BARRIER, l]) if lanes.lane[L_STATUS, l] == AT_BARRIER else -1
            groups.setdefault((int(lanes.lane[L_STATUS, l]), int(lanes.lane[L_PC, l]), number), []).append(int(l))
        parts = []
        for (status, _, number), members in sorted(groups.items(), key=lambda item: item[1][0]):
            what = f"at barrier {number}" if status == AT_BARRIER else "in a warp instruction for lanes that do not come"
            parts.append(f"{len(members)} threads wait {what} (the first is thread {members[0]})")
        exited = int((lanes.lane[L_STATUS] == EXITED).sum())
        if exited:
            parts.append(f"{exited} threads have exited")
        ordered = sorted(groups.items(), key=lambda item: item[1][0])
        threads = tuple(members[0] for _, members in ordered)
        walks = [int(code.code[pc, WALK]) for (_, pc, _), _ in ordered]
        return Event(
            "deadlock",
            "no thread can go on: " + "; ".join(parts),
            walks[0],
            cta,
            threads,
            -1,
            walks[1] if len(walks) > 1 else -1,
        )
    lane, first = int(st[EVENT_LANE]), int(st[EVENT_OTHER])
    here, there = int(code.code[lanes.lane[L_PC, first], WALK]), int(code.code[lanes.lane[L_PC, lane], WALK])
    if reason == reasons.CROWDED_BARRIER:
        number = int(lanes.lane[L_BARRIER, first])
        message = f"barrier {number}: more threads arrive than it expects, or they expect different numbers"
        return Event("unsupported-instruction", message, here, cta, (first, lane), -1, there)
    message = (
        f"threads meet at barrier {int(lanes.lane[L_BARRIER, first])} in different places: thread {first} waits at one "
        f"bar.sync, thread {lane} is at another instruction"
    )
    return Event("barrier-divergence", message, here, cta, (first, lane), -1, there)


def poison_in_outputs(data: Array, state: Array, launch: Launch, layout: Layout, program: Program) -> list[Event]:
    """Output bytes that hold an uninitialised value at the end: one event a tensor, with the store and the read behind it."""
    events = []
    for region in layout.regions:
        if region.tensor < 0 or region.role not in ("out", "inout"):
            continue
        start = int(layout.flat[region.number, 0])
        bad = np.flatnonzero(state[start : start + region.size] == BYTE_POISON)
        if not len(bad):
            continue
        offset = int(bad[0])
        address = (region.number << REGION_SHIFT) + region.start + offset
        store, cta, thread = _last_store(program, address)
        word = data[start + offset : start + offset + 4]
        origin = int(word.view(np.int32)[0]) if len(word) == 4 and offset % 4 == 0 else -1
        cells = len(np.unique(bad // launch.tensors[region.tensor].itemsize))
        message = f"an uninitialised value reaches {cells} element(s) of {region.name}"
        events.append(Event("uninitialized-read", message, store, cta, (thread,), address, origin))
    return events


def _last_store(program: Program, address: int) -> tuple[int, int, int]:
    """(walk index, CTA index, thread) of the last store that covers an address; -1 where there is none."""
    is_store = np.isin(program.row_instr, np.flatnonzero((program.op == Op.ST) | (program.op == Op.STMATRIX)))
    for row in np.flatnonzero(is_store)[::-1]:
        instr = int(program.row_instr[row])
        size = program.access_bytes(instr)
        hit = np.flatnonzero((program.row_values(int(row)) <= address) & (address < program.row_values(int(row)) + size))
        if len(hit):
            cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
            return instr, cta, int(program.active_lanes(int(program.row_mask[row]))[hit[-1]])
    return -1, 0, 0
