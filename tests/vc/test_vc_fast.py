"""Loads of words and halves that were met before, and conversions of halves: in all lanes, in some, and mixed with others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor
from vc_evaluate import Array, evaluate

N = 32
RNG = np.random.default_rng(5)
X, Y = (RNG.integers(-24, 25, N).astype(np.float64) / 8 for _ in range(2))  # exact in f16 and bf16
LANE = np.arange(N)
# The lane's element is read twice, and that of a lane further on: the second time its node is there already.
TWICE = "ld.global.b16 %rs1, [%at_x]; ld.global.b16 %rs2, [%at_x]; cvt.f32.T %f1, %rs1; cvt.f32.T %f2, %rs2;"
OTHER = "xor.b32 %r3, %r50, 5; {other} ld.global.b16 %rs3, [%other]; cvt.f32.T %f3, %rs3;".replace(
    "{other}", at("x", "%r3", 2, "%other")
)


def _run(code: str, dtype: str, function: Callable[[Array, Array], Array]) -> None:
    size = 4 if dtype == "f32" else 2
    body = at("x", size=size) + at("y", size=size) + at("o") + code.replace("T", dtype) + "st.global.f32 [%at_o], %f9;"
    outcome = run_body(body, [tensor("x", dtype, N, "in"), tensor("y", dtype, N, "in"), tensor("o", "f32", N, "out")], N)
    assert outcome.kinds == []
    found = evaluate(outcome.conditions(), {"x": X, "y": Y})["o"]
    np.testing.assert_allclose(found, function(X, Y), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize(
    ("code", "function"),
    [
        (TWICE + "fma.rn.f32 %f9, %f1, %f2, %f1;", lambda x, y: x * x + x),
        (
            TWICE + OTHER + "fma.rn.f32 %f4, %f1, %f3, %f2; mul.f32 %f9, %f4, %f3;",
            lambda x, y: (x * x[LANE ^ 5] + x) * x[LANE ^ 5],
        ),
        # Saturation and a sign are no plain conversions.
        (TWICE + "cvt.sat.f32.T %f3, %rs2; sub.f32 %f9, %f1, %f3;", lambda x, y: x - np.clip(x, 0, 1)),
        (TWICE + "neg.T %rs4, %rs1; cvt.f32.T %f3, %rs4; add.f32 %f9, %f3, %f3;", lambda x, y: -2 * x),
        # Lanes 0, 3, 6 … alone, which do not lie one behind the other, then the others with what these have made.
        (
            "mov.f32 %f9, 0f00000000; rem.u32 %r4, %r50, 3; setp.eq.u32 %p1, %r4, 0;"
            "@!%p1 bra others; ld.global.b16 %rs1, [%at_x]; cvt.f32.T %f9, %rs1; fma.rn.f32 %f9, %f9, %f9, %f9; others:"
            "ld.global.b16 %rs2, [%at_x]; cvt.f32.T %f2, %rs2; add.f32 %f9, %f9, %f2;",
            lambda x, y: np.where(LANE % 3 == 0, x * x + x, 0) + x,
        ),
        # One half is stored over, the other one stays.
        (
            TWICE + "cvt.rn.T.f32 %rs5, %f1; add.f32 %f4, %f1, %f2; mov.b32 %r5, {%rs5, %rs2}; mov.b32 {%rs6, %rs7}, %r5;"
            "cvt.f32.T %f5, %rs6; cvt.f32.T %f6, %rs7; add.f32 %f7, %f5, %f6; add.f32 %f9, %f7, %f4;",
            lambda x, y: 4 * x,
        ),
        # The same element of two tensors: each keeps its own conversion.
        (
            TWICE + "ld.global.b16 %rs8, [%at_y]; cvt.f32.T %f8, %rs8; fma.rn.f32 %f9, %f1, %f8, %f8;",
            lambda x, y: x * y + y,
        ),
    ],
)
def test_halves(code: str, function: Callable[[Array, Array], Array], dtype: str) -> None:
    _run(code, dtype, function)


@pytest.mark.parametrize(
    ("code", "function"),
    [
        ("ld.global.f32 %f1, [%at_x]; ld.global.f32 %f2, [%at_x]; fma.rn.f32 %f9, %f1, %f2, %f2;", lambda x, y: x * x + x),
        # All lanes read one word, untouched and touched; then every second lane.
        (
            "ld.global.f32 %f1, [%rd_x+12]; ld.global.f32 %f2, [%rd_x+12]; mul.f32 %f9, %f1, %f2;",
            lambda x, y: np.full(N, x[3] ** 2),
        ),
        (
            "and.b32 %r4, %r50, 1; setp.ne.u32 %p1, %r4, 0; ld.global.f32 %f9, [%at_x]; @%p1 bra out;"
            "ld.global.f32 %f2, [%rd_x+8]; ld.global.f32 %f3, [%rd_x+8]; fma.rn.f32 %f9, %f2, %f3, %f9; out:",
            lambda x, y: np.where(LANE % 2, x, x[2] ** 2 + x),
        ),
    ],
)
def test_words(code: str, function: Callable[[Array, Array], Array]) -> None:
    _run(code, "f32", function)
