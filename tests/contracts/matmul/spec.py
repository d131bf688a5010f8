"""What the matrix products compute, in NumPy."""

import numpy as np


def batched_bias_gelu(a, b, bias, scale):
    v = scale * np.einsum("bmk,bkn->bmn", a, b) + bias
    return {"c": v / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3)))}


def blas(a, b, c, alpha, beta):
    return {"c": alpha * np.dot(a, b) + beta * c}


def lower_times(a, x):
    return {"y": np.tril(a) @ x}


def scaled(a, b, scale):
    return {"c": scale * (a.astype(np.float32) @ b.astype(np.float32))}
