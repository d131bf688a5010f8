# ruff: noqa: E501 - lines of instructions
"""Families of kernels as PTX on both sides: two routes that are equal, and a third that is not.

Each thread works on the first elements of both inputs (%f0 … %f3 of a, %g0 … %g3 of b) and its own (%a, %b)."""

from __future__ import annotations

from pathlib import Path

import pytest
from decision_kernel import verdict

LOADS = "ld.param.u64 %o, [pa]; ld.param.u64 %l, [pb]; " + " ".join(
    f"ld.global.f32 %f{i}, [%o+{4 * i}]; ld.global.f32 %g{i}, [%l+{4 * i}];" for i in range(4)
)
ONE, HALF, FOURTH, ZERO, INFINITE = "0f3F800000", "0f3F000000", "0f3E800000", "0f00000000", "0fFF800000"


def exp(to: str, x: str) -> str:
    return f"mul.f32 %w, {x}, 0f3FB8AA3B; ex2.approx.f32 {to}, %w; "


def log(to: str, x: str) -> str:
    return f"lg2.approx.f32 %w, {x}; mul.f32 {to}, %w, 0f3F317218; "


# ---- attention of one query over three keys: %f the scores, %g the values

NAIVE = (
    "max.f32 %u, %f0, %f1; max.f32 %u, %u, %f2; "
    + "".join(f"sub.f32 %r{i}, %f{i}, %u; " + exp(f"%r{i}", f"%r{i}") for i in range(3))
    + "add.f32 %r4, %r0, %r1; add.f32 %r4, %r4, %r2; mov.f32 %v, 0f00000000; "
    + "".join(f"div.rn.f32 %r{i}, %r{i}, %r4; fma.rn.f32 %v, %r{i}, %g{i}, %v; " for i in range(3))
)


def no_max(last: str = "%g2") -> str:
    weights = "".join(exp(f"%r{i}", f"%f{i}") for i in range(3)) + "add.f32 %r4, %r0, %r1; add.f32 %r4, %r4, %r2; "
    sums = f"mul.f32 %v, %r0, %g0; fma.rn.f32 %v, %r1, %g1, %v; fma.rn.f32 %v, %r2, {last}, %v; "
    return weights + sums + "div.full.f32 %v, %v, %r4;"


def flash(*, first: bool, rescale: bool = True) -> str:
    """A key at a time: %r0 the maximum, %r1 l, %v the output; `first`: divides by l each time, as FA1 does."""
    text = "mov.f32 %r0, %f0; mov.f32 %r1, 0f3F800000; mov.f32 %v, %g0; "
    for i in (1, 2):
        text += f"max.f32 %r2, %r0, %f{i}; sub.f32 %r3, %r0, %r2; " + exp("%r3", "%r3")
        text += f"sub.f32 %r4, %f{i}, %r2; " + exp("%r4", "%r4") + "fma.rn.f32 %r5, %r1, %r3, %r4; "
        if first:
            text += "mul.f32 %v, %v, %r1; "
        text += (
            "mul.f32 %v, %v, %r3; " if rescale else ""
        ) + f"fma.rn.f32 %v, %r4, %g{i}, %v; mov.f32 %r0, %r2; mov.f32 %r1, %r5; "
        if first:
            text += "div.rn.f32 %v, %v, %r1; "
    return text if first else text + "div.rn.f32 %v, %v, %r1; "


def split(*, merged: bool = True) -> str:
    """Keys 0 and 1, and key 2, merged through their log-sum-exp %r4 and %f2."""
    text = "max.f32 %u, %f0, %f1; sub.f32 %r0, %f0, %u; sub.f32 %r1, %f1, %u; " + exp("%r0", "%r0") + exp("%r1", "%r1")
    text += "add.f32 %r2, %r0, %r1; mul.f32 %r3, %r0, %g0; fma.rn.f32 %r3, %r1, %g1, %r3; div.rn.f32 %r3, %r3, %r2; "
    text += log("%r4", "%r2") + ("add.f32 %r4, %r4, %u; " if merged else "mov.f32 %r4, %u; ")
    text += "max.f32 %r5, %r4, %f2; sub.f32 %r6, %r4, %r5; sub.f32 %r7, %f2, %r5; " + exp("%r6", "%r6") + exp("%r7", "%r7")
    return text + "add.f32 %r8, %r6, %r7; mul.f32 %v, %r6, %r3; fma.rn.f32 %v, %r7, %g2, %v; div.rn.f32 %v, %v, %r8;"


