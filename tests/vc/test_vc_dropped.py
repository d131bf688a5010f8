"""A fold that leaves an operand out takes for granted that it has a value, which is refused where it never has one."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import pytest
from unroll_harness import at, run_body, tensor

from volta_pipe.ir.domains import LOGS, NONZERO, ROOTS
from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.node_store import DROPPED

N = 32
ZERO_TIMES = "mul.f32 %f9, %f3, 0f00000000; add.f32 %f9, %f9, %f1;"
BELOW_INFINITY = "setp.lt.f32 %p1, %f3, 0f7F800000; selp.f32 %f9, %f1, 0f00000000, %p1;"
ITSELF = "setp.eq.f32 %p1, %f3, %f3; selp.f32 %f9, %f1, 0f00000000, %p1;"
FINITE = "testp.finite.f32 %p1, %f3; selp.f32 %f9, %f1, 0f00000000, %p1;"
# %f3 of x (%f1) and y (%f2): it has a value nowhere.
NOWHERE = {
    "1/(x-x)": "sub.f32 %f3, %f1, %f1; rcp.rn.f32 %f3, %f3;",
    "y/(x+1-x-1)": "add.f32 %f3, %f1, 0f3F800000; sub.f32 %f3, %f3, %f1; sub.f32 %f3, %f3, 0f3F800000; div.rn.f32 %f3, %f2, %f3;",
    "1/(2^x 2^-x - 1)": "ex2.approx.f32 %f3, %f1; neg.f32 %f4, %f1; ex2.approx.f32 %f4, %f4; fma.rn.f32 %f3, %f3, %f4, 0fBF800000; rcp.rn.f32 %f3, %f3;",
    "sqrt(-x²-1)": "fma.rn.f32 %f3, %f1, %f1, 0f3F800000; neg.f32 %f3, %f3; sqrt.rn.f32 %f3, %f3;",
    "log(-x²)": "mul.f32 %f3, %f1, %f1; neg.f32 %f3, %f3; lg2.approx.f32 %f3, %f3;",
    "1/sqrt(-|x|)": "abs.f32 %f3, %f1; neg.f32 %f3, %f3; rsqrt.approx.f32 %f3, %f3;",
    "sqrt(x-x-y²)": "mul.f32 %f3, %f2, %f2; sub.f32 %f4, %f1, %f1; sub.f32 %f3, %f4, %f3; sqrt.rn.f32 %f3, %f3; ex2.approx.f32 %f3, %f3;",
}
SOMEWHERE = {
    "1/x": ("rcp.rn.f32 %f3, %f1;", NONZERO),
    "1/(x²+1)": ("fma.rn.f32 %f3, %f1, %f1, 0f3F800000; rcp.rn.f32 %f3, %f3;", NONZERO),
    "y/(x-100)": ("sub.f32 %f3, %f1, 0f42C80000; div.rn.f32 %f3, %f2, %f3;", NONZERO),
    "sqrt(x)": ("sqrt.rn.f32 %f3, %f1;", ROOTS),
    "sqrt(-x)": ("neg.f32 %f3, %f1; sqrt.rn.f32 %f3, %f3;", ROOTS),
    "sqrt(x-y)": ("sub.f32 %f3, %f1, %f2; sqrt.rn.f32 %f3, %f3;", ROOTS),
    "log(1/4-x²)": ("mul.f32 %f3, %f1, %f1; sub.f32 %f3, 0f3E800000, %f3; lg2.approx.f32 %f3, %f3;", LOGS),
    "log(x²-1000)": ("fma.rn.f32 %f3, %f1, %f1, 0fC47A0000; lg2.approx.f32 %f3, %f3;", LOGS),
}  # fmt: skip


def conditions(code: str) -> Conditions:
    load = at("x") + at("y") + at("o") + "ld.global.f32 %f1, [%at_x]; ld.global.f32 %f2, [%at_y];"
    tensors = [tensor("x", "f32", N, "in"), tensor("y", "f32", N, "in"), tensor("o", "f32", N, "out")]
    return run_body(load + code + "st.global.f32 [%at_o], %f9;", tensors, N).conditions()


@pytest.mark.parametrize("left_out", [ZERO_TIMES, BELOW_INFINITY, ITSELF, FINITE])
@pytest.mark.parametrize("name", NOWHERE)
def test_an_operand_that_never_has_a_value(name: str, left_out: str) -> None:
    with pytest.raises(UnsupportedError, match="has no value at any of"):
        conditions(NOWHERE[name] + left_out)


@pytest.mark.parametrize("left_out", [ZERO_TIMES, BELOW_INFINITY, ITSELF, FINITE])
@pytest.mark.parametrize("name", SOMEWHERE)
def test_one_that_has_one_for_some_inputs(name: str, left_out: str) -> None:
    code, said = SOMEWHERE[name]
    assert said in conditions(code + left_out).assumptions


def test_one_of_many_lanes_is_enough() -> None:
    """Lane 7 alone takes the root of something negative."""
    code = "abs.f32 %f3, %f1; setp.eq.u32 %p2, %r50, 7; @%p2 neg.f32 %f3, %f3; @%p2 sub.f32 %f3, %f3, 0f3F800000; sqrt.rn.f32 %f3, %f3;"
    assert ROOTS in conditions(code.replace("@%p2 neg", "@!%p2 abs").replace("@%p2 sub", "@!%p2 add") + ZERO_TIMES).assumptions
    with pytest.raises(UnsupportedError, match="has no value"):
        conditions(code + ZERO_TIMES)


@pytest.mark.parametrize("name", ["1/(x-x)", "1/x"])
def test_more_than_are_remembered(name: str) -> None:
    """Then all that was made is looked at."""
    many = "mov.f32 %f5, 0f3F800000;" + "add.f32 %f5, %f5, %f1; mul.f32 %f6, %f5, 0f00000000;" * (DROPPED // N + 1)
    code = (NOWHERE | {key: text for key, (text, _) in SOMEWHERE.items()})[name] + many + ZERO_TIMES
    if name in SOMEWHERE:
        assert NONZERO in conditions(code).assumptions
    else:
        with pytest.raises(UnsupportedError, match="has no value"):
            conditions(code)


@pytest.mark.parametrize(("dtype", "fine"), [("s32", True), ("u32", False)])
def test_integers_among_the_inputs_are_integers(dtype: str, fine: bool) -> None:
    """sqrt(−n − 1/2) has a value for negative integers alone."""
    code = f"ld.global.{dtype} %r1, [%at_x]; cvt.rn.f32.{dtype} %f1, %r1; neg.f32 %f3, %f1; sub.f32 %f3, %f3, 0f3F000000; sqrt.rn.f32 %f3, %f3;"
    tensors = [tensor("x", dtype, N, "in"), tensor("o", "f32", N, "out")]
    outcome = run_body(at("x") + at("o") + code + ZERO_TIMES + "st.global.f32 [%at_o], %f9;", tensors, N)
    if fine:
        assert ROOTS in outcome.conditions().assumptions
    else:
        with pytest.raises(UnsupportedError, match="has no value"):
            outcome.conditions()
