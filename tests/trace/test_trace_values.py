"""Every supported function: the graph's values are those of the same spec on plain arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from trace_evaluate import evaluate
from trace_specs import agree, tensor, traced

from volta_pipe.ir.launch import Scalar
from volta_pipe.passes.trace.trace import NUMPY_DTYPES

# Expressions over x [4, 6], y [4, 6], m [6, 3], s [4], a known mask k [4, 6] and a known index i [3].
SIGNED = """
x + y * 2 - 3
1 / (x * x + 1) - x / 3
-x + (+y) - abs(x) + np.fabs(y)
np.copysign(x, y) + 2 * np.copysign(y, x)
np.copysign(x, -0.0) + 3 * np.copysign(y, np.array([0.0, -0.0, 1, -1, np.inf, -np.inf]))
2.0 - x
x @ m
m.T @ x.T
np.matmul(x[None] * np.ones((2, 1, 1)), m)
np.matmul(x[0], m)
np.matmul(x, m[:, 0])
x[0] @ m[:, 1]
np.dot(x, m)
np.dot(x[0], y[0])
np.dot(s[0], m)
x.dot(m)
np.inner(x, y)
np.outer(s, x[0])
np.vdot(x, y)
np.multiply.outer(s, x)
np.tensordot(x, y, axes=([0, 1], [0, 1]))
np.tensordot(x, m, 1)
np.tensordot(x, y, axes=(0, 0))
np.einsum("ij,jk->ik", x, m)
np.einsum("ij,jk", x, m)
np.einsum("ij,ij->i", x, y)
np.einsum("ij,kj->ikj", x, y)
np.einsum("ij,kl->jk", x, y)
np.einsum("ij->ji", x)
np.einsum("ij->j", x)
np.einsum("ij->", x)
np.einsum("ii->i", x[:, :4])
np.einsum("ij,jk,i->k", x, m, s)
np.einsum("b h, h d -> d b", x, m, optimize=True)
np.einsum("ij,jk->ik", np.arange(12.0).reshape(2, 6), m)
x ** 2 + x ** 3 + x ** 0 + x ** 1
x ** np.array([1, 2, 3, 0, 2, 1])
np.power(x, 2.0) + np.square(y)
np.exp(x) + np.exp2(y) + np.expm1(x)
np.maximum(x, y) + np.minimum(x, 0.5) + np.fmax(x, 0) + np.fmin(y, x)
np.clip(x, -0.5, 0.5) + x.clip(0, None) + np.clip(x, y, y + 1)
np.tanh(x) * np.sin(x) + np.cos(y)
np.floor(x) + np.ceil(y) + np.rint(x * 3) + np.trunc(y) + np.round(x)
np.sign(x) + np.reciprocal(x)
np.logaddexp(x, y)
np.where(x > y, x, y) + np.where(x <= 0, 1, 2)
np.where((x < y) & (x > 0), x, -y)
np.where(~(x < y) | (x >= 0.5), x, 0)
np.where(np.logical_and(x > 0, y > 0), 1.0, np.where(np.logical_or(x == y, x != y), x, 2.0))
np.where(np.logical_not(x > 0), x, y) + np.where(np.logical_xor(x > 0, y > 0), 1, 0)
np.where((x > 0) == (y > 0), x, y)
np.where((x > 0) != k, x, y)
np.where(k, x, y)
np.where(k, x, -np.inf).max(axis=1)
np.where(k & (x > 0), x, 0)
(x > 0) * x
(x > 0).astype(np.float64)
np.where(x, 1.0, 2.0)
x.sum() + np.sum(y)
x.sum(axis=0) + np.sum(y, axis=-2)
np.sum(x.reshape(2, 2, 6), axis=(0, 2))
np.sum(x, axis=(0, 1), keepdims=True)
sum(x)
np.add.reduce(x, axis=1)
np.add.reduce(x)
np.maximum.reduce(x, axis=1)
np.add.accumulate(x, axis=1)
np.sum(x, axis=1, initial=2.0)
np.sum(x[:, :0], axis=1)
x.mean(axis=1, keepdims=True)
np.mean(x)
x.max(axis=1) + np.max(x) + np.amax(y, axis=1)
np.max(x, axis=1, initial=-np.inf)
x.min(axis=0, keepdims=True) + np.amin(y)
np.prod(x, axis=1) + x.prod()
np.cumsum(x, axis=1)
np.cumsum(x, axis=0)
x.cumsum()
np.cumprod(x, axis=-1)
x.var(axis=1) + np.var(y, axis=1, ddof=1)
np.var(x, axis=1, keepdims=True, ddof=2)
x.std() + np.std(y, axis=0)
np.where(np.any(x > 1.5, axis=1), 1.0, 0.0)
np.where(np.all(x > -1.9, axis=0), 1.0, 0.0)
np.where((x > 0).any(), 1.0, 0.0)
x.T + 1
np.transpose(x.reshape(2, 2, 6), (2, 0, 1))
x.transpose(1, 0)
x.transpose()
np.swapaxes(x, 0, 1) - x.swapaxes(0, 1)
np.moveaxis(x.reshape(2, 2, 6), 0, -1)
x.reshape(-1, 3)
x.reshape((2, 12))
np.reshape(x, (3, 8))
np.reshape(x, (3, 8), order="F")
x.ravel() + x.flatten()
np.broadcast_to(s, (2, 4))
np.expand_dims(s, 0)
np.squeeze(s[None]) + s[None].squeeze(0)
np.stack([s, s * 2, np.arange(4)], axis=1)
np.concatenate([x, y, np.ones((4, 1))], axis=1)
np.hstack([x, y])
np.vstack([x, y, np.zeros(6)])
np.split(x, 2)[1]
np.split(x, [2, 3], axis=1)[1]
np.array_split(x, 4, axis=1)[0]
np.pad(x, 1)
np.pad(x, ((0, 0), (2, 1)), constant_values=1.5)
np.pad(x, ((1, 1), (0, 0)), mode="edge")
np.pad(s, 2, mode="reflect")
np.roll(x, 1, axis=1) + np.roll(x, 2)
np.flip(x, axis=0) + np.flip(x)
np.tril(x) + np.triu(y, 1)
np.diag(s) + np.diag(s[1:], 1)
np.diag(x)
np.take(x, i, axis=1) + x.take(i, axis=1)
np.take_along_axis(x, np.argsort(np.ones((4, 6)), axis=1), axis=1)
np.repeat(s, 2) + s.repeat(2)
np.tile(s, (2, 3))
np.zeros_like(x) + np.ones_like(x) + np.full_like(x, 0.25)
np.zeros_like(x, shape=(2, 2)) + x[0, 0]
np.copy(x) + x.copy()
x.astype(float) * 2 + np.round(x).astype(np.float32)
x[1:3, ::2]
x[..., None, 1]
x[-1] + x[0]
x[i]
x[:, i]
x[[0, 1], [2, 3]]
x[k]
x[np.newaxis, 2, 1:]
np.lib.stride_tricks.sliding_window_view(s, 2).sum(axis=1)
np.float64(2) * x + np.array(3.0)
np.arange(6) * x
np.array(np.shape(x)) * x[0, 0] + np.ndim(x) + np.size(x) + len(x) + x.size + x.ndim
np.atleast_2d(s)
np.broadcast_arrays(s, x[:, :4])[0]
"""
POSITIVE = """
np.sqrt(x) + x ** 0.5 + x ** -0.5
x ** -2 + x ** 1.7 + x ** y
np.log(x) + np.log2(y) + np.log10(x) + np.log1p(y)
2.0 ** x
x ** 70
np.exp(np.log(x).sum(axis=1))
"""


def _cases() -> list[tuple[str, bool]]:
    return [(line, False) for line in SIGNED.strip().splitlines()] + [(line, True) for line in POSITIVE.strip().splitlines()]


def _check(folder: Path, body: str, positive: bool = False) -> None:
    """`body`: statements that leave `r`; its shape is taken from a run on plain arrays."""
    rng = np.random.default_rng(3)
    k, i = rng.random((4, 6)) < 0.5, np.array([2, 0, 3])
    text = "def spec(x, y, m, s, k, i):\n    k = k != 0\n" + "".join(f"    {line}\n" for line in body.splitlines())
    names = {"np": np}
    exec(text + "    return np.shape(r)\n", names)
    shape = names["spec"](*(rng.random(n) for n in ((4, 6), (4, 6), (6, 3), (4,))), k, i)  # type: ignore[operator]
    parts = (
        tensor("x", (4, 6)),
        tensor("y", (4, 6)),
        tensor("m", (6, 3)),
        tensor("s", (4,)),
        tensor("k", (4, 6), dtype="u8", values=k),
        tensor("i", (3,), dtype="s32", values=i),
        tensor("r", shape, "out"),
    )
    agree(folder, text + '    return {"r": r}\n', *parts, positive=positive)


@pytest.mark.parametrize(("expression", "positive"), _cases(), ids=[case[0] for case in _cases()])
def test_expression(tmp_path: Path, expression: str, positive: bool) -> None:
    _check(tmp_path, f"r = {expression}", positive)


STATEMENTS = {
    "item assignment": "r = np.zeros_like(x)\nr[0, :] = x[1]\nr[1:, ::2] = y[1:, ::2] * 2\nr[3, 3] = 7\nr[:, 5] += s",
    "assignment by mask and index": "r = np.copy(x)\nr[k] = 0\nr[i, 1] = s[i]",
    "empty_like, filled": "r = np.empty_like(x)\nfor j in range(4):\n    r[j] = x[j] / x[j].sum()",
    "assignment of a list": "r = np.zeros_like(s)\nr[...] = [x[0, 0], 1.0, x[0, 1], y[2, 2]]",
    "a view writes through": "r = np.copy(x)\nv = r[1]\nv += 1\nv[0] = 3",
    "a copy does not": "v = x.copy()\nv += 1\nw = x[0].flatten()\nw[:] = 0\nr = x",
    "fancy indexing copies": "r = x\nv = x[i]\nv *= 0",
    "a scalar is bound anew": "a = x[0, 0]\nb = a\na += 1\nc = x.sum()\nd = c\nc *= 2\nr = x * a + b + c + d",
    "in place": "r = np.copy(x)\nr += y\nr *= 2\nr -= 1\nr /= 3",
    "out=": "r = np.zeros_like(x)\nnp.add(x, y, out=r)\nnp.maximum(r, 0, out=r)",
    "fill": "r = np.empty_like(x)\nr.fill(0.5)",
    "iteration": "t = 0\nfor row in x:\n    for v in row:\n        t = t + v\nr = t * np.ones(3)",
    "online softmax": """m_ = np.full_like(s, -np.inf)
