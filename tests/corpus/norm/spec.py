"""What the normalisations compute, in NumPy."""

import numpy as np


def layernorm_warp(x, w, b, eps):
    return {"y": (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + eps) * w + b}


def layernorm_one_pass(x, w, b, eps):
    centre = x.mean(axis=1, keepdims=True)
    y = (x - centre) / np.sqrt(x.var(axis=1, keepdims=True) + eps) * w + b
    return {"y": y, "mean": centre[:, 0]}


def rmsnorm(x, w, eps):
    return {"y": x / np.sqrt((x * x).mean(axis=1, keepdims=True) + eps) * w}


def rmsnorm_residual_bf16(x, r, w, eps):
    total = x.astype(np.float32) + r.astype(np.float32)
    return {"y": total / np.sqrt((total * total).mean(axis=1, keepdims=True) + eps) * w.astype(np.float32)}


def batchnorm_inference(x, mean, var, w, b, eps):
    return {"y": (x - mean[:, None]) / np.sqrt(var + eps)[:, None] * w[:, None] + b[:, None]}


def groupnorm(x, w, b, eps):
    # Two groups, as the contract says.
    channels, n = x.shape
    rows = x.reshape(2, channels // 2 * n)
    rows = (rows - rows.mean(axis=1, keepdims=True)) / np.sqrt(rows.var(axis=1, keepdims=True) + eps)
    return {"y": rows.reshape(channels, n) * w[:, None] + b[:, None]}


def normalize_l2(x):
    return {"y": x / np.sqrt((x * x).sum(axis=1, keepdims=True))}


def layernorm_backward(x, w, g, eps):
    r = 1 / np.sqrt(x.var(axis=1, keepdims=True) + eps)
    u = (x - x.mean(axis=1, keepdims=True)) * r
    h = g * w
    return {"d": r * (h - h.mean(axis=1, keepdims=True) - u * (h * u).mean(axis=1, keepdims=True))}
