"""y = softmax of rows of 64 elements, four rows a block."""

import tilelang.language as T

m = T.dynamic("m")


@T.prim_func
def softmax(x: T.Tensor((m, 64), "float32"), y: T.Tensor((m, 64), "float32")):
    with T.Kernel(T.ceildiv(m, 4), threads=32) as block:
        rows = T.alloc_fragment((4, 64), "float32")
        top = T.alloc_fragment((4,), "float32")
        total = T.alloc_fragment((4,), "float32")
        T.copy(x[block * 4, 0], rows)
        T.reduce_max(rows, top, dim=1)
        for i, j in T.Parallel(4, 64):
            rows[i, j] = T.exp(rows[i, j] - top[i])
        T.reduce_sum(rows, total, dim=1)
        for i, j in T.Parallel(4, 64):
            rows[i, j] = rows[i, j] / total[i]
        T.copy(rows, y[block * 4, 0])


KERNEL = softmax
