"""From a `ptx` module back to PTX text: out of SSA, opcodes with their modifiers in order, operands, declarations."""

from volta_pipe.passes.emit.emit import emit_ptx

__all__ = ["emit_ptx"]
