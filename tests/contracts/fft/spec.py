"""What the transforms compute, in NumPy; the last axis of a complex tensor has its real and imaginary parts."""

import numpy as np

R = np.sqrt(0.5)
# cos(pi k / 4) and sin(pi k / 4).
COSINES = np.array([1, R, 0, -R, -1, -R, 0, R])
SINES = np.roll(COSINES, 2)


def times_conjugate(x, y):
    a, b, c, d = x[:, 0], x[:, 1], y[:, 0], y[:, 1]
    return {"z": np.stack([a * c + b * d, b * c - a * d], axis=1)}


def inverse_fft8(x):
    turns = np.outer(np.arange(8), np.arange(8)) % 8
    c, s = COSINES[turns] / 8, SINES[turns] / 8
    real, imaginary = x[..., 0], x[..., 1]
    return {"y": np.stack([real @ c - imaginary @ s, imaginary @ c + real @ s], axis=-1)}


def product(ar, ai, br, bi):
    return {"cr": ar @ br - ai @ bi, "ci": ar @ bi + ai @ br}


def hadamard(x, scale):
    matrix = np.ones((1, 1))
    for _ in range(5):
        matrix = np.kron(np.array([[1, 1], [1, -1]]), matrix)
    return {"y": scale * (x @ matrix)}


def spectrum(x, window):
    """Frames of eight points, three apart."""
    frames = np.stack([x[start : start + 8] * window for start in range(0, len(x) - 7, 3)])
    turns = np.outer(np.arange(8), [0, 2, 4]) % 8
    return {"y": (frames @ COSINES[turns]) ** 2 + (frames @ SINES[turns]) ** 2}
