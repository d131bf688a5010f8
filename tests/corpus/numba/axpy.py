"""y = a x + y."""

from numba import cuda, float32


def axpy(x, y, a):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] += a * x[i]


KERNEL = axpy
TYPES = (float32[::1], float32[::1], float32)
OPTIONS = {}
