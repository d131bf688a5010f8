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
