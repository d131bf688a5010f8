"""Integers that depend on data: elements of integer tensors, extended, cut, taken out of packed words, compared, converted.

Right values are NumPy's on two's complement; inputs are the edges of each type and random ones."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from unroll_harness import Array, Outcome, at, run_body, tensor
from vc_evaluate import evaluate

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.launch import DTYPES

N = 32
RNG = np.random.default_rng(3)
TYPES = {"s8": np.int8, "u8": np.uint8, "s16": np.int16, "u16": np.uint16, "s32": np.int32, "u32": np.uint32}
TYPES |= {"s64": np.int64, "u64": np.uint64, "b8": np.uint8}


def numbers(dtype: str, count: int) -> Array:
    """Every edge of the type, then random ones; 64-bit ones stay below 2^53, which the evaluator's floats hold."""
    kind = TYPES[dtype]
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    if DTYPES[dtype][0] == 8:
        low, high = max(low, -(2**53)), 2**53
    edges = [low, high, 0, 1, low + 1, high - 1, high // 2, high // 2 + 1, *([-1, -2] if low < 0 else [2])]
    return np.array([*edges, *RNG.integers(low, high, count)][:count], kind)


def run(code: str, dtype: str, out: str, each: int = 1) -> Outcome:
    """Thread i has the address of element each * i of x; %f9, %fd9 or %r9 is the result."""
    step = DTYPES[dtype][0] * each
    words = {"f32": "st.global.f32 [%at_o], %f9;", "f64": "st.global.f64 [%at_o], %fd9;"}
    store = words.get(out, f"st.global.u{8 * DTYPES[out][0]} [%at_o], {'%rd9' if DTYPES[out][0] == 8 else '%r9'};")
    body = at("x", size=step) + at("o", size=DTYPES[out][0]) + code + store
    outcome = run_body(body, [tensor("x", dtype, N * each, "in"), tensor("o", out, N, "out")], N)
    assert outcome.kinds == [] and outcome.program.complete
    return outcome


def check(code: str, dtype: str, expected: Callable[[Array], Array], out: str = "f32", each: int = 1) -> None:
    x = numbers(dtype, N * each)
    found = evaluate(run(code, dtype, out, each).conditions(), {"x": x.astype(np.float64)})["o"]
    np.testing.assert_array_equal(found, np.asarray(expected(x.reshape(N, each) if each > 1 else x), np.float64))


LOADS: list[tuple[str, str, Callable[[Array], Array]]] = [
    ("s8", "ld.global.s8 %rs1, [%at_x]; cvt.rn.f32.s16 %f9, %rs1;", lambda x: x),
    ("u8", "ld.global.u8 %rs1, [%at_x]; cvt.rn.f32.u16 %f9, %rs1;", lambda x: x),
    ("b8", "ld.global.u8 %rs1, [%at_x]; cvt.rn.f32.u16 %f9, %rs1;", lambda x: x),
    ("u8", "ld.global.u8 %rs1, [%at_x]; cvt.rn.f32.s16 %f9, %rs1;", lambda x: x),
    ("u8", "ld.global.s8 %rs1, [%at_x]; cvt.rn.f32.s16 %f9, %rs1;", lambda x: x.view(np.int8)),
    ("s8", "ld.global.u8 %rs1, [%at_x]; cvt.rn.f32.u16 %f9, %rs1;", lambda x: x.view(np.uint8)),
    ("s8", "ld.global.s8 %rs1, [%at_x]; cvt.rn.f32.u16 %f9, %rs1;", lambda x: x.astype(np.int16).view(np.uint16)),
    ("s8", "ld.global.s8 %r1, [%at_x]; cvt.rn.f32.s32 %f9, %r1;", lambda x: x),
    ("s8", "ld.global.s8 %r1, [%at_x]; cvt.rn.f32.u32 %f9, %r1;", lambda x: x.astype(np.int32).view(np.uint32)),
    ("s8", "ld.global.s8 %rd1, [%at_x]; cvt.rn.f32.s64 %f9, %rd1;", lambda x: x),
    ("s8", "ld.global.s8 %rd1, [%at_x]; cvt.u32.u64 %r1, %rd1; cvt.rn.f32.s32 %f9, %r1;", lambda x: x),
    ("s8", "ld.global.s8 %rs1, [%at_x]; cvt.s32.s16 %r1, %rs1; cvt.rn.f32.s32 %f9, %r1;", lambda x: x),
    ("s8", "ld.global.s8 %rs1, [%at_x]; cvt.u32.u16 %r1, %rs1; cvt.rn.f32.s32 %f9, %r1;", lambda x: x.astype(np.int16).view(np.uint16)),
    ("s8", "ld.global.u8 %rs1, [%at_x]; cvt.s16.s8 %rs2, %rs1; cvt.rn.f32.s16 %f9, %rs2;", lambda x: x),
    ("s8", "ld.global.u8 %rs1, [%at_x]; cvt.rn.f32.s8 %f9, %rs1;", lambda x: x),
    ("s8", "ld.global.u8 %r1, [%at_x]; cvt.s32.s8 %r2, %r1; cvt.rn.f32.s32 %f9, %r2;", lambda x: x),
    ("s8", "ld.global.u8 %r1, [%at_x]; shl.b32 %r2, %r1, 24; shr.s32 %r3, %r2, 24; cvt.rn.f32.s32 %f9, %r3;", lambda x: x),
    ("u8", "ld.global.u8 %r1, [%at_x]; shl.b32 %r2, %r1, 24; shr.s32 %r3, %r2, 24; cvt.rn.f32.s32 %f9, %r3;", lambda x: x.view(np.int8)),
    ("s8", "ld.global.u8 %rs1, [%at_x]; and.b16 %rs2, %rs1, 255; cvt.u32.u16 %r1, %rs2; cvt.rn.f32.u32 %f9, %r1;", lambda x: x.view(np.uint8)),
    ("u8", "ld.global.u8 %rs1, [%at_x]; cvt.s32.u8 %r1, %rs1; cvt.rn.f32.s32 %f9, %r1;", lambda x: x),
    ("u8", "ld.global.u8 %rs1, [%at_x]; cvt.s64.s8 %rd1, %rs1; cvt.rn.f32.s64 %f9, %rd1;", lambda x: x.view(np.int8)),
    ("s16", "ld.global.s16 %r1, [%at_x]; cvt.rn.f32.s32 %f9, %r1;", lambda x: x),
    ("s16", "ld.global.u16 %r1, [%at_x]; cvt.rn.f32.s32 %f9, %r1;", lambda x: x.view(np.uint16)),
    ("u16", "ld.global.u16 %rs1, [%at_x]; cvt.rn.f32.u16 %f9, %rs1;", lambda x: x),
    ("u16", "ld.global.u16 %rs1, [%at_x]; cvt.rn.f32.s16 %f9, %rs1;", lambda x: x.view(np.int16)),
    ("u16", "ld.global.u16 %rs1, [%at_x]; mov.b32 %r1, {%rs1, %rs1}; shr.s32 %r2, %r1, 16; cvt.rn.f32.s32 %f9, %r2;", lambda x: x.view(np.int16)),
    ("s16", "ld.global.s16 %rs1, [%at_x]; mov.u16 %rs2, 0; mov.b32 %r1, {%rs1, %rs2}; cvt.rn.f32.s32 %f9, %r1;", lambda x: x.view(np.uint16)),
    ("s32", "ld.global.u32 %r1, [%at_x]; cvt.rn.f64.s32 %fd9, %r1;", lambda x: x),
    ("s32", "ld.global.s32 %r1, [%at_x]; cvt.rn.f64.s32 %fd9, %r1;", lambda x: x),
    ("s32", "ld.global.u32 %r1, [%at_x]; cvt.rn.f64.u32 %fd9, %r1;", lambda x: x.view(np.uint32)),
    ("s32", "ld.global.s32 %rd1, [%at_x]; cvt.rn.f64.s64 %fd9, %rd1;", lambda x: x),
    ("s32", "ld.global.u32 %rd1, [%at_x]; cvt.rn.f64.s64 %fd9, %rd1;", lambda x: x.view(np.uint32)),
    ("s32", "ld.global.s32 %r1, [%at_x]; cvt.s64.s32 %rd1, %r1; cvt.rn.f64.s64 %fd9, %rd1;", lambda x: x),
    ("s32", "ld.global.s32 %r1, [%at_x]; shr.s32 %r2, %r1, 0; cvt.rn.f64.s32 %fd9, %r2;", lambda x: x),
    ("u32", "ld.global.u32 %r1, [%at_x]; cvt.rn.f64.u32 %fd9, %r1;", lambda x: x),
    ("u32", "ld.global.u32 %r1, [%at_x]; cvt.rn.f64.s32 %fd9, %r1;", lambda x: x.view(np.int32)),
    ("u32", "ld.global.u32 %r1, [%at_x]; cvt.u64.u32 %rd1, %r1; cvt.rn.f64.s64 %fd9, %rd1;", lambda x: x),
    ("s64", "ld.global.u64 %rd1, [%at_x]; cvt.rn.f64.s64 %fd9, %rd1;", lambda x: x),
    ("u64", "ld.global.u64 %rd1, [%at_x]; cvt.rn.f64.u64 %fd9, %rd1;", lambda x: x),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "code", "expected"), LOADS, ids=[f"{d}-{k}" for k, (d, _, _) in enumerate(LOADS)])
