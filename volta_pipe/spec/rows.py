"""Functions of the rows of an array: softmax and its kin, and normalisations."""

from __future__ import annotations

from typing import Literal

import numpy as np

from volta_pipe.spec.pointwise import Array, wide


def softmax(x: Array, axis: int = -1) -> Array:
    """e^x over the sum of the same along `axis`; x of any shape.

    The largest element is subtracted first, which changes no value over the reals and keeps e^x within range."""
    x = wide(x)
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)


def log_softmax(x: Array, axis: int = -1) -> Array:
    """The logarithm of the softmax along `axis`, x - log(sum e^x); x of any shape."""
    x = wide(x)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def cross_entropy(x: Array, label: Array, reduction: Literal["none", "mean", "sum"] = "none") -> Array:
    """What a classifier loses: -log softmax(x)[label] of each row.

    x: logits [..., classes]; label: integers [...] in [0, classes), known before the launch in a contract (`values`).
    reduction "none": one loss a row, [...]; "mean" and "sum": of all rows, [1]."""
    losses = -np.take_along_axis(log_softmax(x), label[..., None], axis=-1)[..., 0]
    if reduction == "none":
        return losses
    if reduction == "sum":
        return np.reshape(np.sum(losses), (1,))
    if reduction == "mean":
        return np.reshape(np.mean(losses), (1,))
    raise ValueError(f'reduction is "none", "mean" or "sum", not {reduction!r}')


def layer_norm(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    """(x - mean) / sqrt(variance + eps) weight + bias along the last axis.

    x [..., n]; weight, bias [n], 1 and 0 by default. The variance is the mean of the squares of x - mean, over n, not n - 1.
    Source: Ba, Kiros, Hinton, "Layer normalization" (arXiv 1607.06450), section 3, with eps under the root."""
    x = wide(x)
    centred = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    y = centred / np.sqrt(variance + eps)
    if weight is not None:
        y = y * wide(weight)
    return y if bias is None else y + wide(bias)


def rms_norm(x: Array, weight: Array | None = None, eps: float = 1e-6) -> Array:
    """x / sqrt(mean of x² + eps) weight along the last axis; x [..., n]; weight [n], 1 by default.

    Source: Zhang, Sennrich, "Root mean square layer normalization" (arXiv 1910.07467), equation 4, with eps under the root."""
    x = wide(x)
    y = x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps)
    return y if weight is None else y * wide(weight)
