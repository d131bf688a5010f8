"""flash_attention.py with one bug: the sum of the weights is not rescaled when a block brings a greater score."""

import triton
import triton.language as tl


@triton.jit
def flash_attention_wrong(q, k, v, o, n, scale, QUERIES: tl.constexpr, BLOCK: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    keys = tl.arange(0, BLOCK)
    d = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + d[None, :])
    top = tl.full((QUERIES,), -float("inf"), tl.float32)
    total = tl.zeros((QUERIES,), tl.float32)
    out = tl.zeros((QUERIES, D), tl.float32)
    for first in range(0, n, BLOCK):
        key = tl.load(k + (first + keys)[None, :] * D + d[:, None])
        scores = tl.dot(query, key) * scale
        higher = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp(scores - higher[:, None])
        rescale = tl.exp(top - higher)
        total = total + tl.sum(weights, 1)
        value = tl.load(v + (first + keys)[:, None] * D + d[None, :])
        out = tl.dot(weights.to(tl.float16), value, out * rescale[:, None])
        top = higher
    tl.store(o + rows[:, None] * D + d[None, :], out / total[:, None])


KERNEL = flash_attention_wrong
CONTRACT = "flash_attention.toml"
SIGNATURE = {"q": "*fp16", "k": "*fp16", "v": "*fp16", "o": "*fp32", "n": "i32", "scale": "fp32"}
CONSTANTS = {"QUERIES": 64, "BLOCK": 32, "D": 64}
ALIGNED = ("q", "k", "v", "o", "n")
WARPS, STAGES = 4, 2