# Thread t sees the keys 0 … t.
CAUSAL_INFINITE = "".join(f"setp.ge.s32 %p, %t, {i}; selp.f32 %f{i}, %f{i}, {INFINITE}, %p; " for i in range(3)) + NAIVE


def causal_mask(condition: str = "ge") -> str:
    weights = "".join(
        exp(f"%r{i}", f"%f{i}")
        + f"setp.{condition}.s32 %p, %t, {i}; selp.f32 %u, {ONE}, {ZERO}, %p; mul.f32 %r{i}, %r{i}, %u; "
        for i in range(3)
    )
    sums = "add.f32 %r4, %r0, %r1; add.f32 %r4, %r4, %r2; mul.f32 %v, %r0, %g0; fma.rn.f32 %v, %r1, %g1, %v; "
    return weights + sums + "fma.rn.f32 %v, %r2, %g2, %v; div.rn.f32 %v, %v, %r4;"


# ---- norms of four numbers: %r4 the mean, %r5 the variance

TWO_PASS = (
    "add.f32 %r4, %f0, %f1; add.f32 %r4, %r4, %f2; add.f32 %r4, %r4, %f3; mul.f32 %r4, %r4, 0f3E800000; mov.f32 %r5, 0f00000000; "
    + "".join(f"sub.f32 %r0, %f{i}, %r4; fma.rn.f32 %r5, %r0, %r0, %r5; " for i in range(4))
    + "mul.f32 %r5, %r5, 0f3E800000; "
)
NORMED = "add.f32 %r5, %r5, 0f37000000; sub.f32 %v, %a, %r4; "


def welford(*, new: bool = True) -> str:
    """The mean is divided by 2, 3 and 4 in turn."""
    text = "mov.f32 %r4, %f0; mov.f32 %r5, 0f00000000; "
    for i, n in ((1, "0f40000000"), (2, "0f40400000"), (3, "0f40800000")):
        text += f"sub.f32 %r0, %f{i}, %r4; div.rn.f32 %r1, %r0, {n}; add.f32 %r4, %r4, %r1; "
        text += (f"sub.f32 %r2, %f{i}, %r4; " if new else "mov.f32 %r2, %r0; ") + "fma.rn.f32 %r5, %r0, %r2, %r5; "
    return text + "mul.f32 %r5, %r5, 0f3E800000; "


BY_ROOT = NORMED + "sqrt.rn.f32 %r6, %r5; div.rn.f32 %v, %v, %r6;"
BY_RSQRT = NORMED + "rsqrt.approx.f32 %r6, %r5; mul.f32 %v, %v, %r6;"
SQUARES = "mul.f32 %r0, %f0, %f0; fma.rn.f32 %r0, %f1, %f1, %r0; fma.rn.f32 %r0, %f2, %f2, %r0; fma.rn.f32 %r0, %f3, %f3, %r0; "
RMS = SQUARES + "fma.rn.f32 %r0, %r0, 0f3E800000, 0f37000000; sqrt.rn.f32 %r0, %r0; div.rn.f32 %v, %a, %r0; mul.f32 %v, %v, %b;"


def rms(epsilon: str) -> str:
    """Four times everything under the root."""
    return (
        SQUARES
        + f"add.f32 %r0, %r0, {epsilon}; rsqrt.approx.f32 %r0, %r0; add.f32 %u, %a, %a; mul.f32 %v, %b, %u; mul.f32 %v, %v, %r0;"
    )


# ---- the rest

