"""Narrow contents in wide registers and words: what lies above them is right, or the kernel is refused; never taken for zeros."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor
from vc_evaluate import Array, evaluate

from volta_pipe.ir.errors import UnsupportedError

N = 16
X: Array = np.array([k / 4 for k in range(-8, 9) if k], dtype=np.float64)
HALF = "ld.global.u16 %rs1, [%at_x]; cvt.u32.u16 %r2, %rs1; mov.b16 %rs9, 0; setp.gt.f16 %p1, %rs1, %rs9;"
WORD = "ld.global.u32 %rd1, [%at_x]; ld.global.f32 %f1, [%at_x]; setp.gt.f32 %p1, %f1, 0f00000000;"
ONES = "or.b32 %r2, %r1, -1;"
SLOT = ".shared .align 8 .b8 s[128]; mov.u32 %r20, s; mad.lo.u32 %r21, %r50, 8, %r20;"
Want = Callable[[Array], Array]


def pair(low: Array, high: Array | float) -> Array:
    """The elements of words whose halves these are."""
    return np.stack([low, np.broadcast_to(high, low.shape)], 1).ravel()


# (dtype of x, dtype of o, elements of o a thread, code, right values or None where only a refusal is right)
CASES: dict[str, tuple[str, str, int, str, Want | None]] = {
    "or above a half": ("f16", "f16", 2, HALF + "or.b32 %r3, %r2, 0x3c000000; st.global.b32 [%at_o], %r3;", lambda x: pair(x, 1.0)),
    "xor above a half": ("f16", "f16", 2, HALF + "xor.b32 %r3, %r2, 0x3c000000; st.global.b32 [%at_o], %r3;", lambda x: pair(x, 1.0)),
    "and drops what is above": ("f16", "f16", 2, HALF + "and.b32 %r3, %r2, 0xffff7fff; st.global.b32 [%at_o], %r3;", lambda x: pair(abs(x), 0.0)),
    "guarded move": ("f16", "f16", 2, HALF + "@%p1 mov.b32 %r2, 0x3c003c00; st.global.b32 [%at_o], %r2;", lambda x: pair(np.where(x > 0, 1, x), np.where(x > 0, 1, 0))),
    "selp of a pair": ("f16", "f16", 2, HALF + "selp.b32 %r3, 0x3c003c00, %r2, %p1; st.global.b32 [%at_o], %r3;", lambda x: pair(np.where(x > 0, 1, x), np.where(x > 0, 1, 0))),
    "guarded store": ("f16", "f16", 2, HALF + SLOT + "st.shared.b32 [%r21], %r2; @%p1 st.shared.b32 [%r21], 0x3c003c00; ld.shared.b32 %r3, [%r21]; st.global.b32 [%at_o], %r3;", lambda x: pair(np.where(x > 0, 1, x), np.where(x > 0, 1, 0))),
    "selp of 64 bits": ("f32", "f32", 2, WORD + "selp.b64 %rd2, 0x3f8000003f800000, %rd1, %p1; st.global.b64 [%at_o], %rd2;", lambda x: pair(np.where(x > 0, 1, x), np.where(x > 0, 1, 0))),
    "or above a byte": ("e4m3", "e4m3", 2, "ld.global.u8 %rs1, [%at_x]; or.b16 %rs2, %rs1, 0x3800; st.global.b16 [%at_o], %rs2;", lambda x: pair(x, 1.0)),
    "cvt.s32 into 64 bits": ("f32", "f32", 1, "ld.global.b32 %r2, [%at_x]; cvt.s32.u32 %rd9, %r2; mov.b64 {%r3, %r4}, %rd9; st.global.b32 [%at_o], %r4;", None),
    "cvt.s32 of 64 bits": ("f32", "f32", 1, "ld.global.u32 %rd1, [%at_x]; cvt.s32.s64 %rd9, %rd1; mov.b64 {%r3, %r4}, %rd9; st.global.b32 [%at_o], %r4;", None),
    "known bits, signed load": ("f32", "s32", 1, "ld.global.b32 %r1, [%at_x];" + ONES + SLOT + "st.shared.b32 [%r21], %r2; ld.shared.s32 %rd1, [%r21]; mov.b64 {%r3, %r9}, %rd1; st.global.b32 [%at_o], %r9;", lambda x: x * 0 - 1),
    "known bits, unsigned load": ("f32", "s32", 1, "ld.global.b32 %r1, [%at_x];" + ONES + SLOT + "mov.b64 %rd5, {%r2, %r2}; st.shared.b64 [%r21], %rd5; ld.shared.u32 %rd1, [%r21]; mov.b64 {%r3, %r9}, %rd1; st.global.b32 [%at_o], %r9;", lambda x: x * 0),
    "saturated NaN": ("f32", "f32", 1, "mov.f32 %f2, 0f7FC00000; cvt.sat.f32.f32 %f3, %f2; setp.ge.f32 %p1, %f3, 0f00000000; selp.f32 %f4, 0f3F800000, 0f40000000, %p1; st.global.f32 [%at_o], %f4;", lambda x: x * 0 + 1),
    "saturated NaN of a sum": ("f32", "f32", 1, "mov.f32 %f2, 0f7FC00000; add.sat.f32 %f3, %f2, %f2; st.global.f32 [%at_o], %f3;", lambda x: x * 0),
    "satfinite beyond the range": ("f32", "e4m3", 2, "mov.f32 %f1, 0f447A0000; cvt.rn.satfinite.e4m3x2.f32 %rs2, %f1, %f1; st.global.b16 [%at_o], %rs2;", lambda x: pair(x * 0 + 448, 448.0)),
}  # fmt: skip
# Refused today, and right to be.
REFUSED = {"guarded move", "selp of a pair", "guarded store", "selp of 64 bits", "satfinite beyond the range"}
SIZE = {"f16": 2, "e4m3": 1}


@pytest.mark.parametrize("name", CASES)
def test_what_lies_above(name: str) -> None:
    dtype, out, each, code, want = CASES[name]
    body = at("x", size=SIZE.get(dtype, 4)) + at("o", size=each * SIZE.get(out, 4)) + code
    outcome = run_body(body, [tensor("x", dtype, N, "in"), tensor("o", out, each * N, "out")], N)
    assert outcome.kinds == []
    if want is None or name in REFUSED:
        with pytest.raises(UnsupportedError):
            outcome.conditions()
        return
    np.testing.assert_array_equal(evaluate(outcome.conditions(), {"x": X})["o"], want(X))


@pytest.mark.parametrize("half", (0, 4))
@pytest.mark.parametrize("dtype", ("f64", "u64"))
def test_one_half_of_an_element_is_written_before_the_other_is_read(dtype: str, half: int) -> None:
    """The store stays: the element is then no input element any more, but an integer has other 32 bits."""
    body = (
        at("x", size=8) + f"mov.u32 %r2, 0x40100000; st.global.b32 [%at_x+{half}], %r2; ld.global.b32 %r3, [%at_x+{4 - half}];"
    )
    outcome = run_body(body, [tensor("x", dtype, N, "inout")], N)
    if dtype == "f64":
        with pytest.raises(UnsupportedError):
            outcome.conditions()
        return
    x = [(0x0123456789ABCDEF * (i + 3)) % 2**64 for i in range(N)]
    found = evaluate(outcome.conditions(), {"x": np.array(x, object)}, exact=True)["x"].tolist()
    assert found == [v & ~(0xFFFFFFFF << 8 * half) | 0x40100000 << 8 * half for v in x]