def test_a_loaded_integer_is_that_integer(dtype: str, code: str, expected: Callable[[Array], Array]) -> None:
    check(code, dtype, expected, "f64" if "%fd9" in code else "f32")


WORD = "ld.global.u32 %r1, [%at_x];"
PACKED: list[tuple[str, str, int, Callable[[Array], Array]]] = [
    *(("s8", f"{WORD} bfe.s32 %r2, %r1, {8 * k}, 8; cvt.rn.f32.s32 %f9, %r2;", 4, lambda x, k=k: x[:, k]) for k in range(4)),
    *(("u8", f"{WORD} bfe.u32 %r2, %r1, {8 * k}, 8; cvt.rn.f32.u32 %f9, %r2;", 4, lambda x, k=k: x[:, k]) for k in range(4)),
    *(("s8", f"{WORD} prmt.b32 %r2, %r1, 0, {s}; cvt.rn.f32.s32 %f9, %r2;", 4, lambda x, k=k: x[:, k]) for k, s in enumerate(("0x8880", "0x9991", "0xAAA2", "0xBBB3"))),
    *(("u8", f"{WORD} prmt.b32 %r2, %r1, 0, 0x444{k}; cvt.rn.f32.s32 %f9, %r2;", 4, lambda x, k=k: x[:, k]) for k in range(4)),
    *(("s8", f"{WORD} shr.u32 %r2, %r1, {8 * k}; cvt.s16.s8 %rs1, %r2; cvt.rn.f32.s16 %f9, %rs1;", 4, lambda x, k=k: x[:, k]) for k in range(4)),
    *(("u8", f"{WORD} shr.u32 %r2, %r1, {8 * k}; and.b32 %r3, %r2, 255; cvt.rn.f32.u32 %f9, %r3;", 4, lambda x, k=k: x[:, k]) for k in range(4)),
    ("s8", f"{WORD} shr.s32 %r2, %r1, 24; cvt.rn.f32.s32 %f9, %r2;", 4, lambda x: x[:, 3]),
    ("s8", f"{WORD} shr.u32 %r2, %r1, 24; cvt.rn.f32.s32 %f9, %r2;", 4, lambda x: x[:, 3].view(np.uint8)),
    ("s8", "ld.global.v4.s8 {%rs1, %rs2, %rs3, %rs4}, [%at_x]; cvt.rn.f32.s16 %f9, %rs3;", 4, lambda x: x[:, 2]),
    ("u8", "ld.global.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%at_x]; cvt.rn.f32.u16 %f9, %rs2;", 4, lambda x: x[:, 1]),
    ("u8", "ld.global.v2.u32 {%r1, %r2}, [%at_x]; shr.u32 %r3, %r2, 16; cvt.u16.u32 %rs1, %r3; and.b16 %rs2, %rs1, 255; cvt.rn.f32.u16 %f9, %rs2;", 8, lambda x: x[:, 6]),
    ("u8", "ld.global.u64 %rd1, [%at_x]; shr.u64 %rd2, %rd1, 40; and.b64 %rd3, %rd2, 255; cvt.rn.f32.u64 %f9, %rd3;", 8, lambda x: x[:, 5]),
    ("s8", "ld.global.u64 %rd1, [%at_x]; bfe.s64 %rd2, %rd1, 48, 8; cvt.rn.f32.s64 %f9, %rd2;", 8, lambda x: x[:, 6]),
    ("s8", "ld.global.u64 %rd1, [%at_x]; shl.b64 %rd2, %rd1, 24; shr.s64 %rd3, %rd2, 56; cvt.rn.f32.s64 %f9, %rd3;", 8, lambda x: x[:, 4]),
    ("s16", f"{WORD} shr.s32 %r2, %r1, 16; cvt.rn.f32.s32 %f9, %r2;", 2, lambda x: x[:, 1]),
    ("s16", f"{WORD} cvt.s32.s16 %r2, %r1; cvt.rn.f32.s32 %f9, %r2;", 2, lambda x: x[:, 0]),
    ("s16", f"{WORD} prmt.b32 %r2, %r1, 0, 0xBB32; cvt.rn.f32.s32 %f9, %r2;", 2, lambda x: x[:, 1]),
    ("s16", f"{WORD} bfe.s32 %r2, %r1, 0, 16; cvt.rn.f32.s32 %f9, %r2;", 2, lambda x: x[:, 0]),
    ("s16", f"{WORD} mov.b32 {{%rs1, %rs2}}, %r1; cvt.rn.f32.s16 %f9, %rs2;", 2, lambda x: x[:, 1]),
    ("s32", "ld.global.u16 %r1, [%at_x]; cvt.rn.f32.s32 %f9, %r1;", 1, lambda x: x.astype(np.uint16)),
    ("s32", "ld.global.s8 %r1, [%at_x+3]; cvt.rn.f32.s32 %f9, %r1;", 1, lambda x: x >> 24),
    ("s32", "ld.global.s8 %r1, [%at_x+1]; cvt.rn.f32.s32 %f9, %r1;", 1, lambda x: (x >> 8).astype(np.int8)),
    ("s32", "ld.global.u64 %rd1, [%at_x]; shr.s64 %rd2, %rd1, 32; cvt.rn.f64.s64 %fd9, %rd2;", 2, lambda x: x[:, 1]),
    ("s32", "ld.global.u64 %rd1, [%at_x]; shr.u64 %rd2, %rd1, 32; cvt.rn.f64.s64 %fd9, %rd2;", 2, lambda x: x[:, 1].astype(np.uint32)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("dtype", "code", "each", "expected"), PACKED, ids=[f"{d}-{k}" for k, (d, _, _, _) in enumerate(PACKED)]
)
def test_an_integer_out_of_a_packed_word(dtype: str, code: str, each: int, expected: Callable[[Array], Array]) -> None:
    check(code, dtype, expected, "f64" if "%fd9" in code else "f32", each)


SHARED = ".shared .align 8 .b8 s[512]; mov.u32 %r1, s; mad.lo.u32 %r2, %r50, 8, %r1; ld.global.s8 %rd1, [%at_x];"
KEPT = [
    "st.shared.u64 [%r2], %rd1; ld.shared.u64 %rd2, [%r2]; cvt.rn.f32.s64 %f9, %rd2;",
    "st.shared.u64 [%r2], %rd1; ld.shared.u32 %r3, [%r2]; cvt.rn.f32.s32 %f9, %r3;",
    "st.shared.u32 [%r2], %rd1; ld.shared.s16 %r3, [%r2]; cvt.rn.f32.s32 %f9, %r3;",
    "st.shared.u32 [%r2], %rd1; ld.shared.s8 %r3, [%r2]; cvt.rn.f32.s32 %f9, %r3;",
    "st.shared.u8 [%r2+5], %rd1; ld.shared.s8 %r3, [%r2+5]; cvt.rn.f32.s32 %f9, %r3;",
    "cvt.u32.u64 %r3, %rd1; mov.b64 {%r4, %r5}, %rd1; mov.b64 %rd2, {%r3, %r5}; cvt.rn.f32.s64 %f9, %rd2;",
    "cvt.u32.u64 %r3, %rd1; mov.b32 {%rs1, %rs2}, %r3; mov.b32 %r4, {%rs1, %rs2}; cvt.rn.f32.s32 %f9, %r4;",
    "cvt.u32.u64 %r3, %rd1; shfl.sync.idx.b32 %r4, %r3, %r50, 31, -1; cvt.rn.f32.s32 %f9, %r4;",
]


@pytest.mark.parametrize("code", KEPT)
def test_an_extended_integer_keeps_its_sign_on_the_way(code: str) -> None:
    check(SHARED + code, "s8", lambda x: x)


def test_integers_that_are_stored() -> None:
    check("ld.global.s8 %r9, [%at_x];", "s8", lambda x: x, "s32")
    check("ld.global.u8 %r9, [%at_x];", "s8", lambda x: x.view(np.uint8), "s32")
    check("ld.global.s8 %r9, [%at_x];", "u8", lambda x: x.view(np.int8).astype(np.uint32), "u32")
    check("ld.global.u16 %r9, [%at_x];", "u16", lambda x: x.view(np.int16), "s16")
    check("ld.global.u32 %r9, [%at_x];", "s32", lambda x: x.view(np.uint32), "u32")
    check("ld.global.s8 %rd9, [%at_x];", "s8", lambda x: x, "s64")


def compared(kind: str, dtype: str, number: int) -> Callable[[Array], Array]:
    apply = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}
    return lambda x: apply[kind](x.astype(np.int64).astype(TYPES[dtype]).astype(np.int64), number)


