"""The `ptx` dialect: one kernel in SSA form. Registers are integers of their width; types come from the instruction.

Names are imported when they are asked for: words.py, pure.py and signatures.py are for those who need no xDSL."""

from typing import TYPE_CHECKING

from volta_pipe.ir.lazy import lazily

if TYPE_CHECKING:
    from volta_pipe.ir.ptx.control import BranchOp, CondBranchOp, ReturnOp, TrapOp
    from volta_pipe.ir.ptx.instruction import INSTRUCTIONS, InstructionOp
    from volta_pipe.ir.ptx.leaves import AddressOp, ConstantOp, LoadParamOp, SpecialOp, UndefOp
    from volta_pipe.ir.ptx.structure import KernelOp, VariableOp
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
    from volta_pipe.ir.ptx.words import SPECIAL_REGISTERS, Param

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

# Where each name is.
__getattr__ = lazily(
    __name__,
    {
        "control": "BranchOp CondBranchOp ReturnOp TrapOp",
        "instruction": "INSTRUCTIONS InstructionOp",
        "leaves": "AddressOp ConstantOp LoadParamOp SpecialOp UndefOp",
        "structure": "KernelOp VariableOp",
        "text": "check_symbols dialect kernel_of parse_module print_generic print_module variables_of walk_kernel",
        "types": "register_type type_width value_width",
        "unmodelled": "UnmodelledOp",
        "words": "SPECIAL_REGISTERS Param",
    },
)
