"""Our place in MLIR flows: dialects, passes, input and output of xdsl-opt; volta-opt; IRDL definitions; PTX inside MLIR."""
