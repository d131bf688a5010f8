"""c = a b in integers; tiles of 16x16x32, k is 32 and n is 16."""

import triton
import triton.language as tl


@triton.jit
def matmul_s8(a, b, c, TILE: tl.constexpr, STEPS: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.arange(0, TILE)
    steps = tl.arange(0, STEPS)
    u = tl.load(a + rows[:, None] * STEPS + steps[None, :])
    v = tl.load(b + steps[:, None] * TILE + columns[None, :])
    tl.store(c + rows[:, None] * TILE + columns[None, :], tl.dot(u, v, out_dtype=tl.int32))


KERNEL = matmul_s8
SIGNATURE = {"a": "*i8", "b": "*i8", "c": "*i32"}
CONSTANTS = {"TILE": 16, "STEPS": 32}
ALIGNED = ("a", "b", "c")
WARPS, STAGES = 1, 1
