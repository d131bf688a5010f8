"""Each row of y is the row of x in ascending order, by minima and maxima in a local array."""

from numba import cuda, float64


def local_sort(x, y):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    keep = cuda.local.array(3, float64)
    for k in range(3):
        keep[k] = x[i, k]
    for low, high in ((0, 1), (1, 2), (0, 1)):
        smaller = min(keep[low], keep[high])
        keep[high] = max(keep[low], keep[high])
        keep[low] = smaller
    for k in range(3):
        y[i, k] = keep[k]


KERNEL = local_sort
TYPES = (float64[:, ::1], float64[:, ::1])
OPTIONS = {}
