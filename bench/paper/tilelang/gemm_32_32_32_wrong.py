"""gemm_32_32_32.py with one bug: the rows of b are those of the tile's row, not of its column."""

import tilelang.language as T

M, N = 736, 736
steps = T.dynamic("steps")


@T.prim_func
def gemm_32_32_32_wrong(
    a: T.Tensor((M, steps * 32), "float16"), b: T.Tensor((N, steps * 32), "float16"), c: T.Tensor((M, N), "float32")
):
    with T.Kernel(N // 32, M // 32, threads=128) as (column, row):
        ta = T.alloc_shared((32, 32), "float16")
        tb = T.alloc_shared((32, 32), "float16")
        total = T.alloc_fragment((32, 32), "float32")
        T.clear(total)
        for step in T.Pipelined(steps, num_stages=0):
            T.copy(a[row * 32, step * 32], ta)
            T.copy(b[row * 32, step * 32], tb)
            T.gemm(ta, tb, total, transpose_B=True)
        T.copy(total, c[row * 32, column * 32])


KERNEL = gemm_32_32_32_wrong
CONTRACT = "gemm_32_32_32.toml"
