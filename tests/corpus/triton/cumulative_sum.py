"""y = running sums of rows of up to 64 elements, by tl.cumsum over two warps."""

import triton
import triton.language as tl


@triton.jit
def cumulative_sum(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * n + i, mask=i < n, other=0.0)
    tl.store(y + tl.program_id(0) * n + i, tl.cumsum(v, axis=0), mask=i < n)


KERNEL = cumulative_sum
SIGNATURE = {"x": "*fp32", "y": "*fp32", "n": "i32"}
CONSTANTS = {"BLOCK": 64}
ALIGNED = ("x", "y")
WARPS, STAGES = 2, 1
