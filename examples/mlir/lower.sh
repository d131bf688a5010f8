#!/bin/sh
# Lowers matmul.mlir to PTX in three ways, by mlir-opt of LLVM 22 (Debian: mlir-22-tools). The results are in this folder.
set -eu
cd "$(dirname "$0")"
OUT=${1:-.}
MLIR_OPT=${MLIR_OPT:-mlir-opt-22}
TO_PTX='--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-features=+ptx80 cubin-format=isa kernel-bare-ptr-calling-convention=true opt-level=3'

# outline NAME [LOOP PASSES …]: parallel loops to a kernel, that to a gpu.binary. How long it took is left out of the result.
outline() {
    name=$1
    shift
    "$MLIR_OPT" --convert-linalg-to-parallel-loops "$@" --gpu-map-parallel-loops --convert-parallel-loops-to-gpu \
        --canonicalize --gpu-kernel-outlining "$TO_PTX" | sed 's/LLVMIRToISATimeInMs = [0-9]* : i64, //' > "$OUT/$name.mlir"
}

# A CTA of one thread for each element of C.
outline elements < matmul.mlir
# Tiles of 8 by 8: a CTA for each, a thread for each element.
outline tiles --scf-parallel-loop-tiling=parallel-loop-tile-sizes=8,8 < matmul.mlir
# Wrong: the sum over k is taken for a parallel loop, too, so that the threads of a column add to C at the same time.
"$MLIR_OPT" --linalg-generalize-named-ops matmul.mlir | sed 's/"reduction"/"parallel"/' |
    outline races --scf-parallel-loop-tiling=parallel-loop-tile-sizes=8,8,8
