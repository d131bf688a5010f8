"""Round trips of a PTX file: through its printed text, and of its lowered entry through the dialect's two MLIR forms."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from volta_pipe.ir.errors import VoltaError
from volta_pipe.passes.lower import lower, parse, parse_module, print_generic, print_module, print_ptx


def ptx_problem(text: str, name: str) -> str:
    """What goes wrong when a file is printed and parsed again, "" where nothing does."""
    try:
        tree = parse(text, name)
        return "" if parse(print_ptx(tree), name) == tree else "the printed PTX parses to another tree"
    except VoltaError as error:
        return str(error)


def mlir_problem(module: ModuleOp, *, generic: bool = True) -> str:
    """The same for a module and its custom form, and the generic one."""
    text = print_module(module)
    try:
        if print_module(parse_module(text)) != text:
            return "the custom MLIR form comes back as another module"
        if generic and print_module(parse_module(print_generic(module))) != text:
            return "the generic MLIR form comes back as another module"
    except VoltaError as error:
        return str(error)
    return ""


def text_problem(text: str, name: str, entry: str) -> str:
    """All of a file, with the entry of its contract."""
    try:
        return ptx_problem(text, name) or mlir_problem(lower(text, name, entry).module)
    except VoltaError as error:
        return str(error)
