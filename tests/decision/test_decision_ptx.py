"""Pairs of which one side or both are PTX, on all stages: a body makes %v of %a and %b (two inputs), %t (thread) and %c (CTA).

The left side may be a NumPy expression of a and b instead. Some of these pairs are in the issue's list of what the public Volta
gets wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

KERNEL = """.visible .entry NAME(.param .u64 pa, .param .u64 pb, .param .u64 py) {
  .reg .pred %p, %q; .reg .f32 %a, %b, %v, %w, %u; .reg .b32 %t, %c, %n, %i, %j; .reg .b16 %h; .reg .b64 %x, %z, %y, %o, %l;
  ld.param.u64 %x, [pa];
  ld.param.u64 %z, [pb];
  ld.param.u64 %y, [py];
  mov.u32 %t, %tid.x;
  mov.u32 %c, %ctaid.x;
  mad.lo.s32 %n, %c, 32, %t;
  mul.wide.u32 %o, %n, 4;
  add.s64 %x, %x, %o;
  add.s64 %z, %z, %o;
  add.s64 %y, %y, %o;
  ld.global.f32 %a, [%x];
  ld.global.f32 %b, [%z];
  BODY
  st.global.f32 [%y], %v;
  ret;
}
"""
TOML = """[tensors.a]
dtype = "f32"
shape = [64]
role = "in"
[tensors.b]
dtype = "f32"
shape = [64]
role = "in"
[tensors.y]
dtype = "f32"
shape = [64]
role = "ROLE"
[reference]
REFERENCE
[candidate]
source = "k.ptx"
entry = "right"
grid = [2]
block = [32]
args = ["a", "b", "y"]
"""
LEFT = 'source = "k.ptx"\nentry = "left"\ngrid = [2]\nblock = [32]\nargs = ["a", "b", "y"]'
SPEC = "import numpy as np\ndef spec(a, b):\n    return {'y': LEFT}\n"
EXP = "mul.f32 %w, %a, 0f3FB8AA3B; ex2.approx.f32 %w, %w; "

EQUAL = {
    "fmaxf and a ternary": ("max.f32 %v, %a, %b;", "setp.gt.f32 %p, %a, %b; selp.f32 %v, %a, %b, %p;"),
    "abs and max": ("abs.f32 %v, %a;", "neg.f32 %w, %a; max.f32 %v, %a, %w;"),
    "max(0, |x|)": ("np.abs(a)", "abs.f32 %w, %a; max.f32 %v, %w, 0f00000000;"),
    "relu of a square": ("a * a", "mul.f32 %w, %a, %a; max.f32 %v, %w, 0f00000000;"),
    "leaky relu": ("np.where(a > 0, a, a / 4)", "mul.f32 %w, %a, 0f3E800000; max.f32 %v, %a, %w;"),
    "a flipped select": (
        "setp.lt.f32 %p, %a, %b; selp.f32 %v, %a, 0f3F800000, %p;",
        "setp.geu.f32 %p, %a, %b; selp.f32 %v, 0f3F800000, %a, %p;",
    ),
    "clamp in either order": (
        "max.f32 %w, %a, 0fBF800000; min.f32 %v, %w, 0f3F800000;",
        "min.f32 %w, %a, 0f3F800000; max.f32 %v, %w, 0fBF800000;",
    ),
    "saturation": ("np.clip(a + b, 0, 1)", "add.sat.f32 %v, %a, %b;"),
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


def verdict(folder: Path, left: str, right: str, role: str = "out") -> dict[str, Any]:
    spec = not left.endswith(";")
    kernels = KERNEL.replace("NAME", "right").replace("BODY", right)
    if spec:
        (folder / "spec.py").write_text(SPEC.replace("LEFT", left))
    else:
        kernels += KERNEL.replace("NAME", "left").replace("BODY", left)
    (folder / "k.ptx").write_text(".version 8.0\n.target sm_90\n.address_size 64\n" + kernels)
    toml = TOML.replace("REFERENCE", 'spec = "spec.py:spec"' if spec else LEFT)
    (folder / "volta.toml").write_text(toml.replace("ROLE", role))
    with Store(folder / "store") as store:
        return verify(folder / "volta.toml", store).document


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
