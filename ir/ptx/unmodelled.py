"""An instruction that is parsed but that no row of the table describes: `unroll` refuses it when a lane executes it.

Text form: `%4 = ptx.unmodelled "tanh.approx.f16" "$0, $1" because "…" %1 if %p else %old : (i16, i1, i16) -> i16`. The second
string holds the operands, with `$n` for the results and then the sources."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.ptx.guarded import parse_guarded, print_guarded
from volta_pipe.ir.ptx.instruction import InstructionOp
from volta_pipe.ir.ptx.types import value_width
from volta_pipe.ir.ptx.words import refusal


@irdl_op_definition
class UnmodelledOp(InstructionOp):
    """The opcode as written, the text of the operands, and why it is not modelled. Its results are never used: nothing is
    executed behind it."""

    name = "ptx.unmodelled"
    opcode = prop_def(StringAttr)
    text = prop_def(StringAttr)
    reason = prop_def(StringAttr)

    @staticmethod
    def build_op(
        opcode: str,
        text: str,
        reason: str,
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        *,
        guard: SSAValue | None = None,
        negated: bool = False,
        old: Sequence[SSAValue] = (),
    ) -> UnmodelledOp:
        """Build the operation."""
        made = UnmodelledOp.make([], [], inputs, result_types, guard=guard, negated=negated, old=old)
        assert isinstance(made, UnmodelledOp)
        made.properties |= {"opcode": StringAttr(opcode), "text": StringAttr(text), "reason": StringAttr(reason)}
        return made

    @property
    def message(self) -> str:
        """What a finding says."""
        return refusal(self.opcode.data, self.reason.data)

    def verify_(self) -> None:
        if self.modifiers.data or self.types.data or self.offset is not None:
            raise VerifyException(f"{self.name}: modifiers and types are part of the opcode")
        if not all(value_width(value) for value in (*self.inputs, *self.res)):
            raise VerifyException(f"{self.name}: an operand or result is no register")
        self.verify_guard()

    def print(self, printer: Printer) -> None:
        for part in (self.opcode, self.text):
            printer.print_string(" ")
            printer.print_string_literal(part.data)
        if self.reason.data:
            printer.print_string(" because ")
            printer.print_string_literal(self.reason.data)
        printer.print_string(" " if self.inputs else " ()")
        printer.print_list(self.inputs, printer.print_operand)
        print_guarded(self, printer)

    @classmethod
    def parse(cls, parser: Parser) -> UnmodelledOp:
        opcode, text = parser.parse_str_literal(), parser.parse_str_literal()
        reason = parser.parse_str_literal() if parser.parse_optional_keyword("because") else ""
        empty = parser.parse_optional_punctuation("(") is not None
        if empty:
            parser.parse_punctuation(")")
        inputs, result_types, guard, negated, old = parse_guarded(parser, [], not empty)
        made = cls.build_op(opcode, text, reason, inputs, result_types, guard=guard, negated=negated, old=old)
        made.attributes = parser.parse_optional_attr_dict()
        return made


UNMODELLED_OPS: list[type[Operation]] = [UnmodelledOp]
