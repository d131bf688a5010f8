"""Functions made of sums of products: matrix product, attention, convolution, and the rotation of positions."""

from __future__ import annotations

import math

import numpy as np

from volta_pipe.spec.pointwise import Array, wide
from volta_pipe.spec.rows import softmax


def matmul(a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """a @ b; a [..., m, k], or [..., k, m] with transpose_a; b [..., k, n], or [..., n, k] with transpose_b. -> [..., m, n]

    Of integers the sums are those of NumPy: exact, modulo 2^bits of the common dtype."""
    a = np.swapaxes(a, -1, -2) if transpose_a else a
    b = np.swapaxes(b, -1, -2) if transpose_b else b
    return np.matmul(a, b)


def attention(
    q: Array, k: Array, v: Array, scale: float | None = None, causal: bool = False, mask: Array | None = None
) -> Array:
    """softmax(scale q k^T) v, the softmax over the keys.

    q [..., m, d], k [..., n, d], v [..., n, e] -> [..., m, e]; what is in front (batch, heads) is broadcast. scale: 1 / sqrt(d)
    by default. causal: query i sees the keys 0 to i, which needs m = n. mask: truth values or integers that broadcast to
    [..., m, n], known before the launch in a contract (`values`); a query sees the keys where it is not 0, at least one.
    Source: Vaswani et al., "Attention is all you need" (arXiv 1706.03762), equation 1."""
    q, k, v = wide(q), wide(k), wide(v)
    queries, keys = q.shape[-2], k.shape[-2]
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if causal:
        if queries != keys:
            raise ValueError(f"causal attention of {queries} queries and {keys} keys: say by a mask which sees which")
        scores = np.where(np.tri(keys, dtype=np.bool_), scores, -np.inf)
    if mask is not None:
        if mask.dtype.kind == "f":
            raise ValueError(f"the mask has dtype {mask.dtype}: it selects, and is not added; make it integers")
        scores = np.where(mask != 0, scores, -np.inf)
    return np.matmul(softmax(scores), v)


def rope(x: Array, cos: Array, sin: Array, interleaved: bool = False) -> Array:
    """Rotary position embedding: pairs of elements are rotated by an angle, (u, w) -> (u cos - w sin, u sin + w cos).

    x [..., n, d], d even; cos, sin: of the angles, [n, d/2], or what broadcasts to [..., n, d/2]. The pairs are the elements
    i and i + d/2; interleaved: 2i and 2i + 1.
    Source: Su et al., "RoFormer" (arXiv 2104.09864), section 3.4.2 (interleaved)."""
    x, cos, sin = wide(x), wide(cos), wide(sin)
    half = x.shape[-1] // 2
    if x.shape[-1] != 2 * half:
        raise ValueError(f"{x.shape[-1]} elements are no pairs")
    u, w = (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])
    turned = [u * cos - w * sin, u * sin + w * cos]
    return np.reshape(np.stack(turned, axis=-1), x.shape) if interleaved else np.concatenate(turned, axis=-1)


def conv2d(
    x: Array,
    weight: Array,
    bias: Array | None = None,
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    dilation: int | tuple[int, int] = 1,
    groups: int = 1,
) -> Array:
    """y[n, f, i, j] = bias[f] + sum over c, r, s of x[n, c, i stride + r dilation, j stride + s dilation] weight[f, c, r, s].

    x [n, c, h, w], with `padding` zeros at each end of h and w; weight [f, c / groups, r, s]; bias [f], 0 by default
    -> [n, f, (h + 2 padding - dilation (r - 1) - 1) // stride + 1, likewise of w]. stride, padding and dilation: of both axes,
    or (of h, of w). groups: the channels and the filters are cut into as many parts, each of which sees its own only. The
    filter is not flipped, as in all libraries of deep learning: this is a cross-correlation."""
    x, weight = wide(x), wide(weight)
    (down, right), (high, broad), (apart_h, apart_w) = _both(stride), _both(padding), _both(dilation)
    batch, channels, filters, (rows, columns) = x.shape[0], x.shape[1], weight.shape[0], weight.shape[2:]
    if channels != groups * weight.shape[1] or filters % groups:
        raise ValueError(f"{groups} groups: {channels} channels and {filters} filters of {weight.shape[1]} do not fit")
    padded = np.pad(x, ((0, 0), (0, 0), (high, high), (broad, broad)))
    window = (apart_h * (rows - 1) + 1, apart_w * (columns - 1) + 1)
    seen = np.lib.stride_tricks.sliding_window_view(padded, window, axis=(2, 3))[:, :, ::down, ::right, ::apart_h, ::apart_w]
    seen = np.reshape(seen, (batch, groups, channels // groups, *seen.shape[2:]))
    weight = np.reshape(weight, (groups, filters // groups, *weight.shape[1:]))
    y = np.einsum("ngchwrs,gfcrs->ngfhw", seen, weight)
    y = np.reshape(y, (batch, filters, *y.shape[3:]))
    return y if bias is None else y + wide(bias)[:, None, None]


def _both(value: int | tuple[int, int]) -> tuple[int, int]:
    """(of h, of w)."""
    return value if isinstance(value, tuple) else (value, value)
