"""c = a bᵀ in tiles of 64x32 and steps of 32 along k, copies and products in turn; `steps` comes with the launch."""

import tilelang.language as T

M, N = 1344, 1344
steps = T.dynamic("steps")


@T.prim_func
def gemm_64_32_32(
    a: T.Tensor((M, steps * 32), "float16"), b: T.Tensor((N, steps * 32), "float16"), c: T.Tensor((M, N), "float32")
):
    with T.Kernel(N // 32, M // 64, threads=128) as (column, row):
        ta = T.alloc_shared((64, 32), "float16")
        tb = T.alloc_shared((32, 32), "float16")
        total = T.alloc_fragment((64, 32), "float32")
        T.clear(total)
        for step in T.Pipelined(steps, num_stages=0):
            T.copy(a[row * 64, step * 32], ta)
            T.copy(b[column * 32, step * 32], tb)
            T.gemm(ta, tb, total, transpose_B=True)
        T.copy(total, c[row * 64, column * 32])


KERNEL = gemm_64_32_32
