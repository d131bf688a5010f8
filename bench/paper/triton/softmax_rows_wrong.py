"""softmax_rows.py with one bug: the lanes past the row's end hold 0, not −inf, and so count in the sum."""

import triton
import triton.language as tl


@triton.jit
def softmax_rows_wrong(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < n
    v = tl.load(x + row * n + i, mask=inside, other=0.0)
    powers = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * n + i, powers / tl.sum(powers, axis=0), mask=inside)


KERNEL = softmax_rows_wrong
CONTRACT = "softmax_rows.toml"
SIGNATURE = {"x": "*fp32", "y": "*fp32", "n": "i32"}
CONSTANTS = {"BLOCK": 1024}
ALIGNED = ("x", "y")
WARPS, STAGES = 4, 1
