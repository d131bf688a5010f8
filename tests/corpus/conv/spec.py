"""What the convolutions, poolings and resamplings compute, in NumPy."""

import numpy as np


def conv1d(x, w):
    padded = np.pad(x, 2)
    n = len(x)
    return {"y": sum(w[j] * padded[j : j + n] for j in range(5))}


def conv1d_shared(x):
    padded = np.pad(x, 2, mode="edge")
    taps = [0.0625, 0.25, 0.375, 0.25, 0.0625]
    return {"y": sum(taps[j] * padded[j : j + len(x)] for j in range(5))}


def conv2d(x, k):
    h, w = x.shape[1] - 2, x.shape[2] - 2
    return {"y": sum(np.einsum("fc,chw->fhw", k[:, :, i, j], x[:, i : i + h, j : j + w]) for i in range(3) for j in range(3))}


def conv2d_tiled(x, k):
    h, w = x.shape
    padded = np.pad(x, 1)
    return {"y": sum(k[i, j] * padded[i : i + h : 2, j : j + w : 2] for i in range(3) for j in range(3))}


def depthwise_half(x, w):
    x, w = x.astype(np.float32), w.astype(np.float32)
    padded = np.pad(x, ((2, 0), (0, 0)))
    n = len(x)
    return {"y": w[0] * padded[:n] + w[1] * padded[1 : n + 1] + w[2] * padded[2:]}


def max_pool(x):
    padded = np.pad(x, ((0, x.shape[0] % 2), (0, x.shape[1] % 2)), mode="edge")
    rows = np.maximum(padded[0::2], padded[1::2])
    return {"y": np.maximum(rows[:, 0::2], rows[:, 1::2])}


def avg_pool(x):
    def windows(a):
        p = np.pad(a, 1)
        return sum(p[i : i + a.shape[0], j : j + a.shape[1]] for i in range(3) for j in range(3))

    return {"y": windows(x) / windows(np.ones(x.shape, np.float32))}


def upsample_nearest(x):
    return {"y": np.repeat(np.repeat(x, 3, axis=0), 3, axis=1)}


def upsample_bilinear(x):
    def matrix(n):
        m = np.zeros((2 * n, n), np.float32)
        for i in range(2 * n):
            at = max(0.5 * i - 0.25, 0.0)
            low = int(at)
            m[i, low] += 1 - (at - low)
            m[i, min(low + 1, n - 1)] += at - low
        return m

    h, w = x.shape
    return {"y": matrix(h) @ x @ matrix(w).T}


def im2col(x):
    patches = np.stack([x[:-1, :-1], x[:-1, 1:], x[1:, :-1], x[1:, 1:]], axis=2)
    return {"y": patches.reshape(-1, 4)}
