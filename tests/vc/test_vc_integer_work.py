"""Integer instructions on elements of integer tensors: right values are Python's on whole numbers, cut to the width.

The graph is evaluated in exact rationals, at the edges of each type and at random ones."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from test_vc_integers import N, numbers, run
from vc_evaluate import evaluate

from volta_pipe.ir.errors import UnsupportedError

Numbers = list[int]
Expected = Callable[..., int | float]


def cut(value: int, bits: int, signed: bool = True) -> int:
    """Two's complement of that many bits, read with a sign or without."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def s(value: int) -> int:
    return cut(value, 32)


def u(value: int) -> int:
    return cut(value, 32, False)


def clamp(value: int, bits: int, signed: bool = True) -> int:
    low = -(1 << (bits - 1)) if signed else 0
    return min(max(value, low), low + (1 << bits) - 1)


def check(code: str, dtype: str, out: str, expected: Expected, each: int) -> None:
    x = numbers(dtype, N * each)
    found = evaluate(run(code, dtype, out, each).conditions(), {"x": x}, exact=True)["o"]
    rows = [[int(v) for v in row] for row in x.reshape(N, each)]
    assert found.tolist() == [expected(*row) for row in rows]


ONE = "ld.global.u32 %r1, [%at_x];"
TWO = "ld.global.v2.u32 {%r1, %r2}, [%at_x];"
FOUR = "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%at_x];"
LONG = "ld.global.v2.u64 {%rd1, %rd2}, [%at_x];"
PAIR = "ld.global.v2.s8 {%rs1, %rs2}, [%at_x]; cvt.s32.s16 %r1, %rs1; cvt.s32.s16 %r2, %rs2;"
WORK: list[tuple[str, str, str, Expected, int]] = [
    ("s32", f"{TWO} add.s32 %r9, %r1, %r2;", "s32", lambda x, y: s(x + y), 2),
    ("s32", f"{TWO} sub.s32 %r9, %r1, %r2;", "s32", lambda x, y: s(x - y), 2),
    ("s32", f"{TWO} mul.lo.s32 %r9, %r1, %r2;", "s32", lambda x, y: s(x * y), 2),
    ("u32", f"{TWO} mul.lo.s32 %r9, %r1, %r2;", "u32", lambda x, y: u(x * y), 2),
    ("s32", f"{TWO} mul.lo.s32 %r3, %r1, %r2; cvt.rn.f64.u32 %fd9, %r3;", "f64", lambda x, y: u(x * y), 2),
    ("s32", f"{FOUR} mad.lo.s32 %r5, %r1, %r2, %r3; mad.lo.s32 %r9, %r5, %r4, %r1;", "s32", lambda a, b, c, d: s((a * b + c) * d + a), 4),
    ("s32", f"{TWO} mul.wide.s32 %rd9, %r1, %r2;", "s64", lambda x, y: x * y, 2),
    ("s32", f"{TWO} mul.wide.u32 %rd9, %r1, %r2;", "s64", lambda x, y: cut(u(x) * u(y), 64), 2),
    ("s32", f"{FOUR} mul.wide.s32 %rd1, %r1, %r2; mad.wide.s32 %rd9, %r3, %r4, %rd1;", "s64", lambda a, b, c, d: cut(a * b + c * d, 64), 4),
    ("s32", f"{TWO} mul.wide.s32 %rd1, %r1, %r2; cvt.rn.f64.s64 %fd9, %rd1;", "f64", lambda x, y: x * y, 2),
    ("s32", f"{TWO} mul.wide.s32 %rd1, %r1, %r2; cvt.u32.u64 %r9, %rd1;", "s32", lambda x, y: s(x * y), 2),
    ("s32", f"{TWO} mul.hi.s32 %r9, %r1, %r2;", "s32", lambda x, y: x * y >> 32, 2),
    ("s32", f"{TWO} mul.hi.u32 %r9, %r1, %r2;", "s32", lambda x, y: s(u(x) * u(y) >> 32), 2),
    ("s32", f"{TWO} mad.hi.s32 %r9, %r1, %r2, %r1;", "s32", lambda x, y: s((x * y >> 32) + x), 2),
    ("s64", f"{LONG} add.s64 %rd9, %rd1, %rd2;", "s64", lambda x, y: cut(x + y, 64), 2),
    ("s64", f"{LONG} mul.lo.s64 %rd9, %rd1, %rd2;", "s64", lambda x, y: cut(x * y, 64), 2),
    ("s16", "ld.global.v2.u16 {%rs1, %rs2}, [%at_x]; mul.lo.s16 %rs3, %rs1, %rs2; cvt.s32.s16 %r9, %rs3;", "s32", lambda x, y: cut(x * y, 16), 2),
    ("s16", "ld.global.v2.u16 {%rs1, %rs2}, [%at_x]; mul.wide.s16 %r9, %rs1, %rs2;", "s32", lambda x, y: x * y, 2),
    ("s16", "ld.global.v2.u16 {%rs1, %rs2}, [%at_x]; add.s16 %rs3, %rs1, %rs2; cvt.u32.u16 %r9, %rs3;", "s32", lambda x, y: cut(x + y, 16, False), 2),
    ("s8", f"{PAIR} mul.lo.s32 %r9, %r1, %r2;", "s32", lambda x, y: x * y, 2),
    ("s8", f"{PAIR} mul.lo.s32 %r3, %r1, %r2; cvt.s8.s32 %r9, %r3;", "s32", lambda x, y: cut(x * y, 8), 2),
    ("s8", f"{PAIR} mul.lo.s32 %r3, %r1, %r2; cvt.sat.s8.s32 %r9, %r3;", "s32", lambda x, y: clamp(x * y, 8), 2),
    ("s8", f"{PAIR} mul.lo.s32 %r3, %r1, %r2; cvt.sat.u8.s32 %r9, %r3;", "s32", lambda x, y: clamp(x * y, 8, False), 2),
    ("s32", f"{ONE} neg.s32 %r9, %r1;", "s32", lambda x: s(-x), 1),
    ("s32", f"{ONE} abs.s32 %r9, %r1;", "s32", lambda x: s(abs(x)), 1),
    ("s32", f"{ONE} not.b32 %r9, %r1;", "s32", lambda x: ~x, 1),
    ("s32", f"{ONE} cnot.b32 %r9, %r1;", "s32", lambda x: int(x == 0), 1),
    ("s32", f"{TWO} min.s32 %r9, %r1, %r2;", "s32", min, 2),
    ("s32", f"{TWO} max.u32 %r9, %r1, %r2;", "s32", lambda x, y: s(max(u(x), u(y))), 2),
    ("s32", f"{TWO} add.s32 %r3, %r1, %r2; max.relu.s32 %r9, %r3, -7;", "s32", lambda x, y: max(s(x + y), -7, 0), 2),
    ("s32", f"{TWO} add.sat.s32 %r9, %r1, %r2;", "s32", lambda x, y: clamp(x + y, 32), 2),
    ("s32", f"{TWO} sub.sat.s32 %r9, %r1, %r2;", "s32", lambda x, y: clamp(x - y, 32), 2),
    ("s32", f"{FOUR} sad.s32 %r9, %r1, %r2, %r3;", "s32", lambda a, b, c, d: s(c + abs(a - b)), 4),
    ("s32", f"{FOUR} sad.u32 %r9, %r1, %r2, %r3;", "s32", lambda a, b, c, d: s(c + abs(u(a) - u(b))), 4),
    *(("s32", f"{ONE} shl.b32 %r9, %r1, {k};", "s32", lambda x, k=k: s(x << k), 1) for k in (1, 8, 13, 31, 32)),
    *(("s32", f"{ONE} shr.s32 %r9, %r1, {k};", "s32", lambda x, k=k: x >> k, 1) for k in (1, 4, 8, 31, 40)),
    *(("s32", f"{ONE} shr.u32 %r9, %r1, {k};", "s32", lambda x, k=k: s(u(x) >> k), 1) for k in (1, 4, 16, 31, 40)),
    *(("s32", f"{TWO} add.s32 %r3, %r1, %r2; shr.s32 %r9, %r3, {k};", "s32", lambda x, y, k=k: s(x + y) >> k, 2) for k in (3, 8, 24)),
    *(("s32", f"{TWO} add.s32 %r3, %r1, %r2; shr.u32 %r9, %r3, {k};", "s32", lambda x, y, k=k: s(u(x + y) >> k), 2) for k in (3, 8, 24)),
    *(("s32", f"{TWO} sub.s32 %r3, %r1, %r2; and.b32 %r9, %r3, {m};", "s32", lambda x, y, m=m: s(x - y) & m, 2) for m in (1, 255, 1023, 65535, -4, -256)),
    ("s32", f"{ONE} and.b32 %r9, 0x1F, %r1;", "s32", lambda x: x & 31, 1),
    ("s32", f"{ONE} and.b32 %r9, %r1, -32;", "s32", lambda x: x & -32, 1),
    ("s32", f"{ONE} bfe.s32 %r9, %r1, 5, 7;", "s32", lambda x: cut(x >> 5, 7), 1),
    ("s32", f"{ONE} bfe.u32 %r9, %r1, 5, 7;", "s32", lambda x: x >> 5 & 127, 1),
    ("s32", f"{ONE} bfe.u32 %r9, %r1, 5, 0;", "s32", lambda x: 0, 1),
    ("u8", "ld.global.u8 %r1, [%at_x]; shr.u32 %r2, %r1, 4; and.b32 %r9, %r2, 15;", "s32", lambda x: x >> 4, 1),
    ("u8", "ld.global.u8 %r1, [%at_x]; and.b32 %r2, %r1, 15; sub.s32 %r9, %r2, 8;", "s32", lambda x: (x & 15) - 8, 1),
    ("s8", "ld.global.s8 %r1, [%at_x]; shl.b32 %r2, %r1, 28; shr.s32 %r9, %r2, 28;", "s32", lambda x: cut(x, 4), 1),
    *(("s32", f"{ONE} div.s32 %r9, %r1, {d};", "s32", lambda x, d=d: s(math.trunc(__import__("fractions").Fraction(x, d))), 1) for d in (3, -7, 16, -1)),
    *(("s32", f"{ONE} rem.s32 %r9, %r1, {d};", "s32", lambda x, d=d: int(math.copysign(abs(x) % abs(d), x)), 1) for d in (3, -7, 16)),
    ("s32", f"{ONE} div.u32 %r9, %r1, 10;", "s32", lambda x: s(u(x) // 10), 1),
    ("s32", f"{ONE} rem.u32 %r9, %r1, 10;", "s32", lambda x: u(x) % 10, 1),
    # of packed bytes
    ("s32", f"{FOUR} dp4a.s32.s32 %r9, %r1, %r2, %r3;", "s32", lambda a, b, c, d: s(c + sum(cut(a >> k, 8) * cut(b >> k, 8) for k in (0, 8, 16, 24))), 4),
    ("s32", f"{FOUR} dp4a.u32.s32 %r9, %r1, %r2, %r3;", "s32", lambda a, b, c, d: s(c + sum((a >> k & 255) * cut(b >> k, 8) for k in (0, 8, 16, 24))), 4),
    ("s8", "ld.global.v2.u32 {%r1, %r2}, [%at_x]; dp4a.s32.s32 %r9, %r1, %r2, 5;", "s32", lambda *x: 5 + sum(x[k] * x[k + 4] for k in range(4)), 8),
    ("s32", f"{FOUR} dp2a.lo.s32.s32 %r9, %r1, %r2, %r3;", "s32", lambda a, b, c, d: s(c + sum(cut(a >> 16 * k, 16) * cut(b >> 8 * k, 8) for k in (0, 1))), 4),
    ("s32", f"{FOUR} dp2a.hi.s32.u32 %r9, %r1, %r2, %r3;", "s32", lambda a, b, c, d: s(c + sum(cut(a >> 16 * k, 16) * (b >> 16 + 8 * k & 255) for k in (0, 1))), 4),
    # through memory, packed and taken apart
    ("s32", f"{TWO} .shared .align 8 .b8 s[512]; mov.u32 %r3, s; mad.lo.u32 %r4, %r50, 8, %r3; mul.wide.s32 %rd1, %r1, %r2; st.shared.u64 [%r4], %rd1; ld.shared.u64 %rd9, [%r4];", "s64", lambda x, y: x * y, 2),
    ("s32", f"{TWO} .shared .align 8 .b8 s[512]; mov.u32 %r3, s; mad.lo.u32 %r4, %r50, 8, %r3; mul.wide.s32 %rd1, %r1, %r2; st.shared.u64 [%r4], %rd1; ld.shared.s32 %r9, [%r4+4];", "s32", lambda x, y: x * y >> 32, 2),
    ("s32", f"{TWO} .shared .align 8 .b8 s[512]; mov.u32 %r3, s; mad.lo.u32 %r4, %r50, 8, %r3; add.s32 %r5, %r1, %r2; st.shared.u32 [%r4], %r5; ld.shared.s8 %r9, [%r4+2];", "s32", lambda x, y: cut(x + y >> 16, 8), 2),
    ("s32", f"{TWO} .shared .align 8 .b8 s[512]; mov.u32 %r3, s; mad.lo.u32 %r4, %r50, 8, %r3; add.s32 %r5, %r1, %r2; st.shared.u8 [%r4+3], %r5; ld.shared.u8 %r9, [%r4+3];", "s32", lambda x, y: x + y & 255, 2),
    ("s32", f"{TWO} add.s32 %r3, %r1, %r2; mov.b32 {{%rs1, %rs2}}, %r3; mov.b32 %r9, {{%rs1, %rs2}};", "s32", lambda x, y: s(x + y), 2),
    ("s32", f"{TWO} add.s32 %r3, %r1, %r2; mov.b32 {{%rs1, %rs2}}, %r3; cvt.s32.s16 %r9, %rs2;", "s32", lambda x, y: s(x + y) >> 16, 2),
    ("s32", f"{TWO} add.s32 %r3, %r1, %r2; mov.b64 %rd1, {{%r3, %r1}}; mov.b64 {{%r4, %r5}}, %rd1; add.s32 %r9, %r4, %r5;", "s32", lambda x, y: s(2 * x + y), 2),
    ("s32", f"{TWO} add.s32 %r3, %r1, %r2; cvt.s64.s32 %rd9, %r3;", "s64", lambda x, y: s(x + y), 2),
    ("s32", f"{TWO} add.s32 %r3, %r1, %r2; cvt.u64.u32 %rd9, %r3;", "s64", lambda x, y: u(x + y), 2),
    ("s32", f"{TWO} add.s32 %r3, %r1, %r2; prmt.b32 %r9, %r3, 0, 0x4440;", "s32", lambda x, y: x + y & 255, 2),
    # choices
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, %r2; selp.b32 %r9, 3, -5, %p1;", "s32", lambda x, y: 3 if x < y else -5, 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, %r2; selp.b32 %r3, 3, -5, %p1; add.s32 %r9, %r3, %r1;", "s32", lambda x, y: s((3 if x < y else -5) + x), 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, %r2; selp.b32 %r3, -1, -5, %p1; cvt.s64.s32 %rd9, %r3;", "s64", lambda x, y: -1 if x < y else -5, 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, %r2; selp.b32 %r3, -2, 900, %p1; cvt.s32.s8 %r9, %r3;", "s32", lambda x, y: -2 if x < y else cut(900, 8), 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, %r2; selp.b32 %r3, -2, 900, %p1; cvt.u32.u16 %r9, %r3;", "s32", lambda x, y: 65534 if x < y else 900, 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, %r2; selp.b32 %r3, -2, 900, %p1; cvt.u64.u32 %rd9, %r3;", "s64", lambda x, y: 2**32 - 2 if x < y else 900, 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, %r2; selp.b32 %r3, -2, 900, %p1; mov.b64 %rd9, {{%r3, %r1}};", "s64", lambda x, y: cut((x << 32) + (2**32 - 2 if x < y else 900), 64), 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, %r2; selp.b32 %r9, %r1, 7, %p1;", "s32", lambda x, y: x if x < y else 7, 2),
    ("s32", f"{TWO} mov.u32 %r9, 4; setp.lt.s32 %p1, %r1, %r2; add.s32 %r3, %r1, %r2; @%p1 mov.u32 %r9, %r3;", "s32", lambda x, y: s(x + y) if x < y else 4, 2),
    ("s32", f"{TWO} mov.u32 %r9, 4; setp.lt.s32 %p1, %r1, %r2; @%p1 mov.u32 %r9, 9;", "s32", lambda x, y: 9 if x < y else 4, 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, 0; setp.lt.s32 %p2, %r2, 0; selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 2, 0, %p2; or.b32 %r9, %r3, %r4;", "s32", lambda x, y: (x < 0) + 2 * (y < 0), 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, 0; setp.lt.s32 %p2, %r2, 0; selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 1, 0, %p2; xor.b32 %r9, %r3, %r4;", "s32", lambda x, y: (x < 0) ^ (y < 0), 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, 0; setp.lt.s32 %p2, %r2, 0; selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 1, 0, %p2; and.b32 %r5, %r3, %r4; setp.ne.s32 %p3, %r5, 0; selp.b32 %r9, %r1, %r2, %p3;", "s32", lambda x, y: x if x < 0 and y < 0 else y, 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, 0; setp.gt.s32 %p2, %r1, 0; selp.b32 %r3, -1, 0, %p1; selp.b32 %r9, 1, %r3, %p2;", "s32", lambda x, y: (x > 0) - (x < 0), 2),
    ("s32", f"{TWO} setp.lt.s32 %p1, %r1, 0; selp.b32 %r3, 0x3F800000, 0x40000000, %p1; mov.b32 %f9, %r3;", "f32", lambda x, y: 1 if x < 0 else 2, 2),
    # comparisons of what was computed
    ("s32", f"{TWO} add.s32 %r3, %r1, %r2; setp.lt.s32 %p1, %r3, %r1; selp.b32 %r9, 1, 0, %p1;", "s32", lambda x, y: int(s(x + y) < x), 2),
    ("s32", f"{TWO} add.s32 %r3, %r1, %r2; setp.lt.u32 %p1, %r3, %r1; selp.b32 %r9, 1, 0, %p1;", "s32", lambda x, y: int(u(x + y) < u(x)), 2),
    ("s32", f"{TWO} sub.s32 %r3, %r1, %r2; setp.eq.s32 %p1, %r3, -1; selp.b32 %r9, 1, 0, %p1;", "s32", lambda x, y: int(s(x - y) == -1), 2),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "code", "out", "expected", "each"), WORK, ids=range(len(WORK)))
