"""Where NumPy's own rules are easily missed: Python integers beyond a dtype, functions that widen integers, scalars against
arrays without dims, casts of arrays that a spec made, and functions that are given a part of an array."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from trace_specs import agree, tensor, traced

from volta_pipe.ir.errors import InputError, UnsupportedError

SHAPES = {"x": (4, 6), "s": (4,), "b": (4, 6), "u": (4, 6)}
DTYPES = {"x": "f64", "s": "f64", "b": "s8", "u": "u8"}
AGREE = """
np.where(u < 300, 1.0, 0.0) + np.where(u == -1, 2.0, 0.0) + np.where(u > -1, 4.0, 0.0) + np.where(300 > u, 8.0, 0.0)
np.where(b < 200, 1.0, 0.0) + np.where(b >= -129, 2.0, 0.0) + np.where(b != 2**70, 4.0, 0.0)
np.clip(u, -1, 300) + np.clip(b, -200, 1) + np.clip(b, 0, 300)
np.average(b, axis=1, weights=np.array([100, 99, 98, 97, 96, 5], np.int8))
np.vander(b[0]) + np.vander(u[0], increasing=True)
np.polyval([100, 2, 3], b)
np.polyval(b[0], np.arange(4)) + np.polyval([1, 2], 3 * s)
np.piecewise(x, [x > 0], [lambda a: np.exp(a) * 2, lambda a: np.where(a < -1, 1.0, a * a)])
np.piecewise(s[0], [s[0] > 0], [lambda a: a * 2, 3.0])
s * np.array([0.1, 0, 1.2, 3.9]).astype(bool) + x[np.array([0.1, 0.7, 1.2, 3.9]).astype(int)][:, 0]
"""
# What gives an array, and what gives a scalar, which `+=` replaces.
SCALARS = """
x[0, 0].copy()
x[0, 0].astype(np.float64)
x[0, 0].T
x[0, 0].transpose()
x[0, 0].squeeze()
np.squeeze(x[0, 0])
np.where(x[0, 0] > 0, x[0, 0], 1.0)
np.select([x[0, 0] > 0], [x[0, 0]], 2.0)
np.copy(x[0, 0])
x[0, 0].clip(0, 1)
x.sum()
x[0, ..., 0]
"""
# (what is left of the product where it was rounded to another number than NumPy's)
ROUNDED = {
    "astype": "q = np.array([0.1, 0.2, 0.3, 0.4]).astype(np.float32)",
    "assigned": "q = np.zeros(4, np.float32)\nq[:] = np.array([0.1, 0.2, 0.3, 0.4])\nq[3] = s[3]",
    "in place": "q = np.zeros(4, np.float32)\nq += np.array([0.1, 0.2, 0.3, 0.4])\nq[3] = s[3]",
    "at": "q = np.zeros(4, np.float32)\nnp.add.at(q, [0, 1, 2], np.array([0.1, 0.2, 0.3]))\nq[3] = s[3]",
}
BEYOND = {
    "300 + u": "300 out of bounds for uint8",
    "np.maximum(b, 200)": "200 out of bounds for int8",
    "np.full_like(u, 300)": "300 out of bounds for uint8",
    "np.max(u, axis=0, initial=-1)": "-1 out of bounds for uint8",
    "np.clip(b, 300, 301)": "300 out of bounds for int8",
}
PARTS = ["a - a.mean()", "a - a[0]", "a / a.sum()", "a * a.size", "a[::-1]", "np.cumsum(a)"]


def _agree(folder: Path, body: str) -> None:
    used = [name for name in SHAPES if re.search(rf"\b{name}\b(?!')", body)]
    text = f"def spec({', '.join(used)}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    names = {"np": np}
    exec(text + "    return r\n", names)
    given = [np.ones(SHAPES[name]).astype("f8" if DTYPES[name] == "f64" else "i1") for name in used]
    shape = np.shape(names["spec"](*given))  # type: ignore[operator]
    parts = [tensor(name, SHAPES[name], dtype=DTYPES[name]) for name in used]
    agree(folder, text + "    return {'r': r}\n", *parts, tensor("r", shape, "out"))


@pytest.mark.parametrize("expression", AGREE.strip().splitlines())
def test_rules(tmp_path: Path, expression: str) -> None:
    _agree(tmp_path, f"r = {expression}")


@pytest.mark.parametrize("expression", SCALARS.strip().splitlines())
def test_scalars_are_replaced_and_arrays_written_to(tmp_path: Path, expression: str) -> None:
    _agree(tmp_path, f"t = {expression}\nu0 = t\nt += 1\nr = np.stack([u0, t])")


@pytest.mark.parametrize("made", ROUNDED)
def test_made_arrays_are_rounded_by_casts(tmp_path: Path, made: str) -> None:
    exact = "np.array([np.float32(0.1), np.float32(0.2), np.float32(0.3)], np.float64)"
    _agree(tmp_path, f"{ROUNDED[made]}\nr = (s[:3] * q[:3] - s[:3] * {exact}) * 1e9")


@pytest.mark.parametrize("expression", BEYOND)
def test_python_integers_beyond_the_dtype_are_errors_as_in_numpy(tmp_path: Path, expression: str) -> None:
    with pytest.raises(OverflowError):
        eval(expression, {"np": np, "b": np.ones((4, 6), np.int8), "u": np.ones((4, 6), np.uint8)})
    text = f"def spec(b, u):\n    return {{'r': {expression}}}\n"
    with pytest.raises(InputError, match=f"OverflowError: Python integer {BEYOND[expression]}"):
        traced(tmp_path, text, tensor("b", (4, 6), dtype="s8"), tensor("u", (4, 6), dtype="u8"), tensor("r", (4, 6), "out"))


@pytest.mark.parametrize("part", PARTS)
def test_a_piece_that_sees_its_neighbours_is_refused(tmp_path: Path, part: str) -> None:
    """NumPy gives the function those elements for which the condition holds, and a trace does not know which these are."""
    text = f"def spec(x):\n    return {{'r': np.piecewise(x, [x > 0], [lambda a: {part}, 0.0])}}\n"
    with pytest.raises(UnsupportedError, match="does not treat each element by itself"):
        traced(tmp_path, text, tensor("x", (4, 6)), tensor("r", (4, 6), "out"))


def test_a_refusal_that_the_spec_catches_stays_one(tmp_path: Path) -> None:
    text = "def spec(x):\n    try:\n        r = np.sort(x)\n    except Exception:\n        r = np.zeros((4, 6))\n"
    text += "    return {'r': r}\n"
    with pytest.raises(UnsupportedError, match=r"np\.sort is not supported") as caught:
        traced(tmp_path, text, tensor("x", (4, 6)), tensor("r", (4, 6), "out"))
    assert caught.value.place.line == 4
