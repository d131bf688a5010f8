"""The `vc` dialect: expression graphs of output elements, one operation a node.

A module holds `vc.conditions`, a `vc.tensor` for each tensor and a `vc.parameter` for each scalar, and a `func.func` whose one
block is nodes, outputs, and `func.return`."""

from volta_pipe.ir.vc.from_conditions import module_of
from volta_pipe.ir.vc.operations import (
    DECLARATION_OPS,
    NODE_OPS,
    OPERATORS,
    ConditionsOp,
    ConstOp,
    LeafOp,
    NodeOp,
    OperatorOp,
    OutputOp,
    ParameterOp,
    RealType,
    ScalarOp,
    TensorOp,
    UninitOp,
)
from volta_pipe.ir.vc.text import VC, parse_module
from volta_pipe.ir.vc.to_conditions import conditions_of

__all__ = [
    "DECLARATION_OPS",
    "NODE_OPS",
    "OPERATORS",
    "VC",
    "ConditionsOp",
    "ConstOp",
    "LeafOp",
    "NodeOp",
    "OperatorOp",
    "OutputOp",
    "ParameterOp",
    "RealType",
    "ScalarOp",
    "TensorOp",
    "UninitOp",
    "conditions_of",
    "module_of",
    "parse_module",
]
