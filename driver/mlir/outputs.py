"""Outputs of xdsl-opt: PTX text, and the form that `mlir-opt --irdl-file` reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.utils.target import Target


@dataclass(frozen=True)
class PTXTarget(Target):
    """`-t ptx`: the text of a module's kernels."""

    name = "ptx"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Errors: UnsupportedError on what PTX cannot say."""
        from volta_pipe.passes.emit import emit_ptx

        output.write(emit_ptx(module))


@dataclass(frozen=True)
class MLIROptTarget(Target):
    """`-t mlir-opt`: generic operations, kernels as functions, no properties."""

    name = "mlir-opt"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from volta_pipe.passes.exchange import to_functions

        copy = module.clone()
        to_functions(copy)
        # As a mere function, the module is asked for as `mlir-opt` prints it: with one operation at the top.
        Printer(stream=output, print_generic_format=True, print_properties_as_attributes=True).print_op(copy)
        output.write("\n")
