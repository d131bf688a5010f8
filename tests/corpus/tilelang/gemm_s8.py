"""c = a b^T in integers, tiles of 32x16x32."""

import tilelang.language as T

m = T.dynamic("m")


@T.prim_func
def gemm_s8(a: T.Tensor((m, 32), "int8"), b: T.Tensor((16, 32), "int8"), c: T.Tensor((m, 16), "int32")):
    with T.Kernel(T.ceildiv(m, 32), threads=32) as row:
        ta = T.alloc_shared((32, 32), "int8")
        tb = T.alloc_shared((16, 32), "int8")
        total = T.alloc_fragment((32, 16), "int32")
        T.clear(total)
        T.copy(a[row * 32, 0], ta)
        T.copy(b, tb)
        T.gemm(ta, tb, total, transpose_B=True)
        T.copy(total, c[row * 32, 0])


KERNEL = gemm_s8
