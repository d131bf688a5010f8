"""How long a NumPy spec takes to trace: attention in the words that anybody would write."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from volta_pipe.ir.launch import Launch, Tensor
from volta_pipe.passes.trace import SpecSource, load_spec, trace

# Queries, and the seconds that are the target: a block of them, as kernels have it, and all.
_SHAPES = ((16, 1.0), (512, 1.0))
_KEYS, _WIDTH, _RUNS = 512, 64, 5
_SPEC = """
import numpy as np

def attention(q, k, v):
    scores = q @ k.T / np.float32(8)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return {"o": weights / weights.sum(axis=1, keepdims=True) @ v}
"""


def tracing_lines() -> list[str]:
    """A line a shape: seconds, median, against the target; and nanoseconds a node of the graph."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "spec.py").write_text(_SPEC)
        spec = load_spec("spec.py:attention", Path(folder))
        return [_line(spec, queries, target) for queries, target in _SHAPES]


def _line(spec: SpecSource, queries: int, target: float) -> str:
    rows = {"q": queries, "k": _KEYS, "v": _KEYS, "o": queries}
    tensors = tuple(Tensor(name, "f32", (n, _WIDTH), (_WIDTH, 1), "out" if name == "o" else "in") for name, n in rows.items())
    launch = Launch(tensors, (), (), (1, 1, 1), (1, 1, 1))
    seconds, nodes = [], 0
    for _ in range(_RUNS + 1):  # the first loads the compiled code
        start = time.perf_counter()
        nodes = len(trace(spec, launch).graph)
        seconds.append(time.perf_counter() - start)
    took = median(seconds[1:])
    return (
        f"attention, Q {queries}x{_WIDTH}, K and V {_KEYS}x{_WIDTH}, in NumPy: {took:.2f} s (target {target:.0f} s, ratio "
        f"{took / target:.2f}), {nodes:,} nodes, {1e9 * took / nodes:.0f} ns a node"
    )


def tracing_report() -> str:
    """The lines of a process of its own: memory that this one has had would count as its children's (ru_maxrss, fork)."""
    done = subprocess.run([sys.executable, "-m", "bench.tracing"], check=True, capture_output=True, text=True)
    return done.stdout.rstrip()


if __name__ == "__main__":
    print("\n".join(tracing_lines()))
