"""What the matrix products compute, in NumPy."""

import numpy as np


def product(a, b):
    """a @ b with the operands widened, so that NumPy does not round where the kernel does not."""
    wide = np.float64 if a.dtype == np.float64 else np.float32
    return a.astype(wide) @ b.astype(wide)


def naive_f32(a, b):
    return {"c": product(a, b)}


def naive_f64(a, b):
    return {"c": a @ b.T}


def tiled_f64(a, b, c, alpha, beta):
    return {"c": alpha * (a @ b) + beta * c}


def wmma_f16_shared(a, b, c):
    return {"c": product(a.T, b.T) + c}


def wmma_bf16(a, b, alpha):
    return {"c": alpha * product(a, b.T)}


def wmma_s8(a, b):
    return {"c": np.einsum("imk,ikn->mn", a.astype(np.int32), b.astype(np.int32))}


def mma_f16_half_sum(a, b):
    return {"c": product(a, b.T)}


def mma_bf16(a, b):
    return {"c": product(a, b.T)}


def gemv(a, x):
    return {"y": a @ x}


def split_k(a, b, c):
    return {"c": c + product(a, b)}


def batched_bias_relu(a, b, bias):
    return {"c": np.maximum(a @ b + bias, 0)}


def complex_gemm(a, b):
    re = a[..., 0] @ b[..., 0] - a[..., 1] @ b[..., 1]
    im = a[..., 0] @ b[..., 1] + a[..., 1] @ b[..., 0]
    return {"c": np.stack([re, im], axis=2)}
