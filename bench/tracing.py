"""How long a NumPy spec takes to trace: attention of 512 queries, in the words that anybody would write."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from volta_pipe.ir.launch import Launch, Tensor
from volta_pipe.passes.trace import load_spec, trace

_ROWS, _WIDTH, _RUNS, _TARGET = 512, 64, 5, 1.0
_SPEC = """
import numpy as np

def attention(q, k, v):
    scores = q @ k.T / np.float32(8)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return {"o": weights / weights.sum(axis=1, keepdims=True) @ v}
"""


def tracing_lines() -> list[str]:
    """Seconds, median, against the target; and nanoseconds a node of the graph."""
    roles = {"q": "in", "k": "in", "v": "in", "o": "out"}
    tensors = tuple(Tensor(name, "f32", (_ROWS, _WIDTH), (_WIDTH, 1), role) for name, role in roles.items())
    launch = Launch(tensors, (), (), (1, 1, 1), (1, 1, 1))
    seconds, nodes = [], 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "spec.py").write_text(_SPEC)
        spec = load_spec("spec.py:attention", Path(folder))
        for _ in range(_RUNS + 1):  # the first loads the compiled code
            start = time.perf_counter()
            nodes = len(trace(spec, launch).graph)
            seconds.append(time.perf_counter() - start)
    took = median(seconds[1:])
    ratio = f"{took / _TARGET:.2f}"
    return [
        f"attention {_ROWS}x{_WIDTH} in NumPy: {took:.2f} s (target {_TARGET:.0f} s, ratio {ratio}), "
        f"{nodes:,} nodes, {1e9 * took / nodes:.0f} ns a node"
    ]