@pytest.mark.parametrize("kind", ("eq", "ne", "lt", "le", "gt", "ge"))
def test_comparisons(kind: str) -> None:
    """Of a signed byte, as it is and as the unsigned word that its extension is."""
    take = "selp.f32 %f9, 0f3F800000, 0f00000000, %p1;"
    for number in (0, -2, 127):
        check(f"ld.global.s8 %r1, [%at_x]; setp.{kind}.s32 %p1, %r1, {number}; {take}", "s8", compared(kind, "s32", number))
    check(f"ld.global.s8 %r1, [%at_x]; setp.{kind}.u32 %p1, %r1, -2; {take}", "s8", compared(kind, "u32", 2**32 - 2))
    both = f"ld.global.s8 %r1, [%at_x]; setp.{kind}.s32 %p2|%p1, %r1, 1; {take}"
    check(both, "s8", lambda x: ~compared(kind, "s32", 1)(x))
    check(f"ld.global.u8 %rs1, [%at_x]; setp.{kind}.s16 %p1, %rs1, 127; {take}", "u8", compared(kind, "s32", 127))


def test_unsigned_names_of_comparisons() -> None:
    check(
        "ld.global.s8 %r1, [%at_x]; setp.hs.u32 %p1, %r1, 128; selp.f32 %f9, 0f3F800000, 0f00000000, %p1;",
        "s8",
        lambda x: x < 0,
    )


