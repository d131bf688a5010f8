"""Stage `unroll`: module and launch in, the straight-line program of each CTA out."""

from volta_pipe.passes.unroll.unroll import unroll

# Raise when the artifact of the same inputs changes.
VERSION = 2

__all__ = ["VERSION", "unroll"]
