"""Matrix products on concrete bits: A and B different in every position and spread over lanes by the ISA's formulas, against
NumPy's products, rounded by NumPy's own conversions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from isa_layouts import BYTE, DOUBLE, HALF, QUAD_A, QUAD_B, QUAD_C, WORD, A, B, Place, Shape, accumulators
from replay_kernels import run, tensor
from replay_reference import value_of

Array = np.ndarray[Any, np.dtype[Any]]
ELEMENT = {
    "f16": HALF, "bf16": HALF, "tf32": WORD, "f32": WORD, "s32": WORD, "f64": DOUBLE,
    "e4m3": BYTE, "e5m2": BYTE, "s8": BYTE, "u8": BYTE,
}  # fmt: skip
WIDTH = {HALF: 16, WORD: 32, DOUBLE: 64, BYTE: 8}
NATIVE: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "tf32": np.float32, "f64": np.float64, "s32": np.int32}
NATIVE |= {"s8": np.int8, "u8": np.uint8}
FORMS = [
    (shape, (d, a, b, c))
    for a, b, shapes, accumulate in (
        ("tf32", "tf32", ((16, 8, 4), (16, 8, 8)), (("f32", "f32"),)),
        ("f64", "f64", ((8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)), (("f64", "f64"),)),
        ("f16", "f16", ((16, 8, 8), (16, 8, 16)), (("f32", "f32"), ("f16", "f16"))),
        ("bf16", "bf16", ((16, 8, 8), (16, 8, 16)), (("f32", "f32"),)),
        ("e4m3", "e5m2", ((16, 8, 16), (16, 8, 32)), (("f32", "f32"), ("f16", "f16"))),
        ("e5m2", "e4m3", ((16, 8, 32),), (("f32", "f32"),)),
        ("s8", "s8", ((8, 8, 16), (16, 8, 16), (16, 8, 32)), (("s32", "s32"),)),
        ("u8", "s8", ((8, 8, 16), (16, 8, 16), (16, 8, 32)), (("s32", "s32"),)),
    )
    for shape in shapes
    for d, c in accumulate
]


def matrix(kind: str, rows: int, columns: int, seed: int) -> tuple[Array, Array]:
    """(bits, float64 numbers): all different where the type has so many numbers, else each about equally often."""
    count = rows * columns
    rng = np.random.default_rng(seed)
    if kind in ("e4m3", "e5m2"):
        finite = np.array([x for x in range(256) if np.isfinite(float(value_of(x, kind)))], np.uint8)
        bits = rng.permutation(np.resize(finite, count))
        numbers = np.array([float(value_of(int(x), kind)) for x in bits])
    elif kind == "bf16":
        numbers = rng.permutation(count).astype(np.float64) - count // 2
        bits = (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    else:
        low = -128 if kind == "s8" else 0 if kind == "u8" else -count // 2
        whole = rng.permutation(np.arange(count) % 256 if kind in ("s8", "u8") else np.arange(count)) + low
        numbers = whole.astype(np.float64)
        native = whole.astype(NATIVE[kind])
        bits = native.view(f"u{native.itemsize}")
    return bits.reshape(rows, columns), numbers.reshape(rows, columns)


def held(bits: Array, count: int, place: Place) -> Array:
    """The registers of all lanes, u32 or u64 [32, registers], lower elements in lower bits."""
    spread = np.ascontiguousarray([[bits[place(lane, i)] for i in range(count)] for lane in range(32)])
    return spread.view(np.uint64 if bits.itemsize == 8 else np.uint32)


def execute(instruction: str, inputs: dict[str, Array], result: tuple[str, int], threads: int = 32) -> Array:
    """Loads each lane's registers a, b, c, executes "mma… {O}, {A}, {B}, {C};", and gives the registers that it wrote, of the
    type and the number of `result`: [threads, registers]."""
    tensors, loads, stores, braces = [], [], [], {}
    for place, name in enumerate([*inputs, "o"]):
        dtype, count = result if name == "o" else (f"u{8 * inputs[name].itemsize}", inputs[name].shape[1])
        size = int(dtype[1:]) // 8
        braces[name.upper()] = "{" + ", ".join(f"%{name}{i}" for i in range(count)) + "}"
        loads.append(f".reg .b{8 * size} %{name}<{count}>; mul.wide.u32 %d{place}, %r30, {size * count};")
        loads.append(f"add.u64 %d{place}, %d{place}, %d{10 + place};")
        for i in range(count):
            if name == "o":
                stores.append(f"st.global.b{8 * size} [%d{place}+{size * i}], %o{i};")
            else:
                loads.append(f"ld.global.b{8 * size} %{name}{i}, [%d{place}+{size * i}];")
        tensors.append(tensor(name, dtype, (threads, count), "out" if name == "o" else "in"))
    done = run("\n".join([*loads, instruction.format(**braces), *stores]), tensors, inputs, threads=threads)
    assert done.written["o"].all()
    return done.outputs["o"]


def gathered(registers: Array, kind: str, shape: tuple[int, int], place: Place) -> Array:
    """The matrix in the registers of D, float64; lanes that hold the same element must agree."""
    values = np.ascontiguousarray(registers).view(NATIVE[kind]).astype(np.float64)
    found = np.full(shape, np.nan)
    for lane in range(32):
        for i in range(values.shape[1]):
            assert np.isnan(found[place(lane, i)])
            found[place(lane, i)] = values[lane, i]
    assert not np.isnan(found).any()
    return found


def rounded(exact: Array, kind: str) -> Array:
    """float64 numbers in the accumulator's type; NumPy rounds to nearest, ties to even."""
    with np.errstate(over="ignore"):
        return exact.astype(NATIVE[kind]).astype(np.float64)


