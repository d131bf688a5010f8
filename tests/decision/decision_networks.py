"""What kernels of networks compute, by more than one route, as NumPy functions."""

from __future__ import annotations

from typing import Any

import numpy as np

F = np.float32
EPS = F(2.0**-17)  # a power of two: 3 ε is a float, too

# ---- attention: q [2, 2], k and v [4, 2]; one over the root of the head's size as the scale
SCALE = F(0.5)


def scores(q: Any, k: Any) -> Any:
    return q @ k.T * SCALE


def naive(q: Any, k: Any, v: Any) -> Any:
    s = scores(q, k)
    p = np.exp(s - s.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True) @ v


def no_max(q: Any, k: Any, v: Any) -> Any:
    p = np.exp(scores(q, k))
    return (p @ v) / p.sum(axis=1, keepdims=True)


def flash(q: Any, k: Any, v: Any, *, first: bool = False, block: int = 2, wrong: bool = False) -> Any:
    """FlashAttention's blocks of keys; `first`: divides by l in every block, as FA1 does, instead of once."""
    s = scores(q, k)
    m = l = o = None
    for start in range(0, k.shape[0], block):
        part, rows = s[:, start : start + block], v[start : start + block]
        top = part.max(axis=1, keepdims=True)
        new = top if m is None else np.maximum(m, top)
        p = np.exp(part - new)
        if m is None:
            l, o = p.sum(axis=1, keepdims=True), p @ rows
            o = o / l if first else o
        else:
            old = np.exp(m - new)
            total = old * l + p.sum(axis=1, keepdims=True)
            o = (old * l * o + p @ rows) / total if first else (o if wrong else old * o) + p @ rows
            l = total
        m = new
    return o if first else o / l


def split_k(q: Any, k: Any, v: Any, *, wrong: bool = False) -> Any:
    """Two halves of the keys, each normalised, merged through their log-sum-exp."""
    outs, lses = [], []
    for part in (slice(0, 2), slice(2, 4)):
        s = scores(q, k[part])
        m = s.max(axis=1, keepdims=True)
        p = np.exp(s - m)
        l = p.sum(axis=1, keepdims=True)
        outs.append((p @ v[part]) / l)
        lses.append(m + np.log(l))
    m = np.maximum(*lses)
    w = [np.exp(x - m) for x in lses]
    return (w[0] * outs[0] + (w[0] if wrong else w[1]) * outs[1]) / (w[0] + w[1])


def causal_infinite(q: Any, k: Any, v: Any) -> Any:
    """q, k, v [3, 2]; what lies ahead is −∞ before the softmax."""
    s = np.where(np.tril(np.ones((3, 3), bool)), scores(q, k), F(-np.inf))
    p = np.exp(s - s.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True) @ v


def causal_masked(q: Any, k: Any, v: Any, *, wrong: int = 0) -> Any:
    """The same with a mask of 0 and 1 on the exponentials."""
    p = np.exp(scores(q, k)) * np.tril(np.ones((3, 3), F), wrong)
    return (p @ v) / p.sum(axis=1, keepdims=True)


# ---- norms


def layer_norm(x: Any, w: Any, b: Any) -> Any:
    mean = x.mean(axis=-1, keepdims=True)
    var = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(var + EPS) * w + b


def layer_norm_one_pass(x: Any, w: Any, b: Any, *, clamp: bool = False, wrong: int = 0) -> Any:
    n = x.shape[-1]
    mean = x.sum(axis=-1, keepdims=True) * F(1 / n)
    var = (x * x).sum(axis=-1, keepdims=True) / (n + wrong) - mean * mean
    if clamp:
        var = np.maximum(var, F(0))
    r = 1 / np.sqrt(var + EPS)
    return x * (r * w) + (b - mean * r * w)


def layer_norm_welford(x: Any, w: Any, b: Any, *, wrong: bool = False) -> Any:
    mean, m2 = x[:, 0], 0 * x[:, 0]
    for i in range(1, x.shape[1]):
        delta = x[:, i] - mean
        mean = mean + delta / F(i + 1)
        m2 = m2 + delta * (delta if wrong else x[:, i] - mean)
    return (x - mean[:, None]) / np.sqrt(m2 / F(x.shape[1]) + EPS)[:, None] * w + b


def rms_norm(x: Any, w: Any) -> Any:
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPS) * w


def rms_norm_scaled(x: Any, w: Any, *, eps: Any = EPS) -> Any:
    """Everything times n under the root."""
    n = x.shape[-1]
    return x * w * np.sqrt(F(n)) / np.sqrt((x * x).sum(axis=-1, keepdims=True) + F(n) * eps)


def batch_norm(x: Any, w: Any, b: Any) -> Any:
    mean, var = x.mean(axis=0), x.var(axis=0)
    return (x - mean) / np.sqrt(var + EPS) * w + b


def batch_norm_folded(x: Any, w: Any, b: Any, *, wrong: bool = False) -> Any:
    mean = x.sum(axis=0) / F(len(x))
    var = (x * x).sum(axis=0) / F(len(x)) - mean * mean
    scale = w / np.sqrt(var + EPS)
    return x * scale + (b + mean * scale if wrong else b - mean * scale)


