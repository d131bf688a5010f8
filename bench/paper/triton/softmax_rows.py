"""y = softmax of each row of up to 1024 elements: a program a row, the tail masked with −inf."""

import triton
import triton.language as tl


@triton.jit
def softmax_rows(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < n
    v = tl.load(x + row * n + i, mask=inside, other=-float("inf"))
    powers = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * n + i, powers / tl.sum(powers, axis=0), mask=inside)


KERNEL = softmax_rows
SIGNATURE = {"x": "*fp32", "y": "*fp32", "n": "i32"}
CONSTANTS = {"BLOCK": 1024}
ALIGNED = ("x", "y")
WARPS, STAGES = 4, 1
