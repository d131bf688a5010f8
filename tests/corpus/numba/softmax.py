"""y = softmax of each row, with fast math."""

import math

from numba import cuda, float32


def softmax(x, y):
    row = cuda.blockIdx.x
    n = x.shape[1]
    top = float32(-math.inf)
    for i in range(cuda.threadIdx.x, n, 32):
        top = max(top, x[row, i])
    for step in (16, 8, 4, 2, 1):
        top = max(top, cuda.shfl_xor_sync(0xFFFFFFFF, top, step))
    total = float32(0.0)
    for i in range(cuda.threadIdx.x, n, 32):
        total += math.exp(x[row, i] - top)
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(0xFFFFFFFF, total, step)
    for i in range(cuda.threadIdx.x, n, 32):
        y[row, i] = math.exp(x[row, i] - top) / total


KERNEL = softmax
TYPES = (float32[:, ::1], float32[:, ::1])
OPTIONS = {"fastmath": True}
