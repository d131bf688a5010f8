"""Our passes for xdsl-opt and volta-opt: thin, as each stage is a function of its own."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class PTXSimplifyPass(ModulePass):
    """Constant folding, dead values, unreachable blocks, and blocks joined where nothing else jumps to them."""

    name = "ptx-simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from volta_pipe.passes.simplify import simplify

        simplify(op)


@dataclass(frozen=True)
class PTXToFuncPass(ModulePass):
    """Kernels as `func.func`, branches as those of `cf`: what `mlir-opt` can load."""

    name = "ptx-to-func"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from volta_pipe.passes.exchange import to_functions

        to_functions(op)


@dataclass(frozen=True)
class FuncToPTXPass(ModulePass):
    """The way back from `ptx-to-func`."""

    name = "func-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from volta_pipe.passes.exchange import from_functions

        from_functions(op)
