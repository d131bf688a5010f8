"""y = (x - mean) / sqrt(variance + eps) w + b for rows of up to 128 elements."""

import triton
import triton.language as tl


@triton.jit
def layernorm(x, w, b, y, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < n
    v = tl.load(x + row * n + i, mask=inside, other=0.0)
    mean = tl.sum(v, axis=0) / n
    centred = tl.where(inside, v - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, axis=0) / n + eps)
    g = tl.load(w + i, mask=inside, other=0.0)
    h = tl.load(b + i, mask=inside, other=0.0)
    tl.store(y + row * n + i, centred * scale * g + h, mask=inside)


KERNEL = layernorm
SIGNATURE = {"x": "*fp32", "w": "*fp32", "b": "*fp32", "y": "*fp32", "n": "i32", "eps": "fp32"}
CONSTANTS = {"BLOCK": 128}
ALIGNED = ("x", "w", "b", "y")
WARPS, STAGES = 2, 1
