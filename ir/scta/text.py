"""Modules of the `scta` dialect as text, in the custom and in the generic form."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import Func
from xdsl.ir import Dialect

from volta_pipe.ir.modules import parse_with
from volta_pipe.ir.scta.lanes import LanesType
from volta_pipe.ir.scta.rows import ROW_OPS
from volta_pipe.ir.scta.tables import TABLE_OPS

SCTA = Dialect("scta", [*TABLE_OPS, *ROW_OPS], [LanesType])


def parse_module(text: str, file: str = "<scta module>") -> ModuleOp:
    """Reads and verifies a module in either form. Errors: ArtifactError with file and line."""
    return parse_with([Func, SCTA], text, file)
