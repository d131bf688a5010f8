"""Kernels that mix what is easily mixed up, each right or wrong in one way; what must come out is worked out by hand from the
PTX ISA (9.7.13 for barriers, 9.7.9.25 for copies, 8 for races)."""

from __future__ import annotations

from pathlib import Path

import pytest

from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

# %t: thread, %l: lane, %w: warp, %low: thread below 32, %q: thread 0; %s: shared memory, %i: the thread's word there; %x0, %y0:
# the tensors, %x, %y: the thread's elements; %v: what it stores in y behind the body.
PTX = """.version 8.3
.target sm_90a
.address_size 64
.shared .align 16 .b8 s[4096];
.shared .align 8 .b64 b0;
.shared .align 8 .b64 b1;
.visible .entry k(.param .u64 py, .param .u64 px) {
  .reg .pred %low, %q, %p<9>; .reg .b32 %t, %s, %i, %v, %u, %l, %w, %c, %r<20>;
  .reg .b64 %y, %o, %x, %y0, %x0, %d<20>; .reg .f32 %f<9>; .reg .b16 %h<9>;
  .local .align 8 .b8 loc[64];
  ld.param.u64 %y0, [py];
  ld.param.u64 %x0, [px];
  mov.u32 %t, %tid.x;
  mov.u32 %c, %ctaid.x;
  mov.u32 %u, %ntid.x;
  mad.lo.u32 %u, %c, %u, %t;
  mul.wide.u32 %o, %u, 4;
  add.s64 %y, %y0, %o;
  add.s64 %x, %x0, %o;
  mov.u32 %s, s;
  shl.b32 %i, %t, 2;
  add.s32 %i, %i, %s;
  and.b32 %l, %t, 31; shr.u32 %w, %t, 5;
  setp.lt.u32 %low, %t, 32;
  setp.eq.u32 %q, %t, 0;
  mov.u32 %v, 0;
BODY
FIN: st.global.u32 [%y], %v;
END: ret;
}
"""
TOML = """[tensors.y]
dtype = "u32"
shape = [{threads}]
role = "out"
[tensors.x]
dtype = "u32"
shape = [{threads}]
role = "in"
[candidate]
source = "k.ptx"
entry = "k"
grid = [1]
block = [{threads}]
args = ["y", "x"]
"""


