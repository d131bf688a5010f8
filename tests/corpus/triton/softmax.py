"""y = softmax of each row of up to 128 elements."""

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    p = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * n + i, p / tl.sum(p, axis=0), mask=i < n)


KERNEL = softmax
SIGNATURE = {"x": "*fp32", "y": "*fp32", "n": "i32"}
CONSTANTS = {"BLOCK": 128}
ALIGNED = ("x", "y")
WARPS, STAGES = 4, 1
