"""y = x^T in tiles of 16x16."""

import triton
import triton.language as tl


@triton.jit
def transpose(x, y, r, c, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inside = (rows[:, None] < r) & (columns[None, :] < c)
    v = tl.load(x + rows[:, None] * c + columns[None, :], mask=inside)
    tl.store(y + columns[:, None] * r + rows[None, :], tl.trans(v), mask=tl.trans(inside))


KERNEL = transpose
SIGNATURE = {"x": "*fp32", "y": "*fp32", "r": "i32", "c": "i32"}
CONSTANTS = {"TILE": 16}
ALIGNED = ("x", "y")
WARPS, STAGES = 1, 1
