"""What `vc` makes of copysign, set of floats, and four-part moves of symbolic contents: evaluated, and compared by hand."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from unroll_harness import Array, Outcome, at, run_body, tensor
from vc_evaluate import evaluate

from volta_pipe.ir.errors import UnsupportedError

N = 8
X = np.array([1.5, -2.0, 0.25, -4.0, 3.0, -7.5, 0.0, 1e-3])
Y = np.array([4.0, 5.0, -6.0, -7.0, -8.0, 9.0, 10.0, -11.0])
LOAD = at("x") + at("y") + at("o") + "ld.global.f32 %f1, [%at_x]; ld.global.f32 %f2, [%at_y]; setp.gt.f32 %p1, %f2, 0f00000000;"
TENSORS = [tensor("x", "f32", N, "in"), tensor("y", "f32", N, "in"), tensor("o", "f32", N, "out")]


def run(code: str) -> Outcome:
    outcome = run_body(LOAD + code + "; st.global.f32 [%at_o], %f9;", TENSORS, N)
    assert outcome.kinds == [] and outcome.program.complete
    return outcome


def found(code: str) -> Array:
    return evaluate(run(code).conditions(), {"x": X, "y": Y})["o"]


def test_copysign() -> None:
    np.testing.assert_array_equal(found("copysign.f32 %f9, %f1, %f2"), np.copysign(Y, X))
    np.testing.assert_array_equal(found("copysign.f32 %f9, %f2, %f1"), np.copysign(X, Y))
    np.testing.assert_array_equal(found("copysign.f32 %f9, 0fC0000000, %f1"), -np.abs(X))
    np.testing.assert_array_equal(found("copysign.f32 %f9, %f1, 0fC0000000"), np.copysign(2.0, X))
    code = "cvt.f64.f32 %fd1, %f1; cvt.f64.f32 %fd2, %f2; copysign.f64 %fd3, %fd1, %fd2; cvt.rn.f32.f64 %f9, %fd3"
    np.testing.assert_array_equal(found(code), np.copysign(Y, X))


def test_the_sign_of_a_known_zero_is_kept_and_of_a_symbolic_one_assumed() -> None:
    np.testing.assert_array_equal(found("copysign.f32 %f9, 0f80000000, %f2"), -np.abs(Y))
    np.testing.assert_array_equal(found("copysign.f32 %f9, 0f00000000, %f2"), np.abs(Y))
    assumption = "an operand whose sign copysign takes is never -0"
    assert assumption in run("copysign.f32 %f9, %f1, %f2").conditions().assumptions
    known = "copysign.f32 %f3, 0f80000000, 0f40000000; mul.f32 %f9, %f3, %f1"
    assert assumption not in run(known).conditions().assumptions
    np.testing.assert_array_equal(found(known), -2 * X)


def test_copysign_of_other_formats_is_refused() -> None:
    with pytest.raises(UnsupportedError):
        run(
            "mov.b32 %r1, %f1; and.b32 %r1, %r1, 0xFFFF0000; cvt.rn.f16x2.f32 %r2, %f1, %f2; copysign.f32 %f9, %r2, %f2"
        ).conditions()


COMPARISONS = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal}


@pytest.mark.parametrize("name", [*COMPARISONS, *(f"{name}u" for name in COMPARISONS)])
def test_set_into_a_float(name: str) -> None:
    compare = COMPARISONS[name.removesuffix("u") if len(name) == 3 else name]
    np.testing.assert_array_equal(found(f"set.{name}.f32.f32 %f9, %f1, %f2"), compare(X, Y).astype(float))
    positive = Y > 0
    np.testing.assert_array_equal(found(f"set.{name}.and.f32.f32 %f9, %f1, %f2, %p1"), (compare(X, Y) & positive).astype(float))
    np.testing.assert_array_equal(
        found(f"set.{name}.xor.f32.f32 %f9, %f1, %f2, !%p1"), (compare(X, Y) ^ ~positive).astype(float)
    )


def test_set_of_halves() -> None:
    """Through f16 and packed halves; the numbers are exact in both."""
    halves = "cvt.rn.f16.f32 %rs1, %f1; cvt.rn.f16.f32 %rs2, %f2;"
    np.testing.assert_array_equal(
        found(halves + "set.lt.f16.f16 %rs3, %rs1, %rs2; cvt.f32.f16 %f9, %rs3"), (X < Y).astype(float)
    )
    pair = "cvt.rn.bf16x2.f32 %r1, %f1, %f2; cvt.rn.bf16x2.f32 %r2, %f2, %f1; set.lt.bf16x2.bf16x2 %r3, %r1, %r2; mov.b32 {%rs1, %rs2}, %r3;"
    np.testing.assert_array_equal(
        found(pair + "cvt.f32.bf16 %f3, %rs2; cvt.f32.bf16 %f4, %rs1; mul.f32 %f4, %f4, 0f40000000; add.f32 %f9, %f3, %f4"),
        (X < Y) + 2.0 * (Y < X),
    )


def test_a_mask_is_known_where_the_comparison_is() -> None:
    code = "set.leu.u32.f32 %r1, %f1, %f1; and.b32 %r1, %r1, 0x3F800000; mov.b32 %f3, %r1; mul.f32 %f9, %f3, %f1"
    np.testing.assert_array_equal(found(code), X)
    np.testing.assert_array_equal(found(code.replace("leu", "gt")), 0 * X)


MASKED: list[tuple[str, Callable[[Array, Array], Array]]] = [
    ("set.lt.u32.f32 %r1, %f1, %f2; and.b32 %r2, %r1, 0x3F800000; mov.b32 %f9, %r2", lambda x, y: x < y),
    ("set.lt.s32.f32 %r1, %f1, %f2; mov.b32 %r2, %f2; and.b32 %r2, %r2, %r1; mov.b32 %f9, %r2", lambda x, y: np.where(x < y, y, 0)),
    ("set.lt.u32.f32 %r1, %f1, %f2; not.b32 %r1, %r1; mov.b32 %r2, %f2; and.b32 %r2, %r2, %r1; mov.b32 %f9, %r2", lambda x, y: np.where(x < y, 0, y)),
    ("set.lt.u32.f32 %r1, %f1, %f2; xor.b32 %r1, %r1, -1; mov.b32 %r2, %f2; and.b32 %r2, %r2, %r1; mov.b32 %f9, %r2", lambda x, y: np.where(x < y, 0, y)),
    ("set.lt.u32.f32 %r1, %f1, %f2; mov.b32 %r2, %f1; mov.b32 %r3, %f2; lop3.b32 %r4, %r1, %r2, %r3, 0xCA; mov.b32 %f9, %r4", lambda x, y: np.where(x < y, x, y)),
    ("set.lt.u32.f32 %r1, %f1, %f2; mov.b32 %r2, %f1; mov.b32 %r3, %f2; lop3.b32 %r4, %r2, %r1, %r3, 0xE2; mov.b32 %f9, %r4", lambda x, y: np.where(x < y, x, y)),
    ("set.lt.u32.f32 %r1, %f1, %f2; mov.b32 %r2, %f1; mov.b32 %r3, %f2; lop3.b32 %r4, %r2, %r3, %r1, 0xE4; mov.b32 %f9, %r4", lambda x, y: np.where(x < y, x, y)),
    ("set.lt.u32.f32 %r1, %f1, %f2; set.gt.u32.f32 %r2, %f2, 0f00000000; and.b32 %r1, %r1, %r2; and.b32 %r1, %r1, 0x40000000; mov.b32 %f9, %r1", lambda x, y: 2.0 * ((x < y) & (y > 0))),
    ("set.lt.u32.f32 %r1, %f1, %f2; set.gt.u32.f32 %r2, %f2, 0f00000000; or.b32 %r1, %r1, %r2; and.b32 %r1, %r1, 0x40000000; mov.b32 %f9, %r1", lambda x, y: 2.0 * ((x < y) | (y > 0))),
    ("set.lt.u32.f32 %r1, %f1, %f2; set.gt.u32.f32 %r2, %f2, 0f00000000; xor.b32 %r1, %r1, %r2; and.b32 %r1, %r1, 0x40000000; mov.b32 %f9, %r1", lambda x, y: 2.0 * ((x < y) ^ (y > 0))),
    ("set.lt.and.s32.f32 %r1, %f1, %f2, !%p1; cvt.rn.f32.s32 %f9, %r1", lambda x, y: -1.0 * ((x < y) & (y <= 0))),
    ("set.lt.u32.f32 %r1, %f1, %f2; cvt.rn.f32.u32 %f9, %r1", lambda x, y: (2.0**32 - 1) * (x < y)),
    ("set.lt.u32.f32 %r1, %f1, %f2; setp.ne.s32 %p2, %r1, 0; selp.f32 %f9, %f1, %f2, %p2", lambda x, y: np.where(x < y, x, y)),
    ("set.lt.u32.f32 %r1, %f1, %f2; setp.eq.s32 %p2, 0, %r1; selp.f32 %f9, %f1, %f2, %p2", lambda x, y: np.where(x < y, y, x)),
    ("set.lt.s32.f32 %r1, %f1, %f2; setp.lt.s32 %p2, %r1, 0; selp.f32 %f9, %f1, %f2, %p2", lambda x, y: np.where(x < y, x, y)),
    ("set.lt.s32.f32 %r1, %f1, %f2; slct.f32.s32 %f9, %f1, %f2, %r1", lambda x, y: np.where(x < y, y, x)),
    ("cvt.rn.bf16x2.f32 %r1, %f1, %f2; cvt.rn.bf16x2.f32 %r2, %f2, %f1; mov.b32 {%rs1, %rs2}, %r1; mov.b32 {%rs3, %rs4}, %r2; set.lt.u32.bf16 %r3, %rs2, %rs4; mov.b32 %r4, %f1; and.b32 %r4, %r3, %r4; mov.b32 %f9, %r4", lambda x, y: np.where(x < y, x, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), MASKED, ids=range(len(MASKED)))
def test_a_mask_that_depends_on_data_selects(code: str, expected: Callable[[Array, Array], Array]) -> None:
    np.testing.assert_array_equal(found(code), expected(X, Y))


def test_masks_of_integers() -> None:
    tensors = [tensor("x", "s8", N, "in"), tensor("o", "f32", N, "out")]
    code = (
        at("x", size=1)
        + at("o")
        + "ld.global.s8 %r1, [%at_x]; set.lt.u32.s32 %r2, %r1, 3; and.b32 %r3, %r2, 0x40400000; mov.b32 %f1, %r3;"
    )
    code += "set.ge.f32.s32 %f2, %r1, 3; add.f32 %f9, %f1, %f2; st.global.f32 [%at_o], %f9;"
    x = np.array([-128, 127, 0, 3, 4, 2, -1, 1])
    outcome = run_body(code, tensors, N)
    np.testing.assert_array_equal(evaluate(outcome.conditions(), {"x": x})["o"], np.where(x < 3, 3.0, 1.0))


MASKS_REFUSED = [
    "set.lt.u32.f32 %r1, %f1, %f2; add.s32 %r1, %r1, 1; mov.b32 %f9, %r1",
    "set.lt.u32.f32 %r1, %f1, %f2; mov.b32 %r2, %f1; or.b32 %r1, %r1, %r2; mov.b32 %f9, %r1",
    "set.lt.u32.f32 %r1, %f1, %f2; mov.b32 %r2, %f1; xor.b32 %r1, %r1, %r2; mov.b32 %f9, %r1",
    "set.lt.u32.f32 %r1, %f1, %f2; mov.b32 %f9, %r1",
]


@pytest.mark.parametrize("code", MASKS_REFUSED)
def test_other_work_on_masks_is_refused(code: str) -> None:
    with pytest.raises(UnsupportedError):
        run(code).conditions()


FOUR = [
    "mov.b32 {%c1, %c2, %c3, %c4}, %r1; mov.b32 %r2, {%c1, %c2, %c3, %c4}",
    "mov.b64 %rd1, {%r1, %r1}; mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd1; mov.b32 %r2, {%rs3, %rs2}",
    "mov.b64 %rd1, {%r1, %r3}; mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd1; mov.b64 %rd2, {%rs3, %rs4, %rs1, %rs2}; mov.b64 {%r4, %r2}, %rd2",
]


@pytest.mark.parametrize("code", FOUR)
def test_four_parts_keep_what_they_hold(code: str) -> None:
    head = ".reg .b8 %c<5>; mov.b32 %r1, %f1; mov.b32 %r3, %f2;"
    np.testing.assert_array_equal(found(f"{head} {code}; mov.b32 %f9, %r2"), X)


def test_four_parts_in_another_order_are_no_float() -> None:
    head = ".reg .b8 %c<5>; mov.b32 %r1, %f1; mov.b32 {%c1, %c2, %c3, %c4}, %r1; mov.b32 %r2, {%c2, %c1, %c3, %c4};"
    with pytest.raises(UnsupportedError):
        run(f"{head} mov.b32 %f9, %r2").conditions()


def test_halves_of_a_vector_of_four() -> None:
    """Four different f16 through one register of 64 bits, each read as a float."""
    code = "cvt.rn.f16.f32 %rs1, %f1; cvt.rn.f16.f32 %rs2, %f2; mov.b64 %rd1, {%rs1, %rs2, %rs2, %rs1}; mov.b64 {%rs5, %rs6, %rs7, %rs8}, %rd1;"
    code += "cvt.f32.f16 %f3, %rs5; cvt.f32.f16 %f4, %rs6; cvt.f32.f16 %f5, %rs7; cvt.f32.f16 %f6, %rs8; sub.f32 %f3, %f3, %f4; sub.f32 %f5, %f5, %f6; fma.rn.f32 %f9, %f5, 0f40000000, %f3"
    np.testing.assert_array_equal(found(code), 2 * (Y - X) + (X - Y))
