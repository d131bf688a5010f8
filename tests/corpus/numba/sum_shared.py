"""y[b] = sum of the b-th chunk of 64 elements, in doubles."""

from numba import cuda, float64


def sum_shared(x, y):
    part = cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    part[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    stride = 32
    while stride > 0:
        if t < stride:
            part[t] += part[t + stride]
        cuda.syncthreads()
        stride //= 2
    if t == 0:
        y[cuda.blockIdx.x] = part[0]


KERNEL = sum_shared
TYPES = (float64[::1], float64[::1])
OPTIONS = {}