def test_integer_work(dtype: str, code: str, out: str, expected: Expected, each: int) -> None:
    check(code, dtype, out, expected, each)


ROUNDED = [
    ("cvt.rni.s32.f32 %r9, %f1;", "s32", lambda x: clamp(round(x), 32)),
    ("cvt.rzi.s32.f32 %r9, %f1;", "s32", lambda x: clamp(math.trunc(x), 32)),
    ("cvt.rmi.s32.f32 %r9, %f1;", "s32", lambda x: clamp(math.floor(x), 32)),
    ("cvt.rpi.s32.f32 %r9, %f1;", "s32", lambda x: clamp(math.ceil(x), 32)),
    ("cvt.rzi.u32.f32 %r9, %f1;", "u32", lambda x: clamp(math.trunc(x), 32, False)),
    ("cvt.rni.s8.f32 %r9, %f1;", "s32", lambda x: clamp(round(x), 8)),
    ("cvt.rzi.u8.f32 %r9, %f1;", "s32", lambda x: clamp(math.trunc(x), 8, False)),
    ("cvt.rzi.s64.f32 %rd9, %f1;", "s64", lambda x: clamp(math.trunc(x), 64)),
    ("cvt.rpi.u64.f32 %rd9, %f1;", "u64", lambda x: clamp(math.ceil(x), 64, False)),
    ("cvt.rni.s32.f32 %r1, %f1; cvt.rn.f32.s32 %f9, %r1;", "f32", lambda x: clamp(round(x), 32)),
]


