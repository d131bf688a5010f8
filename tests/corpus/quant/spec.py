"""What the quantised kernels compute, in NumPy."""

import numpy as np


def gemm_dp4a(a, b):
    return {"c": a.astype(np.int32) @ b.astype(np.int32).T}


def gemm_dp4a_known(a, b):
    u = (a.astype(np.int64) * 0x01F37A95).astype(np.int32)
    v = (b.astype(np.int64) * 0x0D1C8BE3).astype(np.int32)
    signed = np.ascontiguousarray(u).view(np.int8).astype(np.int32)
    unsigned = np.ascontiguousarray(u).view(np.uint8).astype(np.int32)
    right = np.ascontiguousarray(v).view(np.int8).astype(np.int32)
    return {"c": signed @ right.T + unsigned @ right.T}


def dot_dp2a(a, b):
    a, b = a.astype(np.int32), b.astype(np.int32)
    return {"y": np.stack([(a * b[:, :2]).sum(axis=1), (a * b[:, 2:]).sum(axis=1)], axis=1).astype(np.int32)}


def gemm_mma_s8(a, b, scale):
    return {"c": (a.astype(np.int32) @ b.astype(np.int32).T).astype(np.float32) * scale}


def gemm_mma_u8_s8(a, b):
    return {"c": a.astype(np.int32) @ b.astype(np.int32).T}


def gemm_mma_s8_known(a, b, c):
    return {"c": c + a.astype(np.int32) @ b.astype(np.int32).T}


def quantize_s8(x, scale):
    return {"q": np.clip(np.rint(x * scale), -127, 127).astype(np.int8)}


def dequantize_s8(q, scale):
    return {"x": q.astype(np.float32) * scale[:, None]}


def dequantize_u4_known(q, scale):
    nibbles = np.stack([q & 15, q >> 4], axis=1).reshape(-1).astype(np.float32) - 8
    return {"x": nibbles * scale[0]}


def dequantize_e4m3_row(q, scale):
    return {"x": q.astype(np.float32) * np.repeat(scale.astype(np.float32), 16, axis=1)}


def absmax_scale(x):
    scale = np.abs(x).max(axis=1) / 127
    return {"scale": scale, "y": x / scale[:, None]}


def mma_fp8(a, b):
    return {"c": a.astype(np.float32) @ b.astype(np.float32).T}
