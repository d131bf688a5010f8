"""What `vc` makes of the rarer integer instructions: refused on a symbolic float, but for selections and known bits."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor
from vc_evaluate import evaluate

from volta_pipe.ir.errors import UnsupportedError

N = 8
X = np.array([1.5, -2.0, 0.25, -0.0, 3.0, -7.5, 0.0, 1e-3])
Y = np.array([4.0, 5.0, -6.0, 7.0, -8.0, 9.0, 10.0, 11.0])
LOAD = (
    at("x")
    + at("y")
    + at("o")
    + "ld.global.f32 %f1, [%at_x]; ld.global.f32 %f2, [%at_y]; mov.b32 %r1, %f1; mov.b64 %rd1, {%r1, %r1}; mov.b32 %r2, 3;"
)
TENSORS = [tensor("x", "f32", N, "in"), tensor("y", "f32", N, "in"), tensor("o", "f32", N, "out")]
# %r1 and %rd1 are symbolic, %r2 is 3; the result is %r9.
REFUSED = [
    "add.cc.u32 %r9, %r1, %r2",
    "add.cc.u32 %r3, %r1, %r2; addc.u32 %r9, 0, 0",
    "sub.cc.u32 %r3, %r2, %r1; subc.u32 %r9, 0, 0",
    "mad.lo.cc.u32 %r9, %r2, %r2, %r1",
    "add.cc.u32 %r3, %r2, %r2; madc.hi.u32 %r9, %r2, %r1, %r2",
    "mul24.lo.s32 %r9, %r1, %r2",
    "mad24.lo.s32 %r9, %r2, %r2, %r1",
    "add.sat.s32 %r9, %r1, %r2",
    "mad.hi.sat.s32 %r9, %r2, %r1, %r2",
    "add.u16x2 %r9, %r1, %r2",
    "add.u16x2 %r9, %r1, 0",
    "max.s16x2 %r9, %r2, %r1",
    "max.relu.s32 %r9, %r1, %r2",
    "cnot.b32 %r9, %r1",
    "szext.clamp.s32 %r9, %r1, 32",
    "bmsk.clamp.b32 %r9, %r1, %r2",
    "bfind.u32 %r9, %r1",
    "fns.b32 %r9, %r1, %r2, 1",
    "dp4a.s32.s32 %r9, 0, 0, %r1",
    "dp2a.lo.s32.s32 %r9, %r2, %r2, %r1",
    "set.lt.u32.s32 %r9, %r1, %r2",
    "set.eq.f32.b32 %r9, %r1, 0",
    "slct.b32.s32 %r9, %r2, 0, %r1",
    "lop3.or.b32 %r9|%p1, %r1, %r2, %r2, 0xF0, %p2",
    "prmt.b32.f4e %r9, %r1, %r2, 0",
    "cvt.pack.sat.u16.s32 %r9, %r1, %r2",
    "cvt.pack.sat.u8.s32.b32 %r9, %r2, %r2, %r1",
    "isspacep.global %p1, %rd1; selp.b32 %r9, 1, 0, %p1",
]


@pytest.mark.parametrize("code", REFUSED, ids=[f"{k}_{code.split()[0]}" for k, code in enumerate(REFUSED)])
def test_integer_work_on_a_symbolic_float_is_refused(code: str) -> None:
    body = f".reg .b8 %c<9>; setp.eq.u32 %p2, %r50, 99; {LOAD} {code}; st.global.b32 [%at_o], %r9;"
    outcome = run_body(body, TENSORS, N)
    if outcome.program.complete:
        with pytest.raises(UnsupportedError):
            outcome.conditions()
    else:  # a predicate that no float comparison gave is stopped earlier
        assert [kind for kind in outcome.kinds if not kind.startswith("unsupported")] == []


def values(code: str) -> np.ndarray:
    outcome = run_body(f"{LOAD} {code} st.global.f32 [%at_o], %f9;", TENSORS, N)
    assert outcome.kinds == []
    return np.asarray(evaluate(outcome.conditions(), {"x": X, "y": Y})["o"])


def test_slct_on_a_float_is_setp_and_selp() -> None:
    wanted = np.where(X >= 0, Y, 2 * X)
    assert (values("add.f32 %f3, %f1, %f1; slct.f32.f32 %f9, %f2, %f3, %f1;") == wanted).all()
    assert (values("add.f32 %f3, %f1, %f1; setp.ge.f32 %p1, %f1, 0f00000000; selp.f32 %f9, %f2, %f3, %p1;") == wanted).all()
    assert (values("slct.ftz.b32.f32 %f9, %f1, %f2, %f2;") == np.where(Y >= 0, X, Y)).all()


@pytest.mark.parametrize(
    ("selector", "first"), [("0f3F800000", 1), ("0f80000000", 1), ("0fBF800000", 0), ("0f7FC00000", 0), ("0fFF800000", 0)]
)
def test_slct_with_known_float_bits_moves_a_symbolic_value(selector: str, first: int) -> None:
    assert (values(f"slct.f32.f32 %f9, %f1, %f2, {selector};") == (X if first else Y)).all()


def test_slct_with_a_known_integer_moves_a_symbolic_value() -> None:
    found = values("sub.s32 %r3, %r50, 3; slct.f32.s32 %f9, %f1, %f2, %r3;")
    assert (found == np.where(np.arange(N) >= 3, X, Y)).all()


def test_set_gives_a_float_that_arithmetic_reads() -> None:
    assert (values("set.lt.f32.u32 %f3, %r50, 5; mul.f32 %f9, %f3, %f1;") == np.where(np.arange(N) < 5, X, 0)).all()


def test_known_halves_and_bytes_go_through_vectors() -> None:
    # 0x3FC00000 is 1.5; lane 3 swaps nothing, so the float comes back whole.
    code = "mov.b32 %r3, 0x3FC00000; mov.b64 %rd2, {%r3, %r50}; mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd2; mov.b64 %rd3, {%rs3, %rs4, %rs1, %rs2}; mov.b64 {%r4, %r5}, %rd3; mov.b32 %f3, %r5; mul.f32 %f9, %f3, %f1;"
    assert (values(code) == 1.5 * X).all()
