"""Terminators: branches carry the values of the block arguments, one per register that has several definitions there."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, StringAttr, i32
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
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException


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
    assembly_format = "$target (`(` $arguments^ `:` type($arguments) `)`)? attr-dict"

    @staticmethod
    def make(target: Block, arguments: Sequence[SSAValue]) -> BranchOp:
        return BranchOp.create(operands=arguments, successors=[target])

    def verify_(self) -> None:
        _check_arguments(self.name, self.target, self.arguments)


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
    assembly_format = (
        "$condition `,` $then (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,` "
        "$els (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict"
    )

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


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The thread ends (`ret` and `exit` of a kernel)."""

    name = "ptx.ret"
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"


@irdl_op_definition
class TrapOp(IRDLOperation):
    """The launch is aborted; `reason` where it is not the instruction `trap`."""

    name = "ptx.trap"
    reason = opt_prop_def(StringAttr)
    traits = traits_def(IsTerminator())
    assembly_format = "($reason^)? attr-dict"

    @staticmethod
    def make(reason: str = "") -> TrapOp:
        return TrapOp.create(properties={"reason": StringAttr(reason)} if reason else {})


CONTROL_OPS: list[type[Operation]] = [BranchOp, CondBranchOp, ReturnOp, TrapOp]
