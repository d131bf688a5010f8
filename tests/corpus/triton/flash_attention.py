"""o = softmax(scale q k^T) v; 16 queries a program, 16 keys a step, 16 columns."""

import triton
import triton.language as tl


@triton.jit
def flash_attention(q, k, v, o, n, scale, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.arange(0, TILE)
    queries = tl.load(q + rows[:, None] * TILE + columns[None, :])
    top = tl.full((TILE,), -float("inf"), tl.float32)
    total = tl.zeros((TILE,), tl.float32)
    out = tl.zeros((TILE, TILE), tl.float32)
    for first in range(0, n, TILE):
        keys = tl.load(k + (first + columns)[None, :] * TILE + columns[:, None])
        scores = tl.dot(queries, keys) * (scale * 1.44269504)
        following = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp2(scores - following[:, None])
        old = tl.exp2(top - following)
        total = total * old + tl.sum(weights, 1)
        values = tl.load(v + (first + columns)[:, None] * TILE + columns[None, :])
        out = tl.dot(weights.to(tl.float16), values, out * old[:, None])
        top = following
    tl.store(o + rows[:, None] * TILE + columns[None, :], out / total[:, None])


KERNEL = flash_attention
SIGNATURE = {"q": "*fp16", "k": "*fp16", "v": "*fp16", "o": "*fp32", "n": "i32", "scale": "fp32"}
CONSTANTS = {"TILE": 16}
ALIGNED = ("q", "k", "v", "o", "n")
WARPS, STAGES = 1, 2
