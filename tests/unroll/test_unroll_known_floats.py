"""Floats computed from known numbers decide addresses and branches by their bits, and stay reals in formulas."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from unroll_harness import Array, at, run_body, tensor

THREADS = 64
STORE = at("y") + "st.global.u32 [%at_y], %r9;"
# Bits of float32: zeros, ones, subnormal, small and large ones, infinities, neighbours.
POOL = [
    0,
    0x80000000,
    0x3F800000,
    0xBF800000,
    1,
    0x807FFFFF,
    0x00800000,
    0x34000000,
    0x3DCCCCCD,
    0x3E99999A,
    0x40490FDB,
    0x4B800001,
]
POOL += [0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x3F7FFFFF, 0x3F800001, 0xC0A00000, 0x5F000000, 0x33800000, 0x0DA24260, 0x9E3CE508]


def singles(bits: Array) -> Array:
    return bits.astype(np.uint32).view(np.float32)


def rounded(x: Fraction) -> np.float32:
    """A rational number as the nearest float32, ties to even, by definition."""
    if not x:
        return np.float32(0)
    sign, x = (-1, -x) if x < 0 else (1, x)
    exponent = max(x.numerator.bit_length() - x.denominator.bit_length() - 1, -150)
    while Fraction(2) ** (exponent + 1) <= x:
        exponent += 1
    unit = Fraction(2) ** (max(exponent, -126) - 23)
    value = round(x / unit) * unit  # Python rounds halves to even
    return np.float32(sign * (float(value) if value < 2**128 else np.inf))


def decided(body: str, x: Array, y: Array, z: Array) -> Array:
    """The bits of %f9, seen through a branch on each of them: cvt to an integer would lose most. uint32 [lanes]."""
    text = (
        at("x")
        + at("y")
        + at("z")
        + at("o")
        + "ld.global.f32 %f1, [%at_x]; ld.global.f32 %f2, [%at_y]; ld.global.f32 %f3, [%at_z];"
        + body
    )
    # Bisection by comparisons and branches: the largest multiple of a power of two that is not above |f9|, from the top bit down.
    text += "mov.u32 %r9, 0; mov.u32 %r1, 31; abs.f32 %f8, %f9; Bit: sub.u32 %r1, %r1, 1; mov.u32 %r2, 1; shl.b32 %r2, %r2, %r1; or.b32 %r3, %r9, %r2;"
    text += "mov.b32 %f7, %r3; setp.gtu.f32 %p1, %f7, %f8; @%p1 bra Next; mov.u32 %r9, %r3; Next: setp.ne.u32 %p2, %r1, 0; @%p2 bra Bit;"
    text += "setp.lt.f32 %p3, %f9, 0f00000000; @!%p3 bra Done; or.b32 %r9, %r9, 0x80000000; Done: st.global.u32 [%at_o], %r9;"
    n = len(x)
    given = [tensor(name, "u32", n, "in", values.astype(np.uint32)) for name, values in (("x", x), ("y", y), ("z", z))]
    outcome = run_body(text, [*given, tensor("o", "u32", n, "out")], n)
    assert outcome.kinds == [], outcome.report.findings
    return outcome.outputs()["o"].astype(np.uint32)


def triples(seed: int) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(seed)
    pool = np.array(POOL, np.uint32)
    near = rng.integers(0x3F000000, 0x41000000, 200).astype(np.uint32) | (rng.integers(0, 2, 200) << 31).astype(np.uint32)
    x, y, z = (
        np.concatenate([rng.choice(pool, 400), rng.permutation(near), rng.integers(0, 1 << 32, 200).astype(np.uint32)])
        for _ in range(3)
    )
    # Products with an addend of 25 binades less: what a sum that is rounded twice gets wrong.
    z[400:500] = (np.float32(2.0**-25) * singles(z[400:500])).view(np.uint32)
    return x, y, z


OPERATIONS = {
    "add.f32 %f9, %f1, %f2": lambda x, y, z: x + y,
    "sub.rn.f32 %f9, %f1, %f2": lambda x, y, z: x - y,
    "mul.f32 %f9, %f1, %f2": lambda x, y, z: x * y,
    "fma.rn.f32 %f9, %f1, %f2, %f3": lambda x, y, z: x * y + z,
    "div.rn.f32 %f9, %f1, %f2": lambda x, y, z: x / y,
    "rcp.rn.f32 %f9, %f1": lambda x, y, z: 1 / x,
    "neg.f32 %f9, %f1": lambda x, y, z: -x,
    "abs.f32 %f9, %f1": lambda x, *_: abs(x),
    "max.f32 %f9, %f1, %f2": lambda x, y, z: max(x, y),
    "min.f32 %f9, %f1, %f2": lambda x, y, z: min(x, y),
    "min.f32 %f9, %f1, %f2, %f3": min,
    "add.sat.f32 %f9, %f1, %f2": lambda x, y, z: min(max(x + y, Fraction(0)), Fraction(1)),
}


@pytest.mark.parametrize("code", OPERATIONS, ids=lambda code: code.split()[0])
def test_bits_are_rounded_as_the_isa_says(code: str) -> None:
    """Against exact rational arithmetic. Lanes whose operands or result have no rational value, or whose quotient is subnormal
    (it is not computed), are left out."""
    x, y, z = triples(len(code))
    wanted, kept = [], []
    for k, (a, b, c) in enumerate(zip(singles(x), singles(y), singles(z), strict=True)):
        if not np.isfinite([a, b, c]).all():
            continue
        if ("div" in code and not b) or ("rcp" in code and not a):
            continue
        exact = OPERATIONS[code](*(Fraction(float(v)) for v in (a, b, c)))
        bits = int(rounded(exact).view(np.uint32)) if rounded(exact) else 0  # comparisons do not see the sign of a zero
        if code[:3] in ("div", "rcp") and 0 < abs(exact) < Fraction(2) ** -124:
            continue
        kept.append(k)
        wanted.append(bits)
    assert len(kept) > 300
    found = decided(code + ";", x[kept], y[kept], z[kept])
    np.testing.assert_array_equal(found, np.array(wanted, np.uint32))


def values(body: str, threads: int = THREADS) -> Array:
    outcome = run_body(body + STORE, [tensor("y", "u32", threads, "out")], threads)
    assert outcome.kinds == [], outcome.report.findings
    return outcome.outputs()["y"]


T = np.arange(THREADS)


def test_conversions_of_integers_and_back() -> None:
    """A scaled index by way of floats, as samplers compute it; rounding decides at 3 · 0.1."""
    code = "cvt.rn.f32.s32 %f1, %r50; fma.rn.f32 %f2, %f1, 0f3F000000, 0fBE800000; max.f32 %f3, %f2, 0f00000000; cvt.rzi.s32.f32 %r9, %f3;"
    np.testing.assert_array_equal(values(code), np.maximum(T * 0.5 - 0.25, 0).astype(int))
    code = "cvt.rn.f32.u32 %f1, %r50; mul.f32 %f2, %f1, 0f3DCCCCCD; mul.f32 %f2, %f2, 0f41200000; cvt.rmi.u32.f32 %r9, %f2;"
    tenth = np.float32(0.1) * T.astype(np.float32)
    np.testing.assert_array_equal(values(code), np.floor(tenth * np.float32(10)).astype(int))
    code = "cvt.rn.f64.u32 %fd1, %r50; div.rn.f64 %fd2, %fd1, 0d4008000000000000; sqrt.rn.f64 %fd3, %fd2; cvt.rn.f32.f64 %f1, %fd3; cvt.rni.s32.f32 %r9, %f1;"
    np.testing.assert_array_equal(values(code), np.rint(np.sqrt(T / 3.0)).astype(int))
    code = "cvt.rn.f32.u32 %f1, %r50; cvt.rpi.f32.f32 %f2, %f1; mul.f32 %f2, %f2, 0f3F400000; cvt.rmi.ftz.f32.f32 %f3, %f2; cvt.rzi.ftz.s32.f32 %r9, %f3;"
    np.testing.assert_array_equal(values(code), np.floor(T * 0.75).astype(int))


def test_loops_and_branches_on_known_floats() -> None:
    """A float that is carried through a loop and decides how often it runs: the sum of tenths in single precision."""
    code = "mov.f32 %f1, 0f00000000; mov.u32 %r9, 0; cvt.rn.f32.u32 %f2, %r50; Loop: add.f32 %f1, %f1, 0f3DCCCCCD; add.u32 %r9, %r9, 1; setp.lt.f32 %p1, %f1, %f2; @%p1 bra Loop;"
    total, count, wanted = np.float32(0), 0, {}
    for limit in range(THREADS):
        while count == 0 or total < limit:
            total, count = total + np.float32(0.1), count + 1
        wanted[limit] = count
    np.testing.assert_array_equal(values(code), [max(1, wanted[t]) for t in range(THREADS)])


def test_some_lanes_know_and_others_do_not() -> None:
    """Where a lane's float depends on data, its conversion stays a row, and an address made of it is refused."""
    body = (
        at("x")
        + "ld.global.f32 %f1, [%at_x]; cvt.rn.f32.u32 %f2, %r50; setp.lt.u32 %p1, %r50, {}; @!%p1 bra Known; mov.f32 %f2, %f1; Known: add.f32 %f3, %f2, 0f3F800000; cvt.rzi.u32.f32 %r9, %f3;"
    )
    tensors = [tensor("x", "f32", 32, "in"), tensor("y", "u32", 32, "out")]
    known = run_body(body.format(0) + STORE, tensors, 32)
    np.testing.assert_array_equal(known.outputs()["y"], np.arange(32) + 1)
    mixed = run_body(body.format(5) + "setp.ge.u32 %p2, %r50, 5; @!%p2 bra Skip;" + STORE + "Skip:", tensors, 32)
    assert mixed.program.complete
    assert [finding.kind for finding in mixed.report.findings] == ["unwritten-output"]
    refused = run_body(body.format(5) + at("x", "%r9", register="%there") + "ld.global.u32 %r9, [%there];" + STORE, tensors, 32)
    assert refused.program.events[0].kind == "data-dependent-address"


