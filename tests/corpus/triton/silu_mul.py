"""y = gate sigmoid(gate) up in half precision, computed in single."""

import triton
import triton.language as tl


@triton.jit
def silu_mul(gate, up, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    g = tl.load(gate + i, mask=inside, other=0.0).to(tl.float32)
    u = tl.load(up + i, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + i, (g * tl.sigmoid(g) * u).to(tl.float16), mask=inside)


KERNEL = silu_mul
SIGNATURE = {"gate": "*fp16", "up": "*fp16", "y": "*fp16", "n": "i32"}
CONSTANTS = {"BLOCK": 64}
ALIGNED = ("gate", "up", "y")
WARPS, STAGES = 1, 1
