"""The IRDL definitions of each dialect (`volta-opt --irdl NAME`; the files in docs/irdl are what it prints)."""

from __future__ import annotations

from volta_pipe.driver.mlir.irdl import export
from volta_pipe.driver.mlir.irdl_ptx import instruction
from volta_pipe.driver.mlir.universe import DIALECTS

# A terminator: `mlir-opt` has func.return in its place.
_LEFT_OUT = frozenset({"ptx.ret"})


def irdl_text(dialect: str) -> str:
    """The text for `mlir-opt --irdl-file`. Errors: KeyError on a name that is none of ours."""
    return export(DIALECTS[dialect](), instruction if dialect == "ptx" else None, _LEFT_OUT)
