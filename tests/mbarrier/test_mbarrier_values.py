"""What barrier objects do in kernels that use them as the PTX ISA (9.7.13.15) says: right values, no findings."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import pytest
from mbarrier_kernels import ARRIVE, init, messages, run, values, wait

from volta_pipe.passes.unroll.show import thread_program

PUT = "st.shared.u32 [%r42], %r49;"
MIRROR = "sub.u32 %r45, 31, %r50; shl.b32 %r45, %r45, 2; add.u32 %r45, %r45, %r41; ld.shared.u32 %r1, [%r45];"
REVERSED = list(range(32, 0, -1))
GENERIC = "cvt.u64.u32 %rd1, %r40; cvta.shared.u64 %rd1, %rd1;"


@pytest.mark.parametrize(
    "arrive",
    [
        "mbarrier.arrive.b64 %rd2, [%rd1];",
        "mbarrier.arrive.shared.b64 _, [%r40];",
        "mbarrier.arrive.shared::cta.b64 _, [%rd3];",
        "mbarrier.arrive.release.cta.shared::cta.b64 %rd2, [%r40];",
        "mbarrier.arrive.release.cluster.b64 %rd2, [%rd1];",
        "mbarrier.arrive.shared.b64 _, [%r40], 1;",
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r40], 0;",
        "mbarrier.arrive_drop.shared.b64 _, [%r40];",
        "mbarrier.arrive_drop.expect_tx.release.cta.shared::cta.b64 %rd2, [%r40], 0;",
        "add.u32 %r44, %r40, -8; mbarrier.arrive.shared.b64 _, [%r44+8];",
    ],
)
def test_every_arrival_orders_what_came_before(arrive: str) -> None:
    body = GENERIC + "cvt.u64.u32 %rd3, %r40;" + init(32) + PUT + arrive + wait("0") + MIRROR
    assert values(run(body)) == REVERSED


@pytest.mark.parametrize(
    ("form", "operand"),
    [
        ("test_wait.parity.shared.b64", "[%r40], 0"),
        ("test_wait.parity.acquire.cta.shared::cta.b64", "[%r40], 0"),
        ("test_wait.parity.b64", "[%rd1], 0"),
        ("try_wait.parity.acquire.cluster.shared::cta.b64", "[%r40], 0"),
        ("try_wait.parity.shared::cta.b64", "[%r40], 0, 10000000"),
        ("test_wait.shared.b64", "[%r40], %rd2"),
        ("test_wait.acquire.cta.b64", "[%rd1], %rd2"),
        ("try_wait.shared.b64", "[%r40], %rd2"),
        ("try_wait.b64", "[%rd1], %rd2, %r44"),
    ],
)
@pytest.mark.parametrize(
    "loop",
    [
        "W: mbarrier.{0} %p2, {1}; @!%p2 bra W;",
        "W: mbarrier.{0} %p2, {1}; @%p2 bra D; bra W; D:",
        "W: mbarrier.{0} %p2, {1}; selp.u32 %r46, 1, 0, %p2; setp.eq.s32 %p3, %r46, 0; @%p3 bra W;",
        "W: mbarrier.{0} %p2, {1}; @%p2 bra D; nanosleep.u32 64; bra W; D:",
        "W: add.u32 %r47, %r40, 16; add.u32 %r47, %r47, 1; mbarrier.{0} %p2, {1}; not.pred %p3, %p2; @%p3 bra W; mov.u32 %r48, %r47;",
    ],
)
def test_every_wait_in_every_loop_that_only_asks_again(form: str, operand: str, loop: str) -> None:
    body = GENERIC + "mov.u32 %r44, 20;" + init(32) + PUT + "mbarrier.arrive.shared.b64 %rd2, [%r40];"
    assert values(run(body + loop.format(form, operand) + MIRROR)) == REVERSED


@pytest.mark.parametrize(
    "loop",
    [
        "mbarrier.test_wait.parity.shared.b64 %p2, [%r40], 0;",
        "mov.u32 %r46, 0; W: add.u32 %r46, %r46, 1; mbarrier.test_wait.parity.shared.b64 %p2, [%r40], 0; @!%p2 bra W; mov.u32 %r1, %r46;",
        "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r40], 0; @%p2 bra D; ld.shared.u32 %r1, [%r42]; bra W; D:",
        "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r40], 0; @%p2 bra D; st.shared.u32 [%r42], %r50; bra W; D:",
        "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r40], 0; @%p2 bra D; bar.warp.sync -1; bra W; D:",
        "mov.u32 %r46, 0; W: mbarrier.test_wait.parity.shared.b64 %p2, [%r40], %r46; @%p2 bra D; xor.b32 %r46, %r46, 1; bra W; D:",
        "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r40], 0; @%p2 bra D; @%p1 bra W; D:",
        "mov.u32 %r46, %r40; W: mbarrier.test_wait.parity.shared.b64 %p2, [%r46], 0; @%p2 bra D; mov.u32 %r46, %r39; bra W; D:",
        "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r40], 0; @%p2 bra D; mov.u32 %r1, 7; bra W; D:",
    ],
)
def test_a_false_answer_that_does_more_is_refused(loop: str) -> None:
    """The answer unused, counted, behind it a read, a write, a barrier, another parity or object, or no way back for some."""
    outcome = run(init(32) + ARRIVE + loop)
    assert "unsupported-instruction" in outcome.kinds
    assert "decides more than whether to ask again" in messages(outcome)


def test_counts_are_counts_of_arrivals() -> None:
    """1 + 2 + … + 32 = 528 arrivals; each thread gives its number."""
    body = init(528) + PUT + "mbarrier.arrive.shared.b64 _, [%r40], %r49;" + wait("0") + MIRROR
    assert values(run(body)) == REVERSED


def test_bytes_are_waited_for() -> None:
    """Thread 0 expects 48 bytes with its arrival, and 16 more before; 16 threads complete 4 each, all before they arrive."""
    body = init(32) + PUT + "setp.lt.u32 %p4, %r50, 16; @%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r40], 16;"
    body += "@%p4 mbarrier.complete_tx.shared::cta.b64 [%r40], 4;"
    body += (
        "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r40], 48; @!%p1 mbarrier.arrive.shared.b64 _, [%r40];"
        + wait("0")
        + MIRROR
    )
    assert values(run(body)) == REVERSED


def test_who_drops_out_is_not_waited_for_in_later_phases() -> None:
    """Threads from 16 on leave in phase 0: the others mirror their values among themselves in phase 1."""
    body = (
        init(32) + "setp.ge.u32 %p4, %r50, 16; mov.u32 %r1, 99; @%p4 mbarrier.arrive_drop.shared.b64 _, [%r40]; @%p4 bra OUT;"
    )
    body += ARRIVE + wait("0") + PUT + ARRIVE + wait("1")
    body += "sub.u32 %r45, 15, %r50; shl.b32 %r45, %r45, 2; add.u32 %r45, %r45, %r41; ld.shared.u32 %r1, [%r45]; OUT:"
    assert values(run(body)) == [*range(16, 0, -1), *[99] * 16]


def test_pending_counts_of_one_thread() -> None:
    """Of 9 arrivals 9, then 9 - 4 = 5 are pending before the arrivals without completion; the last four complete the phase."""
    body = "@!%p1 bra OUT;" + "mbarrier.init.shared.b64 [%r40], 9; mbarrier.arrive.noComplete.shared.b64 %rd2, [%r40], 4;"
    body += "mbarrier.arrive.noComplete.release.cta.shared.b64 %rd3, [%r40], 1; mbarrier.arrive.shared.b64 %rd4, [%r40], 4;"
    body += "mbarrier.pending_count.b64 %r2, %rd2; mbarrier.pending_count.b64 %r3, %rd3;" + wait("%rd4", form="test_wait")
    body += "mad.lo.u32 %r1, %r2, 100, %r3; OUT:"
    assert values(run(body)) == [905, *[0] * 31]


def test_pending_counts_depend_on_who_came_before() -> None:
    body = (
        init(64) + "mbarrier.arrive.noComplete.shared.b64 %rd2, [%r40], 1;" + ARRIVE + "mbarrier.pending_count.b64 %r1, %rd2;"
    )
    outcome = run(body + wait("0"))
    assert set(outcome.kinds) == {"unsupported-instruction"}
    assert "the outcome depends on whether the mbarrier instruction by thread" in messages(outcome)


@pytest.mark.parametrize(
    "use",
    [
        "cvt.u32.u64 %r1, %rd2;",
        "st.shared.u64 [%r41], %rd2;",
        "setp.eq.u64 %p3, %rd2, 0; selp.u32 %r1, 1, 2, %p3;",
        "mov.b64 %rd5, %rd2; shr.u64 %rd5, %rd5, 1; cvt.u32.u64 %r1, %rd5;",
        "mbarrier.test_wait.parity.shared.b64 %p3, [%r40], %r9;",
    ],
)
def test_the_bits_of_a_token_mean_nothing(use: str) -> None:
    split = ".reg .b32 %lo; mov.b64 {%lo, %r9}, %rd2;" if "parity" in use else ""
    outcome = run(init(32) + "mbarrier.arrive.shared.b64 %rd2, [%r40];" + wait("%rd2", form="test_wait") + split + use)
    assert "unsupported-instruction" in outcome.kinds


def test_tokens_move_between_registers() -> None:
    body = init(32) + PUT + "mbarrier.arrive.shared.b64 %rd2, [%r40]; mov.b64 {%r2, %r3}, %rd2; mov.b64 %rd3, {%r2, %r3};"
    assert values(run(body + "selp.b64 %rd4, %rd3, %rd2, %p1;" + wait("%rd4", form="try_wait") + MIRROR)) == REVERSED


def test_the_phase_before_the_first_one_is_complete() -> None:
    """A producer that waits for parity 1 passes at once (thread 0 here, before its arrival)."""
    assert values(run(init(32) + PUT + wait("1") + ARRIVE + wait("0") + MIRROR)) == REVERSED


def test_an_object_is_made_anew_after_inval() -> None:
    body = init(32) + PUT + ARRIVE + wait("0") + "bar.sync 0; @%p1 mbarrier.inval.shared.b64 [%r40];"
    body += "@%p1 st.shared.u64 [%r40], 0; @%p1 mbarrier.init.shared.b64 [%r40], 64; bar.sync 0;"
    body += "add.u32 %r49, %r49, 5; " + PUT + "mbarrier.arrive.shared.b64 _, [%r40], 2;" + wait("0") + MIRROR
    assert values(run(body)) == [v + 5 for v in REVERSED]


@pytest.mark.parametrize("count", ("noinc", "counted"))
def test_copies_arrive(count: str) -> None:
    """With .noinc the copies' arrival is one of the 32; without it is counted in first, and a plain arrival follows."""
    arrive = {
        "noinc": "cp.async.mbarrier.arrive.noinc.shared.b64 [%r40];",
        "counted": "cp.async.mbarrier.arrive.shared::cta.b64 [%r40];" + ARRIVE,
    }
    body = init(32) + "cp.async.ca.shared.global [%r42], [%ax], 4;" + arrive[count] + wait("0") + MIRROR
    assert values(run(body)) == REVERSED


