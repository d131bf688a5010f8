"""What the softmax family computes, in NumPy."""

import numpy as np


def softmax(x):
    """e^(x - max) over its sum, along the last axis."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def softmax_warp(x):
    return {"y": softmax(x)}


def softmax_block(x):
    return {"y": softmax(x)}


def softmax_online(x):
    return {"y": softmax(x)}


def softmax_registers(x):
    return {"y": softmax(x)}


def softmax_half(x):
    return {"y": softmax(x.astype(np.float32))}


def log_softmax(x):
    shifted = x - x.max(axis=1, keepdims=True)
    return {"y": shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))}


def softmax_causal(x):
    y = np.zeros_like(x)
    for r in range(len(x)):
        y[r, : r + 1] = softmax(x[r, : r + 1])
    return {"y": y}


def softmax_backward(y, g):
    return {"d": y * (g - (y * g).sum(axis=1, keepdims=True))}


def cross_entropy(x, label):
    rows = np.arange(len(label))
    top = x.max(axis=1, keepdims=True)
    loss = np.log(np.exp(x - top).sum(axis=1)) + top[:, 0] - x[rows, label]
    grad = softmax(x)
    grad[rows, label] = grad[rows, label] - 1
    return {"loss": loss, "grad": grad}
