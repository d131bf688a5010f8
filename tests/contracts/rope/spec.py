"""What the rotary embeddings compute, in NumPy."""

import numpy as np


def halves(x, cosine, sine):
    """x: [positions, heads, d]."""
    first, second = np.split(x, 2, axis=2)
    c, s = cosine[:, None, :], sine[:, None, :]
    return {"y": np.concatenate([first * c - second * s, second * c + first * s], axis=2)}


def neighbours(x, position, frequency, scale):
    angle = scale * position[:, None] * frequency
    even, odd = x[:, 0::2], x[:, 1::2]
    turned = np.stack([even * np.cos(angle) - odd * np.sin(angle), even * np.sin(angle) + odd * np.cos(angle)], axis=2)
    return {"x": turned.reshape(x.shape)}
