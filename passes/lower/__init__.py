"""Stage `lower`: PTX text to the `ptx` dialect. Own lexer and parser, SSA construction, and the line table."""

from typing import TYPE_CHECKING, Any

from volta_pipe.ir.ptx.words import Param
from volta_pipe.passes.lower.lower import Lowered, kernel_signature, list_entries, lower
from volta_pipe.passes.lower.parser import parse
from volta_pipe.passes.lower.printer import print_ptx
from volta_pipe.passes.lower.source import MAX_BYTES, read_ptx, read_source

if TYPE_CHECKING:
    from volta_pipe.ir.ptx import parse_module, print_generic, print_module, walk_kernel

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


def __getattr__(name: str) -> Any:
    """What is xDSL's is imported when it is asked for."""
    if name not in ("parse_module", "print_generic", "print_module", "walk_kernel"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from volta_pipe.ir import ptx

    found = globals()[name] = getattr(ptx, name)
    return found
