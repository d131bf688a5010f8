"""c = a b in tiles of 32x32x32, two stages; the number of rows comes with the launch."""

import tilelang.language as T

m = T.dynamic("m")


@T.prim_func
def gemm_f16(a: T.Tensor((m, 64), "float16"), b: T.Tensor((64, 32), "float16"), c: T.Tensor((m, 32), "float32")):
    with T.Kernel(1, T.ceildiv(m, 32), threads=64) as (column, row):
        ta = T.alloc_shared((32, 32), "float16")
        tb = T.alloc_shared((32, 32), "float16")
        total = T.alloc_fragment((32, 32), "float32")
        T.clear(total)
        for step in T.Pipelined(2, num_stages=2):
            T.copy(a[row * 32, step * 32], ta)
            T.copy(b[step * 32, column * 32], tb)
            T.gemm(ta, tb, total)
        T.copy(total, c[row * 32, column * 32])


KERNEL = gemm_f16