def group_norm(x: Any, w: Any) -> Any:
    """x [1, 4] in two groups of two."""
    g = x.reshape(1, 2, 2)
    mean = g.mean(axis=2, keepdims=True)
    y = (g - mean) / np.sqrt(((g - mean) ** 2).mean(axis=2, keepdims=True) + EPS)
    return y.reshape(1, 4) * w


def group_norm_of_pairs(x: Any, w: Any, *, wrong: int = 4) -> Any:
    """Two numbers lie half their difference from their mean."""
    d = x[:, 0::2] - x[:, 1::2]
    y = d / np.sqrt(d * d + F(wrong) * EPS)
    return np.stack([y, -y], axis=2).reshape(1, 4) * w


# ---- training


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_online(x: Any, *, wrong: bool = False) -> Any:
    m, l = x[:, 0], np.exp(x[:, 0] - x[:, 0])
    for j in range(1, x.shape[1]):
        new = np.maximum(m, x[:, j])
        l = (l if wrong else l * np.exp(m - new)) + np.exp(x[:, j] - new)
        m = new
    return np.exp(x - m[:, None]) / l[:, None]


def softmax_backward(x: Any, g: Any) -> Any:
    """The Jacobian diag(y) − y yᵀ times g."""
    y = softmax(x)
    jacobian = np.eye(x.shape[0], dtype=F) * y[:, None] - y[:, None] * y[None, :]
    return jacobian @ g


def softmax_backward_fused(x: Any, g: Any, *, wrong: bool = False) -> Any:
    e = np.exp(x)
    y = e / e.sum()
    return y * (g - (g.sum() if wrong else (g * y).sum()))


def cross_entropy(x: Any) -> Any:
    """−log of the probability of class 1 of each row."""
    return -np.log(softmax(x)[:, 1])


def cross_entropy_fused(x: Any, *, wrong: int = 1) -> Any:
    m = x.max(axis=1)
    return m + np.log(np.exp(x - m[:, None]).sum(axis=1)) - x[:, wrong]


B1, B2, LR, ADAM_EPS = F(0.9), F(0.999), F(0.001), F(1e-8)
C1, C2 = 1 - B1 * B1 * B1, 1 - B2 * B2 * B2


def adam(p: Any, g: Any, m: Any, v: Any) -> Any:
    """The third step; v stays positive where it is squared gradients."""
    m, v = B1 * m + (1 - B1) * g, B2 * v * v + (1 - B2) * g * g
    return p - LR * (m / C1) / (np.sqrt(v / C2) + ADAM_EPS)


def adam_folded(p: Any, g: Any, m: Any, v: Any, *, wrong: bool = False) -> Any:
    """The corrections of the bias moved out of the root."""
    m = m + (g - m) * (1 - B1) if not wrong else m + (g - m) * B1
    v = B2 * v * v + (1 - B2) * (g * g)
    root = np.sqrt(F(C2)) if wrong else 1
    return p - LR * m / (C1 * (np.sqrt(v / C2) * root + ADAM_EPS))


def rotary(x: Any, c: Any, s: Any) -> Any:
    """x [4] as pairs (x0, x2), (x1, x3): x · cos + rotate_half(x) · sin."""
    half = np.concatenate([-x[2:], x[:2]])
    return x * np.concatenate([c, c]) + half * np.concatenate([s, s])


def rotary_complex(x: Any, c: Any, s: Any, *, wrong: bool = False) -> Any:
    """The same as a complex product."""
    re, im = x[:2] * c - x[2:] * s, x[:2] * s + x[2:] * c
    return np.concatenate([re, -im if wrong else im])


def rotary_scores(q: Any, k: Any, a: Any, b: Any) -> Any:
    """The product of a query turned by the angles a and a key turned by b."""
    return np.stack([(rotary(q, np.cos(a), np.sin(a)) * rotary(k, np.cos(b), np.sin(b))).sum()])


def rotary_scores_relative(q: Any, k: Any, a: Any, b: Any) -> Any:
    """The same with the key alone turned by the difference."""
    return np.stack([(q * rotary(k, np.cos(b - a), np.sin(b - a))).sum()])


ROOT = F(0.7978845608)  # of 2/pi


def gelu_tanh(x: Any, k: Any = ROOT) -> Any:
    return F(0.5) * x * (1 + np.tanh(k * (x + F(0.044715) * x * x * x)))


MASK = np.array([1, 0, 1, 1], F)


def dropout(x: Any, b: Any) -> Any:
    """bias, gelu, then a known mask and its scale."""
    return gelu_tanh(x + b) * MASK / F(0.75)


def dropout_fused(x: Any, b: Any, *, keep: Any = 0.75) -> Any:
    y = x + b
    z = F(1.5957691216) * y * (1 + F(0.044715) * y * y)
    return np.where(MASK > 0, y / ((1 + np.exp(-z)) * F(keep)), F(0))
