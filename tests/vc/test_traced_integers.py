"""Integer arithmetic of NumPy specs: the graph gives what NumPy itself gives, wrapping and all."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_vc_integers import TYPES, numbers
from trace_specs import tensor, traced
from vc_evaluate import evaluate

from volta_pipe.passes.trace.integers import FITS

N = 24
OPERATIONS = [
    "x + y", "x - y", "x * y", "-x", "abs(x)", "x * x * y", "x**3", "np.square(x)", "x + 3", "7 - x", "x * 100", "~x", "x // 3",
    "x % 3", "x // 7", "x % 16", "x >> 2", "x << 3", "x & 15", "np.maximum(x, y) - np.minimum(x, y)", "np.sign(x)",
    "np.sum(x)", "np.sum(x, dtype=x.dtype)", "np.sum(x[:5] * y[:5])", "np.prod(x[:3])", "np.cumsum(x)", "x @ y", "np.dot(x, y)",
    "np.outer(x[:4], y[:4])", "np.einsum('i,i->', x, y)", "np.einsum('i->', x)", "np.mean(x)", "np.where(x > y, x + y, x - y)",
    "(x + y).astype(np.int8)", "(x * y).astype(np.uint16)", "(x * y).astype(np.int64) + x", "(x * y).astype(np.float64)",
    "x.astype(np.int32) @ y.astype(np.int32)", "(x > y).sum()", "np.add.accumulate(x)", "(x + y) / 4", "x.astype(np.int64) * y",
]  # fmt: skip


@pytest.mark.parametrize("dtype", ("s8", "u8", "s16", "s32", "u32", "s64"))
@pytest.mark.parametrize("expression", OPERATIONS)
def test_integer_arithmetic_is_numpys(tmp_path: Path, dtype: str, expression: str) -> None:
    x, y = numbers(dtype, N), numbers(dtype, N)[::-1].copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected: Any = np.asarray(eval(expression, {"np": np, "x": x, "y": y, "abs": abs}))
    names = {np.dtype(kind): name for name, kind in TYPES.items() if name != "b8"} | {np.dtype(np.float64): "f64"}
    text = f"def spec(x, y):\n    r = {expression}\n    return {{'r': r}}\n"
    parts = (
        tensor("x", (N,), dtype=dtype),
        tensor("y", (N,), dtype=dtype),
        tensor("r", expected.shape, "out", dtype=names[expected.dtype]),
    )
    found = evaluate(traced(tmp_path, text, *parts), {"x": x, "y": y}, exact=True)["r"]
    got = [int(v) if expected.dtype.kind in "iu" else float(v) for v in found]
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(got, expected.reshape(-1), rtol=1e-14)  # NumPy rounds
    else:
        assert got == [int(v) for v in expected.reshape(-1)]


def test_a_loop_that_accumulates_wraps_at_each_step_or_once(tmp_path: Path) -> None:
    text = "def spec(x, y):\n    t = x[0] * y[0]\n    for i in range(1, 8):\n        t = t + x[i] * y[i]\n    return {'r': t}\n"
    x, y = numbers("s32", 8), numbers("s32", 8)[::-1].copy()
    conditions = traced(
        tmp_path, text, tensor("x", (8,), dtype="s32"), tensor("y", (8,), dtype="s32"), tensor("r", (), "out", dtype="s32")
    )
    with np.errstate(over="ignore"):
        expected = int(np.sum(x * y, dtype=np.int32))
    assert [int(v) for v in evaluate(conditions, {"x": x, "y": y}, exact=True)["r"]] == [expected]


def test_floats_that_become_integers(tmp_path: Path) -> None:
    """Cut off towards 0; that they fit is an assumption of the spec."""
    text = "def spec(x):\n    return {'r': np.rint(x * 2).astype(np.int8)}\n"
    conditions = traced(tmp_path, text, tensor("x", (6,), dtype="f32"), tensor("r", (6,), "out", dtype="s8"))
    assert conditions.assumptions == (FITS,)
    x = np.array([0.25, 0.75, -0.25, -1.25, 63.5, -64.0])
    assert [int(v) for v in evaluate(conditions, {"x": x}, exact=True)["r"]] == np.rint(x * 2).astype(np.int8).tolist()
