"""Modules as text: the canonical custom form that artifacts hold, and the generic form for other MLIR tools."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.ir import Dialect, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.ptx.control import CONTROL_OPS
from volta_pipe.ir.ptx.instruction import INSTRUCTIONS
from volta_pipe.ir.ptx.leaves import LEAF_OPS, AddressOp
from volta_pipe.ir.ptx.structure import STRUCTURE_OPS, KernelOp, VariableOp
from volta_pipe.ir.ptx.unmodelled import UNMODELLED_OPS


@lru_cache(maxsize=1)
def dialect() -> Dialect:
    """The `ptx` dialect, with a class for each instruction of the table."""
    return Dialect("ptx", [*STRUCTURE_OPS, *LEAF_OPS, *CONTROL_OPS, *INSTRUCTIONS.values(), *UNMODELLED_OPS], [])


def kernel_of(module: ModuleOp) -> KernelOp:
    """The kernel of a module; raises ArtifactError when there is not exactly one."""
    kernels = [op for op in module.body.ops if isinstance(op, KernelOp)]
    if len(kernels) != 1:
        raise ArtifactError(f"the ptx module holds {len(kernels)} kernels instead of one")
    return kernels[0]


def variables_of(module: ModuleOp) -> list[VariableOp]:
    """The variables of a module in order."""
    return [op for op in module.body.ops if isinstance(op, VariableOp)]


def walk_kernel(module: ModuleOp) -> Iterator[Operation]:
    """Every operation of the kernel, block after block: the order that line tables and findings count in."""
    for block in kernel_of(module).body.blocks:
        yield from block.ops


class _Printer(Printer):
    """xDSL's printer, with a short way for text without a line break: nearly all there is, in twenty pieces an operation."""

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if "\n" in text:
            super().print_string(text, indent=indent)
            return
        self._current_column += len(text)
        self.stream.write(text)


def print_module(module: ModuleOp) -> str:
    """The custom form; values and blocks are numbered in order, so equal modules give equal text."""
    stream = StringIO()
    _Printer(stream=stream).print_op(module)
    return stream.getvalue() + "\n"


def print_generic(module: ModuleOp) -> str:
    """The generic form, as `mlir-opt --allow-unregistered-dialect` reads it."""
    stream = StringIO()
    Printer(stream=stream, print_generic_format=True).print_op(module)
    return stream.getvalue() + "\n"


def parse_module(text: str) -> ModuleOp:
    """Read and verify a module in either form; raises ArtifactError when it is damaged."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(dialect())
    try:
        module = Parser(context, text, "<ptx module>").parse_module()
        module.verify()
        kernel_of(module)
        check_symbols(module)
    except ArtifactError:
        raise
    except Exception as error:  # whatever xDSL makes of damaged text, the reader must be told one thing
        reason = (str(error).strip() or type(error).__name__).splitlines()[-1].strip()
        raise ArtifactError(f"damaged ptx module: {reason}") from error
    return module


def check_symbols(module: ModuleOp) -> None:
    """Raises ArtifactError where a module of one kernel holds something else, or an address is of no variable in it."""
    for op in module.body.ops:
        if not isinstance(op, KernelOp | VariableOp):
            raise ArtifactError(f"damaged ptx module: {op.name} at its top")
    names = {op.sym_name.data for op in variables_of(module)}
    for op in walk_kernel(module):
        if isinstance(op, AddressOp) and op.variable not in names:
            raise ArtifactError(f"damaged ptx module: unknown variable {op.variable}")
