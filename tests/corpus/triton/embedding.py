"""y[i] = table[id[i]] for up to 32 columns."""

import triton
import triton.language as tl


@triton.jit
def embedding(id, table, y, d, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.load(id + tl.program_id(0))
    v = tl.load(table + row * d + i, mask=i < d)
    tl.store(y + tl.program_id(0) * d + i, v, mask=i < d)


KERNEL = embedding
SIGNATURE = {"id": "*i64", "table": "*fp32", "y": "*fp32", "d": "i32"}
CONSTANTS = {"BLOCK": 32}
ALIGNED = ("id", "table", "y")
WARPS, STAGES = 1, 1
