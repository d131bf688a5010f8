"""atom and red on concrete memory: every operation by hand on edge values, and kernels by brute force, lane after lane."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from replay_kernels import run, tensor
from replay_reference import call

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.passes.replay.meaning.spelling import meaning_of

Array = np.ndarray[Any, np.dtype[Any]]
TOP = 0xFFFFFFFF
LOW = 0x80000000  # the least s32
HAND = [
    ("add.s32", TOP, 2, 1), ("add.u64", 2**64 - 1, 3, 2), ("min.s32", LOW, 1, LOW), ("min.u32", LOW, 1, 1),
    ("max.s32", LOW, 1, 1), ("max.u32", LOW, 1, LOW), ("min.s64", 2**63, 5, 2**63), ("max.u64", 2**63, 5, 2**63),
    ("and.b32", 0xF0F0F0F0, 0xFF00FF00, 0xF000F000), ("or.b32", 0xF0F0F0F0, 0xFF00FF00, 0xFFF0FFF0),
    ("xor.b64", 2**64 - 1, 1, 2**64 - 2), ("exch.b32", 7, TOP, TOP), ("exch.b64", 7, 2**63, 2**63),
    # old >= b ? 0 : old + 1
    ("inc.u32", 4, 5, 5), ("inc.u32", 5, 5, 0), ("inc.u32", 6, 5, 0), ("inc.u32", TOP, TOP, 0), ("inc.u32", LOW, TOP, LOW + 1),
    ("inc.u32", 0, 0, 0),
    # old == 0 or old > b ? b : old - 1
    ("dec.u32", 5, 5, 4), ("dec.u32", 0, 5, 5), ("dec.u32", 6, 5, 5), ("dec.u32", TOP, TOP, TOP - 1), ("dec.u32", 0, 0, 0),
    ("add.f32", 0x3F800000, 0x40000000, 0x40400000), ("add.f64", 0x3FF0000000000000, 0x3FF0000000000000, 2**62),
    # 1 + 2^-24 is 1 (ties to even); 1 + 3 · 2^-24 is 1 + 2^-22
    ("add.f32", 0x3F800000, 0x33800000, 0x3F800000), ("add.f32", 0x3F800000, 0x34400000, 0x3F800002),
    ("add.noftz.f16", 0x3C00, 0x3C00, 0x4000), ("add.noftz.f16", 0x0001, 0x0001, 0x0002),
    ("add.noftz.bf16", 0x3F80, 0x4000, 0x4040), ("add.noftz.bf16", 0x0001, 0x0001, 0x0002),
    ("add.noftz.f16x2", 0x3C004000, 0x3C003C00, 0x40004200), ("add.noftz.bf16x2", 0x3F804000, 0x3F803F80, 0x40004040),
]  # fmt: skip


@pytest.mark.parametrize(("form", "old", "operand", "wanted"), HAND, ids=str)
@pytest.mark.parametrize("space", ["global", "shared"])
def test_one_operation(form: str, old: int, operand: int, wanted: int, space: str) -> None:
    name, kind = form.split(".", 1)
    assert call(f"atom.{space}.{name}.{kind}", [old], [operand]) == [[wanted]]
    if name != "exch":
        assert call(f"red.relaxed.gpu.{space}.{name}.{kind}", [old], [operand]) == [[wanted]]


def test_compare_and_swap() -> None:
    for width in (16, 32, 64):
        top = (1 << width) - 1
        assert call(f"atom.shared::cta.cas.b{width}", [top, top - 1, 0], [top, top, 0], [5, 5, top]) == [[5, top - 1, top]]


def test_float_sums_flush_subnormals_in_global_memory_only() -> None:
    """PTX ISA 9.7.13.13: add.f32 on global memory flushes, on shared memory it does not."""
    least, small = 0x00000001, 0x00800000  # the least subnormal, the least normal number
    assert call("red.global.add.f32", [least, small], [least, least]) == [[0, small]]
    assert call("red.shared.add.f32", [least, small], [least, least]) == [[2, small + 1]]
    assert call("red.global.add.f32", [LOW | least], [LOW]) == [[LOW]]
    assert call("red.global.add.f64", [1], [1]) == [[2]]


@pytest.mark.parametrize(
    ("mnemonic", "words", "kind"),
    [
        ("atom", ("add",), "u32"), ("atom", ("global", "add", "sat"), "u32"), ("atom", ("global", "min"), "f32"),
        ("atom", ("global", "inc"), "s32"), ("atom", ("global", "and"), "u32"), ("atom", ("global", "add"), "b32"),
        ("atom", ("global", "add", "min"), "u32"), ("atom", ("global",), "u32"), ("atom", ("local", "add"), "u32"),
        ("red", ("global", "add", "noftz"), "f32"),
    ],
)  # fmt: skip
def test_what_is_no_form_is_refused(mnemonic: str, words: tuple[str, ...], kind: str) -> None:
    with pytest.raises(UnsupportedError):
        meaning_of(mnemonic, words, [kind])


MEMORY = ".shared .align 8 .b8 tile[128];"
INTEGERS: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "add": ("u32", lambda x, y: x + y & TOP), "min": ("u32", min), "max": ("u32", max), "and": ("b32", lambda x, y: x & y),
    "or": ("b32", lambda x, y: x | y), "xor": ("b32", lambda x, y: x ^ y),
}  # fmt: skip


@pytest.mark.parametrize("name", INTEGERS)
def test_many_lanes_on_few_cells(name: str) -> None:
    """96 threads of five CTAs each act on cell (7 · thread + CTA) % 5 in global memory, on thread % 3 in shared memory."""
    kind, function = INTEGERS[name]
    rng = np.random.default_rng(1)
    x, start = rng.integers(0, 1 << 32, (5, 96), np.uint32), rng.integers(0, 1 << 32, 5, np.uint32)
    body = f"""mad.lo.u32 %r1, %r31, 96, %r30; mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d1, %d10; ld.global.b32 %r2, [%d1];