@pytest.mark.parametrize(("code", "out", "expected"), ROUNDED, ids=range(len(ROUNDED)))
def test_floats_become_the_nearest_integer_of_the_type(code: str, out: str, expected: Callable[[float], int]) -> None:
    """PTX ISA 9.7.9.21: conversions to integers clamp."""
    x = np.array(
        [
            0.5,
            1.5,
            2.5,
            -0.5,
            -1.5,
            0.75,
            -0.75,
            3e9,
            -3e9,
            127.5,
            128.0,
            -128.5,
            255.5,
            256.0,
            5e9,
            2.0**63,
            -(2.0**63),
            1e20,
            2.0**64,
            -1.0,
            2.0**70,
            -(2.0**70),
            *([0.25] * 10),
        ]
    )
    found = evaluate(run(f"ld.global.f32 %f1, [%at_x]; {code}", "f32", out).conditions(), {"x": x}, exact=True)["o"]
    assert found.tolist() == [expected(v) for v in x]


REFUSED = [
    f"{TWO} and.b32 %r9, %r1, %r2;",
    f"{TWO} xor.b32 %r9, %r1, %r2;",
    f"{TWO} add.s32 %r3, %r1, %r2; or.b32 %r9, %r3, 1;",
    f"{ONE} and.b32 %r9, %r1, 5;",
    f"{TWO} shl.b32 %r9, %r1, %r2;",
    f"{TWO} div.s32 %r9, %r1, %r2;",
    f"{ONE} div.s32 %r9, %r1, 0;",
    f"{ONE} popc.b32 %r9, %r1;",
    f"{TWO} bfe.u32 %r9, %r1, 28, 8;",
    f"{TWO} mul24.lo.s32 %r9, %r1, %r2;",
]


@pytest.mark.parametrize("code", REFUSED)
def test_what_is_no_arithmetic_is_refused_at_its_line(code: str) -> None:
    outcome = run(code.replace(";", ";\n"), "s32", "s32", 2 if "v2" in code else 1)
    with pytest.raises(UnsupportedError) as error:
        outcome.conditions()
    assert error.value.instruction >= 0
