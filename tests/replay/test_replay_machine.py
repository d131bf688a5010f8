"""Rows on concrete inputs: memory of every width and space, guards, shuffles, scalars, batches of CTAs, and refusals."""

from __future__ import annotations

import numpy as np
import pytest
from replay_kernels import run, tensor

from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.launch import Scalar
from volta_pipe.passes.replay import from_numbers, to_numbers

SHARED = ".shared .align 4 .b8 tile[128];"


def test_one_row_for_many_ctas() -> None:
    """y = x · x over 300 CTAs, which run in batches."""
    n = 300 * 32
    x = np.random.default_rng(0).standard_normal(n).astype(np.float32)
    body = """mad.lo.u32 %r1, %r31, 32, %r30; mul.wide.u32 %d1, %r1, 4; add.u64 %d2, %d10, %d1; add.u64 %d3, %d11, %d1;
ld.global.f32 %f1, [%d2]; mul.f32 %f2, %f1, %f1; st.global.f32 [%d3], %f2;"""
    done = run(body, [tensor("x", "f32", n, "in"), tensor("y", "f32", n, "out")], {"x": x}, grid=300)
    assert np.array_equal(done.outputs["y"], x * x)
    assert done.written["y"].all()
    assert done.approximate == ()


@pytest.mark.parametrize(("dtype", "size", "kind"), [("u8", 1, "u8"), ("s8", 1, "s8"), ("u16", 2, "u16"), ("s16", 2, "s16")])
def test_narrow_loads_extend_and_stores_cut(dtype: str, size: int, kind: str) -> None:
    x = (
        np.random.default_rng(1)
        .integers(0, 256, 32 * size)
        .astype(np.uint8)
        .view(dtype.replace("s", "int").replace("u", "uint"))
    )
    body = f"""mul.wide.u32 %d1, %r30, {size}; add.u64 %d2, %d10, %d1; add.u64 %d3, %d11, %d1; add.u64 %d4, %d12, %d20;
ld.global.{kind} %r1, [%d2]; st.global.{kind} [%d3], %r1; st.global.u32 [%d4], %r1;"""
    tensors = [tensor("x", dtype, 32, "in"), tensor("y", dtype, 32, "out"), tensor("z", "s32", 32, "out")]
    done = run(body, tensors, {"x": x})
    assert np.array_equal(done.outputs["y"], x)
    assert np.array_equal(done.outputs["z"], x.astype(np.int32))


def test_vectors_and_doubles() -> None:
    x = np.random.default_rng(2).standard_normal((32, 4)).astype(np.float32)
    w = np.random.default_rng(3).standard_normal((32, 2))
    body = """shl.b64 %d1, %d20, 2; add.u64 %d2, %d10, %d1; add.u64 %d3, %d11, %d1;
ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d2]; st.global.v2.f32 [%d3+8], {%f1, %f2}; st.global.v2.f32 [%d3], {%f3, %f4};
add.u64 %d4, %d12, %d1; add.u64 %d5, %d13, %d1; ld.global.v2.f64 {%g1, %g2}, [%d4]; add.f64 %g3, %g1, %g2;
st.global.f64 [%d5], %g3; st.global.f64 [%d5+8], %g1;"""
    tensors = [tensor("x", "f32", (32, 4), "in"), tensor("y", "f32", (32, 4), "out")]
    tensors += [tensor("w", "f64", (32, 2), "in"), tensor("v", "f64", (32, 2), "out")]
    done = run(body, tensors, {"x": x, "w": w})
    assert np.array_equal(done.outputs["y"], x[:, [2, 3, 0, 1]])
    assert np.array_equal(done.outputs["v"], np.stack([w[:, 0] + w[:, 1], w[:, 0]], axis=1))


def test_bits_move_through_packing() -> None:
    """A double in two words, a word in two halves; integer work on float bits (a sign flip, an exponent)."""
    x = np.array([1.5, -2.0, 3.0, 0.0], np.float32)
    body = """add.u64 %d2, %d10, %d20; add.u64 %d3, %d11, %d20; ld.global.b32 %r1, [%d2]; mov.b32 {%h1, %h2}, %r1;
mov.b32 %r2, {%h1, %h2}; xor.b32 %r3, %r2, 0x80000000; mov.b64 %d4, {%r3, %r1}; mov.b64 {%r5, %r6}, %d4;
st.global.b32 [%d3], %r5; add.u64 %d5, %d12, %d20; shr.u32 %r7, %r6, 23; and.b32 %r8, %r7, 255; st.global.u32 [%d5], %r8;"""
    tensors = [tensor("x", "f32", 4, "in"), tensor("y", "f32", 4, "out"), tensor("e", "u32", 4, "out")]
    done = run(body, tensors, {"x": x}, threads=4)
    assert done.outputs["y"].tobytes() == (-x).tobytes()
    assert done.outputs["e"].tolist() == [127, 128, 128, 0]


