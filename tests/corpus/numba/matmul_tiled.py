"""c = a b by tiles; outside elements are zero."""

from numba import cuda, float32

TILE = 4


def matmul_tiled(a, b, c):
    ta = cuda.shared.array((TILE, TILE), float32)
    tb = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    total = float32(0.0)
    for first in range(0, a.shape[1], TILE):
        ta[y, x] = a[row, first + x] if row < a.shape[0] and first + x < a.shape[1] else float32(0.0)
        tb[y, x] = b[first + y, col] if first + y < b.shape[0] and col < b.shape[1] else float32(0.0)
        cuda.syncthreads()
        for i in range(TILE):
            total += ta[y, i] * tb[i, x]
        cuda.syncthreads()
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = total


KERNEL = matmul_tiled
TYPES = (float32[:, ::1], float32[:, ::1], float32[:, ::1])
OPTIONS = {}