def test_a_ring_of_two_stages() -> None:
    """Warp 0 produces four tiles, warp 1 consumes them mirrored; objects full and empty for each of two stages (parities 0 0 1 1
    and, for the producer, 1 1 0 0). y of warp 1 is the sum over tiles of 100 k + its mirror's number."""
    body = (
        ".shared .align 8 .b64 full[2]; .shared .align 8 .b64 empty[2]; .reg .b32 %f_, %e_, %k, %stage, %par, %a_, %lane, %off;"
        "mov.u32 %f_, full; mov.u32 %e_, empty; and.b32 %lane, %r50, 31;"
        "@%p1 mbarrier.init.shared.b64 [%f_], 32; @%p1 mbarrier.init.shared.b64 [%f_+8], 32;"
        "@%p1 mbarrier.init.shared.b64 [%e_], 32; @%p1 mbarrier.init.shared.b64 [%e_+8], 32; bar.sync 0;"
        "setp.ge.u32 %p4, %r50, 32; mov.u32 %k, 0; @%p4 bra CONSUME;"
        "PRODUCE: and.b32 %stage, %k, 1; shr.u32 %par, %k, 1; and.b32 %par, %par, 1; xor.b32 %par, %par, 1;"
        "shl.b32 %off, %stage, 3; add.u32 %a_, %e_, %off;" + wait("%par", "%a_", "try_wait.parity") +
        "mad.lo.u32 %r2, %k, 100, %lane; shl.b32 %r3, %stage, 5; add.u32 %r3, %r3, %lane; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r41;"
        "st.shared.u32 [%r3], %r2; add.u32 %a_, %f_, %off; mbarrier.arrive.shared.b64 _, [%a_];"
        "add.u32 %k, %k, 1; setp.lt.u32 %p5, %k, 4; @%p5 bra PRODUCE; bra OUT;"
        "CONSUME: and.b32 %stage, %k, 1; shr.u32 %par, %k, 1; and.b32 %par, %par, 1;"
        "shl.b32 %off, %stage, 3; add.u32 %a_, %f_, %off;" + wait("%par", "%a_", "try_wait.parity") +
        "sub.u32 %r4, 31, %lane; shl.b32 %r3, %stage, 5; add.u32 %r3, %r3, %r4; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r41;"
        "ld.shared.u32 %r2, [%r3]; add.u32 %r1, %r1, %r2; add.u32 %a_, %e_, %off; mbarrier.arrive.shared.b64 _, [%a_];"
        "add.u32 %k, %k, 1; setp.lt.u32 %p5, %k, 4; @%p5 bra CONSUME; OUT:"
    )  # fmt: skip
    assert values(run(body, 64)) == [*[0] * 32, *[600 + 4 * (31 - lane) for lane in range(32)]]


def test_a_thread_s_program_names_what_it_does_at_objects() -> None:
    body = (
        init(33)
        + "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r40], 4; @%p1 mbarrier.complete_tx.shared::cta.b64 [%r40], 4;"
    )
    body += "cp.async.mbarrier.arrive.shared.b64 [%r40]; mbarrier.arrive_drop.shared.b64 _, [%r40];" + wait("0")
    outcome = run(body + "bar.sync 0; @%p1 mbarrier.inval.shared.b64 [%r40];")
    lines = list(thread_program(outcome.program, 0, 0, outcome.launch.tensors))
    assert [line for line in lines if "mbarrier" in line] == [
        "init mbarrier shared bar+0",
        "expect bytes and arrive at mbarrier shared bar+0",
        "complete bytes at mbarrier shared bar+0",
        "copies arrive at mbarrier shared bar+0",
        "arrive and drop at mbarrier shared bar+0",
        "wait for mbarrier shared bar+0",
        "invalidate mbarrier shared bar+0",
    ]
    last = list(thread_program(outcome.program, 0, 31, outcome.launch.tensors))
    assert "arrive and drop at mbarrier shared bar+0, which completes its phase" in last