mad.lo.u32 %r3, %r30, 7, %r31; rem.u32 %r3, %r3, 5; mul.wide.u32 %d2, %r3, 4; add.u64 %d2, %d2, %d11;
red.global.{name}.{kind} [%d2], %r2; mov.u32 %r4, tile; shl.b32 %r5, %r30, 2; add.u32 %r6, %r4, %r5;
setp.lt.u32 %p1, %r30, 3; @%p1 st.shared.b32 [%r6], 0; bar.sync 0; rem.u32 %r7, %r30, 3; shl.b32 %r7, %r7, 2;
add.u32 %r8, %r4, %r7; red.shared.{name}.{kind} [%r8], %r2; bar.sync 0; mad.lo.u32 %r9, %r31, 3, %r30;
mul.wide.u32 %d3, %r9, 4; add.u64 %d3, %d3, %d12; @%p1 ld.shared.b32 %r10, [%r6]; @%p1 st.global.b32 [%d3], %r10;"""
    tensors = [tensor("x", "u32", (5, 96), "in", values=x), tensor("g", "u32", 5, "inout", values=start)]
    tensors.append(tensor("s", "u32", (5, 3), "out"))
    done = run(body, tensors, {}, threads=96, grid=5, before=MEMORY)
    cells, shared = [int(value) for value in start], np.zeros((5, 3), np.uint32)
    for cta in range(5):
        for thread in range(96):
            cell = (7 * thread + cta) % 5
            cells[cell] = function(cells[cell], int(x[cta, thread]))
            shared[cta, thread % 3] = function(int(shared[cta, thread % 3]), int(x[cta, thread]))
    assert done.outputs["g"].tolist() == cells
    np.testing.assert_array_equal(done.outputs["s"], shared)
    assert done.approximate == ()


def test_float_sums_round_after_each_lane() -> None:
    """In lane order, which is one that hardware may choose; the instruction is named as one whose last bits are open."""
    x = np.random.default_rng(2).standard_normal(64).astype(np.float32)
    body = """add.u64 %d1, %d10, %d20; ld.global.f32 %f1, [%d1]; and.b32 %r1, %r30, 3; mul.wide.u32 %d2, %r1, 4;
add.u64 %d2, %d2, %d11; red.global.add.f32 [%d2], %f1;"""
    tensors = [tensor("x", "f32", 64, "in"), tensor("y", "f32", 4, "inout")]
    done = run(body, tensors, {"x": x, "y": np.ones(4, np.float32)}, threads=64)
    total = np.ones(4, np.float32)
    for thread in range(64):
        total[thread % 4] += x[thread]
    np.testing.assert_array_equal(done.outputs["y"], total)
    assert len(done.approximate) == 1


def test_results_are_what_memory_held() -> None:
    """Each lane has a cell of its own: exch, cas and add give the old value; x alternates between what cas expects and not."""
    x = np.arange(32, dtype=np.uint32) % 2
    body = """add.u64 %d1, %d10, %d20; add.u64 %d2, %d11, %d20; add.u64 %d3, %d12, %d20; add.u64 %d4, %d13, %d20;
