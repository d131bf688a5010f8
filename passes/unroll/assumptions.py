"""What a run rests on besides the contract: the assumptions that its program carries."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.instructions import MATRIX, Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.tensor import ASSUMPTION as WMMA_ASSUMPTION
from volta_pipe.ir.tensor_memory import ASSUMPTION_ROWS
from volta_pipe.passes.unroll.addresses import ASSUMPTION
from volta_pipe.passes.unroll.bytecode import SATFINITE
from volta_pipe.passes.unroll.code import Code
from volta_pipe.passes.unroll.state import LOOSE_ROWS, Rows

Array = np.ndarray[Any, np.dtype[Any]]
_ASSUME_EXITED = "a barrier does not wait for threads that have returned, nor do their warps have to reach it"
_ASSUME_FINITE = "conversions with .satfinite stay within the range of their format"
_ASSUME_ACTIVEMASK = "activemask names the lanes that run together when lanes reconverge as early as they can"
# PTX ISA 10.4 calls it volatile and advises to compute it from the thread's number.
_ASSUME_WARPID = "%warpid is the number of the thread in its CTA divided by 32"

# The reals have one zero, and its sign is taken to be plus.
_ASSUME_SIGN = "an operand whose sign copysign takes is never -0"
_ASSUME_ELECT = "elect.sync chooses the lowest of the lanes that it may choose"


def assumptions_of(launch: Launch, code: Code, rows: Rows, st: Array, dependent: bool) -> tuple[str, ...]:
    """The assumptions of a run that made these rows. st: the machine's scalars (state.py); dependent: whether something depends
    on where buffers lie (addresses.py)."""
    op, sub = code.static["op"], code.static["sub"]
    executed = rows.row[: int(rows.used[0]), 0] >> 32
    found = {
        _ASSUME_ACTIVEMASK: bool((op == Op.ACTIVEMASK).any()),
        _ASSUME_FINITE: bool(((op == Op.FCVT) & (sub & SATFINITE != 0)).any()),
        _ASSUME_WARPID: ("special", "warpid") in ((kind, value) for _, kind, value in code.preloads),
        _ASSUME_ELECT: bool((op == Op.ELECT).any()),
        _ASSUME_SIGN: bool(np.isin(executed, np.flatnonzero(op == Op.COPYSIGN)).any()),
        ASSUMPTION: dependent,
        _ASSUME_EXITED: _opened_without_exited(launch, code, rows),
        WMMA_ASSUMPTION: bool((np.isin(op, [int(one) for one in MATRIX]) & (code.static["signed2"] == 1)).any()),
        ASSUMPTION_ROWS: bool(st[LOOSE_ROWS]),
    }
    return tuple(text for text, holds in found.items() if holds)


def _opened_without_exited(launch: Launch, code: Code, rows: Rows) -> bool:
    """Whether a barrier opened without some thread of the CTA, or, with a thread count, of a warp that it counted."""
    n, masks, threads = int(rows.used[0]), int(rows.used[1]), launch.threads
    op, inputs = code.static["op"], code.static["inputs"]
    whole = ((op == Op.BAR) & (inputs == 1)) | ((op == Op.BAR_RED) & (inputs == 2))
    counted = ~whole & ((op == Op.BAR) | (op == Op.BAR_RED) | (op == Op.BAR_ARRIVE))
    if not (whole | counted).any():
        return False
    instruction, mask = rows.row[:n, 0] >> 32, rows.row[:n, 0] & 0xFFFFFFFF
    bits = np.unpackbits(rows.bits[:masks].view(np.uint8), axis=1, bitorder="little")[:, :threads]
    if bool((bits[np.unique(mask[np.isin(instruction, np.flatnonzero(whole))])].sum(axis=1) < threads).any()):
        return True
    met = bits[np.unique(mask[np.isin(instruction, np.flatnonzero(counted))])]
    return any(bool((warp.any(axis=1) & ~warp.all(axis=1)).any()) for warp in np.split(met, range(32, threads, 32), axis=1))