DIRECT = "mul.f32 %r0, %f0, %g0; fma.rn.f32 %r0, %f1, %g1, %r0; fma.rn.f32 %r0, %f2, %g2, %r0; " + (
    "mul.f32 %r1, %f1, %g0; fma.rn.f32 %r1, %f2, %g1, %r1; fma.rn.f32 %r1, %f3, %g2, %r1; fma.rn.f32 %v, %a, %r0, %r1;"
)


def winograd(last: str) -> str:
    """F(2, 3); its two outputs as a y0 + y1."""
    return (
        "sub.f32 %r0, %f0, %f2; mul.f32 %r0, %r0, %g0; add.f32 %r4, %g0, %g2; add.f32 %r5, %r4, %g1; sub.f32 %r6, %r4, %g1; "
        f"add.f32 %r1, %f1, %f2; mul.f32 %r1, %r1, %r5; mul.f32 %r1, %r1, {HALF}; sub.f32 %r2, %f2, %f1; mul.f32 %r2, %r2, %r6; "
        f"mul.f32 %r2, %r2, {HALF}; sub.f32 %r3, %f1, %f3; mul.f32 %r3, %r3, %g2; add.f32 %r7, %r0, %r1; add.f32 %r7, %r7, %r2; "
        f"sub.f32 %r8, %r1, %r2; {last}.f32 %r8, %r8, %r3; fma.rn.f32 %v, %a, %r7, %r8;"
    )


COMPLEX = "mul.f32 %r0, %f0, %g0; neg.f32 %u, %f1; fma.rn.f32 %r0, %u, %g1, %r0; mul.f32 %r1, %f0, %g1; " + (
    "fma.rn.f32 %r1, %f1, %g0, %r1; fma.rn.f32 %v, %a, %r0, %r1;"
)


def three_products(last: str) -> str:
    return (
        "add.f32 %r0, %g0, %g1; mul.f32 %r0, %r0, %f0; add.f32 %r1, %f0, %f1; mul.f32 %r1, %r1, %g1; sub.f32 %r2, %f1, %f0; "
        f"mul.f32 %r2, %r2, %g0; sub.f32 %r3, %r0, %r1; {last}.f32 %r4, %r0, %r2; fma.rn.f32 %v, %a, %r3, %r4;"
    )


IN_ORDER = "add.f32 %v, %f0, %f1; add.f32 %v, %v, %f2; add.f32 %v, %v, %f3;"


def kahan(*, corrected: bool = True) -> str:
    text = "mov.f32 %v, %f0; mov.f32 %r0, 0f00000000; "
    for i in (1, 2, 3):
        text += f"sub.f32 %r1, %f{i}, %r0; add.f32 %r2, %v, %r1; sub.f32 %r0, %r2, %v; "
        text += ("sub.f32 %r0, %r0, %r1; " if corrected else "") + "mov.f32 %v, %r2; "
    return text


# An inclusive scan of each warp: lane t adds a[c·32], …, a[n] in a loop, or in five rounds of shuffles.
SCAN = (
    "sub.s32 %i, %n, %t; mul.wide.u32 %o, %i, 4; ld.param.u64 %x, [pa]; add.s64 %x, %x, %o; mov.u32 %j, 0; mov.f32 %v, 0f00000000; "
    "LOOP_LEFT: ld.global.f32 %w, [%x]; add.f32 %v, %v, %w; add.s64 %x, %x, 4; add.s32 %j, %j, 1; setp.le.s32 %p, %j, %t; "
    "@%p bra LOOP_LEFT;"
)


def shuffles(at_least: int = 0) -> str:
    text = "mov.f32 %v, %a; "
    for step in (1, 2, 4, 8, 16):
        text += f"mov.b32 %i, %v; shfl.sync.up.b32 %j|%p, %i, {step}, 0, -1; mov.b32 %w, %j; "
        text += f"setp.ge.s32 %q, %t, {step + at_least}; @%q add.f32 %v, %v, %w; "
    return text


SOFTMAX = exp("%r0", "%f0") + exp("%r1", "%f1") + "add.f32 %r2, %r0, %r1; div.rn.f32 %r0, %r0, %r2; div.rn.f32 %r1, %r1, %r2; "
BACKWARD = (
    SOFTMAX
    + "sub.f32 %u, 0f3F800000, %r0; mul.f32 %u, %u, %r0; mul.f32 %v, %u, %g0; mul.f32 %u, %r0, %r1; mul.f32 %u, %u, %g1; sub.f32 %v, %v, %u;"
)


