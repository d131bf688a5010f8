"""cp.async on concrete memory: whole copies, copies that read less and fill with zeros, copies that read nothing; barriers that
change no value; addresses; wide vectors."""

from __future__ import annotations

import numpy as np
import pytest
from replay_kernels import run, tensor
from replay_reference import call

REGION = 1 << 32


@pytest.mark.parametrize("size", [4, 8, 16])
def test_whole_copies(size: int) -> None:
    """Two groups, one of which is waited for later; two CTAs with shared memory of their own."""
    x = np.random.default_rng(1).integers(0, 1 << 32, (2, 2, 32, size // 4), np.uint32)
    level = "cg" if size == 16 else "ca"
    copies = "".join(
        f"add.u64 %d3, %d2, {32 * size * part}; cp.async.{level}.shared.global [%r4+{32 * size * part}], [%d3], {size};"
        "cp.async.commit_group;"
        for part in range(2)
    )
    first, second = (
        "".join(f"ld.shared.b32 %r5, [%r4+{at}]; st.global.b32 [%d4+{at}], %r5;" for at in range(start, start + size, 4))
        for start in (0, 32 * size)
    )
    body = f"""mul.wide.u32 %d1, %r31, {64 * size}; mul.wide.u32 %d5, %r30, {size}; add.u64 %d1, %d1, %d5;
add.u64 %d2, %d1, %d10; add.u64 %d4, %d1, %d11; mov.u32 %r3, tile; mad.lo.u32 %r4, %r30, {size}, %r3; {copies}
cp.async.wait_group 1; {first} cp.async.wait_all; {second}"""
    tensors = [tensor("x", "u32", x.shape, "in"), tensor("y", "u32", x.shape, "out")]
    done = run(body, tensors, {"x": x}, grid=2, before=".shared .align 16 .b8 tile[1024];")
    np.testing.assert_array_equal(done.outputs["y"], x)


@pytest.mark.parametrize("ignored", [False, True])
def test_zero_fill(ignored: bool) -> None:
    """Lane l reads l % 17 bytes of 16, or, ignored, all or none: shared memory held ones before."""
    x = np.random.default_rng(2).integers(1, 256, (32, 16), np.uint8)
    limit = "and.b32 %r5, %r30, 1; setp.ne.u32 %p1, %r5, 0;" if ignored else "rem.u32 %r5, %r30, 17;"
    body = f"""shl.b64 %d1, %d20, 2; add.u64 %d2, %d1, %d10; add.u64 %d3, %d1, %d11; mov.u32 %r3, tile;
mad.lo.u32 %r4, %r30, 16, %r3; mov.u32 %r6, -1; st.shared.v4.b32 [%r4], {{%r6, %r6, %r6, %r6}}; {limit}
cp.async.cg.shared.global [%r4], [%d2], 16, {"%p1" if ignored else "%r5"}; cp.async.wait_all;
ld.shared.v4.b32 {{%r7, %r8, %r9, %r10}}, [%r4]; st.global.v4.b32 [%d3], {{%r7, %r8, %r9, %r10}};"""
    tensors = [tensor("x", "u8", (32, 16), "in"), tensor("y", "u8", (32, 16), "out")]
    done = run(body, tensors, {"x": x}, before=".shared .align 16 .b8 tile[512];")
    read = np.where(np.arange(32) % 2, 0, 16) if ignored else np.arange(32) % 17
    np.testing.assert_array_equal(done.outputs["y"], np.where(np.arange(16) < read[:, None], x, 0))


def test_copies_that_read_nothing_may_point_anywhere() -> None:
    body = """mov.u32 %r3, tile; shl.b32 %r4, %r30, 2; add.u32 %r4, %r4, %r3; add.u64 %d1, %d10, 1048576; mov.u32 %r5, 0;
cp.async.ca.shared.global [%r4], [%d1], 4, %r5; cp.async.wait_all; ld.shared.b32 %r6, [%r4]; add.u64 %d2, %d11, %d20;
st.global.b32 [%d2], %r6;"""
    tensors = [tensor("x", "u32", 32, "in"), tensor("y", "u32", 32, "out")]
    done = run(body, tensors, {"x": np.ones(32, np.uint32)}, before=".shared .align 4 .b8 tile[128];")
    assert done.written["y"].all()
    assert not done.outputs["y"].any()


def test_barriers_that_reduce_and_arrive() -> None:
    """bar.red's result is known before the run; arrive and the rest change no value."""
    body = """setp.lt.u32 %p1, %r30, 40; barrier.cta.red.popc.aligned.u32 %r1, 0, %p1; bar.red.and.pred %p2, 0, %p1;
selp.u32 %r2, 100, 0, %p2; add.u32 %r3, %r1, %r2; add.u64 %d1, %d10, %d20; add.u64 %d2, %d11, %d20; ld.global.u32 %r4, [%d1];
prefetch.global.L1 [%d1]; fence.acq_rel.gpu; membar.cta; setp.lt.u32 %p3, %r30, 32; @%p3 bra L; bar.arrive 1, 64; bra M;
L: bar.sync 1, 64; M: add.u32 %r4, %r4, %r3; st.global.u32 [%d2], %r4;"""
    tensors = [tensor("x", "u32", 64, "in"), tensor("y", "u32", 64, "out")]
    x = np.arange(64, dtype=np.uint32)
    np.testing.assert_array_equal(run(body, tensors, {"x": x}, threads=64).outputs["y"], x + 40)


def test_addresses_and_their_windows() -> None:
    """The machine's addresses: shared is region 1, local 2, constants 3, and above lies global memory."""
    places = [REGION + 4, 2 * REGION + 4, 3 * REGION, 4 * REGION, 16 * REGION + 64]
    for space, wanted in (
        ("shared", [1, 0, 0, 0, 0]), ("shared::cta", [1, 0, 0, 0, 0]), ("local", [0, 1, 0, 0, 0]),
        ("const", [0, 0, 1, 0, 0]), ("global", [0, 0, 0, 1, 1]), ("param", [0, 0, 0, 0, 0]),
    ):  # fmt: skip
        assert call(f"isspacep.{space}", places) == [wanted]
    for space, at in (("shared", REGION + 4), ("local", 2 * REGION + 4), ("const", 3 * REGION + 4), ("global", 4)):
        assert call(f"cvta.{space}.u64", [4]) == [[at]]
        assert call(f"cvta.to.{space}.u64", [at]) == [[4]]


def test_vectors_of_eight_and_loads_of_any_kind() -> None:
    x = np.random.default_rng(4).standard_normal((32, 8)).astype(np.float32)
    names = ", ".join(f"%f{k}" for k in range(1, 9))
    turned = ", ".join(f"%f{k}" for k in (8, 7, 6, 5, 4, 3, 2, 1))
    body = f"""shl.b64 %d1, %d20, 3; add.u64 %d2, %d1, %d10; add.u64 %d3, %d1, %d11; ld.global.v8.f32 {{{names}}}, [%d2];
st.global.v8.f32 [%d3], {{{turned}}}; ldu.global.v2.f32 {{%f9, %f10}}, [%d2+8]; add.u64 %d4, %d20, %d12;
add.f32 %f11, %f9, %f10; st.global.wt.f32 [%d4], %f11;"""
    tensors = [tensor("x", "f32", (32, 8), "in"), tensor("y", "f32", (32, 8), "out"), tensor("z", "f32", 32, "out")]
    done = run(body, tensors, {"x": x})
    np.testing.assert_array_equal(done.outputs["y"], x[:, ::-1])
    np.testing.assert_array_equal(done.outputs["z"], x[:, 2] + x[:, 3])
