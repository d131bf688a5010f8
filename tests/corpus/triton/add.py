"""z = x + y in blocks of 128."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, z, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(z + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


KERNEL = add
SIGNATURE = {"x": "*fp32", "y": "*fp32", "z": "*fp32", "n": "i32"}
CONSTANTS = {"BLOCK": 128}
ALIGNED = ("x", "y", "z")
WARPS, STAGES = 4, 1