l = np.zeros_like(s)
for j in range(6):
    n = np.maximum(m_, x[:, j])
    l = l * np.exp(m_ - n) + np.exp(x[:, j] - n)
    m_ = n
r = np.exp(x - m_[:, None]) / l[:, None]""",
    "layer norm": "c = x - x.mean(axis=1, keepdims=True)\nr = c / np.sqrt((c * c).mean(axis=1, keepdims=True) + 1e-5)",
    "branch on a known value": "r = x\nif k[0, 0] or x.shape[0] == 4:\n    r = y",
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(tmp_path: Path, name: str) -> None:
    _check(tmp_path, STATEMENTS[name])


def test_scalars_and_inout(tmp_path: Path) -> None:
    text = """
    def spec(y, **kwargs):
        y += kwargs["x"] * kwargs["alpha"] + kwargs["beta"]
        return {"y": y}
    """
    agree(
        tmp_path, text, tensor("x", (3,)), tensor("y", (3,), "inout"), Scalar("alpha", "f64", None), Scalar("beta", "f64", 0.5)
    )


def test_integer_tensors_by_value(tmp_path: Path) -> None:
    text = """
    def spec(t):
        return {"r": np.where(t == 2, t.astype(np.float64) * 0.5, np.maximum(t, 1) + 0.25), "c": np.maximum(t.T, 0)}
    """
    agree(tmp_path, text, tensor("t", (4, 4), dtype="s32"), tensor("r", (4, 4), "out"), tensor("c", (4, 4), "out", "s32"))


@pytest.mark.parametrize("source", ("s8", "u8", "s16", "u16", "s32", "u32"))
@pytest.mark.parametrize("target", ("s8", "u8", "s16", "u16", "s32", "u32"))
def test_integers_of_another_type(tmp_path: Path, source: str, target: str) -> None:
    """Exact or modulo 2^bits as NumPy casts."""
    kinds = {name: np.dtype(NUMPY_DTYPES[name]) for name in (source, target)}
    text = f"def spec(t):\n    return {{'r': t.astype(np.{kinds[target].name}).astype(np.float64)}}\n"
    limits = np.iinfo(kinds[source])
    numbers = np.array([limits.min, limits.max, 0, 1, limits.max // 2, limits.max // 2 + 1], kinds[source])
    parts = tensor("t", (6,), dtype=source), tensor("r", (6,), "out")
    found = traced(tmp_path, text, *parts)
    got = evaluate(found.graph, found.outputs[1], [numbers, np.zeros(6)], [])
    np.testing.assert_array_equal(got, numbers.astype(kinds[target]).astype(np.float64))


def test_integers_meet_others_as_numpy_promotes_them(tmp_path: Path) -> None:
    text = """
    def spec(a, b):
        return {"r": np.maximum(a, b).astype(np.float64) + np.where(a < b, 0.5, 0.0)}
    """
    agree(tmp_path, text, tensor("a", (9,), dtype="s8"), tensor("b", (9,), dtype="s32"), tensor("r", (9,), "out"))


def test_matmul_of_many_terms_grows_the_store(tmp_path: Path) -> None:
    agree(
        tmp_path,
        "def spec(a, b): return {'c': a @ b}\n",
        tensor("a", (17, 90)),
        tensor("b", (90, 61)),
        tensor("c", (17, 61), "out"),
    )
