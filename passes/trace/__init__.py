"""`trace`: a NumPy function as a reference. The spec runs once on symbolic arrays, which NumPy itself hands to us through its
protocols, and leaves the expression of each output element. The very same function runs on plain arrays."""

from __future__ import annotations

from volta_pipe.passes.trace.spec import SpecSource, load_library, load_spec
from volta_pipe.passes.trace.trace import trace

VERSION = 1

__all__ = ["VERSION", "SpecSource", "load_library", "load_spec", "trace"]
