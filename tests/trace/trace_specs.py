"""Helpers of the tests: a spec from its text, a launch from shapes, and the comparison with the same spec on plain arrays."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
from trace_evaluate import evaluate

from volta_pipe.ir.graph import Conditions, validate
from volta_pipe.ir.launch import Launch, Scalar, Tensor
from volta_pipe.passes.trace import load_spec, trace
from volta_pipe.passes.trace.trace import NUMPY_DTYPES


def tensor(
    name: str, shape: tuple[int, ...], role: str = "in", dtype: str = "f64", *, values: Any = None, alias_of: int = -1
) -> Tensor:
    strides = tuple(int(np.prod(shape[axis + 1 :], dtype=int)) for axis in range(len(shape)))
    return Tensor(name, dtype, shape, strides, role, values=values, alias_of=alias_of)


def launch(*parts: Tensor | Scalar) -> Launch:
    tensors = tuple(part for part in parts if isinstance(part, Tensor))
    return Launch(tensors, tuple(part for part in parts if isinstance(part, Scalar)), (), (1, 1, 1), (1, 1, 1))


def written(folder: Path, text: str) -> str:
    (folder / "spec.py").write_text("import numpy as np\n" + textwrap.dedent(text))
    return "spec.py:spec"


def traced(folder: Path, text: str, *parts: Tensor | Scalar) -> Conditions:
    conditions = trace(load_spec(written(folder, text), folder), launch(*parts))
    validate(conditions.graph, list(conditions.outputs.values()))
    return conditions


def agree(
    folder: Path,
    text: str,
    *parts: Tensor | Scalar,
    positive: bool = False,
    rtol: float = 1e-9,
    limits: tuple[float, float] = (-2.0, 2.0),
) -> Conditions:
    """Traces the spec and compares the values of its graph with a run of the same function on random plain arrays."""
    source = load_spec(written(folder, text), folder)
    at = launch(*parts)
    conditions = trace(source, at)
    validate(conditions.graph, list(conditions.outputs.values()))
    rng = np.random.default_rng(7)
    values, scalars = [], []
    arguments: dict[str, Any] = {}
    for t in at.tensors:
        drawn = rng.uniform(0.5, 2.0, t.shape) if positive else rng.uniform(*limits, t.shape)
        drawn = rng.integers(-3, 4, t.shape) if NUMPY_DTYPES[t.dtype]().dtype.kind in "iu" else drawn
        value = np.asarray(drawn if t.values is None else t.values, NUMPY_DTYPES[t.dtype])
        values.append(value)
        if t.role in ("in", "inout"):
            arguments[t.name] = value.copy()
    for s in at.scalars:
        value = NUMPY_DTYPES[s.dtype](rng.uniform(0.5, 2.0) if s.value is None else s.value)
        scalars.append(float(value))
        arguments[s.name] = value
    plain = source.function(**arguments)
    for index, roots in conditions.outputs.items():
        t = at.tensors[index]
        assert np.shape(plain[t.name]) == t.shape
        got = evaluate(conditions.graph, roots, values, scalars).reshape(t.shape)
        np.testing.assert_allclose(got, np.asarray(plain[t.name], np.float64), rtol=rtol, atol=rtol)
    return conditions
