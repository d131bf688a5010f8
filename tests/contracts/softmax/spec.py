"""What the softmax family computes, in NumPy."""

import numpy as np


def softmax(x, scale):
    powers = np.exp(scale * x)
    return {"y": powers / powers.sum(axis=1, keepdims=True)}


def logsumexp(x):
    return {"y": np.log(np.exp(x).sum(axis=0))}


def masked(x, mask):
    powers = np.where(mask != 0, np.exp(x), 0)
    return {"y": powers / powers.sum(axis=1, keepdims=True)}


def backward(y, g, scale):
    return {"d": scale * (y * g - y * (y * g).sum(axis=1, keepdims=True))}


def log_softmax(x):
    return {"y": x - np.log(np.exp(x).sum(axis=1, keepdims=True))}
