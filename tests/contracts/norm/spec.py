"""What the normalisations compute, in NumPy."""

import numpy as np


def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(axis=1, keepdims=True)
    return {"y": centred / np.sqrt(x.var(axis=1, keepdims=True) + eps) * weight + bias}


def rms_norm(x, weight, eps):
    return {"y": x / np.sqrt(np.mean(x**2, axis=1, keepdims=True) + eps) * weight}


def batch_norm(x, weight, bias, eps):
    """x: [batch, channels, height, width]."""
    mean, variance = x.mean(axis=(0, 2, 3)), x.var(axis=(0, 2, 3))
    factor = weight / np.sqrt(variance + eps)
    y = (x - mean[:, None, None]) * factor[:, None, None] + bias[:, None, None]
    return {"y": y, "mean": mean, "variance": variance}


def group_norm(x, weight, eps):
    """x: [batch, groups, channels of a group, elements]."""
    centred = x - x.mean(axis=(2, 3), keepdims=True)
    return {"y": centred / np.sqrt((centred**2).mean(axis=(2, 3), keepdims=True) + eps) * weight[..., None]}


def normalize(x, eps):
    return {"y": x / np.maximum(np.sqrt((x * x).sum(axis=1, keepdims=True)), eps)}
