#!/bin/sh
# Lowers matmul.mlir to PTX in five ways, by mlir-opt of LLVM 22 (Debian: mlir-22-tools). The results are in this folder.
set -eu
cd "$(dirname "$0")"
OUT=${1:-.}
MLIR_OPT=${MLIR_OPT:-mlir-opt-22}
TO_PTX='--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-features=+ptx80 cubin-format=isa kernel-bare-ptr-calling-convention=true opt-level=3'

# binary NAME [PASSES …]: what the passes made kernels of, to a gpu.binary. How long that took is left out of the result.
binary() {
    name=$1
    shift
    "$MLIR_OPT" "$@" | "$MLIR_OPT" "$TO_PTX" | sed 's/LLVMIRToISATimeInMs = [0-9]* : i64, //' > "$OUT/$name.mlir"
}

# parallel NAME [LOOP PASSES …]: by parallel loops, which are mapped to CTAs and threads from the outermost to the innermost.
parallel() {
    name=$1
    shift
    binary "$name" --convert-linalg-to-parallel-loops "$@" --gpu-map-parallel-loops --convert-parallel-loops-to-gpu \
        --canonicalize --gpu-kernel-outlining
}

# affine NAME OPTIONS: by a nest of loops, of which the options say how many are CTAs and how many are threads.
affine() {
    binary "$1" --pass-pipeline="builtin.module(convert-linalg-to-affine-loops,func.func(convert-affine-for-to-gpu{$2}),
        lower-affine,canonicalize,gpu-kernel-outlining)" < matmul.mlir
}

# A CTA of one thread for each element of C.
parallel elements < matmul.mlir
# Tiles of 8 by 8: a CTA for each, a thread for each element.
parallel tiles --scf-parallel-loop-tiling=parallel-loop-tile-sizes=8,8 < matmul.mlir
# Wrong: the sum over k is taken for a parallel loop, too, so that the threads of a column add to C at the same time.
"$MLIR_OPT" --linalg-generalize-named-ops matmul.mlir | sed 's/"reduction"/"parallel"/' |
    parallel races --scf-parallel-loop-tiling=parallel-loop-tile-sizes=8,8,8
# A CTA for each row of C, a thread for each element of the row.
affine rows 'gpu-block-dims=1 gpu-thread-dims=1'
# Wrong: one dimension more is threads, and that is k. The pass does not ask whether a loop is parallel.
affine threads 'gpu-block-dims=1 gpu-thread-dims=2'
