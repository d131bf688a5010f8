"""The form in which `mlir-opt` can load our modules: operations with regions, and branches, are those of MLIR's own dialects.

Operations that IRDL defines can be neither terminators nor containers of blocks, and have no properties."""

from volta_pipe.passes.exchange.functions import from_functions, to_functions

__all__ = ["from_functions", "to_functions"]
