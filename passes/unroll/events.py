"""What the machine met and could not pass, told as events with the threads and places that explain it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import GLOBAL_VARIABLES_REGION, REGION_SHIFT
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Event, Program, Region
from volta_pipe.passes.stores import last_store
from volta_pipe.passes.unroll import reasons
from volta_pipe.passes.unroll.awaited import named
from volta_pipe.passes.unroll.blocked import BLOCKED, OBJECT_MESSAGES, blocked
from volta_pipe.passes.unroll.bytecode import GUARD, OP, TARGET, TARGET2, WALK, A, B, C, E
from volta_pipe.passes.unroll.code import Code
from volta_pipe.passes.unroll.memory import Layout
from volta_pipe.passes.unroll.state import (
    BYTE_HALF,
    BYTE_POISON,
    BYTE_UNDETERMINED,
    COUNT,
    EVENT_ADDRESS,
    EVENT_LANE,
    EVENT_OTHER,
    EXITED,
    L_ACT,
    L_PC,
    L_STATUS,
    MIXED,
    PC,
    POISON,
    SYMBOLIC,
    UNDETERMINED,
    Lanes,
    Memory,
    Rows,
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
    reasons.MASKS_CLASH: (
        "barrier-divergence",
        "a thread waits in a warp instruction for one that its mask names, but that came there with another mask and exited",
    ),
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
    reasons.SYMBOLIC_ATOMIC: (
        "unsupported-instruction",
        "an integer atomic meets a value that is only known symbolically",
    ),
    reasons.BAD_COPY: ("unsupported-instruction", "cp.async is asked to read more bytes than it writes, or to wait for none"),
    reasons.REPEATED_ARRIVAL: (
        "unsupported-instruction",
        "a thread arrives a second time at a barrier that need not have opened since (bar.arrive)",
    ),
    reasons.TORN_ARRIVAL: (
        "unsupported-instruction",
        "the lanes of a warp come to different barriers in one bar.arrive: each waits for the others at its own",
    ),
}
# What a value that is not determined may have come from, by the operation that made it.
_UNDETERMINED = {
    Op.ATOM: "the result of an atomic, which depends on the order in which threads come to it",
    Op.OPAQUE: "the bits of a cache policy, which mean nothing",
}
_UNKNOWN_ORIGIN = (
    "a part of the result of an atomic, which depends on the order in which threads come to it, or bytes of an mbarrier object"
)
# Reasons for which the machine does not say which lane it was, and what the lane's operand is.
_OPERANDS = {
    reasons.POISON_OPERAND: POISON,
    reasons.SYMBOLIC_OPERAND: SYMBOLIC,
    reasons.GUARDED_SYMBOLIC: SYMBOLIC,
}
_USES = {
    reasons.POISON_BRANCH: "a branch depends on",
    reasons.POISON_ADDRESS: "an address depends on",
    reasons.POISON_OPERAND: "a guard, or an operand that decides who takes part, depends on",
    reasons.SYMBOLIC_OPERAND: "an operand that decides who takes part depends on",
    reasons.GUARDED_SYMBOLIC: "the guard of this instruction depends on",
}


def _undetermined(reason: int, code: Code, lanes: Lanes, st: Array) -> tuple[str, int, int] | None:
    """(message, lane, walk index of the origin) where what stopped the machine is a value that is not determined."""
    if reason in _USES:
        for lane, value in _operands(code, lanes, st, POISON):
            if value >= UNDETERMINED:
                what, origin = _origin(value, code.static["op"])
                return f"{_USES[reason]} {what}", lane, origin
    return None


def _operands(code: Code, lanes: Lanes, st: Array, tag: int) -> Iterator[tuple[int, int]]:
    """(lane, value) of the guard and operands that have a tag where the machine stands; of a poison value it is the origin."""
    if not st[COUNT]:
        return
    row = code.code[st[PC]]
    for register in (row[GUARD], row[A], row[B], row[C], row[E]):
        for lane in lanes.lane[L_ACT, : st[COUNT]] if register >= 0 else ():
            if (lanes.meta[0, register] if lanes.meta[0, register] != MIXED else lanes.tag[register, lane]) == tag:
                yield int(lane), int(lanes.value[register, lane])


def _origin(value: int, ops: Array) -> tuple[str, int]:
    """(what a value that is not determined is, walk index of what made it or -1)."""
    origin = value & 0x7FFFFFFF
    if origin >= len(ops):
        return _UNKNOWN_ORIGIN, -1
    return _UNDETERMINED.get(Op(int(ops[origin])), _UNKNOWN_ORIGIN), origin


def describe(
    reason: int, cta: int, budget: str, code: Code, lanes: Lanes, st: Array, memory: Memory, regions: Sequence[Region],
    rows: Rows, first_row: int,
) -> Event:  # fmt: skip
    """The event for a reason of the machine's, as the lanes stand. first_row: where the CTA's rows begin."""
    if reason == reasons.BUDGET:
        threads = tuple(int(l) for l in lanes.lane[L_ACT, : st[COUNT]])
        pc = int(st[PC]) if st[COUNT] else int(lanes.lane[L_PC, lanes.lane[L_STATUS] != EXITED].min(initial=0))
        running = f"; {len(threads)} ran here: {named(threads)}" if len(threads) > 1 else ""
        return Event("budget", f"the {budget} ran out{running}", _loop_head(code, pc), cta, threads)
    if reason in BLOCKED:
        return blocked(reason, cta, code, lanes, st, memory, regions, rows, first_row)
    found = _undetermined(reason, code, lanes, st)
    if found is not None:
        message, lane, origin = found
        return Event("unsupported-instruction", message, int(code.code[st[PC], WALK]), cta, (lane,), -1, origin)
    kind, message = (_MESSAGES | OBJECT_MESSAGES).get(
        reason, ("unsupported-instruction", f"the machine stopped with reason {reason}")
    )
    walk = int(code.code[st[PC], WALK])
    if walk in code.refusals and reason in (reasons.TRAPPED, reasons.SYMBOLIC_BRANCH):
        guarded = " (whether it is executed is only known symbolically)" if reason == reasons.SYMBOLIC_BRANCH else ""
        kind, message = "unsupported-instruction", code.refusals[walk] + guarded
    lane, other = int(st[EVENT_LANE]), -1
    if reason in (reasons.POISON_BRANCH, reasons.POISON_ADDRESS):
        other = int(st[EVENT_OTHER])
    elif reason in _OPERANDS:
        lane, value = next(_operands(code, lanes, st, _OPERANDS[reason]), (lane, -1))
        other = value if reason == reasons.POISON_OPERAND else -1
    address = int(st[EVENT_ADDRESS]) if reason == reasons.MISALIGNED or reason in OBJECT_MESSAGES else -1
    threads = (lane, int(st[EVENT_OTHER])) if reason == reasons.MASKS_CLASH else (lane,)
    return Event(kind, message, walk, cta, threads, address, other)


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


def poison_in_outputs(data: Array, state: Array, launch: Launch, layout: Layout, program: Program) -> list[Event]:
    """Output bytes that hold an uninitialised value at the end: one event a tensor, with the store and the read behind it."""
    events = []
    for region in layout.regions:
        if region.tensor < 0 or region.role not in ("out", "inout"):
            continue
        start = int(layout.flat[region.number, 0])
        held = state[start : start + region.size]
        bad = np.flatnonzero((held == BYTE_POISON) | (held == BYTE_HALF))
        undetermined = np.flatnonzero(held == BYTE_UNDETERMINED)
        if len(undetermined):
            offset = int(undetermined[0])
            address = (region.number << REGION_SHIFT) + region.start + offset
            word = data[start + offset : start + offset + 4].view(np.int32)
            what, origin = _origin(int(word[0]) if len(word) and offset % 4 == 0 else 0x7FFFFFFF, program.op)
            store, cta, thread = last_store(program, address)
            message = f"an element of {region.name} holds {what}"
            events.append(Event("unsupported-instruction", message, store, cta, (thread,), address, origin))
        if not len(bad):
            continue
        offset = int(bad[0])
        address = (region.number << REGION_SHIFT) + region.start + offset
        store, cta, thread = last_store(program, address)
        size = 2 if launch.tensors[region.tensor].itemsize == 2 else 4
        word = data[start + offset : start + offset + size]
        origin = int.from_bytes(word.tobytes(), "little") if offset % size == 0 else 0
        origin = origin if 0 < origin < len(program.op) else -1
        cells = len(np.unique(bad // launch.tensors[region.tensor].itemsize))
        message = f"an uninitialised value reaches {cells:,} element(s) of {region.name}"
        events.append(Event("uninitialized-read", message, store, cta, (thread,), address, origin))
    return events


def shared_with_others(program: Program) -> list[Event]:
    """Of a launch of which only some CTAs ran: an event for the first atomic on global memory, which others may change."""
    atomics = np.flatnonzero(np.isin(program.row_instr, np.flatnonzero(np.isin(program.op, (Op.ATOM, Op.RED)))))
    for row in atomics[program.row_base[atomics] >> REGION_SHIFT >= GLOBAL_VARIABLES_REGION][:1]:
        cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
        thread = int(program.active_lanes(int(program.row_mask[row]))[0])
        message = "an atomic on global memory, which CTAs that did not run may change, too: all have to run (`ctas`)"
        return [Event("unsupported-instruction", message, int(program.row_instr[row]), cta, (thread,))]
    return []
