"""Atomics, copies, hints and fences: what is a form and what is not, and the text of operations with two addresses."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import pytest
from unroll_harness import kernel, launch_of, run, run_body, tensor

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.ptx import parse_module, print_generic, print_module
from volta_pipe.passes.lower import lower
from volta_pipe.passes.unroll.show import thread_program

FORMS = [
    "cp.async.ca.shared.global [%r1], [%rd1], 4;",
    "cp.async.ca.shared::cta.global.L2::128B [%r1+16], [%rd1+-8], 8, 6;",
    "cp.async.cg.shared.global.L2::cache_hint [%r1], [%rd1], 16, %rd2;",
    "cp.async.cg.shared.global.L2::cache_hint [%r1], [%rd1], 16, %r2, %rd2;",
    "cp.async.cg.shared.global [%r1], [%rd1], 16, %p1;",
    "@%p1 cp.async.cg.shared.global [%r1], [%rd1], 16, %p2;",
    "cp.async.commit_group;",
    "cp.async.wait_group 3;",
    "cp.async.wait_all;",
    "atom.global.add.u32 %r1, [%rd1], 1;",
    "atom.add.acq_rel.gpu.global.f32 %f1, [%rd1+4], %f2;",
    "@!%p1 atom.relaxed.sys.global.cas.b64 %rd3, [%rd1], %rd2, %rd4;",
    "atom.shared.exch.b32 _, [%r1], %r2;",
    "red.global.add.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};",
    "red.release.cta.shared::cta.inc.u32 [%r1], 7;",
    "red.async_is_no_word.global.add.u32 [%rd1], 1; // no form",
    "red.global.cas.b32 [%rd1], %r1, %r2; // no form",
    "atom.global.add.b32 %r1, [%rd1], 1; // no form",
    "atom.global.add.cta.gpu.u32 %r1, [%rd1], 1; // no form",
    "atom.shared::cluster.add.u32 %r1, [%r1], 1; // no form",
    "cp.async.bulk.commit_group; // no form",
    "cp.async.mbarrier.arrive.noinc.shared.b64 [%r1+8];",
    "cp.async.mbarrier.arrive.noinc.shared::cluster.b64 [%r1]; // no form",
    "mbarrier.init.shared.b64 [%r1], 32;",
    "mbarrier.init.shared.b64 [%r1]; // no form",
    "mbarrier.inval.b64 [%rd1];",
    "mbarrier.expect_tx.relaxed.cluster.shared::cta.b64 [%r1], %r2;",
    "mbarrier.complete_tx.b64 [%rd1+16], 32;",
    "mbarrier.complete_tx.release.cta.b64 [%rd1], 32; // no form",
    "mbarrier.arrive.release.cta.shared::cta.b64 %rd2, [%r1], 3;",
    "mbarrier.arrive.relaxed.cluster.b64 _, [%rd1];",
    "mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r1], 64;",
    "mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r1]; // no form",
    "mbarrier.arrive.noComplete.release.cta.shared.b64 %rd2, [%r1], 1;",
    "mbarrier.arrive.noComplete.relaxed.cta.shared.b64 %rd2, [%r1], 1; // no form",
    "mbarrier.arrive_drop.shared::cluster.b64 _, [%r1]; // no form",
    "mbarrier.arrive_drop.shared.b64 _, [%r1];",
    "@%p1 mbarrier.test_wait.acquire.cta.shared::cta.b64 %p2, [%r1], %rd1;",
    "mbarrier.test_wait.parity.shared.b64 %p2, [%r1], 1;",
    "mbarrier.test_wait.parity.shared.b64 %p2, [%r1], 1, 10; // no form",
    "mbarrier.try_wait.parity.relaxed.cluster.b64 %p2, [%rd1], %r2, 10000000;",
    "mbarrier.try_wait.shared.b64 %p2, [%r1], %rd2, %r3;",
    "mbarrier.pending_count.b64 %r1, %rd1;",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r1], %r2, [%r3]; // no form",
    "discard.global.L2 [%rd1], 128; // no form",
    "griddepcontrol.wait; // no form",
    "prefetch.global.L1 [%rd1+256];",
    "prefetch.global.L2::evict_last [%rd1];",
    "prefetchu.L1 [%rd1];",
    "applypriority.global.L2::evict_normal [%rd1], 128;",
    "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd2, 0.5;",
    "createpolicy.fractional.L2::evict_first.b64 %rd2;",
    "createpolicy.cvt.L2.b64 %rd2, %rd3;",
    "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd2, [%rd1+64], 4096, %r1;",
    "createpolicy.range.L2::evict_first.b64 %rd2, [%rd1], 4096, 8192;",
    "createpolicy.range.global.b64 %rd2, [%rd1], 4096, 8192; // no form",
    "createpolicy.range.L2::evict_first.b64 %rd2, [%rd1], 4096; // no form",
    "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%r1], {%r2, %r3};",
    "stmatrix.sync.aligned.m16n8.x2.shared.b8 [%r1], {%r2, %r3}; // no form",
    "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r2, %r3}, [%r1]; // no form",
    "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%r2}, [%r1]; // no form",
    "ld.global.L1::no_allocate.L2::cache_hint.v2.b64 {%rd3, %rd4}, [%rd1], %rd2;",
    "ld.acquire.gpu.global.u32 %r1, [%rd1];",
    "ldu.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];",
    "ld.global.v8.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [%rd1];",
    "st.release.cluster.global.u32 [%rd1], %r1;",
    "st.acquire.gpu.global.u32 [%rd1], %r1; // no form",
    "fence.sc.sys;",
    "fence.acquire.sync_restrict::shared::cluster.cluster;",
    "fence.mbarrier_init.release.cluster;",
    "fence.proxy.async.shared::cta;",
    "fence.proxy.alias;",
    "membar.gl;",
    "membar.sys;",
    "match.any.sync.b64 %r1, %rd1, -1;",
    "match.all.sync.b32 %r1|%p1, %r2, -1;",
    "redux.sync.xor.b32 %r1, %r2, -1;",
    "redux.sync.xor.s32 %r1, %r2, -1; // no form",
    "elect.sync _|%p1, -1;",
    "bar.red.popc.u32 %r1, 0, %p1;",
    "barrier.cta.red.or.pred %p1, 0, 64, !%p2;",
    "bar.arrive 1, 64;",
    "bar.arrive 1; // no form",
]


def refusal(text: str) -> str:
    """Why a kernel is refused, before or when it is executed."""
    try:
        outcome = run(text, launch_of([]))
    except UnsupportedError as error:
        return str(error)
    assert outcome.kinds == ["unsupported-instruction"]
    return outcome.report.findings[0].message


@pytest.mark.parametrize("code", FORMS)
def test_a_form_round_trips_and_what_is_none_is_refused_by_name(code: str) -> None:
    text = kernel(code + "\n", [])
    if code.endswith("no form"):
        assert code.partition(" ")[0].rstrip(";") in refusal(text)
        return
    module = lower(text, "t.ptx", "k").module
    module.verify()
    printed = print_module(module)
    assert print_module(parse_module(printed)) == printed
    assert print_module(parse_module(print_generic(module))) == printed


def test_both_offsets_of_a_copy_are_kept() -> None:
    printed = print_module(lower(kernel(FORMS[1], []), "t.ptx", "k").module)
    assert "+ 16], [" in printed and "+ -8], " in printed


def test_a_thread_s_program_names_atomics_and_copies() -> None:
    body = (
        ".shared .align 16 .b8 s[512]; mov.u32 %r40, s; shl.b32 %r41, %r50, 4; add.u32 %r42, %r40, %r41; cvt.u64.u32 %rd1, %r41; add.s64 %rd2, %rd1, %rd_x;"
        "cp.async.cg.shared.global [%r42], [%rd2], 16, 12; cp.async.commit_group; cp.async.wait_group 0; bar.arrive 3, 64; ld.shared.f32 %f1, [%r42]; red.global.add.f32 [%rd_y], %f1;"
    )
    outcome = run_body(body, [tensor("x", "f32", 128, "in"), tensor("y", "f32", 1, "inout")])
    lines = "\n".join(thread_program(outcome.program, 0, 2, outcome.launch.tensors))
    for part in (
        "copy shared s+32 from 12 bytes of x[8], 4 zeros",
        "commit copies",
        "newest 0 groups",
        "barrier 3",
        "atomic add y[0]",
    ):
        assert part in lines, lines
