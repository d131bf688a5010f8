"""Linear algebra by more than one route, as NumPy functions."""

from __future__ import annotations

from typing import Any

import numpy as np

F = np.float32


SIXTH = F(1 / 6)


def correlation(x: Any, w: Any) -> Any:
    n = x.shape[0] - w.shape[0] + 1
    return np.stack([sum(w[j] * x[i + j] for j in range(w.shape[0])) for i in range(n)])


def winograd(x: Any, w: Any, *, wrong: bool = False) -> Any:
    """F(2, 3): four products for two outputs of a filter of three."""
    m1 = (x[0] - x[2]) * w[0]
    m2 = (x[1] + x[2]) * (w[0] + w[1] + w[2]) / 2
    m3 = (x[2] - x[1]) * (w[0] - w[1] + w[2]) / 2
    m4 = (x[1] - x[3]) * w[2]
    return np.stack([m1 + m2 + m3, m2 - m3 + m4 if wrong else m2 - m3 - m4])


def winograd_4(x: Any, w: Any, *, third: Any = SIXTH) -> Any:
    """F(4, 3) with the usual matrices for the points 0, ±1, ±2 and ∞; 1/6, 1/12 and 1/24 are float32 literals."""
    twelfth, small = F(1 / 12), F(1 / 24)
    bt = np.array([[4, 0, -5, 0, 1, 0], [0, -4, -4, 1, 1, 0], [0, 4, -4, -1, 1, 0],
                   [0, -2, -1, 2, 1, 0], [0, 2, -1, -2, 1, 0], [0, 4, 0, -5, 0, 1]], F)  # fmt: skip
    g = np.array([[0.25, 0, 0], [-third, -third, -third], [-third, third, -third],
                  [small, twelfth, third], [small, -twelfth, third], [0, 0, 1]], F)  # fmt: skip
    at = np.array([[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]], F)
    return at @ ((g @ w) * (bt @ x))


def strassen(a: Any, b: Any, *, wrong: bool = False) -> Any:
    m1 = (a[0, 0] + a[1, 1]) * (b[0, 0] + b[1, 1])
    m2 = (a[1, 0] + a[1, 1]) * b[0, 0]
    m3 = a[0, 0] * (b[0, 1] - b[1, 1])
    m4 = a[1, 1] * (b[1, 0] - b[0, 0])
    m5 = (a[0, 0] + a[0, 1]) * b[1, 1]
    m6 = (a[1, 0] - a[0, 0]) * (b[0, 0] + b[0, 1])
    m7 = (a[0, 1] - a[1, 1]) * (b[1, 0] + b[1, 1])
    return np.stack([m1 + m4 - m5 + m7, m3 + m5, m2 + m4, (m1 + m2 if wrong else m1 - m2) + m3 + m6])


R = F(0.70710678)  # 1/√2


def dft(x: Any, y: Any, *, r: Any = R) -> Any:
    """The transform of 8 complex numbers x + iy from its definition."""
    cos = np.array([1, r, 0, -r, -1, -r, 0, r], F)
    at = np.outer(np.arange(8), np.arange(8)) % 8
    c, s = cos[at], -cos[(at - 2) % 8]
    return np.concatenate([c @ x - s @ y, c @ y + s @ x])


def fft(x: Any, y: Any, *, wrong: bool = False) -> Any:
    """The same by three rounds of butterflies, decimation in time."""
    order = [0, 4, 2, 6, 1, 5, 3, 7]
    re, im = [x[i] for i in order], [y[i] for i in order]
    turns = {1: [(1, 0)], 2: [(1, 0), (0, -1)], 4: [(1, 0), (R, -R), (0, 1 if wrong else -1), (-R, -R)]}
    for half, factors in turns.items():
        for start in range(0, 8, 2 * half):
            for j, (c, s) in enumerate(factors):
                a, b = start + j, start + j + half
                u, v = c * re[b] - s * im[b], c * im[b] + s * re[b]
                re[a], re[b], im[a], im[b] = re[a] + u, re[a] - u, im[a] + v, im[a] - v
    return np.stack(re + im)


def scan_steps(x: Any, *, wrong: bool = False) -> Any:
    """Hillis and Steele's inclusive scan."""
    parts = [x[i] for i in range(x.shape[0])]
    step = 1
    while step < len(parts):
        parts = [p + parts[i - step] if i >= step + wrong else p for i, p in enumerate(parts)]
        step *= 2
    return np.stack(parts)


def scan_tree(x: Any) -> Any:
    """Blelloch's exclusive scan, and the element itself added."""
    t = [x[i] for i in range(x.shape[0])]
    n = len(t)
    step = 1
    while step < n:
        for i in range(2 * step - 1, n, 2 * step):
            t[i] = t[i] + t[i - step]
        step *= 2
    t[n - 1] = x[0] - x[0]
    while step > 1:
        step //= 2
        for i in range(2 * step - 1, n, 2 * step):
            t[i - step], t[i] = t[i], t[i] + t[i - step]
    return np.stack([t[i] + x[i] for i in range(n)])


def kahan(x: Any, *, wrong: bool = False) -> Any:
    total, c = x[0], x[0] - x[0]
    for i in range(1, x.shape[0]):
        y = x[i] - c
        new = total + y
        c = new - total if wrong else (new - total) - y
        total = new
    return np.stack([total])