def test_what_is_known_is_forgotten_when_it_is_overwritten() -> None:
    """The register of a known float gets one that depends on data in the second round of a loop."""
    body = (
        at("x")
        + "ld.global.f32 %f1, [%at_x]; mov.f32 %f2, 0f40000000; mov.u32 %r1, 0; Loop: add.f32 %f3, %f2, %f2; cvt.rzi.u32.f32 %r9, %f3; mov.f32 %f2, %f1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, {}; @%p1 bra Loop;"
    )
    tensors = [tensor("x", "f32", 32, "in"), tensor("y", "u32", 32, "out")]
    once = run_body(body.format(1) + STORE, tensors, 32)
    assert set(once.outputs()["y"]) == {4}
    twice = run_body(body.format(2) + at("x", "%r9", register="%there") + "ld.global.u32 %r9, [%there];" + STORE, tensors, 32)
    assert twice.program.events[0].kind == "data-dependent-address"


NOT_COMPUTED = [
    "div.approx.f32 %f2, %f1, 0f40400000",
    "div.full.f32 %f2, %f1, 0f40400000",
    "rcp.approx.ftz.f32 %f2, %f1",
    "sqrt.approx.f32 %f2, %f1",
    "add.rm.f32 %f2, %f1, 0f3DCCCCCD",
    "ex2.approx.f32 %f2, %f1",
    "sin.approx.f32 %f2, %f1",
    "cvt.rz.f32.f64 %f2, 0d3FB999999999999A; add.f32 %f2, %f2, %f1",
    "cvt.f64.f32 %fd1, %f1; fma.rn.f64 %fd2, %fd1, %fd1, %fd1; cvt.rn.f32.f64 %f2, %fd2",
    "sub.f32 %f2, 0f7F800000, 0f7F800000",
    "@%p5 add.f32 %f2, %f1, %f1",
]


