"""Terminators: branches carry the values of the block arguments, one per register that has several definitions there."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, StringAttr, i1, i32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    successor_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.ptx.syntax import parse_jump, print_jump, with_attributes


def _check_arguments(name: str, block: Block, values: Sequence[SSAValue]) -> None:
    if [value.type for value in values] != [argument.type for argument in block.args]:
        raise VerifyException(f"{name}: operands do not fit the arguments of the target block")


@irdl_op_definition
class BranchOp(IRDLOperation):
    """Jump, or fall through, to a block."""

    name = "ptx.br"
    arguments = var_operand_def(IntegerType)
    target = successor_def()
    traits = traits_def(IsTerminator())

    @staticmethod
    def make(target: Block, arguments: Sequence[SSAValue]) -> BranchOp:
        return BranchOp.create(operands=arguments, successors=[target])

    def verify_(self) -> None:
        _check_arguments(self.name, self.target, self.arguments)

    def print(self, printer: Printer) -> None:
        print_jump(printer, self.target, self.arguments)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> BranchOp:
        return with_attributes(parser, cls.make(*parse_jump(parser)))


@irdl_op_definition
class CondBranchOp(IRDLOperation):
    """Each lane goes to `then` where its predicate is true, and to `els` where it is false."""

    name = "ptx.cond_br"
    condition = operand_def(IntegerType(1))
    then_arguments = var_operand_def(IntegerType)
    else_arguments = var_operand_def(IntegerType)
    then = successor_def()
    els = successor_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsTerminator())

    @staticmethod
    def make(
        condition: SSAValue, then: Block, then_values: Sequence[SSAValue], els: Block, else_values: Sequence[SSAValue]
    ) -> CondBranchOp:
        sizes = DenseArrayBase.from_list(i32, [1, len(then_values), len(else_values)])
        return CondBranchOp.create(
            operands=[condition, *then_values, *else_values],
            successors=[then, els],
            properties={"operandSegmentSizes": sizes},
        )

    def verify_(self) -> None:
        _check_arguments(self.name, self.then, self.then_arguments)
        _check_arguments(self.name, self.els, self.else_arguments)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.condition)
        printer.print_string(",")
        print_jump(printer, self.then, self.then_arguments)
        printer.print_string(",")
        print_jump(printer, self.els, self.else_arguments)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> CondBranchOp:
        condition = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
        parser.parse_punctuation(",")
        then = parse_jump(parser)
        parser.parse_punctuation(",")
        return with_attributes(parser, cls.make(condition, *then, *parse_jump(parser)))


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The thread ends (`ret` and `exit` of a kernel)."""

    name = "ptx.ret"
    traits = traits_def(IsTerminator())

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> ReturnOp:
        return with_attributes(parser, cls.create())


@irdl_op_definition
class TrapOp(IRDLOperation):
    """The launch is aborted; `reason` where it is not the instruction `trap`."""

    name = "ptx.trap"
    reason = opt_prop_def(StringAttr)
    traits = traits_def(IsTerminator())

    @staticmethod
    def make(reason: str = "") -> TrapOp:
        return TrapOp.create(properties={"reason": StringAttr(reason)} if reason else {})

    def print(self, printer: Printer) -> None:
        if self.reason is not None:
            printer.print_string(" ")
            printer.print_string_literal(self.reason.data)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> TrapOp:
        return with_attributes(parser, cls.make(parser.parse_optional_str_literal() or ""))


CONTROL_OPS: list[type[Operation]] = [BranchOp, CondBranchOp, ReturnOp, TrapOp]
