"""What output elements are, evaluated numerically, against NumPy."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import math

import numpy as np
import pytest
from unroll_harness import at, kernel, launch_of, run, run_body, tensor
from vc_evaluate import Array, UninitError, evaluate

from volta_pipe.ir.launch import Argument, Scalar

N = 40
RNG = np.random.default_rng(7)
X, Y, Z = (RNG.uniform(-3, 3, N).astype(np.float32).astype(np.float64) for _ in range(3))
LOAD = (
    at("x")
    + at("y")
    + at("z")
    + at("o")
    + "ld.global.f32 %f1, [%at_x]; ld.global.f32 %f2, [%at_y]; ld.global.f32 %f3, [%at_z];"
)
STORE = "st.global.f32 [%at_o], %f9;"
EXPF = (
    "fma.rn.f32.sat %f12, %f11, 0f3BBB989D, 0f3F000000; fma.rm.f32 %f13, %f12, 0f437C0000, 0f4B400001;"
    "add.f32 %f14, %f13, 0fCB40007F; neg.f32 %f15, %f14; fma.rn.f32 %f16, %f11, 0f3FB8AA3B, %f15;"
    "fma.rn.f32 %f17, %f11, 0f32A57060, %f16; mov.b32 %r1, %f13; shl.b32 %r2, %r1, 23; mov.b32 %f18, %r2;"
    "ex2.approx.ftz.f32 %f19, %f17; mul.f32 %f20, %f19, %f18;"
)
CASES = [
    (
        "fma.rn.f32 %f4, %f1, %f2, %f3; fma.rn.f32 %f4, %f4, %f4, %f1; sub.f32 %f9, %f4, 0f3F000000;",
        lambda x, y, z: (x * y + z) ** 2 + x - 0.5,
    ),
    ("neg.f32 %f4, %f1; fma.rn.f32 %f9, %f4, 0f40000000, %f2;", lambda x, y, z: -2 * x + y),
    ("min.f32 %f4, %f1, %f2; max.f32 %f9, %f4, 0fBF800000;", lambda x, y, z: np.maximum(np.minimum(x, y), -1)),
    ("mov.b32 %r1, %f1; xor.b32 %r1, %r1, 0x80000000; mov.b32 %f4, %r1; add.f32 %f9, %f4, %f2;", lambda x, y, z: y - x),
    (
        "mov.b32 %r1, %f1; and.b32 %r1, %r1, 0x7fffffff; mov.b32 %f4, %r1; sqrt.rn.f32 %f9, %f4;",
        lambda x, y, z: np.sqrt(np.abs(x)),
    ),
    ("abs.f32 %f4, %f1; rsqrt.approx.f32 %f5, %f4; rcp.rn.f32 %f9, %f5;", lambda x, y, z: np.sqrt(np.abs(x))),
    ("div.rn.f32 %f9, %f1, %f2;", lambda x, y, z: x / y),
    ("setp.gt.f32 %p1, %f1, %f2; selp.f32 %f9, %f1, %f3, %p1;", lambda x, y, z: np.where(x > y, x, z)),
    (
        "setp.le.f32 %p1|%p2, %f1, %f2; selp.f32 %f4, %f1, %f3, %p2; selp.f32 %f9, %f4, %f2, %p1;",
        lambda x, y, z: np.where(x <= y, z, y),
    ),
    (
        "setp.lt.f32 %p1, %f1, %f2; setp.geu.and.f32 %p2, %f2, %f3, %p1; selp.f32 %f9, %f1, %f2, %p2;",
        lambda x, y, z: np.where((y >= z) & (x < y), x, y),
    ),
    (
        "setp.lt.f32 %p1, %f1, 0f00000000; not.pred %p2, %p1; setp.ne.f32 %p3, %f2, %f3; xor.pred %p4, %p2, %p3; selp.f32 %f9, %f1, %f2, %p4;",
        lambda x, y, z: np.where(x < 0, x, y),
    ),
    (
        "setp.gt.f32 %p1, %f1, 0f00000000; mov.f32 %f9, %f2; @%p1 mov.f32 %f9, %f3; @!%p1 fma.rn.f32 %f9, %f9, %f9, %f1;",
        lambda x, y, z: np.where(x > 0, z, y * y + x),
    ),
    (
        "mov.f32 %f9, 0f00000000; st.global.f32 [%at_o], %f9; setp.gt.f32 %p1, %f1, %f2; mov.f32 %f9, %f3; @%p1 st.global.f32 [%at_o], %f1; ld.global.f32 %f9, [%at_o]; add.f32 %f9, %f9, %f2;",
        lambda x, y, z: np.where(x > y, x, 0) + y,
    ),
    ("cvt.rn.f32.u32 %f4, %r50; fma.rn.f32 %f9, %f1, %f4, %f2;", lambda x, y, z: x * np.arange(N) + y),
    ("sub.s32 %r1, %r50, 9; cvt.rn.f32.s32 %f4, %r1; mul.f32 %f9, %f1, %f4;", lambda x, y, z: x * (np.arange(N) - 9)),
    (
        "cvt.rmi.f32.f32 %f4, %f1; cvt.rpi.f32.f32 %f5, %f2; cvt.rzi.f32.f32 %f6, %f3; cvt.rni.f32.f32 %f7, %f1; add.f32 %f4, %f4, %f5; add.f32 %f6, %f6, %f7; fma.rn.f32 %f9, %f4, 0f41200000, %f6;",
        lambda x, y, z: 10 * (np.floor(x) + np.ceil(y)) + np.trunc(z) + np.rint(x),
    ),
    (
        "cvt.sat.f32.f32 %f4, %f1; fma.rn.sat.f32 %f5, %f1, %f2, %f3; add.f32 %f9, %f4, %f5;",
        lambda x, y, z: np.clip(x, 0, 1) + np.clip(x * y + z, 0, 1),
    ),
    ("mul.f32 %f4, %f1, 0f3FB8AA3B; ex2.approx.f32 %f9, %f4;", lambda x, y, z: np.exp2(x * float(np.float32(1.44269504)))),
    (
        "lg2.approx.f32 %f4, 0f40490FDB; sin.approx.f32 %f5, %f1; cos.approx.f32 %f6, %f2; tanh.approx.f32 %f7, %f3; fma.rn.f32 %f9, %f5, %f6, %f7; add.f32 %f9, %f9, %f4;",
        lambda x, y, z: np.sin(x) * np.cos(y) + np.tanh(z) + math.log2(np.float32(math.pi)),
    ),
    (
        "mov.f32 %f4, 0fFF800000; max.f32 %f5, %f4, %f1; setp.eq.f32 %p1, %f5, %f4; selp.f32 %f6, 0f00000000, %f5, %p1; sub.f32 %f7, %f4, %f6; ex2.approx.f32 %f8, %f7; fma.rn.f32 %f9, %f8, %f2, %f6;",
        lambda x, y, z: x,
    ),
    (
        "mov.b32 %r1, %f1; shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; mov.b32 %f4, %r2; sub.f32 %f9, %f4, %f2;",
        lambda x, y, z: x[np.arange(N) ^ 1] - y,
    ),
    ("mov.f32 %f11, %f1;" + EXPF + "mul.f32 %f9, %f20, %f2;", lambda x, y, z: np.exp(x) * y),
]


@pytest.mark.parametrize(
    ("code", "function"), CASES, ids=[code.split(";")[0].split()[0] + str(k) for k, (code, _) in enumerate(CASES)]
)
def test_expression(code: str, function: object) -> None:
    tensors = [tensor(name, "f32", N, "in") for name in "xyz"] + [tensor("o", "f32", N, "out")]
    outcome = run_body(LOAD + code + STORE, tensors, N)
    assert outcome.kinds == []
    found = evaluate(outcome.conditions(), {"x": X, "y": Y, "z": Z})["o"]
    np.testing.assert_allclose(found, function(X, Y, Z), rtol=1e-6, atol=1e-7)  # type: ignore[operator]


def softmax(kind: str) -> str:
    """A row of 32 a warp: maximum and sum by butterflies."""
    steps = []
    for k in (16, 8, 4, 2, 1):
        steps.append(f"mov.b32 %r1, %f1; shfl.sync.bfly.b32 %r2, %r1, {k}, 31, -1; mov.b32 %f2, %r2; max.f32 %f1, %f1, %f2;")
    exponential = EXPF if kind == "expf" else "mul.f32 %f12, %f11, 0f3FB8AA3B; ex2.approx.f32 %f20, %f12;"
    steps.append("sub.f32 %f11, %f10, %f1;" + exponential + "mov.f32 %f3, %f20;")
    for k in (16, 8, 4, 2, 1):
        steps.append(f"mov.b32 %r1, %f20; shfl.sync.bfly.b32 %r2, %r1, {k}, 31, -1; mov.b32 %f2, %r2; add.f32 %f20, %f20, %f2;")
    return (
        "ld.global.f32 %f10, [%at_x]; mov.f32 %f1, %f10;"
        + "".join(steps)
        + "div.rn.f32 %f4, %f3, %f20; st.global.f32 [%at_y], %f4;"
    )


@pytest.mark.parametrize("kind", ("expf", "__expf"))
def test_softmax(kind: str) -> None:
    outcome = run_body(
        at("x") + at("y") + softmax(kind), [tensor("x", "f32", (2, 32), "in"), tensor("y", "f32", (2, 32), "out")], 64
    )
    x = RNG.uniform(-5, 5, (2, 32))
    e = np.exp(x - x.max(axis=1, keepdims=True))
    found = evaluate(outcome.conditions(), {"x": x})["y"].reshape(2, 32)
    np.testing.assert_allclose(found, e / e.sum(axis=1, keepdims=True), rtol=1e-6)


def test_doubles_with_64_bit_moves() -> None:
    code = (
        at("x", size=8)
        + at("y", size=8)
        + """
    ld.global.b64 %rd1, [%at_x]; mov.b64 {%r1, %r2}, %rd1; xor.b32 %r3, %r2, 0; mov.b64 %rd2, {%r1, %r2}; mov.b64 %fd1, %rd2;
    fma.rn.f64 %fd2, %fd1, %fd1, 0d3FE0000000000000; neg.f64 %fd3, %fd1; max.f64 %fd4, %fd2, %fd3; cvt.rn.f64.s32 %fd5, %r50;
    .shared .align 8 .b8 s[320]; mov.u32 %r4, s; shl.b32 %r5, %r50, 3; add.u32 %r4, %r4, %r5; add.f64 %fd4, %fd4, %fd5;
    st.shared.f64 [%r4], %fd4; ld.shared.v2.b32 {%r6, %r7}, [%r4]; mov.b64 %fd6, {%r6, %r7}; st.global.f64 [%at_y], %fd6;
    """
    )
    code = code.replace("xor.b32 %r3, %r2, 0;", "")
    outcome = run_body(code, [tensor("x", "f64", N, "in"), tensor("y", "f64", N, "out")], N)
    assert outcome.kinds == []
    found = evaluate(outcome.conditions(), {"x": X})["y"]
    np.testing.assert_allclose(found, np.maximum(X * X + 0.5, -X) + np.arange(N), rtol=1e-12)


def test_strided_tensors_several_ctas_and_an_alias() -> None:
    """x is 6 rows of 5 with 8 between them, y the transpose with padding, z shares the memory of x."""
    text = (
        """
    mov.u32 %r1, %ctaid.x; shl.b32 %r2, %r1, 3; add.u32 %r3, %r2, %r50; mad.lo.u32 %r4, %r50, 7, %r1;
    """
        + at("x", "%r3")
        + at("y", "%r4")
        + at("z", "%r3")
        + """
    ld.global.f32 %f1, [%at_z]; add.f32 %f2, %f1, %f1; st.global.f32 [%at_y], %f2; st.global.f32 [%at_x], 0f40400000;
    """
    )
    tensors = [
        tensor("x", "f32", (6, 5), "inout", strides=(8, 1)),
        tensor("y", "f32", (5, 6), "out", strides=(7, 1)),
        tensor("z", "f32", (6, 5), "inout", strides=(8, 1), alias_of=0),
    ]
    outcome = run_body(text, tensors, 5, grid=6)
    assert outcome.kinds == []
    x = RNG.uniform(-3, 3, (6, 5))
    found = evaluate(outcome.conditions(), {"x": x, "z": x})
    np.testing.assert_allclose(found["y"].reshape(5, 6), 2 * x.T)
    assert (found["x"] == 3).all() and (found["z"] == 3).all()


def test_scalars_symbolic_and_known() -> None:
    text = kernel(
        at("y") + "ld.param.f32 %f1, [a]; ld.param.f32 %f2, [b]; fma.rn.f32 %f3, %f1, %f2, %f1; st.global.f32 [%at_y], %f3;",
        ["y", ".f32 a", ".f32 b"],
    )
    arguments = (Argument("pointer", 0), Argument("scalar", 0), Argument("scalar", 1))
    scalars = (Scalar("a", "f32", None), Scalar("b", "f32", 2.5))
    outcome = run(text, launch_of([tensor("y", "f32", 4, "out")], 4, arguments=arguments, scalars=scalars))
    assert evaluate(outcome.conditions(), {}, {"a": 4.0})["y"].tolist() == [14.0] * 4


def test_an_element_that_was_not_written_has_no_root_or_is_uninitialised() -> None:
    code = (
        at("x")
        + at("y")
        + "ld.global.f32 %f1, [%at_x]; setp.lt.u32 %p1, %r50, 3; @%p1 st.global.f32 [%at_y], %f1; setp.gt.f32 %p2, %f1, 0f00000000; {}"
    )
    tensors = [tensor("x", "f32", 8, "in"), tensor("y", "f32", 8, "out")]
    x: Array = np.arange(8) - 4.0
    found = evaluate(run_body(code.format(""), tensors, 8).conditions(), {"x": x})["y"]
    assert found[:3].tolist() == [-4, -3, -2] and np.isnan(found[3:]).all()
    guarded = run_body(code.format("@%p2 st.global.f32 [%at_y], %f1;"), tensors, 8).conditions()
    assert evaluate(guarded, {"x": abs(x) + 1})["y"][3:].tolist() == [2.0, 1.0, 2.0, 3.0, 4.0]
    with pytest.raises(UninitError):
        evaluate(guarded, {"x": x})
