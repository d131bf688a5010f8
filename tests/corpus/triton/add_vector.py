"""z = x + y in blocks of 512: vectors of four where the size allows."""

import triton
import triton.language as tl


@triton.jit
def add_vector(x, y, z, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(z + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


KERNEL = add_vector
SIGNATURE = {"x": "*fp32", "y": "*fp32", "z": "*fp32", "n": "i32"}
CONSTANTS = {"BLOCK": 512}
ALIGNED = ("x", "y", "z", "n")
WARPS, STAGES = 4, 1
