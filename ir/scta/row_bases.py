"""What the rows of the `scta` dialect have in common: lanes, pattern, operands; of an instruction its guard; an address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import BoolAttr, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, attr_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.instructions import Op
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
_WINDOW = 1 << 33


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
