"""Floats of 16 and 8 bits and packed pairs: what output elements are, evaluated at exactly representable points, against NumPy."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor
from vc_evaluate import Array, evaluate

from volta_pipe.ir.errors import UnsupportedError

N = 32
RNG = np.random.default_rng(11)
# Eighths of small integers: exact in f16 and, up to 8 significant bits, in bf16.
X, Y = (RNG.integers(-24, 25, 2 * N).astype(np.float64) / 8 for _ in range(2))
SMALL = ("f16", "bf16")
Function = Callable[[Array, Array], Array]


def _run(code: str, dtype: str, out: str, function: Function, pair: bool, inputs: int = 2) -> None:
    size, word, register = (4, "b32", "%r") if pair else (2, "b16", "%rs")
    out_size = {"f32": 4, "f64": 8}.get(out, size)
    body = at("x", size=size) + at("y", size=size) + at("o", size=out_size)
    body += f"ld.global.{word} {register}1, [%at_x]; ld.global.{word} {register}2, [%at_y];"
    body += code.replace("T", dtype + "x2" if pair else dtype).replace("E", dtype)
    store = {"f32": "st.global.f32 [%at_o], %f9;", "f64": "st.global.f64 [%at_o], %fd9;"}
    body += store.get(out, f"st.global.{word} [%at_o], {register}9;")
    n = 2 * N if pair else N
    tensors = [tensor("x", dtype, n, "in"), tensor("y", dtype, n, "in"), tensor("o", dtype if out == "" else out, n, "out")]
    outcome = run_body(body, tensors, N)
    assert outcome.kinds == []
    found = evaluate(outcome.conditions(), {"x": X[:n], "y": Y[:n]})["o"]
    np.testing.assert_allclose(found, function(X[:n], Y[:n]), rtol=1e-9)


SINGLE: list[tuple[str, str, Function]] = [
    ("add.T %rs3, %rs1, %rs2; sub.T %rs4, %rs3, %rs2; mul.T %rs9, %rs4, %rs2;", "", lambda x, y: x * y),
    ("fma.rn.T %rs9, %rs1, %rs2, %rs1;", "", lambda x, y: x * y + x),
    ("fma.rn.relu.T %rs9, %rs1, %rs2, %rs1;", "", lambda x, y: np.maximum(x * y + x, 0)),
    ("neg.T %rs3, %rs1; abs.T %rs4, %rs2; max.T %rs5, %rs3, %rs4; min.NaN.T %rs9, %rs5, %rs1;", "", lambda x, y: np.minimum(np.maximum(-x, abs(y)), x)),
    ("cvt.f32.T %f1, %rs1; cvt.f32.T %f2, %rs2; fma.rn.f32 %f9, %f1, %f2, %f2;", "f32", lambda x, y: x * y + y),
    ("cvt.f32.T %f1, %rs1; mul.f32 %f2, %f1, %f1; cvt.rn.T.f32 %rs3, %f2; add.T %rs9, %rs3, %rs2;", "", lambda x, y: x * x + y),
    ("cvt.f32.T %f1, %rs1; cvt.rn.relu.T.f32 %rs9, %f1;", "", lambda x, y: np.maximum(x, 0)),
    ("setp.lt.T %p1, %rs1, %rs2; selp.b16 %rs9, %rs1, %rs2, %p1;", "", np.minimum),
    ("setp.gtu.T %p1, %rs1, %rs2; selp.b16 %rs3, %rs1, 0, %p1; add.T %rs9, %rs3, %rs2;", "", lambda x, y: np.where(x > y, x + y, y)),
    ("setp.gt.T %p1, %rs1, %rs2; mov.b16 %rs9, %rs2; @%p1 mov.b16 %rs9, %rs1;", "", np.maximum),
    ("xor.b16 %rs3, %rs1, 0x8000; and.b16 %rs4, %rs2, 0x7fff; add.T %rs9, %rs3, %rs4;", "", lambda x, y: abs(y) - x),
    ("or.b16 %rs9, %rs1, 0x8000;", "", lambda x, y: -abs(x)),
    ("mov.b32 %r1, {%rs1, %rs2}; mov.b32 {%rs3, %rs4}, %r1; sub.T %rs9, %rs4, %rs3;", "", lambda x, y: y - x),
    ("cvt.u32.u16 %r1, %rs1; cvt.u32.u16 %r2, %rs2; shl.b32 %r2, %r2, 16; or.b32 %r3, %r1, %r2; shr.u32 %r4, %r3, 16; cvt.u16.u32 %rs3, %r4; cvt.u16.u32 %rs4, %r3; sub.T %rs9, %rs3, %rs4;", "", lambda x, y: y - x),
    ("mov.b32 %r1, {%rs1, %rs2}; prmt.b32 %r2, %r1, 0, 0x1032; mov.b32 {%rs9, %rs3}, %r2;", "", lambda x, y: y),
    ("mov.b32 %r1, {%rs1, %rs2}; lop3.b32 %r2, %r1, 0xffff0000, 0, 0xc0; shf.l.wrap.b32 %r3, %r2, %r2, 16; cvt.u16.u32 %rs9, %r3;", "", lambda x, y: y),
    (".shared .align 4 .b8 s[128]; mov.u32 %r1, s; mad.lo.u32 %r2, %r50, 4, %r1; st.shared.b16 [%r2], %rs1; st.shared.b16 [%r2+2], %rs2; ld.shared.b32 %r3, [%r2]; mov.b32 {%rs3, %rs4}, %r3; sub.T %rs9, %rs4, %rs3;", "", lambda x, y: y - x),
    (".shared .align 4 .b8 s[128]; mov.u32 %r1, s; mad.lo.u32 %r2, %r50, 4, %r1; mov.b32 %r3, {%rs1, %rs2}; st.shared.b32 [%r2], %r3; ld.shared.u16 %rs9, [%r2+2];", "", lambda x, y: y),
    ("cvt.f64.T %fd1, %rs1; cvt.f64.T %fd2, %rs2; div.rn.f64 %fd9, %fd1, 0d4010000000000000; add.f64 %fd9, %fd9, %fd2;", "f64", lambda x, y: x / 4 + y),
    ("abs.T %rs3, %rs1; ex2.approx.E2 %rs9, %rs3;".replace("E2", "T"), "", lambda x, y: 2.0 ** abs(x)),
    ("tanh.approx.T %rs9, %rs1;", "", lambda x, y: np.tanh(x)),
]  # fmt: skip
PAIRED: list[tuple[str, str, Function]] = [
    ("add.T %r3, %r1, %r2; fma.rn.T %r9, %r3, %r2, %r1;", "", lambda x, y: (x + y) * y + x),
    ("mul.T %r3, %r1, %r2; max.T %r4, %r3, %r1; neg.T %r5, %r4; min.T %r9, %r5, %r2;", "", lambda x, y: np.minimum(-np.maximum(x * y, x), y)),
    ("xor.b32 %r3, %r1, 0x80008000; and.b32 %r4, %r2, 0x7fff7fff; sub.T %r9, %r4, %r3;", "", lambda x, y: abs(y) + x),
    ("mov.b32 {%rs1, %rs2}, %r1; cvt.f32.E %f1, %rs1; cvt.f32.E %f2, %rs2; mul.f32 %f1, %f1, %f1; mul.f32 %f2, %f2, %f2; cvt.rn.T.f32 %r9, %f2, %f1;", "", lambda x, y: x * x),
    ("fma.rn.relu.T %r9, %r1, %r2, %r2;", "", lambda x, y: np.maximum(x * y + y, 0)),
    ("prmt.b32 %r3, %r1, %r2, 0x5410; prmt.b32 %r4, %r1, %r2, 0x7632; sub.T %r9, %r4, %r3;", "", lambda x, y: np.stack([x[1::2] - x[::2], y[1::2] - y[::2]], 1).ravel()),
    (".shared .align 8 .b8 s[256]; mov.u32 %r4, s; mad.lo.u32 %r5, %r50, 8, %r4; st.shared.v2.b32 [%r5], {%r1, %r2}; ld.shared.b64 %rd1, [%r5]; mov.b64 {%r6, %r7}, %rd1; sub.T %r9, %r7, %r6;", "", lambda x, y: y - x),
    (".shared .align 8 .b8 s[256]; mov.u32 %r4, s; mad.lo.u32 %r5, %r50, 8, %r4; st.shared.v2.b32 [%r5], {%r1, %r2}; ld.shared.v4.b16 {%rs1, %rs2, %rs3, %rs4}, [%r5]; mov.b32 %r9, {%rs3, %rs2};", "", lambda x, y: np.stack([y[::2], x[1::2]], 1).ravel()),
]  # fmt: skip


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("case", range(len(SINGLE)))
def test_one_element(dtype: str, case: int) -> None:
    code, out, function = SINGLE[case]
    _run(code, dtype, out, function, pair=False)


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("case", range(len(PAIRED)))
def test_pairs(dtype: str, case: int) -> None:
    code, out, function = PAIRED[case]
    _run(code, dtype, out, function, pair=True)


BF16 = [
    ("mov.b32 %r1, {0, %rs1}; mov.b32 %f1, %r1; cvt.f32.bf16 %f2, %rs2; fma.rn.f32 %f9, %f1, %f2, %f1;", lambda x, y: x * y + x),
    ("cvt.u32.u16 %r1, %rs1; shl.b32 %r1, %r1, 16; mov.b32 %f9, %r1;", lambda x, y: x),
    ("mov.b32 %r1, {%rs1, %rs2}; and.b32 %r2, %r1, 0xffff0000; shl.b32 %r3, %r1, 16; mov.b32 %f1, %r2; mov.b32 %f2, %r3; sub.f32 %f9, %f1, %f2;", lambda x, y: y - x),
    ("cvt.f32.bf16 %f1, %rs1; mul.f32 %f2, %f1, %f1; mov.b32 %r1, %f2; shr.u32 %r2, %r1, 16; cvt.u16.u32 %rs3, %r2; cvt.f32.bf16 %f9, %rs3;", lambda x, y: x * x),
    ("cvt.f32.bf16 %f1, %rs1; mul.f32 %f2, %f1, %f1; mov.b32 {%rs4, %rs3}, %f2; cvt.f32.bf16 %f9, %rs3;", lambda x, y: x * x),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(BF16)))
def test_bfloat16_is_the_upper_half_of_a_float32(case: int) -> None:
    code, function = BF16[case]
    _run(code, "bf16", "f32", function, pair=False)


@pytest.mark.parametrize("kind", ("e4m3", "e5m2"))
def test_fp8_pairs(kind: str) -> None:
    """Each thread reads two elements of x as 16 bits, doubles them as f16x2, and writes f32 and fp8."""
    body = at("x", size=2) + at("y", size=2) + at("o", size=8)
    body += (
        f"ld.global.b16 %rs1, [%at_x]; cvt.rn.f16x2.{kind}x2 %r1, %rs1; add.f16x2 %r2, %r1, %r1; mov.b32 {{%rs2, %rs3}}, %r2;"
    )
    body += f"cvt.f32.f16 %f1, %rs2; cvt.f32.f16 %f2, %rs3; cvt.rn.satfinite.{kind}x2.f32 %rs4, %f2, %f1; st.global.b16 [%at_y], %rs4;"
    body += "st.global.v2.f32 [%at_o], {%f1, %f2};"
    tensors = [tensor("x", kind, 2 * N, "in"), tensor("y", kind, 2 * N, "out"), tensor("o", "f32", 2 * N, "out")]
    outcome = run_body(body, tensors, N)
    assert outcome.kinds == []
    assert any("satfinite" in text for text in outcome.program.assumptions)
    found = evaluate(outcome.conditions(), {"x": X})
    np.testing.assert_array_equal(found["y"], 2 * X)
    np.testing.assert_array_equal(found["o"], 2 * X)


@pytest.mark.parametrize(
    ("dtype", "code"),
    [
        ("f16", "add.bf16 %rs9, %rs1, %rs2;"),
        ("bf16", "cvt.f32.f16 %f1, %rs1; cvt.rn.bf16.f32 %rs9, %f1;"),
        ("f16", "shl.b16 %rs9, %rs1, 1;"),
        ("f16", "mov.b32 %r1, {0, %rs1}; mov.b32 %f1, %r1; cvt.rn.f16.f32 %rs9, %f1;"),
        ("f16", "cvt.f32.f16 %f1, %rs1; mov.b32 {%rs4, %rs3}, %f1; add.f16 %rs9, %rs3, %rs2;"),
        ("bf16", "cvt.f32.bf16 %f1, %rs1; mov.b32 {%rs4, %rs3}, %f1; add.bf16 %rs9, %rs4, %rs2;"),
        ("f16", "cvt.s32.s16 %r1, %rs1; shr.u32 %r1, %r1, 16; cvt.u16.u32 %rs9, %r1;"),
        ("f16", "cvt.sat.u8.u16 %rs9, %rs1;"),
    ],
)
def test_bits_read_in_another_format_are_refused(dtype: str, code: str) -> None:
    body = at("x", size=2) + at("y", size=2) + at("o", size=2) + "ld.global.b16 %rs1, [%at_x]; ld.global.b16 %rs2, [%at_y];"
    tensors = [tensor("x", dtype, N, "in"), tensor("y", dtype, N, "in"), tensor("o", dtype, N, "out")]
    outcome = run_body(body + code + "st.global.b16 [%at_o], %rs9;", tensors, N)
    with pytest.raises(UnsupportedError):
        outcome.conditions()


@pytest.mark.parametrize(
    ("code", "fine"),
    [
        ("ld.global.u32 %rd1, [%at_x]; mov.b64 {%r1, %r2}, %rd1; mov.b32 %f1, %r1; st.global.f32 [%at_o], %f1;", True),
        ("ld.global.u32 %rd1, [%at_x]; st.global.u32 [%at_o], %rd1;", True),
        ("ld.global.u32 %rd1, [%at_x]; mov.b64 {%r1, %r2}, %rd1; st.global.b32 [%at_o], %r2;", None),
        ("ld.global.s32 %rd1, [%at_x]; mov.b64 {%r1, %r2}, %rd1; st.global.b32 [%at_o], %r2;", False),
        ("ld.global.s32 %r1, [%at_x]; cvt.s64.s32 %rd1, %r1; mov.b64 {%r1, %r2}, %rd1; st.global.b32 [%at_o], %r2;", False),
    ],
)
def test_a_word_in_a_register_of_64_bits(code: str, fine: bool | None) -> None:
    """Above an unsigned load there are zeros; how the sign of a signed one goes on is not known, and never taken for zeros."""
    tensors = [tensor("x", "f32", N, "in"), tensor("o", "f32", N, "out")]
    outcome = run_body(at("x") + at("o") + code, tensors, N)
    if fine is False:
        with pytest.raises(UnsupportedError):
            outcome.conditions()
        return
    found = evaluate(outcome.conditions(), {"x": X[:N]})["o"]
    np.testing.assert_array_equal(found, X[:N] if fine else np.zeros(N))
