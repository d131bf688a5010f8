"""Short pairs of which one side or both are PTX, on all stages; some of them are known to be hard for other verifiers."""

from __future__ import annotations

from pathlib import Path

import pytest
from decision_kernel import verdict

EXP = "mul.f32 %w, %a, 0f3FB8AA3B; ex2.approx.f32 %w, %w; "

EQUAL = {
    "fmaxf and a ternary": ("max.f32 %v, %a, %b;", "setp.gt.f32 %p, %a, %b; selp.f32 %v, %a, %b, %p;"),
    "abs and max": ("abs.f32 %v, %a;", "neg.f32 %w, %a; max.f32 %v, %a, %w;"),
    "max(0, |x|)": ("np.abs(a)", "abs.f32 %w, %a; max.f32 %v, %w, 0f00000000;"),
    "relu of a square": ("a * a", "mul.f32 %w, %a, %a; max.f32 %v, %w, 0f00000000;"),
    "leaky relu": ("np.where(a > 0, a, a / 4)", "mul.f32 %w, %a, 0f3E800000; max.f32 %v, %a, %w;"),
    "leaky relu, both in PTX": (
        "mul.f32 %w, %a, 0f3DCCCCCD; setp.gt.f32 %p, %a, 0f00000000; selp.f32 %v, %a, %w, %p;",
        "mul.f32 %w, %a, 0f3DCCCCCD; max.f32 %v, %a, %w;",
    ),
    "an eighth of a maximum": (
        "max.f32 %w, %a, %b; mul.f32 %v, %w, 0f3E000000;",
        "mul.f32 %w, %a, 0f3E000000; mul.f32 %u, %b, 0f3E000000; max.f32 %v, %w, %u;",
    ),
    "max(a, b) - a": (
        "max.f32 %w, %a, %b; sub.f32 %v, %w, %a;",
        "sub.f32 %w, %b, %a; max.f32 %v, 0f00000000, %w;",
    ),
    "a flipped select": (
        "setp.lt.f32 %p, %a, %b; selp.f32 %v, %a, 0f3F800000, %p;",
        "setp.geu.f32 %p, %a, %b; selp.f32 %v, 0f3F800000, %a, %p;",
    ),
    "clamp in either order": (
        "max.f32 %w, %a, 0fBF800000; min.f32 %v, %w, 0f3F800000;",
        "min.f32 %w, %a, 0f3F800000; max.f32 %v, %w, 0fBF800000;",
    ),
    "saturation": ("np.clip(a + b, 0, 1)", "add.sat.f32 %v, %a, %b;"),
    "a multiple of a saturated value that is no rounding": (
        "np.float32(12582912) * (1 - np.clip(a, 0, 1))",
        "cvt.sat.f32.f32 %w, %a; fma.rn.f32 %v, %w, 0fCB400000, 0f4B400000;",
    ),
    "fast logarithm": ("np.log(a)", "lg2.approx.f32 %w, %a; mul.f32 %v, %w, 0f3F317218;"),
    "fast log10": ("np.log10(a)", "lg2.approx.f32 %w, %a; mul.f32 %v, %w, 0f3E9A209B;"),
    "a power": ("np.power(a, b)", "lg2.approx.f32 %w, %a; mul.f32 %w, %w, %b; ex2.approx.f32 %v, %w;"),
    "log of a product": ("np.log(a) + np.log(b)", "mul.f32 %w, %a, %b; lg2.approx.f32 %w, %w; mul.f32 %v, %w, 0f3F317218;"),
    "sigmoid": ("1 / (1 + np.exp(-a))", EXP + "add.f32 %u, %w, 0f3F800000; div.full.f32 %v, %w, %u;"),
    "sigmoid through tanh": (
        "1 / (1 + np.exp(-a))",
        "mul.f32 %w, %a, 0f3F000000; tanh.approx.f32 %w, %w; fma.rn.f32 %v, %w, 0f3F000000, 0f3F000000;",
    ),
    "softplus": (
        "np.log(1 + np.exp(a))",
        "abs.f32 %w, %a; mul.f32 %w, %w, 0fBFB8AA3B; ex2.approx.f32 %w, %w; add.f32 %w, %w, 0f3F800000; lg2.approx.f32 %w, %w; "
        "max.f32 %u, %a, 0f00000000; fma.rn.f32 %v, %w, 0f3F317218, %u;",
    ),
    "root": ("np.sqrt(a)", "rsqrt.approx.f32 %w, %a; mul.f32 %v, %w, %a;"),
    "bf16 and back": ("a", "cvt.rn.bf16.f32 %h, %a; mov.b32 %i, {0, %h}; mov.b32 %v, %i;"),
    "a float from its bits": ("add.f32 %v, %a, 0f3F800000;", "mov.b32 %i, 1065353216; mov.b32 %w, %i; add.f32 %v, %w, %a;"),
    "int32 and int64 product": (
        "mul.lo.s32 %i, %t, 1000; cvt.rn.f32.s32 %v, %i;",
        "mul.wide.s32 %l, %t, 1000; cvt.rn.f32.s64 %v, %l;",
    ),
}
DIFFERENT = {
    "ternary, arms swapped": ("max.f32 %v, %a, %b;", "setp.gt.f32 %p, %a, %b; selp.f32 %v, %b, %a, %p;"),
    "abs and min": ("abs.f32 %v, %a;", "neg.f32 %w, %a; min.f32 %v, %a, %w;"),
    "max(0, x)": ("np.abs(a)", "max.f32 %v, %a, 0f00000000;"),
    "leaky relu, slope over 1": ("np.where(a > 0, a, 1.25 * a)", "mul.f32 %w, %a, 0f3FA00000; max.f32 %v, %a, %w;"),
    "an eighth of a minimum": (
        "max.f32 %w, %a, %b; mul.f32 %v, %w, 0f3E000000;",
        "mul.f32 %w, %a, 0fBE000000; mul.f32 %u, %b, 0fBE000000; max.f32 %w, %w, %u; neg.f32 %v, %w;",
    ),
    "max(a, b) - a, turned round": (
        "max.f32 %w, %a, %b; sub.f32 %v, %w, %a;",
        "sub.f32 %w, %a, %b; max.f32 %v, 0f00000000, %w;",
    ),
    "a flipped select, arms not swapped": (
        "setp.lt.f32 %p, %a, %b; selp.f32 %v, %a, 0f3F800000, %p;",
        "setp.geu.f32 %p, %a, %b; selp.f32 %v, %a, 0f3F800000, %p;",
    ),
    "clamp, bounds swapped": (
        "max.f32 %w, %a, 0fBF800000; min.f32 %v, %w, 0f3F800000;",
        "min.f32 %w, %a, 0fBF800000; max.f32 %v, %w, 0f3F800000;",
    ),
    "fast logarithm, one unit off": ("np.log(a)", "lg2.approx.f32 %w, %a; mul.f32 %v, %w, 0f3F317219;"),
    "fast log10 with the constant of log": ("np.log10(a)", "lg2.approx.f32 %w, %a; mul.f32 %v, %w, 0f3F317218;"),
    "softplus without its abs": (
        "np.log(1 + np.exp(a))",
        "mul.f32 %w, %a, 0fBFB8AA3B; ex2.approx.f32 %w, %w; add.f32 %w, %w, 0f3F800000; lg2.approx.f32 %w, %w; "
        "max.f32 %u, %a, 0f00000000; fma.rn.f32 %v, %w, 0f3F317218, %u;",
    ),
    "int32 product that wraps": (
        "mul.lo.s32 %i, %t, 1000000000; cvt.rn.f32.s32 %v, %i;",
        "mul.wide.s32 %l, %t, 1000000000; cvt.rn.f32.s64 %v, %l;",
    ),
    "a negative integer, signed and unsigned": (
        "sub.s32 %i, %t, 5; cvt.rn.f32.s32 %v, %i;",
        "sub.s32 %i, %t, 5; cvt.rn.f32.u32 %v, %i;",
    ),
    "bits taken for a number": ("mov.f32 %v, 0f3F800000;", "fma.rn.f32 %v, %a, 0f00000000, 0f4E7E0000;"),
    "wrong in its second CTA": ("mov.f32 %v, %a;", "setp.eq.s32 %p, %c, 1; selp.f32 %v, %b, %a, %p;"),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal(name: str, tmp_path: Path) -> None:
    document = verdict(tmp_path, *EQUAL[name])
    assert document["verdict"] == "equivalent" and document["coverage"]["outputs"] == 64, document
    assert "floats are real numbers" in document["assumptions"]
    literal = "fast" in name or "log of" in name
    assert any("stands for l" in a for a in document["assumptions"]) >= literal, document["assumptions"]


@pytest.mark.parametrize("name", DIFFERENT)
def test_different(name: str, tmp_path: Path) -> None:
    document = verdict(tmp_path, *DIFFERENT[name])
    assert document["verdict"] == "not-equivalent", document
    assert document["findings"][0]["kind"] == "mismatch"


@pytest.mark.parametrize("role", ["out", "inout"])
def test_kernels_that_write_nothing_are_not_equivalent(role: str, tmp_path: Path) -> None:
    document = verdict(tmp_path, "ret;", "ret;", role)
    assert document["verdict"] in (("unsafe",) if role == "out" else ("unknown",)), document
