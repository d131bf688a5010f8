"""What the integer kernels compute, in NumPy."""

import numpy as np


def dequantize(q, scale, zero):
    return {"y": (q.astype(np.int32) - zero.astype(np.int32)[:, None]) * scale[:, None]}


def quantize(x, scale):
    return {"q": np.clip(np.rint(x / scale), -128, 127).astype(np.int8)}


def product(a, b, scale, other):
    return {"c": (a.astype(np.int32) @ b.astype(np.int32).T) * scale[:, None] * other}


def unpack(q, scale):
    """q: [groups, words]."""
    digits = np.stack([(q >> (4 * k)) & 15 for k in range(8)], axis=2).astype(np.int32) - 8
    return {"y": (digits * scale[:, None, None]).reshape(-1)}


def integer_scan(x):
    return {"y": np.cumsum(x.astype(np.int32))}
