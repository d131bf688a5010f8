"""What the kernels with atomics compute, in NumPy."""

import numpy as np


def histogram_known(x, h):
    return {"h": h + np.bincount(3 * x % 8, minlength=8).astype(np.int32)}


def histogram(x, h):
    return {"h": h + np.bincount(x >> 4, minlength=16).astype(np.uint32)}


def scatter_add(id, x, y):
    parts = [y[k] + x[id % 3 == k].sum(axis=0) for k in range(3)]
    return {"y": np.stack(parts)}


def add_double_half(x, h, s, t):
    h = h.astype(np.float32)
    return {"s": s + x.sum(), "t": t + np.stack([h[0::2].sum(), h[1::2].sum()])}


def integer_operations(x, y, bits, low, high):
    signed = x.astype(np.int32)
    folds = [np.bitwise_and.reduce(x) & bits[0], np.bitwise_or.reduce(x) | bits[1], np.bitwise_xor.reduce(x) ^ bits[2]]
    return {
        "bits": np.array(folds, np.uint32),
        "low": np.array([min(signed.min(), low[0]), max(signed.max(), low[1])], np.int32),
        "high": np.array([min(y.min(), high[0]), max(y.max(), high[1])], np.int64),
    }


def tickets(turn, counter, last):
    # `turn` is read by no one: its length is the number of threads.
    up, down = int(counter[0]), int(counter[1])
    for _ in range(len(turn)):
        up = 0 if up >= 9 else up + 1
        down = 5 if down == 0 or down > 5 else down - 1
    return {"counter": np.array([up, down], np.uint32), "last": last + np.uint32(1)}


def float_max_cas(x, y):
    return {"y": np.maximum(y, x.max())}


def float_max_bits(x, y):
    return {"y": np.maximum(y, x.max())}


def last_block(x, ticket):
    return {"y": x.sum(keepdims=True), "ticket": ticket}
