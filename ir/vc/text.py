"""Modules of the `vc` dialect as text, in the custom and in the generic form."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import Func
from xdsl.ir import Dialect

from volta_pipe.ir.modules import parse_with
from volta_pipe.ir.vc.operations import DECLARATION_OPS, NODE_OPS, RealType

VC = Dialect("vc", [*DECLARATION_OPS, *NODE_OPS], [RealType])


def parse_module(text: str, file: str = "<vc module>") -> ModuleOp:
    """Reads and verifies a module in either form. Errors: ArtifactError with file and line."""
    return parse_with([Func, VC], text, file)