def test_shared_memory_of_many_ctas() -> None:
    """Each CTA reverses its part through shared memory."""
    x = np.arange(40 * 32, dtype=np.float32)
    body = """mad.lo.u32 %r1, %r31, 32, %r30; mul.wide.u32 %d1, %r1, 4; add.u64 %d2, %d10, %d1; add.u64 %d3, %d11, %d1;
mov.u32 %r2, tile; shl.b32 %r3, %r30, 2; add.u32 %r4, %r2, %r3; ld.global.f32 %f1, [%d2]; st.shared.f32 [%r4], %f1;
bar.sync 0; mov.u32 %r5, 124; sub.u32 %r6, %r5, %r3; add.u32 %r7, %r2, %r6; ld.shared.f32 %f2, [%r7];
st.global.f32 [%d3], %f2;"""
    tensors = [tensor("x", "f32", 1280, "in"), tensor("y", "f32", 1280, "out")]
    done = run(body, tensors, {"x": x}, grid=40, before=SHARED)
    assert np.array_equal(done.outputs["y"], x.reshape(40, 32)[:, ::-1].reshape(-1))


def test_symbolic_guards() -> None:
    """A predicate that depends on inputs guards a move, an addition and a store; setp's second result; selp."""
    x = np.array([1, -1, 2, -2, 0, np.nan, 5, -5], np.float32)
    body = """add.u64 %d2, %d10, %d20; add.u64 %d3, %d11, %d20; add.u64 %d4, %d12, %d20; ld.global.f32 %f1, [%d2];
mov.f32 %f2, 0f41200000; setp.gt.f32 %p1|%p2, %f1, 0f00000000; @%p1 mov.f32 %f2, %f1; @!%p1 add.f32 %f2, %f2, 0f3F800000;
selp.f32 %f3, %f2, %f1, %p2; st.global.f32 [%d3], %f3; st.global.f32 [%d4], 0f00000000; @%p1 st.global.f32 [%d4], %f1;"""
    tensors = [tensor("x", "f32", 8, "in"), tensor("y", "f32", 8, "out"), tensor("z", "f32", 8, "out")]
    done = run(body, tensors, {"x": x}, threads=8)
    assert np.array_equal(done.outputs["y"], np.where(x > 0, x, np.float32(11)))
    assert np.array_equal(done.outputs["z"], np.where(x > 0, x, np.float32(0)))


def test_shuffles() -> None:
    """A butterfly sum, and shfl.up, whose lanes outside keep their own value; two warps in each of two CTAs."""
    x = np.random.default_rng(4).integers(-8, 9, 128).astype(np.float32)
    steps = "".join(f"shfl.sync.bfly.b32 %f2, %f1, {k}, 31, -1; add.f32 %f1, %f1, %f2;" for k in (16, 8, 4, 2, 1))
    body = f"""mad.lo.u32 %r1, %r31, 64, %r30; mul.wide.u32 %d1, %r1, 4; add.u64 %d2, %d10, %d1; add.u64 %d3, %d11, %d1;
add.u64 %d4, %d12, %d1; ld.global.f32 %f1, [%d2]; shfl.sync.up.b32 %f3|%p1, %f1, 1, 0, -1; {steps}
st.global.f32 [%d3], %f1; st.global.f32 [%d4], %f3;"""
    tensors = [tensor("x", "f32", 128, "in"), tensor("y", "f32", 128, "out"), tensor("z", "f32", 128, "out")]
    done = run(body, tensors, {"x": x}, threads=64, grid=2)
    rows = x.reshape(4, 32)
    assert np.array_equal(done.outputs["y"], np.repeat(rows.sum(axis=1), 32))
    assert np.array_equal(done.outputs["z"], np.concatenate([rows[:, :1], rows[:, :-1]], axis=1).reshape(-1))


