"""Stage `lower`: PTX text to the `ptx` dialect. Own lexer and parser, SSA construction, and the line table."""

from volta_pipe.ir.ptx import Param, parse_module, print_generic, print_module, walk_kernel
from volta_pipe.passes.lower.lower import Lowered, kernel_signature, list_entries, lower
from volta_pipe.passes.lower.parser import parse
from volta_pipe.passes.lower.printer import print_ptx
from volta_pipe.passes.lower.source import MAX_BYTES, read_ptx, read_source

__all__ = [
    "MAX_BYTES",
    "Lowered",
    "Param",
    "kernel_signature",
    "list_entries",
    "lower",
    "parse",
    "parse_module",
    "print_generic",
    "print_module",
    "print_ptx",
    "read_ptx",
    "read_source",
    "walk_kernel",
]
