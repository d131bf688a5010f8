"""`dynamic`: the candidate on concrete inputs, with the rounding of PTX, against the reference. A test, never a proof: what it
refutes is refuted, and what it passes is left to `check` and `decide`."""

from __future__ import annotations

from volta_pipe.passes.dynamic.compare import default_tolerance
from volta_pipe.passes.dynamic.dynamic import Settings, dynamic
from volta_pipe.passes.dynamic.function import Function
from volta_pipe.passes.dynamic.kernel import Kernel
from volta_pipe.passes.dynamic.report import Mismatch, Report, Trial
from volta_pipe.passes.dynamic.sides import Side

__all__ = ["Function", "Kernel", "Mismatch", "Report", "Settings", "Side", "Trial", "default_tolerance", "dynamic"]
