"""Operations of the `vc` dialect: tensors and scalars, one operation for each operator of the expression graph, and outputs.

As in `scta`, nothing that IRDL cannot say: attributes, none of them optional, and a fixed number of operands."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, Float64Type, FloatAttr, StringAttr, f64
from xdsl.ir import Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    AttrConstraint,
    EqAttrConstraint,
    IRDLOperation,
    attr_def,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.graph import ARTIFACT_OPS
from volta_pipe.ir.launch import DTYPES
from volta_pipe.ir.modules.attributes import INTEGER, Integer, number_of, one_of, text_of, texts_of
from volta_pipe.ir.nodes import ARITY, Node

MOST_ELEMENTS = 1 << 28  # of an output: 1 GiB of roots
_MOST_INDEX = 1 << 31
_FLOAT: AttrConstraint[FloatAttr[Float64Type]] = FloatAttr.constr(EqAttrConstraint(f64))


@irdl_attr_definition
class RealType(ParametrizedAttribute, TypeAttribute):
    """A real number, an infinity or NaN; a predicate is 0 or 1."""

    name = "vc.real"


REAL = RealType()
TYPES = ("", *DTYPES)  # "": any real


def _check_name(op: IRDLOperation, name: StringAttr) -> None:
    if not text_of(name):
        raise VerifyException(f"{op.name}: the name is empty")


def _check_index(op: IRDLOperation, index: Integer) -> None:
    if not 0 <= number_of(index) < _MOST_INDEX:
        raise VerifyException(f"{op.name}: element {number_of(index)} is out of range")


@irdl_op_definition
class ConditionsOp(IRDLOperation):
    """The first operation of a module: the idealisations that the expressions rest on."""

    name = "vc.conditions"
    assumptions: ArrayAttr[StringAttr] = attr_def(ArrayAttr[StringAttr])
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        texts_of(self.assumptions)


@irdl_op_definition
class TensorOp(IRDLOperation):
    """A tensor, in the order of the contract: its dtype, and as an output the number of its elements (-1: it is none)."""

    name = "vc.tensor"
    tensor_name: StringAttr = attr_def(StringAttr, attr_name="name")
    type: StringAttr = attr_def(one_of(TYPES))
    outputs: Integer = attr_def(INTEGER)
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        _check_name(self, self.tensor_name)
        if not -1 <= number_of(self.outputs) < MOST_ELEMENTS:
            raise VerifyException(f"{self.name}: {number_of(self.outputs)} elements are out of range")


@irdl_op_definition
class ParameterOp(IRDLOperation):
    """A scalar of the contract, in its order."""

    name = "vc.parameter"
    parameter_name: StringAttr = attr_def(StringAttr, attr_name="name")
    type: StringAttr = attr_def(one_of(TYPES))
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        _check_name(self, self.parameter_name)


@irdl_op_definition
class OutputOp(IRDLOperation):
    """An output element (row-major index) has this value."""

    name = "vc.output"
    value = operand_def(REAL)
    tensor: StringAttr = attr_def(StringAttr)
    index: Integer = attr_def(INTEGER)
    assembly_format = "$tensor $index $value attr-dict"

    def verify_(self) -> None:
        _check_name(self, self.tensor)
        _check_index(self, self.index)


class NodeOp(IRDLOperation):
    """Base of the operators: one result; NODE is the operator's code in the graph."""

    res = result_def(REAL)
    NODE: ClassVar[Node]


@irdl_op_definition
class ConstOp(NodeOp):
    """A number of 64 bits, exactly; infinities and NaN are allowed."""

    name = "vc.const"
    value: FloatAttr[Float64Type] = attr_def(_FLOAT)
    NODE: ClassVar[Node] = Node.CONST

    # Not an assembly format: that takes no infinities.
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.value)
        printer.print_op_attributes({key: value for key, value in self.attributes.items() if key != "value"})

    @classmethod
    def parse(cls, parser: Parser) -> ConstOp:
        attributes = {"value": parser.parse_attribute(), **parser.parse_optional_attr_dict()}
        return cls.create(result_types=[REAL], attributes=attributes)


@irdl_op_definition
class LeafOp(NodeOp):
    """The value of an input element (row-major index)."""

    name = "vc.leaf"
    tensor: StringAttr = attr_def(StringAttr)
    index: Integer = attr_def(INTEGER)
    assembly_format = "$tensor $index attr-dict"
    NODE: ClassVar[Node] = Node.LEAF

    def verify_(self) -> None:
        _check_name(self, self.tensor)
        _check_index(self, self.index)


@irdl_op_definition
class ScalarOp(NodeOp):
    """A scalar of the contract."""

    name = "vc.scalar"
    parameter: StringAttr = attr_def(StringAttr)
    assembly_format = "$parameter attr-dict"
    NODE: ClassVar[Node] = Node.SCALAR

    def verify_(self) -> None:
        _check_name(self, self.parameter)


@irdl_op_definition
class UninitOp(NodeOp):
    """The value of a cell that was never written, as this instruction read it."""

    name = "vc.uninit"
    instruction: Integer = attr_def(INTEGER)
    assembly_format = "$instruction attr-dict"
    NODE: ClassVar[Node] = Node.UNINIT

    def verify_(self) -> None:
        if not -(1 << 31) <= number_of(self.instruction) < 1 << 31:
            raise VerifyException(f"{self.name}: instruction {number_of(self.instruction)} is out of range")


class OperatorOp(NodeOp):
    """Base of the operators with operands."""

    @classmethod
    def make(cls, operands: list[SSAValue]) -> OperatorOp:
        return cls.create(operands=operands, result_types=[REAL])


def _define(node: Node) -> type[OperatorOp]:
    """The operation of an operator: as many operands as it has, named a, b, c as in ir/nodes.py."""
    names = "abc"[: ARITY[node]]
    members: dict[str, object] = {
        "name": f"vc.{node.name.lower()}",
        "__doc__": f"The operator {node.name} (see ir/nodes.py).",
        "__module__": __name__,
        "NODE": node,
        "__annotations__": {"NODE": ClassVar[Node]},
        "assembly_format": f"{' `,` '.join(f'${name}' for name in names)} attr-dict",
    }
    members |= {name: operand_def(REAL) for name in names}
    return irdl_op_definition(type(f"{node.name.capitalize()}Op", (OperatorOp,), members))


OPERATORS: dict[Node, type[OperatorOp]] = {node: _define(node) for node in Node if ARTIFACT_OPS[node] and ARITY[node]}
DECLARATION_OPS: list[type[Operation]] = [ConditionsOp, TensorOp, ParameterOp, OutputOp]
NODE_OPS: list[type[Operation]] = [ConstOp, LeafOp, ScalarOp, UninitOp, *OPERATORS.values()]
