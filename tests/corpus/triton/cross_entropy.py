"""loss = log sum e^x - x[label] for rows of up to 128 elements."""

import triton
import triton.language as tl


@triton.jit
def cross_entropy(x, label, loss, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    top = tl.max(v, axis=0)
    total = tl.sum(tl.exp(v - top), axis=0)
    tl.store(loss + row, tl.log(total) + top - tl.load(x + row * n + tl.load(label + row)))


KERNEL = cross_entropy
SIGNATURE = {"x": "*fp32", "label": "*i32", "loss": "*fp32", "n": "i32"}
CONSTANTS = {"BLOCK": 128}
ALIGNED = ("x", "label", "loss")
WARPS, STAGES = 2, 1