atom.global.cas.b32 %r1, [%d1], 1, 77; atom.global.add.u32 %r2, [%d1], %r30; atom.global.exch.b32 %r3, [%d1], 9;
st.global.b32 [%d2], %r1; st.global.b32 [%d3], %r2; st.global.b32 [%d4], %r3;"""
    tensors = [tensor("x", "u32", 32, "inout", values=x), *(tensor(name, "u32", 32, "out") for name in "abc")]
    done = run(body, tensors, {})
    swapped = np.where(x == 1, 77, x)
    assert done.outputs["x"].tolist() == [9] * 32
    np.testing.assert_array_equal(done.outputs["a"], x)
    np.testing.assert_array_equal(done.outputs["b"], swapped)
    np.testing.assert_array_equal(done.outputs["c"], swapped + np.arange(32))


def test_halves_pairs_and_generic_addresses() -> None:
    """Two lanes on each cell, f16 and a pair of bf16; a generic address into shared memory keeps subnormals."""
    x = np.arange(32, dtype=np.float16) / 8
    pairs = (np.arange(64, dtype=np.float32).reshape(32, 2).view(np.uint32) >> 16).astype(np.uint16)
    body = """shl.b32 %r1, %r30, 1; cvt.u64.u32 %d1, %r1; add.u64 %d1, %d1, %d10; ld.global.b16 %h1, [%d1];
shr.u32 %r2, %r30, 1; mul.wide.u32 %d2, %r2, 2; add.u64 %d2, %d2, %d11; red.global.add.noftz.f16 [%d2], %h1;
add.u64 %d3, %d12, %d20; ld.global.b32 %r3, [%d3]; mul.wide.u32 %d4, %r2, 4; add.u64 %d4, %d4, %d13;
red.global.add.noftz.bf16x2 [%d4], %r3;
mov.u64 %d5, tile; cvta.shared.u64 %d5, %d5; add.u64 %d5, %d5, %d20; mov.u32 %r4, 1; st.b32 [%d5], %r4;
mov.b32 %f1, %r4; red.add.f32 [%d5], %f1; ld.b32 %r5, [%d5]; add.u64 %d6, %d14, %d20; st.global.b32 [%d6], %r5;"""
    tensors = [tensor("x", "f16", 32, "in"), tensor("y", "f16", 16, "inout"), tensor("p", "bf16", (32, 2), "in")]
    tensors += [tensor("q", "bf16", (16, 2), "inout"), tensor("s", "u32", 32, "out")]
    contents = {"x": x, "y": np.zeros(16, np.float16), "p": pairs, "q": np.zeros((16, 2), np.uint16)}
    done = run(body, tensors, contents, before=MEMORY)
    np.testing.assert_array_equal(done.outputs["y"], x.reshape(16, 2).sum(axis=1, dtype=np.float64).astype(np.float16))
    sums = np.arange(64.0).reshape(16, 2, 2).sum(axis=1)  # below 256: exact in bf16
    found = (done.outputs["q"].astype(np.uint32) << 16).view(np.float32)
    np.testing.assert_array_equal(found, sums)
    assert done.outputs["s"].tolist() == [2] * 32


def test_vectors_are_elements_by_themselves() -> None:
    x = np.arange(32 * 4, dtype=np.float32).reshape(32, 4)
    body = """shl.b64 %d1, %d20, 2; add.u64 %d2, %d10, %d1; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d2];
and.b32 %r1, %r30, 1; mul.wide.u32 %d3, %r1, 16; add.u64 %d3, %d3, %d11;
red.global.add.v4.f32 [%d3], {%f1, %f2, %f3, %f4}; red.global.add.v2.f32 [%d3+8], {%f1, %f2};"""
    tensors = [tensor("x", "f32", (32, 4), "in"), tensor("y", "f32", (2, 4), "inout")]
    done = run(body, tensors, {"x": x, "y": np.zeros((2, 4), np.float32)})
    wanted = x.reshape(16, 2, 4).sum(axis=0)
    wanted[:, 2:] += x.reshape(16, 2, 4).sum(axis=0)[:, :2]
    np.testing.assert_array_equal(done.outputs["y"], wanted)