REFUSED = [
    ("u8", "ld.global.u8 %rs1, [%at_x]; cvt.rn.f16x2.e4m3x2 %r1, %rs1; mov.b32 {%rs2, %rs3}, %r1; cvt.f32.f16 %f9, %rs2;", "its dtype in the contract"),
    ("u8", "ld.global.u8 %rs1, [%at_x]; shl.b16 %rs2, %rs1, 8; cvt.f32.f16 %f9, %rs2;", "its dtype in the contract"),
    ("e4m3", "ld.global.u8 %rs1, [%at_x]; shl.b16 %rs2, %rs1, 8; cvt.f32.f16 %f9, %rs2;", "a conversion meets"),
    ("e5m2", "ld.global.u8 %rs1, [%at_x]; shl.b16 %rs2, %rs1, 7; cvt.f32.f16 %f9, %rs2;", "integer work"),
    ("e5m2", "ld.global.u8 %rs1, [%at_x]; cvt.rn.f32.u16 %f9, %rs1;", "a conversion meets"),
    ("s8", "ld.global.s8 %r1, [%at_x]; mov.b32 %f9, %r1; add.f32 %f9, %f9, %f9;", "a float operand"),
    ("f32", "ld.global.f32 %f1, [%at_x]; mov.b32 %r1, %f1; setp.lt.s32 %p1, %r1, 0; selp.f32 %f9, %f1, %f1, %p1;", "integer work"),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "code", "why"), REFUSED)
