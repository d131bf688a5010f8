"""Rows: one operation for each SIMT row of a CTA, with the lanes that take part; what they have in common is in row_bases.py.

Registers are SSA values, a whole register of all threads each. A row that does not write all lanes that the register was
written in has its old value as an operand (`else`), so that what a value holds depends on its operands alone. Which register
of the machine a value is does not matter to the dialect; the static code (`scta.code`) names them, and the conversion to a
program checks that each operand is what that register holds at that place.

Operands, in this order: the inputs, the guard where there is one, and where `keeps` is true one old value a result."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, StringAttr
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, attr_def, irdl_op_definition, result_def, var_result_def
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.instructions import MBARRIER, Op
from volta_pipe.ir.modules.attributes import BOOLEAN, INTEGER, Integer, number_of, one_of
from volta_pipe.ir.scta.lanes import LANES
from volta_pipe.ir.scta.row_bases import CodeRowOp, MemoryRowOp, NumberRowOp, RowOp

SIDES = ("source", "target")


@irdl_op_definition
class InitialOp(IRDLOperation):
    """What a register holds before the first row: nothing that a program may look at; in a part of a program, what the
    rows left out gave it."""

    name = "scta.initial"
    register: Integer = attr_def(INTEGER)
    res = result_def(LANES)
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        if not 0 <= number_of(self.register) < 1 << 31:
            raise VerifyException(f"{self.name}: register {number_of(self.register)} is out of range")


@irdl_op_definition
class ConstOp(RowOp):
    """Bits that flow into values: base + pattern."""

    name = "scta.const"
    register: Integer = attr_def(INTEGER)
    base: Integer = attr_def(INTEGER)
    res = result_def(LANES)
    INPUTS: ClassVar[int | None] = 0

    def verify_(self) -> None:
        super().verify_()
        if not 0 <= number_of(self.register) < 1 << 31:
            raise VerifyException(f"{self.name}: register {number_of(self.register)} is out of range")


@irdl_op_definition
class OpOp(NumberRowOp):
    """What each lane computes of its own registers; of a scalar (ldparam) `base` is its number."""

    name = "scta.op"
    res = var_result_def(LANES)


@irdl_op_definition
class MatrixOp(NumberRowOp):
    """What the lanes of a warp compute together of their registers: a matrix product, a transposition."""

    name = "scta.matrix"
    res = var_result_def(LANES)
    OPS: ClassVar[frozenset[Op]] = frozenset({Op.MMA, Op.MOVMATRIX})


@irdl_op_definition
class ShuffleOp(NumberRowOp):
    """Each lane gets what the register holds in lane base + pattern."""

    name = "scta.shuffle"
    res = result_def(LANES)
    INPUTS: ClassVar[int | None] = 1
    OPS: ClassVar[frozenset[Op]] = frozenset({Op.SHFL})


@irdl_op_definition
class SyncOp(NumberRowOp):
    """A barrier (base + pattern: its number), a meeting of lanes, a fence, a commit of or a wait for copies. `ends_phase`:
    the lanes fill a barrier at which nobody waits."""

    name = "scta.sync"
    ends_phase: BoolAttr = attr_def(BOOLEAN)
    INPUTS: ClassVar[int | None] = 0
    OPS: ClassVar[frozenset[Op]] = frozenset(
        {Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE, Op.WARPSYNC, Op.COPY_COMMIT, Op.COPY_WAIT, Op.FENCE}
    )


@irdl_op_definition
class ReadOp(MemoryRowOp):
    """A load: one result a register. `part`: of a matrix load, which of its micro-rows."""

    name = "scta.read"
    part: Integer = attr_def(INTEGER)
    res = var_result_def(LANES)
    INPUTS: ClassVar[int | None] = 0
    OPS: ClassVar[frozenset[Op]] = frozenset({Op.LD, Op.LDMATRIX})

    def verify_(self) -> None:
        super().verify_()
        check_part(self, self.part)


@irdl_op_definition
class WriteOp(MemoryRowOp):
    """A store of its inputs, one behind the other. `part`: of a matrix store, which of its micro-rows."""

    name = "scta.write"
    part: Integer = attr_def(INTEGER)
    OPS: ClassVar[frozenset[Op]] = frozenset({Op.ST, Op.STMATRIX})

    def verify_(self) -> None:
        super().verify_()
        check_part(self, self.part)


@irdl_op_definition
class AtomicOp(MemoryRowOp):
    """An atomic, lane by lane. `decided`: its result counts, so that its place among the others does, too."""

    name = "scta.atomic"
    decided: BoolAttr = attr_def(BOOLEAN)
    res = var_result_def(LANES)
    OPS: ClassVar[frozenset[Op]] = frozenset({Op.ATOM, Op.RED})


@irdl_op_definition
class CopyOp(MemoryRowOp):
    """An asynchronous copy is two rows: where it reads (`side` source), and behind it where it writes (target). `bytes` are
    read, zeros follow."""

    name = "scta.copy"
    side: StringAttr = attr_def(one_of(SIDES))
    bytes: Integer = attr_def(INTEGER)
    INPUTS: ClassVar[int | None] = 0
    OPS: ClassVar[frozenset[Op]] = frozenset({Op.COPY})

    def verify_(self) -> None:
        super().verify_()
        if not 0 <= number_of(self.bytes) <= 16:
            raise VerifyException(f"{self.name}: {number_of(self.bytes)} bytes, not 0 to 16")


@irdl_op_definition
class MbarrierOp(MemoryRowOp):
    """What is done at the barrier object at the address. `ends_phase`: the last lane completes its phase."""

    name = "scta.mbarrier"
    ends_phase: BoolAttr = attr_def(BOOLEAN)
    INPUTS: ClassVar[int | None] = 0
    OPS: ClassVar[frozenset[Op]] = MBARRIER


def check_part(op: MemoryRowOp, part: Integer) -> None:
    """Errors: VerifyException where the number of a micro-row is out of range."""
    if not 0 <= number_of(part) < 32:
        raise VerifyException(f"{op.name}: part {number_of(part)} is out of range")


ROW_KINDS: list[type[CodeRowOp]] = [
    OpOp, MatrixOp, ShuffleOp, SyncOp, ReadOp, WriteOp, AtomicOp, CopyOp, MbarrierOp,
]  # fmt: skip
ROW_OPS: list[type[Operation]] = [InitialOp, ConstOp, *ROW_KINDS]
_KIND = {op: kind for kind in ROW_KINDS for op in kind.OPS}


def kind_of(op: Op) -> type[CodeRowOp]:
    """The operation that rows of an instruction are."""
    return _KIND.get(op, OpOp)
