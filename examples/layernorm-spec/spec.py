"""What a layer norm is, in NumPy."""

import numpy as np


def layernorm(x, weight, bias, eps):
    """y[r] = (x[r] - mean) / sqrt(variance + eps) * weight + bias."""
    centred = x - x.mean(axis=1, keepdims=True)
    variance = (centred * centred).mean(axis=1, keepdims=True)
    return {"y": centred / np.sqrt(variance + eps) * weight + bias}
