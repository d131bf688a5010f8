"""Which operations only compute (the list of their machine operations is ir/ptx/pure.py)."""

from __future__ import annotations

from xdsl.ir import Operation

from volta_pipe.ir.ptx import AddressOp, ConstantOp, InstructionOp, LoadParamOp, SpecialOp, UndefOp, UnmodelledOp
from volta_pipe.ir.ptx.pure import COMPUTES, FOLDABLE

__all__ = ["FOLDABLE", "is_pure"]


def is_pure(op: Operation) -> bool:
    """Whether an operation may go when nobody reads its results. A load may not: it can be out of bounds, or race."""
    if isinstance(op, ConstantOp | SpecialOp | AddressOp | UndefOp | LoadParamOp):
        return True
    return isinstance(op, InstructionOp) and not isinstance(op, UnmodelledOp) and op.form.op in COMPUTES
