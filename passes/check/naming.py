"""Words and forms that all findings share: what an instruction does, the CTA by its coordinates, a finding at a place."""

from __future__ import annotations

from volta_pipe.ir.findings import Access, Finding, Step
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import Program
from volta_pipe.passes.check.memory import Location

ACTIONS = {Op.LD: "read", Op.ST: "write", Op.ATOM: "atomic", Op.RED: "atomic", Op.COPY: "copy", Op.COPY_WAIT: "copy"}
ACTIONS |= {Op.LDMATRIX: "read", Op.STMATRIX: "write", Op.MBARRIER_INIT: "write", Op.MBARRIER_INVAL: "write"}
ACTIONS |= {Op.MBARRIER_SIGNAL: "barrier", Op.MBARRIER_TRACK: "barrier", Op.MBARRIER_WAIT: "barrier"}
ACTIONS |= dict.fromkeys((Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE), "barrier")
ACTIONS |= dict.fromkeys((Op.WARPSYNC, Op.SHFL, Op.VOTE, Op.MATCH, Op.REDUX, Op.ELECT), "wait")


def cta_of(program: Program, number: int) -> tuple[int, int, int]:
    """The coordinates of CTA `number` among those that were run."""
    x, y, z = (int(n) for n in program.cta_ids[number])
    return x, y, z


def action_of(program: Program, instruction: int) -> str:
    """What an instruction does, in the word of `Access.action`."""
    if not 0 <= instruction < len(program.op):
        return "run"
    return ACTIONS.get(Op(int(program.op[instruction])), "run")


def at(
    kind: str, message: str, accesses: tuple[Access, ...], place: Location, count: int, steps: tuple[Step, ...] = ()
) -> Finding:
    """A finding at a place in memory."""
    return Finding(kind, message, accesses, place.space, place.name, place.offset, place.index, count, steps)
