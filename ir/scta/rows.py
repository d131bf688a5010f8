"""Rows: one operation for each SIMT row of a CTA, with the lanes that take part.

Registers are SSA values, a whole register of all threads each. A row that does not write all lanes that the register was
written in has its old value as an operand (`else`), so that what a value holds depends on its operands alone. Which register
of the machine a value is does not matter to the dialect; the static code (`scta.code`) names them, and the conversion to a
program checks that each operand is what that register holds at that place.

Operands, in this order: the inputs, the guard where there is one, and where `keeps` is true one old value a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import BoolAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, attr_def, irdl_op_definition, result_def, var_operand_def, var_result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.instructions import MBARRIER, Op
from volta_pipe.ir.modules.attributes import (
    BOOLEAN,
    INTEGER,
    INTEGERS,
    Integer,
    Integers,
    number_of,
    numbers_of,
    one_of,
    text_of,
)
from volta_pipe.ir.scta.lanes import LANES, check_pattern, lanes_of

GUARDS = ("none", "if", "unless")
SIDES = ("source", "target")
_WINDOW = 1 << 33


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


class RowOp(IRDLOperation):
    """Base of all rows. `lanes`: who takes part, as `0..31, 64`; `pattern`: what is added to the base in each of them (see
    lanes.check_pattern); `keeps`: whether old values are operands."""

    values = var_operand_def(LANES)
    lanes: StringAttr = attr_def(StringAttr)
    pattern: Integers = attr_def(INTEGERS)
    keeps: BoolAttr = attr_def(BOOLEAN)

    INPUTS: ClassVar[int | None] = None  # how many inputs a row of this kind has; None: its instruction says
    BASE: ClassVar[str] = "base"  # the attribute that the pattern is added to

    @property
    def lane_numbers(self) -> tuple[int, ...]:
        """The lanes, increasing."""
        return lanes_of(self.lanes.data)

    @property
    def pattern_numbers(self) -> tuple[int, ...]:
        return numbers_of(self.pattern)

    @property
    def guard_count(self) -> int:
        """1 where a guard is among the operands."""
        return 0

    @property
    def inputs(self) -> tuple[SSAValue, ...]:
        """The operands that are neither guard nor old values."""
        return tuple(self.operands[: self.input_count()])

    @property
    def guard_value(self) -> SSAValue | None:
        return self.operands[self.input_count()] if self.guard_count else None

    @property
    def old(self) -> tuple[SSAValue, ...]:
        """The old value of each result, or nothing."""
        return tuple(self.operands[self.input_count() + self.guard_count :])

    def input_count(self) -> int:
        """How many of the operands are inputs."""
        return len(self.operands) - self.guard_count - (len(self.results) if self.keeps else 0)

    def verify_(self) -> None:
        lanes = self.lane_numbers
        if not lanes:
            raise VerifyException(f"{self.name}: a row has lanes")
        check_pattern(self.pattern_numbers, len(lanes))
        if self.keeps and not self.results:
            raise VerifyException(f"{self.name}: old values without results")
        given, wanted = self.input_count(), self.INPUTS
        if given < 0 or (wanted is not None and given != wanted):
            whole = "old values and guard" if not wanted else f"{wanted} inputs, old values and guard"
            raise VerifyException(f"{self.name}: {len(self.operands)} operands, which are not {whole}")

    def print(self, printer: Printer) -> None:
        from volta_pipe.ir.scta.syntax import print_row

        print_row(self, printer)

    @classmethod
    def make(cls, operands: Sequence[SSAValue], results: int, attributes: dict[str, Attribute]) -> Self:
        """Builds a row; its attributes are printed in the order of their definitions."""
        known = {key: attributes[key] for key in cls.get_irdl_definition().attributes if key in attributes}
        return cls.create(operands=operands, result_types=[LANES] * results, attributes=known | attributes)

    @classmethod
    def parse(cls, parser: Parser) -> RowOp:
        from volta_pipe.ir.scta.syntax import parse_row

        return parse_row(cls, parser)


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


class CodeRowOp(RowOp):
    """Base of the rows of an instruction: its number among the `scta.code`, its name there, and whether its guard counts."""

    code: Integer = attr_def(INTEGER)
    code_name: StringAttr = attr_def(StringAttr, attr_name="name")
    guard: StringAttr = attr_def(one_of(GUARDS))

    OPS: ClassVar[frozenset[Op]] = frozenset()

    @property
    def guard_count(self) -> int:
        return int(self.guard.data != "none")

    def verify_(self) -> None:
        super().verify_()
        if not 0 <= number_of(self.code) < 1 << 31:
            raise VerifyException(f"{self.name}: code {number_of(self.code)} is out of range")
        text_of(self.code_name)


class NumberRowOp(CodeRowOp):
    """Base of the rows that have a number, not an address."""

    base: Integer = attr_def(INTEGER)


class MemoryRowOp(CodeRowOp):
    """Base of the rows that have an address: `offset` bytes behind the start of a region; of region "" the address itself."""

    region: StringAttr = attr_def(StringAttr)
    offset: Integer = attr_def(INTEGER)
    BASE: ClassVar[str] = "offset"

    def verify_(self) -> None:
        super().verify_()
        if text_of(self.region) and not -_WINDOW < number_of(self.offset) < _WINDOW:
            raise VerifyException(f"{self.name}: offset {number_of(self.offset)} leaves the window of a region")


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