def test_what_is_not_exact_is_refused_at_its_line(dtype: str, code: str, why: str) -> None:
    outcome = run(code.replace(";", ";\n"), dtype, "f32")
    with pytest.raises(UnsupportedError, match=why) as error:
        outcome.conditions()
    assert error.value.instruction >= 0


def test_e5m2_is_the_upper_byte_of_a_half() -> None:
    x = RNG.integers(-8, 9, N) / 4.0
    code = "ld.global.u8 %rs1, [%at_x]; shl.b16 %rs2, %rs1, 8; cvt.f32.f16 %f9, %rs2;"
    np.testing.assert_array_equal(evaluate(run(code, "e5m2", "f32").conditions(), {"x": x})["o"], x)
    word = "ld.global.u32 %r1, [%at_x]; prmt.b32 %r2, %r1, 0, 0x3424; mov.b32 {%rs1, %rs2}, %r2; cvt.f32.f16 %f1, %rs1; cvt.f32.f16 %f2, %rs2; fma.rn.f32 %f9, %f2, 0f40000000, %f1;"
    four = RNG.integers(-8, 9, 4 * N) / 4.0
    found = evaluate(run(word, "e5m2", "f32", 4).conditions(), {"x": four})["o"]
    np.testing.assert_array_equal(found, 2 * four[3::4] + four[2::4])
