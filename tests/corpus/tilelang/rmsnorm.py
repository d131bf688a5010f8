"""y = x / sqrt(mean of squares + 2^-20) w for rows of 64 halves, two rows a block."""

import tilelang.language as T

m = T.dynamic("m")


@T.prim_func
def rmsnorm(x: T.Tensor((m, 64), "float16"), w: T.Tensor((64,), "float16"), y: T.Tensor((m, 64), "float16")):
    with T.Kernel(T.ceildiv(m, 2), threads=32) as block:
        rows = T.alloc_fragment((2, 64), "float32")
        squares = T.alloc_fragment((2, 64), "float32")
        scale = T.alloc_fragment((2,), "float32")
        T.copy(x[block * 2, 0], rows)
        for i, j in T.Parallel(2, 64):
            squares[i, j] = rows[i, j] * rows[i, j]
        T.reduce_sum(squares, scale, dim=1)
        for i in T.Parallel(2):
            scale[i] = T.rsqrt(scale[i] / 64.0 + 9.5367431640625e-07)
        for i, j in T.Parallel(2, 64):
            y[block * 2 + i, j] = rows[i, j] * scale[i] * w[j]


KERNEL = rmsnorm
