"""Registers as SSA values: which operands a row of an instruction reads and defines, and what each register holds then."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from volta_pipe.ir.instructions import MBARRIER, Op

_MATRIX_REGISTER = 32  # bits
# What these read and write is in memory, or was resolved: addresses, member masks, tokens, predicates of barriers.
_NO_VALUES = frozenset(
    {Op.COPY, Op.COPY_COMMIT, Op.COPY_WAIT, Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE, Op.WARPSYNC, Op.FENCE, *MBARRIER}
)
_MOST_RESULTS = 2  # of what a lane computes of its own


def parts_of(width: int) -> int:
    """How many parts of a register the micro-rows of a matrix transfer fill one by one."""
    return max(_MATRIX_REGISTER, width) // width if width else 1


Numbers = Sequence[int]


def values_of(op: Op, width: int, results: Numbers, inputs: Numbers, part: int) -> tuple[Numbers, Numbers]:
    """(registers that a row defines, registers whose contents it reads), of those that its instruction names."""
    if op in _NO_VALUES:
        return (), ()
    place = part // parts_of(width)
    if op == Op.LD:
        return results, ()
    if op == Op.LDMATRIX:
        return results[place : place + 1], ()
    if op == Op.ST:
        return (), inputs[1:]
    if op == Op.STMATRIX:
        return (), inputs[1 + place : 2 + place]
    if op in (Op.ATOM, Op.RED):
        return results, inputs[1:]
    if op in (Op.SHFL, Op.MOVMATRIX):
        return results[:1], inputs[:1]
    if op in (Op.MMA, Op.UNPACK):
        return results, inputs
    return results[:_MOST_RESULTS], inputs


class Registers:
    """What the registers of a CTA hold, and which lanes were given it."""

    def __init__(self) -> None:
        self.values: dict[int, SSAValue] = {}
        self.written: dict[int, int] = {}  # a bit for each lane

    def held(self, register: int) -> SSAValue | None:
        """The value that a register holds; None where nothing was written to it."""
        return self.values.get(register)

    def keeps(self, registers: Sequence[int], lanes: int, *, partly: bool) -> bool:
        """Whether a row of these lanes leaves something of what was written to one of the registers. `partly`: lanes that take
        part can keep it, too (a guard, a part of a register)."""
        return any(self.written.get(register, 0) & (-1 if partly else ~lanes) for register in registers)

    def define(self, registers: Sequence[int], lanes: int, values: Sequence[SSAValue]) -> None:
        """A row gave the registers these values."""
        for register, value in zip(registers, values, strict=True):
            self.values[register] = value
        self.write(registers, lanes)

    def write(self, registers: Sequence[int], lanes: int) -> None:
        """Something was written to these lanes of the registers."""
        for register in registers:
            self.written[register] = self.written.get(register, 0) | lanes
