"""Each form of mma multiplies matrices with distinct integers in every position, spread over lanes by the ISA's formulas."""

from __future__ import annotations

import numpy as np
import pytest
from isa_layouts import BYTE, QUAD_A, QUAD_B, QUAD_C, A, B, Shape, accumulators
from tensor_kernels import ELEMENT, gathered, product, spread
from vc_evaluate import evaluate

from volta_pipe.ir.fragments import mma_fragment

FLOATS = [
    (shape, (d, a, b, c))
    for a, b, shapes, accumulate in (
        ("tf32", "tf32", ((16, 8, 4), (16, 8, 8)), (("f32", "f32"),)),
        ("f64", "f64", ((8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)), (("f64", "f64"),)),
        ("f16", "f16", ((16, 8, 8), (16, 8, 16)), (("f32", "f32"), ("f16", "f16"))),
        ("bf16", "bf16", ((16, 8, 8), (16, 8, 16)), (("f32", "f32"),)),
        ("e4m3", "e5m2", ((16, 8, 16), (16, 8, 32)), (("f32", "f32"), ("f16", "f16"))),
        ("e5m2", "e4m3", ((16, 8, 32),), (("f32", "f32"),)),
    )
    for shape in shapes
    for d, c in accumulate
]
INTEGERS = [(shape, a, b) for shape in ((8, 8, 16), (16, 8, 16), (16, 8, 32)) for a, b in (("s8", "s8"), ("u8", "s8"))]


def matrices(shape: Shape) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A, B and C, all their elements different."""
    m, n, k = shape
    a = np.arange(1, m * k + 1, dtype=np.float64).reshape(m, k)
    b = np.arange(1000, 1000 + k * n, dtype=np.float64).reshape(k, n)
    return a, b, np.arange(5000, 5000 + m * n, dtype=np.float64).reshape(m, n)


@pytest.mark.parametrize(("shape", "kinds"), FLOATS, ids=str)
def test_a_product_of_floats(shape: Shape, kinds: tuple[str, str, str, str]) -> None:
    (count_a, place_a), (count_b, place_b) = A[shape, ELEMENT[kinds[1]]], B[shape, ELEMENT[kinds[2]]]
    count_c, place_c = accumulators(shape[0])
    done = product(shape, kinds, (count_c, count_a, count_b, count_c))
    assert done.program.complete and not done.report.findings
    a, b, c = matrices(shape)
    inputs = {"a": spread(a, count_a, place_a), "b": spread(b, count_b, place_b), "c": spread(c, count_c, place_c)}
    held = evaluate(done.conditions(), inputs)["d"].reshape(32, count_c)
    np.testing.assert_array_equal(gathered(held, c.shape, place_c), a @ b + c)


@pytest.mark.parametrize("accumulate", ["f16", "f32"])
@pytest.mark.parametrize("layouts", ["row.row", "row.col", "col.row", "col.col"])
def test_four_products_of_quad_pairs(layouts: str, accumulate: str) -> None:
    """m8n8k4 with f16: product q is that of lanes 4q to 4q+3 and 16+4q to 16+4q+3."""
    first, second = layouts.split(".")
    done = product((8, 8, 4), (accumulate, "f16", "f16", accumulate), (8, 4, 4, 8), layouts=layouts)
    assert done.program.complete and not done.report.findings
    rng = np.random.default_rng(3)
    lanes = [[4 * q + i for i in range(4)] + [16 + 4 * q + i for i in range(4)] for q in range(4)]
    held = {"a": np.zeros((32, 4)), "b": np.zeros((32, 4)), "c": np.zeros((32, 8))}
    wanted = []
    for members in lanes:
        a, b, c = rng.permutation(32).reshape(8, 4), rng.permutation(32).reshape(4, 8), rng.permutation(64).reshape(8, 8)
        wanted.append(a @ b + c)
        for lane in members:
            held["a"][lane] = [a[QUAD_A[first](lane, i)] for i in range(4)]
            held["b"][lane] = [b[QUAD_B[second](lane, i)] for i in range(4)]
            held["c"][lane] = [c[QUAD_C[accumulate](lane, i)] for i in range(8)]
    found = evaluate(done.conditions(), held)["d"].reshape(32, 8)
    for members, matrix in zip(lanes, wanted, strict=True):
        for lane in members:
            assert [matrix[QUAD_C[accumulate](lane, i)] for i in range(8)] == list(found[lane])


def _integers(shape: Shape, a: str, b: str, words: str, large: int) -> tuple[np.ndarray, np.ndarray]:
    """(what the lanes hold at the end, what they should), int64."""
    m, n, k = shape
    (count_a, place_a), (count_b, place_b) = A[shape, BYTE], B[shape, BYTE]
    count_c, place_c = accumulators(m)
    rng = np.random.default_rng(5)
    low = {"s8": -128, "u8": 0}
    left = rng.permutation(np.arange(m * k) % 256 + low[a]).reshape(m, k)
    right = rng.permutation(np.arange(k * n) % 256 + low[b]).reshape(k, n)
    plus = np.where(rng.random((m, n)) < 0.5, large, -large) + rng.integers(-9, 9, (m, n))
    values = {
        "a": spread(left, count_a, place_a).astype({"s8": np.int8, "u8": np.uint8}[a]),
        "b": spread(right, count_b, place_b).astype({"s8": np.int8, "u8": np.uint8}[b]),
        "c": spread(plus, count_c, place_c).astype(np.int32),
    }
    done = product(shape, ("s32", a, b, "s32"), (count_c, count_a, count_b, count_c), words, values=values)
    assert done.program.complete and not done.report.findings
    return gathered(done.outputs()["d"], (m, n), place_c).astype(np.int64), left @ right + plus


@pytest.mark.parametrize(("shape", "a", "b"), INTEGERS, ids=str)
def test_a_product_of_integers_is_computed(shape: Shape, a: str, b: str) -> None:
    found, wanted = _integers(shape, a, b, "", 1000)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("words", ["", ".satfinite"])
def test_sums_of_integers_wrap_or_saturate(words: str) -> None:
    found, wanted = _integers((16, 8, 32), "s8", "s8", words, 2**31 - 20)
    assert (np.abs(wanted) >= 2**31).any()
    wrapped = (wanted + 2**31) % 2**32 - 2**31
    np.testing.assert_array_equal(found, np.clip(wanted, -(2**31), 2**31 - 1) if words else wrapped)


def test_the_tables_are_the_formulas_of_the_isa() -> None:
    kinds = {"half": "f16", "word": "tf32", "double": "f64", "byte": "s8"}
    for operand, forms in (("a", A), ("b", B)):
        for (shape, width), (count, place) in forms.items():
            fragment = mma_fragment(operand, shape, kinds[width], "row")
            assert fragment.row.shape == (32, count)
            for lane in range(32):
                for i in range(count):
                    assert (fragment.row[lane, i], fragment.column[lane, i]) == place(lane, i)
            places = fragment.places()
            for element, held in enumerate(places):
                lane, part, register = held & 31, held >> 5 & 7, held >> 8
                assert place(int(lane), int(register * fragment.parts + part)) == divmod(element, fragment.columns)
