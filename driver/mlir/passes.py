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
class PTXToSctaPass(ModulePass):
    """Each kernel that a contract launches becomes its straight-line program."""

    name = "ptx-to-scta"

    contract: str = ""
    """The contract's file; "": of each kernel's module the attribute `volta.contract`."""
    side: str = ""
    """Which of the contract's launches, `reference` or `candidate`; "": the one whose entry a kernel is."""
    dims: str = ""
    """The combination of dims, as "n=100,k=2"; "": the first."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from volta_pipe.driver.mlir.programs import unroll_kernels

        unroll_kernels(op, self.contract, self.side, self.dims)


@dataclass(frozen=True)
class SctaCheckPass(ModulePass):
    """The safety of each program, as attributes of its module."""

    name = "scta-check"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from volta_pipe.driver.mlir.programs import check_programs

        check_programs(op)


@dataclass(frozen=True)
class SctaToVCPass(ModulePass):
    """Each program becomes the expressions of its output elements."""

    name = "scta-to-vc"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from volta_pipe.driver.mlir.programs import express_programs

        express_programs(op)


@dataclass(frozen=True)
class VCCanonPass(ModulePass):
    """Compares two modules of expressions, by normal forms; the verdict is an attribute of the module around them."""

    name = "vc-canon"

    constants: str = "named"
    """Whether float literals may stand for log2 e and the like: `named` or `exact`, as `constants` of a contract."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from volta_pipe.driver.mlir.programs import compare_expressions

        compare_expressions(op, self.constants)