@pytest.mark.parametrize("code", NOT_COMPUTED)
def test_what_is_not_computed_exactly_stays_unknown(code: str) -> None:
    body = f"cvt.rn.f32.u32 %f1, %r50; setp.ne.u32 %p5, %r50, 99; mov.f32 %f2, %f1; {code}; cvt.rzi.u32.f32 %r9, %f2;"
    outcome = run_body(
        body + at("y", "%r9", register="%there") + "ld.global.u32 %r9, [%there];" + STORE, [tensor("y", "u32", 4, "inout")], 4
    )
    assert outcome.program.events[0].kind == "data-dependent-address"


def test_the_value_stays_a_real_number() -> None:
    """0.1f · 10 is 1 in single precision and more over the reals: the branch sees the one, the formula has the other."""
    body = (
        at("o")
        + "cvt.rn.f32.u32 %f1, 10; mul.f32 %f2, %f1, 0f3DCCCCCD; setp.eq.f32 %p1, %f2, 0f3F800000; mov.f32 %f9, 0f00000000; @!%p1 bra Done; mov.f32 %f9, %f2; Done: st.global.f32 [%at_o], %f9;"
    )
    outcome = run_body(body, [tensor("o", "f32", 1, "out")], 1)
    assert outcome.kinds == []
    conditions = outcome.conditions()
    (root,) = conditions.outputs[0]
    found = conditions.graph.constant(int(root))
    assert found == 10 * float(np.float32(0.1)) != 1.0
