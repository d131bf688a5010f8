"""c = a b with input_precision "ieee": fused multiply-adds; k is a multiple of 16, n is 16."""

import triton
import triton.language as tl


@triton.jit
def matmul_f32(a, b, c, m, k, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    steps = tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for first in range(0, k, TILE):
        u = tl.load(a + rows[:, None] * k + (first + steps)[None, :], mask=rows[:, None] < m, other=0.0)
        v = tl.load(b + (first + steps)[:, None] * TILE + steps[None, :])
        total = tl.dot(u, v, total, input_precision="ieee")
    tl.store(c + rows[:, None] * TILE + steps[None, :], total, mask=rows[:, None] < m)


KERNEL = matmul_f32
SIGNATURE = {"a": "*fp32", "b": "*fp32", "c": "*fp32", "m": "i32", "k": "i32"}
CONSTANTS = {"TILE": 16}
ALIGNED = ("a", "b", "c", "k")
WARPS, STAGES = 1, 1