@pytest.mark.parametrize(("shape", "kinds"), FORMS, ids=str)
def test_mma(shape: Shape, kinds: tuple[str, str, str, str]) -> None:
    m, n, k = shape
    d, a, b, c = kinds
    (count_a, place_a), (count_b, place_b) = A[shape, ELEMENT[a]], B[shape, ELEMENT[b]]
    count_c, place_c = accumulators(m)
    (bits_a, x), (bits_b, y), (bits_c, z) = matrix(a, m, k, 1), matrix(b, k, n, 2), matrix(c, m, n, 3)
    inputs = {
        "a": held(bits_a, count_a, place_a), "b": held(bits_b, count_b, place_b), "c": held(bits_c, count_c, place_c)
    }  # fmt: skip
    width = max(32, WIDTH[ELEMENT[d]])
    text = f"mma.sync.aligned.m{m}n{n}k{k}.row.col.{d}.{a}.{b}.{c} {{O}}, {{A}}, {{B}}, {{C}};"
    found = execute(text, inputs, (f"u{width}", count_c * WIDTH[ELEMENT[d]] // width))
    np.testing.assert_array_equal(gathered(found, d, (m, n), place_c), rounded(x @ y + z, d))


@pytest.mark.parametrize("accumulate", ["f16", "f32"])
@pytest.mark.parametrize("layouts", ["row.row", "row.col", "col.row", "col.col"])
def test_mma_of_quad_pairs(layouts: str, accumulate: str) -> None:
    """m8n8k4 with f16: product q is that of lanes 4q to 4q+3 and 16+4q to 16+4q+3."""
    first, second = layouts.split(".")
    place_a, place_b, place_c = QUAD_A[first], QUAD_B[second], QUAD_C[accumulate]
    a, b, c = np.zeros((32, 4), np.float16), np.zeros((32, 4), np.float16), np.zeros((32, 8), NATIVE[accumulate])
    wanted = np.zeros((32, 8))
    rng = np.random.default_rng(3)
    for q in range(4):
        x, y, z = rng.permutation(32).reshape(8, 4), rng.permutation(32).reshape(4, 8), rng.permutation(64).reshape(8, 8)
        for lane in [*range(4 * q, 4 * q + 4), *range(16 + 4 * q, 20 + 4 * q)]:
            a[lane] = [x[place_a(lane, i)] for i in range(4)]
            b[lane] = [y[place_b(lane, i)] for i in range(4)]
            c[lane] = [z[place_c(lane, i)] for i in range(8)]
            wanted[lane] = [(x @ y + z)[place_c(lane, i)] for i in range(8)]
    inputs = {name: array.view(np.uint32) for name, array in (("a", a), ("b", b), ("c", c))}
    text = f"mma.sync.aligned.m8n8k4.{layouts}.{accumulate}.f16.f16.{accumulate} {{O}}, {{A}}, {{B}}, {{C}};"
    found = execute(text, inputs, ("u32", inputs["c"].shape[1]))
    np.testing.assert_array_equal(np.ascontiguousarray(found).view(NATIVE[accumulate]), rounded(wanted, accumulate))


@pytest.mark.parametrize("words", ["", ".satfinite"])
def test_integer_sums_wrap_or_saturate(words: str) -> None:
    """C near both ends of the range."""
    (count_a, place_a), (count_b, place_b) = A[(16, 8, 32), BYTE], B[(16, 8, 32), BYTE]
    count_c, place_c = accumulators(16)
    (bits_a, x), (bits_b, y) = matrix("s8", 16, 32, 1), matrix("u8", 32, 8, 2)
    rng = np.random.default_rng(5)
    z = (np.where(rng.random((16, 8)) < 0.5, 2**31 - 50, 50 - 2**31) + rng.integers(-9, 9, (16, 8))).astype(np.int32)
    inputs = {"a": held(bits_a, count_a, place_a), "b": held(bits_b, count_b, place_b)}
    inputs["c"] = held(z.view(np.uint32), count_c, place_c)
    text = f"mma.sync.aligned.m16n8k32.row.col{words}.s32.s8.u8.s32 {{O}}, {{A}}, {{B}}, {{C}};"
    found = gathered(execute(text, inputs, ("u32", count_c)), "s32", (16, 8), place_c)
    exact = x.astype(np.int64) @ y.astype(np.int64) + z
    assert (np.abs(exact) >= 2**31).any()
    wrapped = (exact + 2**31) % 2**32 - 2**31
    np.testing.assert_array_equal(found, np.clip(exact, -(2**31), 2**31 - 1) if words else wrapped)


def test_special_values_and_one_rounding() -> None:
    """Infinity times zero is NaN, infinities add up, and a sum of f16 is rounded to f16 once: 2048 + 1 + 1 is 2050."""
    a, b, c = np.zeros((16, 8), np.float16), np.zeros((8, 8), np.float16), np.zeros((16, 8), np.float16)
    a[0, 0], b[0, 1] = np.inf, 2
    a[1, :2], b[:2, 2], c[1, 2] = 1, 1, 2048
    c[2, 3] = -np.inf
    (count_a, place_a), (count_b, place_b) = A[(16, 8, 8), HALF], B[(16, 8, 8), HALF]
    count_c, place_c = accumulators(16)
    inputs = {"a": held(a.view(np.uint16), count_a, place_a), "b": held(b.view(np.uint16), count_b, place_b)}
    inputs["c"] = held(c.view(np.uint16), count_c, place_c)
    text = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {O}, {A}, {B}, {C};"
    halves = execute(text, inputs, ("u32", count_c // 2)).view(np.float16)
    found = np.zeros((16, 8))
    for lane in range(32):
        for i in range(count_c):
            found[place_c(lane, i)] = halves[lane, i]
    assert found[0, 1] == found[0, 2] == np.inf
    assert np.isnan(found[0, [0, 3, 4, 5, 6, 7]]).all()
    assert found[1, 2] == 2050
    assert found[2, 3] == -np.inf


def test_movmatrix_of_two_warps() -> None:
    """Lane l holds the elements 2 (l % 4) and the next of row l // 4 (PTX ISA 9.7.14.5.17)."""
    x = np.random.default_rng(2).permutation(1 << 16)[:128].astype(np.uint16).reshape(2, 8, 8)
    text = "movmatrix.sync.aligned.m8n8.trans.b16 %o0, %a0;"
    found = execute(text, {"a": x.reshape(64, 2).view(np.uint32)}, ("u32", 1), threads=64)
    np.testing.assert_array_equal(np.ascontiguousarray(found).view(np.uint16).reshape(2, 8, 8), x.transpose(0, 2, 1))
