"""The `ptx` dialect: one kernel in SSA form. Registers are integers of their width; types come from the instruction."""

from volta_pipe.ir.ptx.control import BranchOp, CondBranchOp, ReturnOp, TrapOp
from volta_pipe.ir.ptx.instruction import INSTRUCTIONS, InstructionOp
from volta_pipe.ir.ptx.leaves import SPECIAL_REGISTERS, AddressOp, ConstantOp, LoadParamOp, SpecialOp, UndefOp
from volta_pipe.ir.ptx.structure import KernelOp, Param, VariableOp
from volta_pipe.ir.ptx.text import (
    check_symbols,
    dialect,
    kernel_of,
    parse_module,
    print_generic,
    print_module,
    variables_of,
    walk_kernel,
)
from volta_pipe.ir.ptx.types import register_type, type_width, value_width
from volta_pipe.ir.ptx.unmodelled import UnmodelledOp

__all__ = [
    "INSTRUCTIONS",
    "SPECIAL_REGISTERS",
    "AddressOp",
    "BranchOp",
    "CondBranchOp",
    "ConstantOp",
    "InstructionOp",
    "KernelOp",
    "LoadParamOp",
    "Param",
    "ReturnOp",
    "SpecialOp",
    "TrapOp",
    "UndefOp",
    "UnmodelledOp",
    "VariableOp",
    "check_symbols",
    "dialect",
    "kernel_of",
    "parse_module",
    "print_generic",
    "print_module",
    "register_type",
    "type_width",
    "value_width",
    "variables_of",
    "walk_kernel",
]
