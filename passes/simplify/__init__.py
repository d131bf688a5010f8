"""Clean-ups of a `ptx` module that change nothing that is checked: constants, dead values, unreachable and split blocks."""

from volta_pipe.passes.simplify.simplify import simplify

__all__ = ["simplify"]
