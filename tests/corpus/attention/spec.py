"""What the attention kernels compute, in NumPy."""

import numpy as np


def weights(scores):
    """Softmax along the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def attention_naive(q, k, v, scale):
    return {"o": weights(scale * (q @ k.T)) @ v}


def attention_causal(q, k, v):
    o = np.zeros_like(q)
    for r in range(len(q)):
        o[r] = weights(0.5 * (k[: r + 1] @ q[r])) @ v[: r + 1]
    return {"o": o}


def attention_decode(q, k, v):
    return {"o": weights(0.25 * (q @ k.T)) @ v}


def flash_mma(q, k, v):
    q, k, v = q.astype(np.float32), k.astype(np.float32), v.astype(np.float32)
    return {"o": weights(0.25 * (q @ k.T)) @ v}
