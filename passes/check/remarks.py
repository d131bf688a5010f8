"""What a report says that is no fault: what was not checked or counts for less than it seems, and indices that wrap around."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from volta_pipe.ir.findings import Access, Finding
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import FLAG_GUARDED, WRAPPING, Program
from volta_pipe.passes.check.run import Result

# `lower` makes shifts of products with powers of two: what the PTX has at that line may be either.
_WRAPS = {
    Op.ADD: "sum",
    Op.SUB: "difference",
    Op.MUL_LO: "product",
    Op.MAD_LO: "product and sum",
    Op.SHL: "product with a power of two (mul or shl)",
}


def wrapped(program: Program) -> Iterator[Finding]:
    """A remark for each instruction of 32 bits that wrapped around on the way to an address (unroll's wraps.py)."""
    for i in np.flatnonzero(np.isin(program.op, WRAPPING) & (program.imm > 0)):
        cta, thread = divmod(int(program.imm[i]) - 1, program.threads)
        x, y, z = (int(n) for n in program.cta_ids[cta])
        text = (
            f"a {_WRAPS[Op(int(program.op[i]))]} of 32 bits that an address is computed from wraps around, for the first time "
            f"in thread {thread} of CTA {(x, y, z)}: the exact number is neither a signed nor an unsigned one of 32 bits "
            "(the thread may make no use of it)"
        )
        yield Finding("wrapped-index", text, (Access(int(i), (x, y, z), thread, "run"),))


def notes(program: Program, launch: Launch, result: Result) -> Iterator[str]:
    """What was not checked, or counts for less than it seems."""
    if not program.complete:
        yield "the run stopped early: what comes after was not checked"
    if launch.ctas is not None:
        yield "only some CTAs ran: whether every output element gets written, and races with the others, were not checked"
    if result.dropped:
        yield f"{result.dropped:,} more accesses at fault are not listed"
    if result.untraced:
        yield (
            f"{result.untraced:,} accesses may be meant for any of several variables, and it could not be told for which: they "
            "were only checked to stay within one of these"
        )
    guarded = np.unique(program.row_instr[(program.row_flags & FLAG_GUARDED) != 0])
    if any(i >= 0 and program.op[i] in (Op.LD, Op.ST) for i in guarded):
        yield "accesses under a condition that depends on data were taken to happen"
