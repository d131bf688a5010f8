"""What the five kernels compute, in NumPy."""

import numpy as np


def positions(count):
    """end[i] = count[0] + … + count[i]."""
    return {"end": np.cumsum(count, dtype=np.int32)}


def key_range(key):
    """The edges of 64 equally wide buckets from the smallest to the largest key."""
    return {"edge": key.min() + (key.max() - key.min()) * np.arange(65) / 64}


def reduce_value(value):
    """The sum of all."""
    return {"sum": value.sum(keepdims=True)}


def layer_norm(x, gamma, beta, eps):
    """y = (x - mean) invvar gamma + beta along rows, invvar = 1 / sqrt(variance + eps)."""
    mean, invvar = x.mean(axis=1), 1 / np.sqrt(x.var(axis=1) + eps)
    return {"y": (x - mean[:, None]) * invvar[:, None] * gamma + beta, "mean": mean, "invvar": invvar}


def grad_input(dy, x, mean, invvar, gamma):
    """The gradient of the input of a layer norm whose gradient of the output is dy."""
    normal, loss = (x - mean[:, None]) * invvar[:, None], dy * gamma
    centred = loss - loss.mean(axis=1, keepdims=True) - normal * (loss * normal).mean(axis=1, keepdims=True)
    return {"dx": invvar[:, None] * centred}
