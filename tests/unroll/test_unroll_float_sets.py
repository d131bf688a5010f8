"""set of floats and copysign on known bits; moves, loads and stores of 128 bits. Values are worked out by hand."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor

ONES = 0xFFFFFFFF
ONE, TWO, MINUS_ONE, NAN, MINUS_ZERO = 0x3F800000, 0x40000000, 0xBF800000, 0x7FC00000, 0x80000000
H_ONE, H_TWO, H_NAN, B_ONE, B_TWO = 0x3C00, 0x4000, 0x7E00, 0x3F80, 0x4000


def result(body: str, threads: int = 1) -> int:
    """What %r9 holds at the end; it must be known."""
    outcome = run_body(body + at("y") + "st.global.u32 [%at_y], %r9;", [tensor("y", "u32", threads, "out")], threads)
    assert outcome.kinds == [], outcome.report.findings
    return int(outcome.outputs()["y"][0])


CASES = [
    *(
        (f"set.{name}.u32.f32 %r9, %r1, %r2", a, b, ONES if truth else 0)
        for name, a, b, truth in (
            ("lt", ONE, TWO, True), ("lt", TWO, ONE, False), ("lt", NAN, ONE, False), ("ltu", NAN, ONE, True),
            ("eq", 0, MINUS_ZERO, True), ("ne", NAN, NAN, False), ("neu", NAN, NAN, True), ("num", ONE, NAN, False),
            ("num", ONE, TWO, True), ("nan", ONE, NAN, True), ("ge", TWO, TWO, True), ("gt", MINUS_ONE, MINUS_ZERO, False),
            ("equ", ONE, TWO, False), ("leu", TWO, ONE, False), ("geu", ONE, TWO, False), ("gtu", TWO, ONE, True),
        )
    ),
    ("set.gt.s32.f32 %r9, %r1, %r2", TWO, ONE, ONES),
    ("set.gt.f32.f32 %r9, %r1, %r2", TWO, ONE, ONE),
    ("set.gt.f32.f32 %r9, %r1, %r2", ONE, TWO, 0),
    ("set.lt.and.u32.f32 %r9, %r1, %r2, %p1", ONE, TWO, 0),
    ("set.lt.or.u32.f32 %r9, %r1, %r2, %p1", TWO, ONE, 0),
    ("set.lt.xor.f32.f32 %r9, %r1, %r2, !%p1", TWO, ONE, ONE),
    ("set.lt.ftz.u32.f32 %r9, %r1, %r2", ONE, TWO, ONES),
    ("set.lt.f32.s32 %r9, %r1, %r2", ONES, 0, ONE),
    ("cvt.u16.u32 %rs1, %r1; cvt.u16.u32 %rs2, %r2; set.lt.u32.f16 %r9, %rs1, %rs2", H_ONE, H_TWO, ONES),
    ("cvt.u16.u32 %rs1, %r1; cvt.u16.u32 %rs2, %r2; set.ltu.f16.f16 %rs3, %rs1, %rs2; cvt.u32.u16 %r9, %rs3", H_NAN, H_TWO, H_ONE),
    ("cvt.u16.u32 %rs1, %r1; cvt.u16.u32 %rs2, %r2; set.ge.u16.f16 %rs3, %rs1, %rs2; cvt.u32.u16 %r9, %rs3", H_TWO, H_TWO, 0xFFFF),
    ("cvt.u16.u32 %rs1, %r1; cvt.u16.u32 %rs2, %r2; set.lt.bf16.bf16 %rs3, %rs1, %rs2; cvt.u32.u16 %r9, %rs3", B_ONE, B_TWO, B_ONE),
    ("set.lt.f16.f32 %rs3, %r1, %r2; cvt.u32.u16 %r9, %rs3", ONE, TWO, H_ONE),
    ("set.lt.f16.u32 %rs3, %r1, %r2; cvt.u32.u16 %r9, %rs3", 1, 2, H_ONE),
    ("set.lt.bf16.s32 %rs3, %r1, %r2; cvt.u32.u16 %r9, %rs3", ONES, 2, B_ONE),
    ("set.lt.f16x2.f16x2 %r9, %r1, %r2", H_ONE << 16 | H_TWO, H_TWO << 16 | H_ONE, H_ONE << 16),
    ("set.gtu.bf16x2.bf16x2 %r9, %r1, %r2", B_TWO << 16 | 0x7FC0, B_ONE << 16 | B_ONE, B_ONE << 16 | B_ONE),
    ("set.eq.u32.f16x2 %r9, %r1, %r2", H_ONE << 16 | H_TWO, H_TWO << 16 | H_TWO, 0xFFFF),
    ("mov.b64 %rd1, {%r1, %r2}; set.lt.u32.f64 %r9, %rd1, 0d4000000000000000", 0, 0x3FF00000, ONES),
    ("copysign.f32 %r9, %r1, %r2", MINUS_ONE, TWO, 0xC0000000),
    ("copysign.f32 %r9, %r1, %r2", ONE, 0xC0000000, TWO),
    ("copysign.f32 %r9, %r1, %r2", MINUS_ZERO, 0, MINUS_ZERO),
    ("copysign.f32 %r9, %r1, %r2", MINUS_ZERO, 0x7F800000, 0xFF800000),
    ("copysign.f32 %r9, %r1, %r2", 0, 0xFFC00001, 0x7FC00001),
    ("mov.b64 %rd1, {%r1, %r2}; copysign.f64 %rd2, 0dBFF0000000000000, %rd1; shr.u64 %rd2, %rd2, 32; cvt.u32.u64 %r9, %rd2", 1, 0x40000000, 0xC0000000),
]  # fmt: skip


@pytest.mark.parametrize(("code", "a", "b", "wanted"), CASES, ids=[f"{k}_{c[0].split()[0]}" for k, c in enumerate(CASES)])
def test_known_bits(code: str, a: int, b: int, wanted: int) -> None:
    assert result(f"setp.ne.u32 %p1, 0, 0; mov.u32 %r1, {a}; mov.u32 %r2, {b}; {code};") == wanted


REFUSED = [
    "set.lt.u32.b32 %r9, %r1, %r2",
    "set.lo.u32.f32 %r9, %r1, %r2",
    "set.lt.ftz.u32.f64 %r9, %rd1, %rd2",
    "set.lt.ftz.u32.s32 %r9, %r1, %r2",
    "set.ltu.u32.s32 %r9, %r1, %r2",
    "set.lt.f16x2.f32 %r9, %r1, %r2",
    "set.lt.f32.f16x2 %r9, %r1, %r2",
    "set.lt.u16.f32 %rs1, %r1, %r2",
    "set.lt.f16.bf16 %rs1, %rs2, %rs3",
    "set.lt.f32.f16 %r9, %rs2, %rs3",
    "copysign.f16 %rs1, %rs2, %rs3",
    "copysign.ftz.f32 %r9, %r1, %r2",
]


@pytest.mark.parametrize("code", REFUSED)
def test_what_the_isa_has_not(code: str) -> None:
    outcome = run_body(f"mov.u32 %r1, 0; mov.u32 %r2, 0; {code};", [tensor("y", "u32", 1, "out")], 1)
    (finding,) = outcome.program.events
    assert code.split(maxsplit=1)[0] in finding.message and finding.kind == "unsupported-instruction"


def test_moves_of_128_bits() -> None:
    """Packing, copies, and the halves of what was packed; a guard leaves the old value."""
    body = """.reg .b128 %q<4>; mov.u64 %rd1, 5; mov.u64 %rd2, 7; mov.b128 %q1, {%rd1, %rd2}; mov.b128 %q2, %q1;
    mov.b128 %q3, {%rd2, %rd1}; setp.ne.u32 %p1, 0, 0; @%p1 mov.b128 %q2, %q3; mov.b128 {%rd3, %rd4}, %q2; mov.b128 {%rd5, _}, %q3;
    mad.lo.u64 %rd6, %rd3, 100, %rd4; mad.lo.u64 %rd6, %rd6, 10, %rd5; cvt.u32.u64 %r9, %rd6;"""
    assert result(body) == 5077


def test_loads_and_stores_of_128_bits() -> None:
    body = ".reg .b128 %q<3>;" + at("x", size=16) + at("y", size=16)
    body += "ld.global.nc.b128 %q1, [%at_x]; mov.b128 {%rd1, %rd2}, %q1; add.u64 %rd2, %rd2, 1; mov.b128 %q2, {%rd2, %rd1}; st.global.b128 [%at_y], %q2;"
    x = np.arange(16, dtype=np.uint64).reshape(8, 2)
    tensors = [tensor("x", "u64", (8, 2), "in", x), tensor("y", "u64", (8, 2), "out")]
    outcome = run_body(body, tensors, 8)
    assert outcome.kinds == []
    np.testing.assert_array_equal(outcome.outputs()["y"], np.stack([x[:, 1] + 1, x[:, 0]], 1))
    shifted = run_body(body.replace("[%at_x]", "[%at_x+8]"), tensors, 7)
    assert "misaligned" in shifted.kinds


@pytest.mark.parametrize(
    "code",
    [
        "atom.global.exch.b128 %q1, [%rd_y], %q2",
        "ld.global.v2.b128 {%q1, %q2}, [%rd_y]",
        "mov.b128 %q1, {%r1, %r2}",
        "mov.b128 %q1, %rd1",
        "cvt.b128.u64 %q1, %rd1",
    ],
)
def test_what_128_bits_do_not_do(code: str) -> None:
    outcome = run_body(f".reg .b128 %q<3>; {code};", [tensor("y", "u64", 2, "inout")], 1)
    assert code.split(maxsplit=1)[0] in outcome.program.events[0].message
