"""c = a bᵀ in tiles of 64x64 and steps of 32 along k, copies and products in turn; `steps` comes with the launch."""

import tilelang.language as T

M, N = 2688, 2688
steps = T.dynamic("steps")


@T.prim_func
def gemm_64_64_32(
    a: T.Tensor((M, steps * 32), "float16"), b: T.Tensor((N, steps * 32), "float16"), c: T.Tensor((M, N), "float32")
):
    with T.Kernel(N // 64, M // 64, threads=128) as (column, row):
        ta = T.alloc_shared((64, 32), "float16")
        tb = T.alloc_shared((64, 32), "float16")
        total = T.alloc_fragment((64, 64), "float32")
        T.clear(total)
        for step in T.Pipelined(steps, num_stages=0):
            T.copy(a[row * 64, step * 32], ta)
            T.copy(b[column * 64, step * 32], tb)
            T.gemm(ta, tb, total, transpose_B=True)
        T.copy(total, c[row * 64, column * 64])


KERNEL = gemm_64_64_32