CASES = [
    pytest.param("race", 64, (
        "setp.lt.u32 %p1, %l, 16; selp.b32 %r1, 0xffff, 0xffff0000, %p1; @%q st.shared.u32 [%s], 7; @%low bar.warp.sync "
        "%r1; setp.eq.u32 %p7, %t, 20; @%p7 ld.shared.u32 %v, [%s];"
    ), id="cross half masks"),
    pytest.param("safe", 64, (
        "@%q st.shared.u32 [%s], 7; setp.lt.u32 %p1,%t,2; @%p1 bar.warp.sync 3; setp.eq.u32 %p2,%t,1; setp.eq.u32 "
        "%p3,%t,2; or.pred %p2,%p2,%p3; @%p2 bar.warp.sync 6; setp.eq.u32 %p7, %t, 2; @%p7 ld.shared.u32 %v, [%s];"
    ), id="transitive masks"),
    pytest.param("race", 64, (
        "@%q st.shared.u32 [%s], 7; setp.eq.u32 %p2,%t,1; setp.eq.u32 %p3,%t,2; or.pred %p2,%p2,%p3; @%p2 "
        "bar.warp.sync 6; setp.lt.u32 %p1,%t,2; @%p1 bar.warp.sync 3;setp.eq.u32 %p7, %t, 2; @%p7 ld.shared.u32 %v, "
        "[%s];"
    ), id="transitive masks wrong order"),
    pytest.param("race", 64, (
        "@!%q bra B; st.shared.u32 [%s],7; bra END; B: bar.sync 0; ld.shared.u32 %v,[%s];"
    ), id="exited writer"),
    pytest.param("race", 64, (
        "cvt.u64.u32 %d2,%s; cvta.shared.u64 %d2,%d2; @%q st.shared.u32 [%s],0; bar.sync 0; @%low red.add.u32 [%d2],1; "
        "@!%low st.shared.u32 [%s],32;"
    ), id="generic atomics vs shared store"),
    pytest.param("race", 64, (
        "@!%low bra E1; ld.global.u32 %r1,[%x]; setp.lt.u32 %p1,%t,2; @%p1 st.shared.u32 [%s],%r1; E1: bar.sync 0; "
        "ld.shared.u32 %v,[%s];"
    ), id="same value other route"),
    pytest.param("safe", 64, (
        "ld.global.u32 %r1,[%x0]; setp.lt.u32 %p1,%t,2; @%p1 st.shared.u32 [%s],%r1; bar.sync 0; ld.shared.u32 "
        "%v,[%s];"
    ), id="same value same route"),
    pytest.param("race", 64, (
        "@%q st.shared.u32 [%s],0; setp.eq.u32 %p1,%t,1; @%p1 st.shared.u8 [%s+3],1; bar.sync 0; ld.shared.u32 "
        "%v,[%s];"
    ), id="diff widths diff val"),
    pytest.param("race", 64, (
        "@%q st.shared.f32 [%s],0f00000000; setp.eq.u32 %p1,%t,1; @%p1 st.shared.f32 [%s],0f80000000; bar.sync 0; "
        "ld.shared.u32 %v,[%s];"
    ), id="0 and -0"),
    pytest.param("uninitialized-read", 64, (
        "mov.u64 %d1, loc; cvta.local.u64 %d1,%d1; @%q st.u32 [%d1],5; @%q st.shared.u64 [%s],%d1; bar.sync 0; "
        "ld.shared.u64 %d2,[%s]; ld.u32 %v,[%d2];"
    ), id="local escapes"),
    pytest.param("barrier-divergence", 64, (
        "@%q st.shared.u32 [%s], 7; setp.lt.u32 %p1,%l,7; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B: "
        "ld.shared.u32 %v,[%s];"
    ), id="aligned in two arms"),
    pytest.param("race", 64, (
        "st.shared.u32 [%i],%t; bar.sync %w, 32; xor.b32 %r1,%i,128; ld.shared.u32 %v,[%r1];"
    ), id="bar number by register per warp"),
    pytest.param("safe", 64, (
        "@%q mbarrier.init.shared.b64 [b0],32;@%q mbarrier.init.shared.b64 [b1],32;bar.sync 0;@%low bra P; W4: { .reg "
        ".pred d; mbarrier.try_wait.parity.shared::cta.b64 d,[b0],0; @!d bra W4; }ld.shared.u32 "
        "%v,[%i+-128];mbarrier.arrive.shared.b64 _,[b1];W5: { .reg .pred d; mbarrier.try_wait.parity.shared::cta.b64 "
        "d,[b0],1; @!d bra W5; }ld.shared.u32 %v,[%i+-128]; bra FIN; P: st.shared.u32 "
        "[%i],%t;mbarrier.arrive.shared.b64 _,[b0];W6: { .reg .pred d; mbarrier.try_wait.parity.shared::cta.b64 "
        "d,[b1],0; @!d bra W6; }st.shared.u32 [%i],%t;mbarrier.arrive.shared.b64 _,[b0];"
    ), id="mbarrier, two phases good"),
    pytest.param("safe", 64, (
        "@%q mbarrier.init.shared.b64 [b0],32;bar.sync 0;@%low bra P; setp.eq.u32 %p1,%l,0; @!%p1 bra S; W12: { .reg "
        ".pred d; mbarrier.try_wait.parity.shared::cta.b64 d,[b0],0; @!d bra W12; }S: bar.warp.sync -1; ld.shared.u32 "
        "%v,[%i+-128]; bra FIN; P: st.shared.u32 [%i],%t;mbarrier.arrive.shared.b64 _,[b0];"
    ), id="mbarrier, elected wait then syncwarp"),
    pytest.param("race", 64, (
        "@%q mbarrier.init.shared.b64 [b0],32;bar.sync 0;@%low bra P; setp.eq.u32 %p1,%l,0; @!%p1 bra S; W13: { .reg "
        ".pred d; mbarrier.try_wait.parity.shared::cta.b64 d,[b0],0; @!d bra W13; }S: ld.shared.u32 %v,[%i+-128]; bra "
        "FIN; P: st.shared.u32 [%i],%t;mbarrier.arrive.shared.b64 _,[b0];"
    ), id="mbarrier, elected wait no syncwarp"),
    pytest.param("race", 64, (
        "@%q mbarrier.init.shared.b64 [b0],64;bar.sync 0;mbarrier.arrive.shared.b64 _,[b0];W14: { .reg .pred d; "
        "mbarrier.try_wait.parity.shared::cta.b64 d,[b0],0; @!d bra W14; }@%q mbarrier.inval.shared.b64 [b0];"
    ), id="mbarrier, inval no barrier"),
    pytest.param("deadlock", 64, (
        "@%q mbarrier.init.shared.b64 [b0],64;bar.sync 0;mbarrier.arrive.shared.b64 _,[b0];W21: { .reg .pred d; "
        "mbarrier.try_wait.parity.shared::cta.b64 d,[b0],0; @!d bra W21; }@%low bra FIN;mbarrier.arrive.shared.b64 "
        "_,[b0];W22: { .reg .pred d; mbarrier.try_wait.parity.shared::cta.b64 d,[b0],1; @!d bra W22; }"
    ), id="mbarrier, count off in 2nd phase"),
    pytest.param("deadlock", 64, (
        "@%q mbarrier.init.shared.b64 [b0],32;bar.sync 0;@%low bra P; W16: { .reg .pred d; "
        "mbarrier.try_wait.parity.shared::cta.b64 d,[b0],0; @!d bra W16; }bar.arrive 1,64; bra FIN; P: bar.sync 1,64; "
        "mbarrier.arrive.shared.b64 _,[b0];"
    ), id="mbarrier, x named cycle"),
    pytest.param("race", 64, (
        "cp.async.ca.shared.global [%i],[%x],4,0;cp.async.commit_group;ld.shared.u32 %v,[%i];"
    ), id="copy, size0 dest still race"),
    pytest.param("race", 64, (
        "mov.u32 %r1,2; cp.async.ca.shared.global [%i],[%x],4,%r1;cp.async.commit_group;ld.shared.u8 %v,[%i+3]; "
        "cp.async.wait_all;"
    ), id="copy, size2 fill race byte"),
    pytest.param("safe", 64, (
        "cp.async.ca.shared.global "
        "[%i],[%x],4;cp.async.commit_group;cp.async.commit_group;cp.async.commit_group;cp.async.wait_group "
        "2;ld.shared.u32 %v,[%i];"
    ), id="copy, empty groups shift wait"),
    pytest.param("race", 64, (
        "setp.lt.u32 %p1,%l,16;cp.async.ca.shared.global [%i],[%x],4;@%p1 cp.async.commit_group; cp.async.wait_group "
        "0; ld.shared.u32 %v,[%i]; cp.async.wait_all;"
    ), id="copy, divergent commit"),
    pytest.param("race", 64, (
        "@%low bra A; st.shared.u32 [%i],%t; bar.arrive 1,64; st.shared.u32 [%i],5; bra FIN; A: bar.sync 1,64; "
        "ld.shared.u32 %v,[%i+128];"
    ), id="bar.arrive then write"),
    pytest.param("deadlock", 64, (
        "setp.gt.u32 %p1,%l,20; @%p1 bra A; vote.sync.ballot.b32 %v,%low,-1; bra FIN; A: bar.sync 0;"
    ), id="vote mask misses waiter"),
    pytest.param("unsupported-instruction", 64, (
        "@%q st.shared.u64 [%s],0; bar.sync 0;@%low red.shared.max.s32 [%s],-1; @!%low red.shared.max.u32 [%s],5; "
        "bar.sync 0; ld.shared.u32 %v,[%s];"
    ), id="max s32/u32"),
    pytest.param("unsupported-instruction", 64, (
        "@%q st.shared.u64 [%s],0; bar.sync 0;@%low red.shared.inc.u32 [%s],5; @!%low red.shared.inc.u32 [%s],3; bar.sync "
        "0; ld.shared.u32 %v,[%s];"
    ), id="inc diff limits"),
    pytest.param("unsupported-instruction", 64, (
        "@%q st.shared.u64 [%s],0; bar.sync 0;@%low red.shared.add.f32 [%s],0f3F800000; @!%low red.shared.add.u32 [%s],1; "
        "bar.sync 0; ld.shared.u32 %v,[%s];"
    ), id="f32 add vs u32 add"),
    pytest.param("safe", 96, (
        "setp.lt.u32 %p1,%t,32; setp.lt.u32 %p2,%t,64; @%p1 bra A; @%p2 bra B; bar.sync 2,64; ld.shared.u32 %v,[%s]; "
        "bra FIN; A: @%q st.shared.u32 [%s],7; bar.arrive 1,64; bra FIN; B: bar.sync 1,64; bar.arrive 2,64;"
    ), id="transitive arrive chain"),
    pytest.param("race", 96, (
        "setp.lt.u32 %p1,%t,32; setp.lt.u32 %p2,%t,64; @%p1 bra A; @%p2 bra B; bar.sync 2,64; ld.shared.u32 %v,[%s]; "
        "bra FIN; A: @%q st.shared.u32 [%s],7; bar.arrive 1,64; bra FIN; B: bar.arrive 2,64; bar.sync 1,64;"
    ), id="transitive arrive chain reversed"),
    pytest.param("race", 64, (
        "st.shared.u32 [%i],%t; bar.sync 0; setp.lt.u32 %p1,%l,16; xor.b32 %r1,%i,128; ld.shared.u32 %v,[%r1]; @%p1 "
        "bar.warp.sync 0xffff; st.shared.u32 [%i],5;"
    ), id="WAR after partial"),
    pytest.param("unsupported-instruction", 64, (
        "@%q discard.global.L2 [%y0],128;"
    ), id="discard"),
    pytest.param("safe", 64, (
        "@%q cp.async.ca.shared.global [%s],[%y0],8,4; setp.eq.u32 %p1,%t,40; @%p1 st.global.u8 [%y0+4],1; "
        "cp.async.wait_all; bar.sync 0;"
    ), id="copy src-size partial: source byte not read"),
    pytest.param("race", 64, (
        "@%q cp.async.ca.shared.global [%s],[%y0],8,4; setp.eq.u32 %p1,%t,40; @%p1 st.global.u8 [%y0+3],1; "
        "cp.async.wait_all; bar.sync 0;"
    ), id="copy src-size partial: source byte read"),
    pytest.param("race", 64, (
        "@%q mbarrier.init.shared.b64 [b0],64; bar.sync 0; st.shared.u32 [%i+512],%t; cp.async.ca.shared.global "
        "[%i],[%x],4; cp.async.mbarrier.arrive.noinc.shared.b64 [b0]; W: { .reg .pred d; "
        "mbarrier.test_wait.parity.shared.b64 d,[b0],0; @!d bra W; } xor.b32 %r1,%i,128; ld.shared.u32 %v,[%r1+512]; "
        "cp.async.wait_all;"
    ), id="noinc arrival orders only copies, not own stores"),
    pytest.param("deadlock", 64, (
        "@%low bra END; bar.sync 1,64; bra FIN;"
    ), id="bar.sync count with exited warp"),
    pytest.param("race", 64, (
        "st.shared.u32 [%i],%t; bar.sync 0,32; xor.b32 %r1,%i,128; ld.shared.u32 %v,[%r1];"
    ), id="bar.sync 0,32 each warp"),
    pytest.param("barrier-divergence", 64, (
        "setp.lt.u32 %p1,%l,16; @%p1 bra A; bra FIN; A: { .reg .b32 a<4>; .reg .f32 c<4>; mov.u32 a0,0; mov.f32 "
        "c0,0f00000000; mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {c0,c1,c2,c3},{a0,a0},{a0},{c0,c0,c0,c0}; }"
    ), id="mma by half warp"),
    pytest.param("uninitialized-read", 64, (
        "setp.gt.u32 %p1,%l,20; @%p1 bra FIN; shfl.sync.idx.b32 %v,%t,25,31,-1;"
    ), id="shfl from exited lane"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "threads", "body"), CASES)
def test_a_tricky_kernel(tmp_path: Path, kind: str, threads: int, body: str) -> None:
    (tmp_path / "k.ptx").write_text(PTX.replace("BODY", body))
    (tmp_path / "volta.toml").write_text(TOML.format(threads=threads))
    with Store(tmp_path / "store") as store:
        document = verify(tmp_path / "volta.toml", store).document
    kinds = {finding["kind"] for finding in document["findings"]}
    assert (kind in kinds) if kind != "safe" else (document["verdict"], kinds) == ("safe", set()), document["findings"]
