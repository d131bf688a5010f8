"""Each function of `volta_pipe.spec` against its formula in plain Python, number by number: run on NumPy arrays, and traced."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from trace_evaluate import evaluate
from trace_specs import launch, tensor

import volta_pipe.spec
from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.graph import validate
from volta_pipe.ir.launch import Scalar
from volta_pipe.passes.trace import load_library, trace

RNG = np.random.default_rng(3)


def drawn(*shape: int) -> Any:
    """Multiples of 1/16, which are exact in every format."""
    return RNG.integers(-40, 41, shape) / 16.0


def softmax_of(row: list[float]) -> list[float]:
    total = math.fsum(math.exp(v) for v in row)
    return [math.exp(v) / total for v in row]


def rows_of(x: Any, each: Callable[[list[float]], list[float]]) -> Any:
    return np.array([each([float(v) for v in row]) for row in x.reshape(-1, x.shape[-1])]).reshape(x.shape)


def norm_of(row: list[float], eps: float, centred: bool) -> list[float]:
    exact = [Fraction(v) for v in row]
    centre = sum(exact) / len(exact) if centred else Fraction(0)
    spread = sum((v - centre) ** 2 for v in exact) / len(exact)
    return [float(v - centre) / math.sqrt(float(spread) + eps) for v in exact]


def attention_of(q: Any, k: Any, v: Any, scale: float, sees: Callable[[int, int], bool]) -> Any:
    o = np.zeros((*q.shape[:-1], v.shape[-1]))
    for lead in np.ndindex(q.shape[:-2]):
        for i in range(q.shape[-2]):
            keys = [j for j in range(k.shape[-2]) if sees(i, j)]
            scores = [scale * math.fsum(a * b for a, b in zip(q[lead][i], k[lead][j], strict=True)) for j in keys]
            for weight, j in zip(softmax_of(scores), keys, strict=True):
                for e in range(v.shape[-1]):
                    o[(*lead, i, e)] += weight * v[lead][j, e]
    return o


def conv_of(x: Any, w: Any, b: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    """Seven loops over the definition; what lies outside of x is 0."""
    sizes = [(x.shape[2 + a] + 2 * padding[a] - dilation[a] * (w.shape[2 + a] - 1) - 1) // stride[a] + 1 for a in (0, 1)]
    y = np.zeros((x.shape[0], w.shape[0], *sizes))
    for n, f, i, j in np.ndindex(y.shape):
        first = f // (w.shape[0] // groups) * w.shape[1]
        total = Fraction(float(b[f]))
        for c, r, s in np.ndindex(w.shape[1:]):
            row, column = i * stride[0] + r * dilation[0] - padding[0], j * stride[1] + s * dilation[1] - padding[1]
            if 0 <= row < x.shape[2] and 0 <= column < x.shape[3]:
                total += Fraction(float(x[n, first + c, row, column])) * Fraction(float(w[f, c, r, s]))
        y[n, f, i, j] = float(total)
    return y


def rope_of(x: Any, cos: Any, sin: Any, pairs: list[tuple[int, int]]) -> Any:
    """Multiplication of complex numbers."""
    y = np.zeros(x.shape)
    for lead in np.ndindex(x.shape[:-1]):
        for place, (a, b) in enumerate(pairs):
            turned = complex(x[lead][a], x[lead][b]) * complex(cos[lead[-1], place], sin[lead[-1], place])
            y[lead][a], y[lead][b] = turned.real, turned.imag
    return y


def matmul_of(a: Any, b: Any) -> Any:
    c = np.zeros((a.shape[0], b.shape[1]))
    for i, j in np.ndindex(c.shape):
        c[i, j] = float(sum(Fraction(float(a[i, k])) * Fraction(float(b[k, j])) for k in range(a.shape[1])))
    return c


X, WEIGHT, BIAS = drawn(3, 5), drawn(5), drawn(5)
Q, K, V, CUBE = drawn(2, 4, 6), drawn(2, 4, 6), drawn(2, 4, 3), drawn(2, 3, 4)
COS, SIN = drawn(4, 3), drawn(4, 3)
MASK = np.array([[1, 0, 0, 1], [0, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, 1]], np.int32)
LABEL = np.array([4, 0, 2], np.int32)
LOSSES = np.array([-math.log(softmax_of(list(X[r]))[LABEL[r]]) for r in range(3)])
IMAGE, FILTERS, OFFSETS = drawn(2, 4, 6, 7), drawn(6, 2, 3, 2), drawn(6)
A, B = drawn(3, 4), drawn(4, 5)
ROOT = 1 / math.sqrt(6)


def each(x: Any, rule: Callable[[float], float]) -> Any:
    return np.array([rule(float(v)) for v in x.reshape(-1)]).reshape(x.shape)


# Name, arrays, options, and the values.
CASES: list[tuple[str, dict[str, Any], dict[str, Any], Any]] = [
    ("relu", {"x": X}, {}, each(X, lambda v: v if v > 0 else 0.0)),
    ("silu", {"x": X}, {}, each(X, lambda v: v * math.exp(v) / (math.exp(v) + 1))),
    ("erf", {"x": X}, {}, each(X, lambda v: 1 - math.erfc(v))),
    ("gelu", {"x": X}, {}, each(X, lambda v: v * math.erfc(-v / math.sqrt(2)) / 2)),
    ("gelu", {"x": X}, {"approximate": "tanh"},
     each(X, lambda v: v / (1 + math.exp(-2 * math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))))),
    ("softmax", {"x": X}, {}, rows_of(X, softmax_of)),
    ("softmax", {"x": X}, {"axis": 0}, rows_of(X.T.copy(), softmax_of).T),
    ("softmax", {"x": CUBE}, {"axis": 1}, rows_of(CUBE.swapaxes(1, 2).copy(), softmax_of).swapaxes(1, 2)),
    ("log_softmax", {"x": X}, {}, rows_of(X, lambda row: [math.log(v) for v in softmax_of(row)])),
    ("log_softmax", {"x": X}, {"axis": 0}, rows_of(X.T.copy(), lambda row: [math.log(v) for v in softmax_of(row)]).T),
    ("cross_entropy", {"x": X, "label": LABEL}, {}, LOSSES),
    ("cross_entropy", {"x": X, "label": LABEL}, {"reduction": "sum"}, np.array([math.fsum(LOSSES)])),
    ("cross_entropy", {"x": X, "label": LABEL}, {"reduction": "mean"}, np.array([math.fsum(LOSSES) / 3])),
    ("layer_norm", {"x": X}, {}, rows_of(X, lambda row: norm_of(row, 1e-5, True))),
    ("layer_norm", {"x": X, "weight": WEIGHT}, {"eps": 0.5}, rows_of(X, lambda row: norm_of(row, 0.5, True)) * WEIGHT),
    ("layer_norm", {"x": X, "weight": WEIGHT, "bias": BIAS}, {},
     rows_of(X, lambda row: norm_of(row, 1e-5, True)) * WEIGHT + BIAS),
    ("rms_norm", {"x": X}, {}, rows_of(X, lambda row: norm_of(row, 1e-6, False))),
    ("rms_norm", {"x": CUBE, "weight": WEIGHT[:4]}, {"eps": 0.25},
     rows_of(CUBE, lambda row: norm_of(row, 0.25, False)) * WEIGHT[:4]),
    ("attention", {"q": Q, "k": K, "v": V}, {}, attention_of(Q, K, V, ROOT, lambda i, j: True)),
    ("attention", {"q": Q[0], "k": K[0], "v": V[0]}, {"scale": 0.5}, attention_of(Q[0], K[0], V[0], 0.5, lambda i, j: True)),
    ("attention", {"q": Q[:, :2], "k": K, "v": V}, {}, attention_of(Q[:, :2], K, V, ROOT, lambda i, j: True)),
    ("attention", {"q": Q, "k": K, "v": V}, {"causal": True}, attention_of(Q, K, V, ROOT, lambda i, j: j <= i)),
    ("attention", {"q": Q, "k": K, "v": V, "mask": MASK}, {}, attention_of(Q, K, V, ROOT, lambda i, j: bool(MASK[i, j]))),
    ("rope", {"x": Q, "cos": COS, "sin": SIN}, {}, rope_of(Q, COS, SIN, [(0, 3), (1, 4), (2, 5)])),
    ("rope", {"x": Q, "cos": COS, "sin": SIN}, {"interleaved": True}, rope_of(Q, COS, SIN, [(0, 1), (2, 3), (4, 5)])),
    ("matmul", {"a": A, "b": B}, {}, matmul_of(A, B)),
    ("matmul", {"a": A.T.copy(), "b": B.T.copy()}, {"transpose_a": True, "transpose_b": True}, matmul_of(A, B)),
    ("conv2d", {"x": IMAGE, "weight": FILTERS, "bias": OFFSETS}, {"groups": 2},
     conv_of(IMAGE, FILTERS, OFFSETS, (1, 1), (0, 0), (1, 1), 2)),
    ("conv2d", {"x": IMAGE[:, :2], "weight": FILTERS}, {"stride": 2, "padding": 1},
     conv_of(IMAGE[:, :2], FILTERS, 0 * OFFSETS, (2, 2), (1, 1), (1, 1), 1)),
    ("conv2d", {"x": IMAGE, "weight": FILTERS},
     {"stride": (1, 3), "padding": (2, 1), "dilation": (2, 3), "groups": 2},
     conv_of(IMAGE, FILTERS, 0 * OFFSETS, (1, 3), (2, 1), (2, 3), 2)),
]  # fmt: skip
IDS = [f"{name}-{place}" for place, (name, *_) in enumerate(CASES)]


def test_every_function_has_a_case() -> None:
    assert {name for name, *_ in CASES} == set(volta_pipe.spec.__all__)


@pytest.mark.parametrize(("name", "arrays", "options", "wanted"), CASES, ids=IDS)
def test_on_plain_arrays(name: str, arrays: dict[str, Any], options: dict[str, Any], wanted: Any) -> None:
    got = getattr(volta_pipe.spec, name)(**arrays, **options)
    assert got.shape == wanted.shape
    np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("name", "arrays", "options", "wanted"), CASES, ids=IDS)
def test_traced(name: str, arrays: dict[str, Any], options: dict[str, Any], wanted: Any) -> None:
    known = {"label", "mask"}
    inputs = [
        tensor(key, a.shape, dtype="s32" if key in known else "f64", values=a if key in known else None)
        for key, a in arrays.items()
    ]
    conditions = trace(load_library(name, options), launch(*inputs, tensor("result", wanted.shape, "out")))
    validate(conditions.graph, list(conditions.outputs.values()))
    ((index, roots),) = conditions.outputs.items()
    assert index == len(inputs)
    got = evaluate(conditions.graph, roots, list(arrays.values())).reshape(wanted.shape)
    np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


def test_a_mask_that_is_not_known_is_not_followed() -> None:
    inputs = [tensor("q", (4, 6)), tensor("k", (4, 6)), tensor("v", (4, 3)), tensor("mask", (4, 4), dtype="s32")]
    with pytest.raises(UnsupportedError, match="infinity") as caught:
        trace(load_library("attention", {}), launch(*inputs, tensor("o", (4, 3), "out")))
    assert caught.value.place.file.endswith("volta_pipe/spec/products.py")


def test_a_scalar_of_the_contract_is_a_parameter() -> None:
    parts = (tensor("x", (3, 5)), tensor("y", (3, 5), "out"), Scalar("eps", "f32", None))
    conditions = trace(load_library("layer_norm", {}), launch(*parts))
    for eps in (0.25, 3.0):
        got = evaluate(conditions.graph, conditions.outputs[1], [X], [eps]).reshape(3, 5)
        np.testing.assert_allclose(got, rows_of(X, lambda row, eps=eps: norm_of(row, eps, True)), rtol=1e-12)


def test_halves_are_widened_so_that_eps_is_not_rounded_to_them() -> None:
    halves = X.astype(np.float16)
    got = volta_pipe.spec.rms_norm(halves, eps=1e-6)
    assert got.dtype == np.float32
    conditions = trace(
        load_library("rms_norm", {}), launch(tensor("x", (3, 5), dtype="f16"), tensor("y", (3, 5), "out", "f16"))
    )
    assert float(np.float32(1e-6)) in conditions.graph.constants
    assert float(np.float16(1e-6)) not in conditions.graph.constants


WRONG: list[tuple[str, dict[str, tuple[int, ...]], dict[str, Any], str, str]] = [
    ("rope", {"x": (4, 5), "cos": (4, 2), "sin": (4, 2)}, {}, "products.py", "5 elements are no pairs"),
    ("attention", {"q": (2, 4), "k": (3, 4), "v": (3, 4)}, {"causal": True}, "products.py", "2 queries and 3 keys"),
    ("attention", {"q": (2, 4), "k": (2, 4), "v": (2, 4), "mask": (2, 2)}, {}, "products.py", "it selects, and is not added"),
    ("conv2d", {"x": (1, 3, 4, 4), "weight": (2, 2, 3, 3)}, {}, "products.py", "do not fit"),
    ("layer_norm", {"x": (3, 4), "weight": (5,)}, {}, "rows.py", "ValueError"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "shapes", "options", "file", "message"), WRONG)
def test_errors_name_the_library_s_line(name: str, shapes: Any, options: dict[str, Any], file: str, message: str) -> None:
    parts = [tensor(key, shape) for key, shape in shapes.items()]
    with pytest.raises(InputError, match=message) as caught:
        trace(load_library(name, options), launch(*parts, tensor("y", (2, 4), "out")))
    assert caught.value.place.file.endswith(f"volta_pipe/spec/{file}") and caught.value.place.line > 10


def test_what_cannot_be_followed_names_the_innermost_line_of_the_library() -> None:
    parts = (tensor("x", (3, 5)), tensor("label", (3,), dtype="s32"), tensor("loss", (3,), "out"))
    with pytest.raises(UnsupportedError, match="take_along_axis") as caught:
        trace(load_library("cross_entropy", {}), launch(*parts))
    place = caught.value.place
    with open(place.file) as stream:  # noqa: PTH123
        assert "take_along_axis" in stream.readlines()[place.line - 1]


def test_nothing_else_is_loaded() -> None:
    for name in ("nothing", "wide", "np", "math", "__init__", "__builtins__", "Array"):
        with pytest.raises(InputError, match=f"no function {name}"):
            load_library(name, {})


def test_several_outputs_are_an_error() -> None:
    parts = (tensor("x", (3,)), tensor("y", (3,), "out"), tensor("z", (3,), "out"))
    with pytest.raises(InputError, match="returns one array, the contract has 2 out and inout tensors"):
        trace(load_library("softmax", {}), launch(*parts))


def test_shapes_of_a_convolution_are_those_of_the_formula() -> None:
    for stride, padding, dilation in product((1, 2, 3), (0, 1), (1, 2)):
        got = volta_pipe.spec.conv2d(IMAGE[:, :2], FILTERS, stride=stride, padding=padding, dilation=dilation)
        both = ((stride, stride), (padding, padding), (dilation, dilation))
        np.testing.assert_allclose(got, conv_of(IMAGE[:, :2], FILTERS, 0 * OFFSETS, *both, 1), rtol=1e-12, atol=1e-12)
