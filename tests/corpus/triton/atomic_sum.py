"""total += sum of x, count += n, one atomic of each a program."""

import triton
import triton.language as tl


@triton.jit
def atomic_sum(x, total, count, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.atomic_add(total, tl.sum(v, axis=0))
    tl.atomic_add(count, tl.sum((i < n).to(tl.int32), axis=0))


KERNEL = atomic_sum
SIGNATURE = {"x": "*fp32", "total": "*fp32", "count": "*i32", "n": "i32"}
CONSTANTS = {"BLOCK": 64}
ALIGNED = ("x", "total", "count")
WARPS, STAGES = 1, 1
