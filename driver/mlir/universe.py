"""What stock `xdsl-opt` finds of us, by the entry point `xdsl.universe`: names, and where each thing lies. Nothing is loaded
before it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.universe import Universe

if TYPE_CHECKING:
    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass
    from xdsl.utils.frontend import Frontend
    from xdsl.utils.target import Target


def _ptx() -> Dialect:
    from volta_pipe.ir.ptx import PTX

    return PTX


def _ptx_input() -> type[Frontend]:
    from volta_pipe.driver.mlir.inputs import PTXFrontend

    return PTXFrontend


def _ptx_output() -> type[Target]:
    from volta_pipe.driver.mlir.outputs import PTXTarget

    return PTXTarget


def _mlir_opt_output() -> type[Target]:
    from volta_pipe.driver.mlir.outputs import MLIROptTarget

    return MLIROptTarget


def _simplify() -> type[ModulePass]:
    from volta_pipe.driver.mlir.passes import PTXSimplifyPass

    return PTXSimplifyPass


def _to_functions() -> type[ModulePass]:
    from volta_pipe.driver.mlir.passes import PTXToFuncPass

    return PTXToFuncPass


def _from_functions() -> type[ModulePass]:
    from volta_pipe.driver.mlir.passes import FuncToPTXPass

    return FuncToPTXPass


DIALECTS: dict[str, Callable[[], Dialect]] = {"ptx": _ptx}
PASSES: dict[str, Callable[[], type[ModulePass]]] = {
    "ptx-simplify": _simplify,
    "ptx-to-func": _to_functions,
    "func-to-ptx": _from_functions,
}
TARGETS: dict[str, Callable[[], type[Target]]] = {"ptx": _ptx_output, "mlir-opt": _mlir_opt_output}
FRONTENDS: dict[str, Callable[[], type[Frontend]]] = {"ptx": _ptx_input}

VOLTA_UNIVERSE = Universe(all_dialects=DIALECTS, all_passes=PASSES, all_targets=TARGETS, all_frontends=FRONTENDS)
