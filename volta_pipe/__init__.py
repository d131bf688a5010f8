"""volta-pipe: proves GPU kernels safe and equal to a reference over the reals (see docs/architecture.md)."""

__version__ = "0.1.0"
