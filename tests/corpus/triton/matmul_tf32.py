"""c = max(a b + bias, 0) in tiles of 16x16x16; k is a multiple of 16, n is 16."""

import triton
import triton.language as tl


@triton.jit
def matmul_tf32(a, b, bias, c, m, k, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    steps = tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for first in range(0, k, TILE):
        u = tl.load(a + rows[:, None] * k + (first + steps)[None, :], mask=rows[:, None] < m, other=0.0)
        v = tl.load(b + (first + steps)[:, None] * TILE + steps[None, :])
        total = tl.dot(u, v, total)
    total = tl.maximum(total + tl.load(bias + steps)[None, :], 0.0)
    tl.store(c + rows[:, None] * TILE + steps[None, :], total, mask=rows[:, None] < m)


KERNEL = matmul_tf32
SIGNATURE = {"a": "*fp32", "b": "*fp32", "bias": "*fp32", "c": "*fp32", "m": "i32", "k": "i32"}
CONSTANTS = {"TILE": 16}
ALIGNED = ("a", "b", "bias", "c", "k")
WARPS, STAGES = 1, 3
