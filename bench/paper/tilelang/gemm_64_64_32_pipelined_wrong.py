"""gemm_64_64_32_pipelined.py with one bug: the last step is left out."""

import tilelang.language as T

M, N = 2688, 2688
steps = T.dynamic("steps")


@T.prim_func
def gemm_64_64_32_pipelined_wrong(
    a: T.Tensor((M, steps * 32), "float16"), b: T.Tensor((steps * 32, N), "float16"), c: T.Tensor((M, N), "float32")
):
    with T.Kernel(N // 64, M // 64, threads=128) as (column, row):
        ta = T.alloc_shared((64, 32), "float16")
        tb = T.alloc_shared((32, 64), "float16")
        total = T.alloc_fragment((64, 64), "float32")
        T.clear(total)
        for step in T.Pipelined(steps - 1, num_stages=2):
            T.copy(a[row * 64, step * 32], ta)
            T.copy(b[step * 32, column * 64], tb)
            T.gemm(ta, tb, total)
        T.copy(total, c[row * 64, column * 64])


KERNEL = gemm_64_64_32_pipelined_wrong
CONTRACT = "gemm_64_64_32_pipelined.toml"
