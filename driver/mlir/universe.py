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
    from volta_pipe.ir.ptx import dialect

    return dialect()


def _scta() -> Dialect:
    from volta_pipe.ir.scta import SCTA

    return SCTA


def _vc() -> Dialect:
    from volta_pipe.ir.vc import VC

    return VC


def _ptx_input() -> type[Frontend]:
    from volta_pipe.driver.mlir.inputs import PTXFrontend

    return PTXFrontend


def _mlir_opt_input() -> type[Frontend]:
    from volta_pipe.driver.mlir.inputs import MLIROptFrontend

    return MLIROptFrontend


def _ptx_output() -> type[Target]:
    from volta_pipe.driver.mlir.outputs import PTXTarget

    return PTXTarget


def _mlir_opt_output() -> type[Target]:
    from volta_pipe.driver.mlir.outputs import MLIROptTarget

    return MLIROptTarget


def _contract_input() -> type[Frontend]:
    from volta_pipe.driver.mlir.inputs import ContractFrontend

    return ContractFrontend


def _pass(name: str) -> Callable[[], type[ModulePass]]:
    """Loads a pass by its class."""

    def load() -> type[ModulePass]:
        from volta_pipe.driver.mlir import passes

        found: type[ModulePass] = getattr(passes, name)
        return found

    return load


DIALECTS: dict[str, Callable[[], Dialect]] = {"ptx": _ptx, "scta": _scta, "vc": _vc}
PASSES: dict[str, Callable[[], type[ModulePass]]] = {
    "ptx-simplify": _pass("PTXSimplifyPass"),
    "ptx-to-scta": _pass("PTXToSctaPass"),
    "scta-check": _pass("SctaCheckPass"),
    "scta-to-vc": _pass("SctaToVCPass"),
    "vc-canon": _pass("VCCanonPass"),
}
TARGETS: dict[str, Callable[[], type[Target]]] = {"ptx": _ptx_output, "mlir-opt": _mlir_opt_output}
FRONTENDS: dict[str, Callable[[], type[Frontend]]] = {"ptx": _ptx_input, "toml": _contract_input, "mlir-opt": _mlir_opt_input}

VOLTA_UNIVERSE = Universe(all_dialects=DIALECTS, all_passes=PASSES, all_targets=TARGETS, all_frontends=FRONTENDS)
