"""The form in which `mlir-opt` can load our modules: operations with regions, and branches, are those of MLIR's own dialects.

Operations that IRDL defines can be neither terminators nor containers of blocks, and have no properties."""

from volta_pipe.passes.exchange.functions import from_functions, to_functions
from volta_pipe.passes.exchange.segments import gather_segments, places, spread_segments

__all__ = ["from_functions", "gather_segments", "places", "spread_segments", "to_functions"]