def test_scalars_and_known_tensors() -> None:
    x = np.ones(32, np.float32)
    body = """ld.param.f32 %f1, [s0]; ld.param.f32 %f2, [s1]; add.u64 %d2, %d10, %d20; add.u64 %d3, %d11, %d20;
add.u64 %d4, %d12, %d20; ld.global.f32 %f3, [%d2]; ld.global.f32 %f4, [%d4]; fma.rn.f32 %f5, %f3, %f1, %f2;
add.f32 %f6, %f5, %f4; st.global.f32 [%d3], %f6;"""
    tensors = [tensor("x", "f32", 32, "in"), tensor("y", "f32", 32, "out")]
    tensors.append(tensor("i", "f32", 32, "in", values=np.arange(32.0)))
    scalars = [Scalar("a", "f32", None), Scalar("b", "f32", 0.25)]
    done = run(body, tensors, {"x": x, "a": np.float32(3)}, scalars=scalars)
    assert np.array_equal(done.outputs["y"], np.arange(32, dtype=np.float32) + np.float32(3.25))
    with pytest.raises(InputError, match="scalar a needs a value"):
        run(body, tensors, {"x": x}, scalars=scalars)
    with pytest.raises(InputError, match="tensor x needs contents"):
        run(body, tensors, {"a": np.float32(3)}, scalars=scalars)
    with pytest.raises(InputError, match="contents of x have shape"):
        run(body, tensors, {"x": x[:5], "a": np.float32(3)}, scalars=scalars)
    with pytest.raises(InputError, match="type float64"):
        run(body, tensors, {"x": x.astype(np.float64), "a": np.float32(3)}, scalars=scalars)


def test_strides_and_memory_that_is_shared() -> None:
    """y is the transposed view of x's memory: the kernel doubles x in place through y's address."""
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    body = """add.u64 %d2, %d11, %d20; ld.global.f32 %f1, [%d2]; add.f32 %f2, %f1, %f1; st.global.f32 [%d2], %f2;"""
    tensors = [tensor("x", "f32", (2, 4), "inout"), tensor("y", "f32", (4, 2), "inout", strides=(1, 4), alias_of=0)]
    done = run(body, tensors, {"x": x}, threads=8)
    assert np.array_equal(done.outputs["x"], 2 * x)
    assert np.array_equal(done.outputs["y"], 2 * x.T)
    with pytest.raises(InputError, match="other contents"):
        run(body, tensors, {"x": x, "y": x.T.copy() + 1}, threads=8)


def test_elements_that_nobody_writes() -> None:
    body = "add.u64 %d2, %d10, %d20; ld.global.f32 %f1, [%d2]; add.u64 %d3, %d11, %d20; st.global.f32 [%d3+4], %f1;"
    x = np.ones(4, np.float32)
    done = run(body, [tensor("x", "f32", 4, "in"), tensor("y", "f32", 6, "out")], {"x": x}, threads=4)
    assert done.written["y"].tolist() == [False, True, True, True, True, False]


def test_approximate_instructions_are_named() -> None:
    body = "add.u64 %d2, %d10, %d20; ld.global.f32 %f1, [%d2]; ex2.approx.f32 %f2, %f1; add.u64 %d3, %d11, %d20;"
    body += "st.global.f32 [%d3], %f2;"
    x = np.array([0, 1, -1, 3], np.float32)
    done = run(body, [tensor("x", "f32", 4, "in"), tensor("y", "f32", 4, "out")], {"x": x}, threads=4)
    assert done.outputs["y"].tolist() == [1, 2, 0.5, 8]
    assert len(done.approximate) == 1


def test_what_cannot_be_run_is_refused_with_its_instruction() -> None:
    """Out of bounds: the program exists, and names the access."""
    body = "add.u64 %d2, %d10, %d20; ld.global.f32 %f1, [%d2+4]; add.u64 %d3, %d11, %d20; st.global.f32 [%d3], %f1;"
    tensors = [tensor("x", "f32", 4, "in"), tensor("y", "f32", 4, "out")]
    with pytest.raises(UnsupportedError, match="outside x") as caught:
        run(body, tensors, {"x": np.ones(4, np.float32)}, threads=4)
    assert caught.value.instruction >= 0
    with pytest.raises(UnsupportedError, match="not complete"):
        branch = "add.u64 %d2, %d10, %d20; ld.global.f32 %f1, [%d2]; setp.gt.f32 %p1, %f1, 0f00000000; @%p1 bra L; L:"
        run(branch, tensors, {"x": np.ones(4, np.float32)}, threads=4)


@pytest.mark.parametrize("dtype", ["bf16", "e4m3", "e5m2", "tf32", "f16", "f32"])
def test_numbers_to_contents_and_back(dtype: str) -> None:
    numbers = np.array([[0.0, 1.0, -2.0], [0.5, 448.0, 0.015625]])
    stored = from_numbers(numbers, dtype)
    assert stored.shape == (2, 3)
    assert np.array_equal(to_numbers(stored, dtype), numbers)
    assert np.isnan(to_numbers(from_numbers(np.array([np.nan]), dtype), dtype)).all()


def test_rounding_of_contents() -> None:
    assert from_numbers(np.array([1.00390625, 1.01171875]), "bf16").tolist() == [0x3F80, 0x3F82]  # ties, to even
    assert from_numbers(np.array([1e6, -1e6]), "e4m3").tolist() == [0x7E, 0xFE]
    assert from_numbers(np.array([-1, 300]), "u8").tolist() == [255, 44]
