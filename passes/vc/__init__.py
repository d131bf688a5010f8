"""Stage `vc`: program in, an expression for each output element out."""

from volta_pipe.passes.vc.vc import vc

# Raise when the artifact of the same inputs changes.
VERSION = 1

__all__ = ["VERSION", "vc"]
