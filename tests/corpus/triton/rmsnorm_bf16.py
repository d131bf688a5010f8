"""y = x / sqrt(mean of squares + eps) w in bf16, computed in single precision."""

import triton
import triton.language as tl


@triton.jit
def rmsnorm_bf16(x, w, y, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < n
    v = tl.load(x + row * n + i, mask=inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(v * v, axis=0) / n + eps)
    g = tl.load(w + i, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + row * n + i, (v * scale * g).to(tl.bfloat16), mask=inside)


KERNEL = rmsnorm_bf16
SIGNATURE = {"x": "*bf16", "w": "*bf16", "y": "*bf16", "n": "i32", "eps": "fp32"}
CONSTANTS = {"BLOCK": 128}
ALIGNED = ("x", "w", "y")
WARPS, STAGES = 1, 1
