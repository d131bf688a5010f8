"""NumPy in specs, as a table: what a spec computes symbolically is what the same spec computes on plain arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy_statements import STATEMENTS
from numpy_table import POSITIVE, SIGNED, SMALL
from trace_specs import agree, tensor

RANGES = {"signed": (-2.0, 2.0), "positive": (0.5, 2.0), "small": (-0.9, 0.9)}
TABLES = {"signed": SIGNED, "positive": POSITIVE, "small": SMALL}
LINES = [(kind, line) for kind, table in TABLES.items() for line in table.strip().splitlines()]


def _check(folder: Path, body: str, kind: str) -> None:
    """`body`: statements that leave `r`; its shape is taken from a run on plain arrays."""
    rng = np.random.default_rng(5)
    k, i = rng.random((4, 6)) < 0.5, np.array([2, 0, 3])
    text = "def spec(x, y, m, s, k, i):\n    k = k != 0\n" + "".join(f"    {line}\n" for line in body.splitlines())
    names = {"np": np}
    exec(text + "    return np.asarray(r)\n", names)
    low, high = RANGES[kind]
    shapes = (4, 6), (4, 6), (6, 3), (4,)
    result = names["spec"](*(rng.uniform(low, high, shape) for shape in shapes), k, i)  # type: ignore[operator]
    parts = [tensor(name, shape) for name, shape in zip("xyms", shapes, strict=True)]
    parts += [tensor("k", (4, 6), dtype="u8", values=k), tensor("i", (3,), dtype="s32", values=i)]
    text += '    return {"r": np.where(r, 1.0, 0.0)}\n' if result.dtype == bool else '    return {"r": r}\n'
    rtol = 1e-5 if "float32" in body else 1e-9  # plain NumPy rounds to float32, the reals of a trace do not
    agree(folder, text, *parts, tensor("r", result.shape, "out"), limits=RANGES[kind], rtol=rtol)


@pytest.mark.parametrize(("kind", "expression"), LINES, ids=[line for _, line in LINES])
def test_expression(tmp_path: Path, kind: str, expression: str) -> None:
    _check(tmp_path, f"r = {expression}", kind)


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(tmp_path: Path, name: str) -> None:
    _check(tmp_path, STATEMENTS[name], "signed")