def backward(of: str = "mul.f32 %u, %r0, %g0; fma.rn.f32 %u, %r1, %g1, %u; ") -> str:
    return SOFTMAX + of + "sub.f32 %u, %g0, %u; mul.f32 %v, %r0, %u;"


CROSS_ENTROPY = SOFTMAX + log("%v", "%r1") + "neg.f32 %v, %v;"


def cross_entropy(label: str = "%f1") -> str:
    shifted = "max.f32 %u, %f0, %f1; sub.f32 %r0, %f0, %u; sub.f32 %r1, %f1, %u; " + exp("%r0", "%r0") + exp("%r1", "%r1")
    return shifted + "add.f32 %r2, %r0, %r1; " + log("%v", "%r2") + f"add.f32 %v, %v, %u; sub.f32 %v, %v, {label};"


CUBE = "add.f32 %u, %a, %b; mul.f32 %r0, %u, %u; mul.f32 %r0, %r0, %u; fma.rn.f32 %r0, %r0, 0f3D372713, %u; "
GELU = (
    CUBE + f"mul.f32 %r0, %r0, 0f3F4C422A; tanh.approx.f32 %r0, %r0; fma.rn.f32 %r0, %r0, {HALF}, {HALF}; mul.f32 %v, %u, %r0; "
)
KEPT = "and.b32 %i, %t, 3; setp.ne.s32 %p, %i, 1; "  # the mask that is known: every fourth thread drops
DROPOUT = GELU + KEPT + "mul.f32 %v, %v, 0f40000000; selp.f32 %v, %v, 0f00000000, %p;"


def dropout(scale: str = "0f40000000") -> str:
    """gelu through the sigmoid of twice the argument; the mask as a number."""
    text = CUBE + "mul.f32 %r0, %r0, 0fBFCC422A; " + exp("%r0", "%r0") + f"add.f32 %r0, %r0, {ONE}; {KEPT}"
    return text + f"selp.f32 %r1, {scale}, {ZERO}, %p; mul.f32 %v, %u, %r1; div.rn.f32 %v, %v, %r0;"


FAMILIES = {
    "attention, no maximum": (NAIVE, no_max(), no_max("%g1")),
    "attention, FA1": (NAIVE, flash(first=True), flash(first=True, rescale=False)),
    "attention, FA2": (NAIVE, flash(first=False), flash(first=False, rescale=False)),
    "attention, split K": (NAIVE, split(), split(merged=False)),
    "attention, causal": (CAUSAL_INFINITE, causal_mask(), causal_mask("ne")),
    "layer norm, Welford": (TWO_PASS + BY_ROOT, welford() + BY_RSQRT, welford(new=False) + BY_RSQRT),
    "RMS norm": (RMS, rms("0f38000000"), rms("0f37000000")),
    "Winograd F(2,3)": (DIRECT, winograd("sub"), winograd("add")),
    "complex product, three multiplications": (COMPLEX, three_products("add"), three_products("sub")),
    "Kahan's sum": (IN_ORDER, kahan(), kahan(corrected=False)),
    "scan in steps and in order": (SCAN, shuffles(), shuffles(1)),
    "softmax backward": (BACKWARD, backward(), backward("add.f32 %u, %g0, %g1; ")),
    "cross-entropy": (CROSS_ENTROPY, cross_entropy(), cross_entropy("%f0")),
    "bias, gelu, dropout": (DROPOUT, dropout(), dropout(ONE)),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_two_routes_are_equal_and_a_third_is_not(name: str, tmp_path: Path) -> None:
    left, right, wrong = (LOADS + body for body in FAMILIES[name])
    document = verdict(tmp_path, left, right)
    assert document["verdict"] == "equivalent" and document["coverage"]["outputs"] == 64, document
    document = verdict(tmp_path, left, wrong)
    assert document["verdict"] == "not-equivalent", document
