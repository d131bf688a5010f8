"""gemm_64_64_32.py with one bug: the rows of b are those of the tile's row, not of its column."""

import tilelang.language as T

M, N = 2688, 2688
steps = T.dynamic("steps")


@T.prim_func
def gemm_64_64_32_wrong(
    a: T.Tensor((M, steps * 32), "float16"), b: T.Tensor((N, steps * 32), "float16"), c: T.Tensor((M, N), "float32")
):
    with T.Kernel(N // 64, M // 64, threads=128) as (column, row):
        ta = T.alloc_shared((64, 32), "float16")
        tb = T.alloc_shared((64, 32), "float16")
        total = T.alloc_fragment((64, 64), "float32")
        T.clear(total)
        for step in T.Pipelined(steps, num_stages=0):
            T.copy(a[row * 64, step * 32], ta)
            T.copy(b[row * 64, step * 32], tb)
            T.gemm(ta, tb, total, transpose_B=True)
        T.copy(total, c[row * 64, column * 64])


KERNEL = gemm_64_64_32_wrong
CONTRACT = "gemm_64_64_32.toml"
