"""c = a b in tiles of 32x32x32; n and k are multiples of 32 and divisible by 16."""

import triton
import triton.language as tl


@triton.jit
def matmul_f16(a, b, c, m, n, k, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    steps = tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for first in range(0, k, TILE):
        u = tl.load(a + rows[:, None] * k + (first + steps)[None, :], mask=rows[:, None] < m, other=0.0)
        v = tl.load(b + (first + steps)[:, None] * n + columns[None, :])
        total = tl.dot(u, v, total)
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=rows[:, None] < m)


KERNEL = matmul_f16
SIGNATURE = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32"}
CONSTANTS = {"TILE": 32}
ALIGNED = ("a", "b", "c", "n", "k")
WARPS, STAGES = 4, 2
