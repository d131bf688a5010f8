"""What the kernels that only move data compute, in NumPy."""

import numpy as np


def transpose_naive(x):
    return {"y": x.T}


def transpose_movmatrix(x):
    return {"y": x.swapaxes(1, 2)}


def permute3d(x):
    return {"y": x.transpose(2, 0, 1)}


def reverse_shared(x):
    return {"y": x.reshape(-1, 50)[:, ::-1].reshape(-1)}


def concat_split(x):
    return {"y": x.copy()}


def embedding_gather(id, table):
    return {"y": table[id]}


def embedding_bag(id, table, position):
    return {"y": position + table[id].sum(axis=1)}


def gather_symbolic(id, x):
    return {"y": x[id]}


def rotary(x, cosine, sine):
    u, v = np.split(x, 2, axis=1)
    return {"y": np.concatenate([u * cosine - v * sine, v * cosine + u * sine], axis=1)}


def rotary_fast_half(x, frequency):
    x = x.astype(np.float32)
    angle = np.arange(len(x), dtype=np.float32)[:, None] * frequency[None, :]
    u, v, c, s = x[:, 0::2], x[:, 1::2], np.cos(angle), np.sin(angle)
    return {"y": np.stack([u * c - v * s, u * s + v * c], axis=2).reshape(x.shape)}
