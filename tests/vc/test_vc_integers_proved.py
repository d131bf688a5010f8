"""Kernels on integer tensors against NumPy: each is proved, and each has mutants that integers of the type refute."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from pathlib import Path

import pytest
from trace_specs import traced
from unroll_harness import at, run_body, tensor

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.launch import DTYPES, Tensor
from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import Decision, decide

N = 8
BOUNDS = {"s8": (-128, 127), "u8": (0, 255), "s16": (-(2**15), 2**15 - 1), "s32": (-(2**31), 2**31 - 1), "u32": (0, 2**32 - 1)}


def kernel(code: str, dtype: str, each: int) -> tuple[Conditions, list[Tensor]]:
    size = DTYPES[dtype][0]
    body = at("x", size=size * each) + at("w") + at("o") + "ld.global.f32 %f8, [%at_w];" + code + "st.global.f32 [%at_o], %f9;"
    tensors = [tensor("x", dtype, (N, each), "in"), tensor("w", "f32", N, "in"), tensor("o", "f32", N, "out")]
    outcome = run_body(body, tensors, N)
    assert outcome.kinds == []
    return outcome.conditions(), tensors


def decided(folder: Path, code: str, dtype: str, each: int, spec: str) -> Decision:
    candidate, tensors = kernel(code, dtype, each)
    reference = traced(folder, f"def spec(x, w):\n    return {{'o': {spec}}}\n", *tensors)
    return decide(canon(reference, candidate), reference, candidate)


WORD = "ld.global.u32 %r1, [%at_x];"
WORDS = "ld.global.v2.u32 {%r1, %r2}, [%at_x];"
FLOAT = "x[:, 0].astype(np.float32)"
SUM = "x[:, 0].astype(np.float32) * w + x[:, 3].astype(np.float32)"
FROM_WORD = " cvt.rn.f32.s32 %f1, %r2; cvt.rn.f32.s32 %f2, %r3; fma.rn.f32 %f9, %f1, %f8, %f2;"
CASES: list[tuple[str, int, str, str, list[str]]] = [
    # the sign of a byte, the sign of the conversion
    ("s8", 1, "ld.global.s8 %rs1, [%at_x]; cvt.rn.f32.s16 %f9, %rs1;", FLOAT,
     ["ld.global.u8 %rs1, [%at_x]; cvt.rn.f32.s16 %f9, %rs1;", "ld.global.s8 %rs1, [%at_x]; cvt.rn.f32.u16 %f9, %rs1;"]),
    ("u8", 1, "ld.global.u8 %rs1, [%at_x]; cvt.rn.f32.u16 %f9, %rs1;", FLOAT,
     ["ld.global.s8 %rs1, [%at_x]; cvt.rn.f32.s16 %f9, %rs1;"]),
    ("s32", 1, f"{WORD} cvt.rn.f32.s32 %f9, %r1;", FLOAT,
     [f"{WORD} cvt.rn.f32.u32 %f9, %r1;"]),
    ("u32", 1, f"{WORD} cvt.rn.f32.u32 %f9, %r1;", FLOAT,
     [f"{WORD} cvt.rn.f32.s32 %f9, %r1;"]),
    # the other reading, which NumPy has by wrapping
    ("s32", 1, f"{WORD} cvt.rn.f32.u32 %f9, %r1;", "x[:, 0].astype(np.uint32).astype(np.float32)",
     [f"{WORD} cvt.rn.f32.s32 %f9, %r1;"]),
    ("u8", 1, "ld.global.s8 %rs1, [%at_x]; cvt.rn.f32.s16 %f9, %rs1;", "x[:, 0].astype(np.int8).astype(np.float32)",
     ["ld.global.u8 %rs1, [%at_x]; cvt.rn.f32.s16 %f9, %rs1;"]),
    # bytes of a word: their order, the shift, the sign
    ("s8", 4, f"{WORD} cvt.s32.s8 %r2, %r1; shr.s32 %r3, %r1, 24;" + FROM_WORD, SUM,
     [f"{WORD} cvt.s32.s8 %r3, %r1; shr.s32 %r2, %r1, 24;" + FROM_WORD,
      f"{WORD} cvt.s32.s8 %r2, %r1; shl.b32 %r3, %r1, 8; shr.s32 %r3, %r3, 24;" + FROM_WORD,
      f"{WORD} cvt.s32.s8 %r2, %r1; shr.u32 %r3, %r1, 24;" + FROM_WORD]),
    ("u8", 4, f"{WORD} and.b32 %r2, %r1, 255; bfe.u32 %r3, %r1, 24, 8;" + FROM_WORD, SUM,
     [f"{WORD} and.b32 %r2, %r1, 255; bfe.u32 %r3, %r1, 16, 8;" + FROM_WORD,
      f"{WORD} and.b32 %r2, %r1, 255; bfe.s32 %r3, %r1, 24, 8;" + FROM_WORD]),
    ("s8", 4, f"{WORD} prmt.b32 %r2, %r1, 0, 0x8880; prmt.b32 %r3, %r1, 0, 0xBBB3;" + FROM_WORD, SUM,
     [f"{WORD} prmt.b32 %r2, %r1, 0, 0x8880; prmt.b32 %r3, %r1, 0, 0xAAA2;" + FROM_WORD,
      f"{WORD} prmt.b32 %r2, %r1, 0, 0x4440; prmt.b32 %r3, %r1, 0, 0xBBB3;" + FROM_WORD]),
    ("s16", 2, f"{WORD} shr.s32 %r2, %r1, 16; cvt.rn.f32.s32 %f9, %r2;", "x[:, 1].astype(np.float32)",
     [f"{WORD} cvt.s32.s16 %r2, %r1; cvt.rn.f32.s32 %f9, %r2;", f"{WORD} shr.u32 %r2, %r1, 16; cvt.rn.f32.s32 %f9, %r2;"]),
    # a mask of bytes, and an order of integers
    ("u8", 1, "ld.global.u8 %rs1, [%at_x]; setp.ne.s16 %p1, %rs1, 0; selp.f32 %f9, %f8, 0f00000000, %p1;", "np.where(x[:, 0] != 0, w, 0)",
     ["ld.global.u8 %rs1, [%at_x]; setp.eq.s16 %p1, %rs1, 1; selp.f32 %f9, %f8, 0f00000000, %p1;"]),
    ("s32", 1, f"{WORD} setp.lt.s32 %p1, %r1, 7; selp.f32 %f9, %f8, 0f3F800000, %p1;", "np.where(x[:, 0] < 7, w, np.float32(1))",
     [f"{WORD} setp.lt.u32 %p1, %r1, 7; selp.f32 %f9, %f8, 0f3F800000, %p1;", f"{WORD} setp.le.s32 %p1, %r1, 7; selp.f32 %f9, %f8, 0f3F800000, %p1;"]),
    ("s32", 1, f"{WORD} set.lt.u32.s32 %r2, %r1, 7; mov.b32 %r3, %f8; and.b32 %r3, %r3, %r2; mov.b32 %f9, %r3;", "np.where(x[:, 0] < 7, w, 0)",
     [f"{WORD} set.ge.u32.s32 %r2, %r1, 7; mov.b32 %r3, %f8; and.b32 %r3, %r3, %r2; mov.b32 %f9, %r3;"]),
    # masks of floats
    ("s8", 1, "set.gt.u32.f32 %r2, %f8, 0f00000000; mov.b32 %r3, %f8; and.b32 %r3, %r3, %r2; mov.b32 %f9, %r3;", "np.maximum(w, 0)",
     ["set.lt.u32.f32 %r2, %f8, 0f00000000; mov.b32 %r3, %f8; and.b32 %r3, %r3, %r2; mov.b32 %f9, %r3;"]),
    # arithmetic: dot products by bytes and by words, wrapping, dequantisation, saturation
    ("s8", 8, "ld.global.v2.u32 {%r1, %r2}, [%at_x]; dp4a.s32.s32 %r3, %r1, %r2, 0; cvt.rn.f32.s32 %f1, %r3; mul.rn.f32 %f9, %f1, %f8;",
     "np.sum(x[:, :4].astype(np.int32) * x[:, 4:].astype(np.int32), axis=1).astype(np.float32) * w",
     ["ld.global.v2.u32 {%r1, %r2}, [%at_x]; dp4a.u32.s32 %r3, %r1, %r2, 0; cvt.rn.f32.s32 %f1, %r3; mul.rn.f32 %f9, %f1, %f8;",
      "ld.global.v2.u32 {%r1, %r2}, [%at_x]; dp4a.s32.s32 %r3, %r1, %r2, 1; cvt.rn.f32.s32 %f1, %r3; mul.rn.f32 %f9, %f1, %f8;",
      "ld.global.v2.u32 {%r1, %r2}, [%at_x]; dp4a.s32.s32 %r3, %r1, %r1, 0; cvt.rn.f32.s32 %f1, %r3; mul.rn.f32 %f9, %f1, %f8;",
      "ld.global.v2.u32 {%r1, %r2}, [%at_x]; dp4a.s32.s32 %r3, %r1, %r2, 0; cvt.s32.s16 %r4, %r3; cvt.rn.f32.s32 %f1, %r4; mul.rn.f32 %f9, %f1, %f8;"]),
    ("s32", 2, f"{WORDS} mul.lo.s32 %r3, %r1, %r2; cvt.rn.f32.s32 %f9, %r3;", "(x[:, 0] * x[:, 1]).astype(np.float32)",
     [f"{WORDS} mul.lo.s32 %r3, %r1, %r2; cvt.rn.f32.u32 %f9, %r3;", f"{WORDS} mul.wide.s32 %rd1, %r1, %r2; cvt.rn.f32.s64 %f9, %rd1;"]),
    ("s32", 2, f"{WORDS} mul.wide.s32 %rd1, %r1, %r2; cvt.rn.f32.s64 %f9, %rd1;", "(x[:, 0].astype(np.int64) * x[:, 1]).astype(np.float32)",
     [f"{WORDS} mul.wide.u32 %rd1, %r1, %r2; cvt.rn.f32.s64 %f9, %rd1;"]),
    ("u32", 2, f"{WORDS} sub.s32 %r3, %r1, %r2; sub.s32 %r4, %r3, %r1; cvt.rn.f32.u32 %f9, %r4;", "(np.uint32(0) - x[:, 1]).astype(np.float32)",
     [f"{WORDS} neg.s32 %r4, %r2; cvt.rn.f32.s32 %f9, %r4;"]),
    ("u8", 1, "ld.global.u8 %r1, [%at_x]; and.b32 %r2, %r1, 15; add.s32 %r2, %r2, -8; cvt.rn.f32.s32 %f1, %r2; mul.rn.f32 %f9, %f1, %f8;", "((x[:, 0] & 15).astype(np.int8) - np.int8(8)) * w",
     ["ld.global.u8 %r1, [%at_x]; shr.u32 %r2, %r1, 4; add.s32 %r2, %r2, -8; cvt.rn.f32.s32 %f1, %r2; mul.rn.f32 %f9, %f1, %f8;",
      "ld.global.u8 %r1, [%at_x]; and.b32 %r2, %r1, 7; add.s32 %r2, %r2, -8; cvt.rn.f32.s32 %f1, %r2; mul.rn.f32 %f9, %f1, %f8;"]),
    ("s8", 2, "ld.global.v2.s8 {%rs1, %rs2}, [%at_x]; add.s16 %rs3, %rs1, %rs2; cvt.sat.s8.s16 %rs4, %rs3; cvt.rn.f32.s16 %f9, %rs4;",
     "np.clip(x[:, 0].astype(np.int16) + x[:, 1], -128, 127).astype(np.float32)",
     ["ld.global.v2.s8 {%rs1, %rs2}, [%at_x]; add.s16 %rs3, %rs1, %rs2; cvt.s16.s8 %rs4, %rs3; cvt.rn.f32.s16 %f9, %rs4;"]),
    ("s32", 1, "cvt.rni.s32.f32 %r1, %f8; min.s32 %r2, %r1, 127; max.s32 %r3, %r2, -128; cvt.rn.f32.s32 %f9, %r3;", "np.clip(np.rint(w), -128, 127).astype(np.int8).astype(np.float32)",
     ["cvt.rzi.s32.f32 %r1, %f8; min.s32 %r2, %r1, 127; max.s32 %r3, %r2, -128; cvt.rn.f32.s32 %f9, %r3;",
      "cvt.rni.s32.f32 %r1, %f8; min.s32 %r2, %r1, 127; max.s32 %r3, %r2, -127; cvt.rn.f32.s32 %f9, %r3;"]),
    ("s32", 2, f"{WORDS} setp.gt.s32 %p1, %r1, 0; setp.gt.s32 %p2, %r2, 0; selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 1, 0, %p2; add.s32 %r5, %r3, %r4; cvt.rn.f32.s32 %f9, %r5;", "(x > 0).sum(axis=1).astype(np.float32)",
     [f"{WORDS} setp.gt.s32 %p1, %r1, 0; setp.ge.s32 %p2, %r2, 0; selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 1, 0, %p2; add.s32 %r5, %r3, %r4; cvt.rn.f32.s32 %f9, %r5;",
      f"{WORDS} setp.gt.s32 %p1, %r1, 0; setp.gt.s32 %p2, %r2, 0; selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 1, 0, %p2; or.b32 %r5, %r3, %r4; cvt.rn.f32.s32 %f9, %r5;"]),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "each", "code", "spec", "mutants"), CASES, ids=range(len(CASES)))
def test_proved_and_its_mutants_refuted(
    tmp_path: Path, dtype: str, each: int, code: str, spec: str, mutants: list[str]
) -> None:
    found = decided(tmp_path, code, dtype, each, spec)
    assert found.verdict == "equivalent", found.unknown
    for mutant in mutants:
        found = decided(tmp_path, mutant, dtype, each, spec)
        assert found.verdict == "not-equivalent", (mutant, found.unknown)
        assert found.counterexample is not None
        for (name, _), value in found.counterexample.inputs.items():
            if name == "x":
                low, high = BOUNDS[dtype]
                assert low <= int(value) <= high


def test_e5m2_bits_by_bytes_of_a_word(tmp_path: Path) -> None:
    """Byte k of a word, put into the upper half of a binary16."""
    take = "mov.b32 {{%rs1, %rs2}}, %r2; cvt.f32.f16 %f9, %rs1;"
    code = f"{WORD} prmt.b32 %r2, %r1, 0, 0x44{{}}4; {take}"
    assert decided(tmp_path, code.format(2), "e5m2", 4, "x[:, 2].astype(np.float32)").verdict == "equivalent"
    assert decided(tmp_path, code.format(1), "e5m2", 4, "x[:, 2].astype(np.float32)").verdict == "not-equivalent"
