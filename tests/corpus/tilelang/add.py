"""z = x + y in blocks of 128; the size comes with the launch."""

import tilelang.language as T

n = T.dynamic("n")


@T.prim_func
def add(x: T.Tensor((n,), "float32"), y: T.Tensor((n,), "float32"), z: T.Tensor((n,), "float32")):
    with T.Kernel(T.ceildiv(n, 128), threads=32) as block:
        for i in T.Parallel(128):
            z[block * 128 + i] = x[block * 128 + i] + y[block * 128 + i]


KERNEL = add
