"""Who meets whom: whole warps at barriers (PTX ISA 9.7.13.1), equal masks at warp instructions (9.7.13.2). Expectations by hand."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import pytest
from unroll_harness import Outcome, at, run_body, tensor

from volta_pipe.passes.unroll.show import thread_program

EVEN = "and.b32 %r1, %r50, 1; setp.eq.u32 %p1, %r1, 0; "
FIRST = "setp.eq.u32 %p1, %r50, 0; "
LOW = "setp.lt.u32 %p1, %r50, 16; "


def outcome_of(body: str, threads: int) -> Outcome:
    """The body, then 1 in y from each thread that gets there."""
    return run_body(
        body + at("y") + "mov.u32 %r9, 1; st.global.u32 [%at_y], %r9;", [tensor("y", "u32", threads, "out")], threads
    )


OPENS = [
    # Lanes of a warp at two instructions.
    (EVEN + "@%p1 bra P; barrier.sync 1, 64; bra E; P: barrier.sync 1, 64; E:", 64),
    (EVEN + "@%p1 bra P; barrier.sync 1, 32; bra E; P: barrier.sync 1, 32; E:", 32),
    # Each warp fills the barrier alone; and so does one of which lanes have exited.
    ("bar.sync 1, 32;", 96),
    ("setp.lt.u32 %p1, %r50, 32; @%p1 bra P; bar.sync 1, 32; bra E; P: bar.sync 1, 32; E:", 64),
    # The lanes that arrive wait for those that come later.
    (FIRST + "@%p1 bra P; bar.warp.sync 0xfffffffe; P: barrier.arrive 1, 64; barrier.sync 2, 32;", 32),
    (LOW + "@%p1 bra P; bar.warp.sync -1; bra E; P: bar.warp.sync -1; E:", 32),
    (LOW + "@%p1 bra P; bar.warp.sync 0xffff0000; bra E; P: bar.warp.sync 0xffff; E: bar.warp.sync -1;", 32),
    (LOW + "selp.b32 %r2, 0xffff, 0xffff0000, %p1; bar.warp.sync %r2; shfl.sync.bfly.b32 %r3, %r50, 1, 31, %r2;", 32),
    # Arrivals alone fill the barrier, which begins anew.
    ("bar.arrive 1, 64; bar.sync 2, 64; bar.sync 1, 64;", 64),
    ("bar.arrive 1, 96; bar.sync 2; bar.arrive 1, 96; bar.sync 2; bar.sync 1, 96;", 96),
    ("bar.arrive 1, 32; bar.arrive 1, 32; bar.sync 1, 32;", 64),
    ("setp.lt.u32 %p1, %r50, 32; @%p1 bra P; bar.arrive 1, 32; bra E; P: bar.sync 1, 32; E:", 64),
    # A lane that comes twice, the first time alone.
    ("mov.u32 %r2, 3; " + FIRST + "@%p1 mov.u32 %r2, 1; setp.gt.u32 %p2, %r50, 1; @%p2 bra E; A: bar.warp.sync %r2; setp.eq.u32 %p3, %r2, 3; mov.u32 %r2, 3; @!%p3 bra A; E:", 32),
]  # fmt: skip


@pytest.mark.parametrize(("body", "threads"), OPENS)
def test_what_opens(body: str, threads: int) -> None:
    outcome = outcome_of(body, threads)
    assert outcome.kinds == []
    assert [int(x) for x in outcome.outputs()["y"]] == [1] * threads


STUCK = [
    # A torn warp does not count, at barriers of any sort.
    (FIRST + "@!%p1 bra E; barrier.sync 1, 32; E: bar.warp.sync -1;", 32, "deadlock"),
    (FIRST + "@!%p1 bra E; bar.sync 1, 32; E: bar.warp.sync -1;", 32, "barrier-divergence"),
    (EVEN + "selp.u32 %r2, 1, 2, %p1; barrier.sync %r2, 64;", 64, "deadlock"),
    (FIRST + "@!%p1 bra E; barrier.arrive 1, 64; E: bar.warp.sync -1;", 32, "deadlock"),
    # It does not go on with others that fill the barrier, either.
    ("setp.eq.u32 %p1, %r50, 64; setp.lt.u32 %p2, %r50, 64; or.pred %p1, %p1, %p2; @!%p1 bra E; barrier.sync 1, 64; E: bar.warp.sync -1;", 96, "deadlock"),
    # Counts that differ, in a warp and between two.
    (EVEN + "selp.u32 %r2, 32, 64, %p1; bar.sync 1, %r2;", 64, "barrier-divergence"),
    ("setp.lt.u32 %p1, %r50, 32; selp.u32 %r2, 64, 96, %p1; bar.sync 1, %r2;", 64, "barrier-divergence"),
    ("setp.lt.u32 %p1, %r50, 32; selp.u32 %r2, 64, 96, %p1; bar.arrive 1, %r2;", 64, "barrier-divergence"),
    ("setp.lt.u32 %p1, %r50, 32; @%p1 bra P; bar.arrive 1, 64; bra E; P: bar.sync 1, 96; E:", 64, "barrier-divergence"),
    ("setp.lt.u32 %p1, %r50, 32; @%p1 bra P; bar.sync 1; bra E; P: bar.sync 1, 96; E:", 64, "barrier-divergence"),
    # No count means all threads; whether that may meet their number is open.
    ("setp.lt.u32 %p1, %r50, 32; @%p1 bra P; bar.sync 1; bra E; P: bar.sync 1, 64; E:", 64, "unsupported-instruction"),
    # Each of the lanes that arrive waits for its warp at the barrier that it names.
    (EVEN + "selp.u32 %r2, 1, 2, %p1; barrier.arrive %r2, 64;", 32, "unsupported-instruction"),
    (EVEN + "selp.u32 %r2, 1, 2, %p1; barrier.arrive %r2, 32; bar.sync 3;", 64, "unsupported-instruction"),
    # An arrival at two instructions is not followed.
    (EVEN + "@%p1 bra P; barrier.arrive 1, 64; bra E; P: barrier.arrive 1, 64; E:", 32, "unsupported-instruction"),
    # Arrivals alone have filled the barrier before others wait there; or which of them fill it is open.
    ("setp.lt.u32 %p1, %r50, 64; @%p1 bar.arrive 1, 64; bar.sync 2; @!%p1 bar.sync 1, 64;", 96, "deadlock"),
    ("bar.arrive 1, 64;", 128, "unsupported-instruction"),
    ("bar.arrive 1, 64; bar.sync 2; bar.arrive 1, 64; bar.sync 1, 64;", 64, "unsupported-instruction"),
    # Each waits for the other with a mask of its own.
    (FIRST + "selp.b32 %r2, 3, 7, %p1; setp.gt.u32 %p2, %r50, 1; @%p2 bra E; bar.warp.sync %r2; E:", 32, "deadlock"),
    (LOW + "selp.b32 %r2, 0x0001ffff, -1, %p1; shfl.sync.bfly.b32 %r3, %r50, 1, 31, %r2;", 32, "deadlock"),
    (LOW + "selp.b32 %r2, 0x0001ffff, -1, %p1; vote.sync.ballot.b32 %r3, %p1, %r2;", 32, "deadlock"),
    (LOW + "selp.b32 %r2, 0x0001ffff, -1, %p1; match.any.sync.b32 %r3, %r50, %r2;", 32, "deadlock"),
    (LOW + "selp.b32 %r2, 0x0001ffff, -1, %p1; redux.sync.add.u32 %r3, %r50, %r2;", 32, "deadlock"),
    # Those named came with another mask, and exit.
    (LOW + "selp.b32 %r2, 0xffff, -1, %p1; bar.warp.sync %r2;", 32, "barrier-divergence"),
    (LOW + "selp.b32 %r2, 0xffff, -1, %p1; shfl.sync.bfly.b32 %r3, %r50, 1, 31, %r2;", 32, "barrier-divergence"),
    # Only bar.warp.sync meets at several instructions.
    (LOW + "@%p1 bra P; shfl.sync.bfly.b32 %r3, %r50, 1, 31, -1; bra E; P: shfl.sync.bfly.b32 %r3, %r50, 1, 31, -1; E: bar.warp.sync -1;", 32, "deadlock"),
    ("mov.b32 %r2, 2; bar.warp.sync %r2;", 32, "barrier-divergence"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "threads", "kind"), STUCK)
def test_what_does_not_open(body: str, threads: int, kind: str) -> None:
    assert outcome_of(body, threads).kinds[:1] == [kind]


def test_a_meeting_at_two_instructions_orders_memory() -> None:
    """Lanes store, meet in two arms, and read what the other arm stored."""
    store = ".shared .align 4 .b8 s[128]; mov.u32 %r40, s; shl.b32 %r41, %r50, 2; add.u32 %r42, %r40, %r41; st.shared.u32 [%r42], %r50; xor.b32 %r43, %r50, 31; shl.b32 %r43, %r43, 2; add.u32 %r43, %r40, %r43; "
    arms = LOW + "@%p1 bra P; {} ld.shared.u32 %r9, [%r43]; bra E; P: {} ld.shared.u32 %r9, [%r43]; E: "
    end = at("y") + "st.global.u32 [%at_y], %r9;"
    for barrier in ("bar.warp.sync -1;", "barrier.sync 1, 32;"):
        outcome = run_body(store + arms.format(barrier, barrier) + end, [tensor("y", "u32", 32, "out")], 32)
        assert outcome.kinds == []
        assert [int(x) for x in outcome.outputs()["y"]] == list(range(31, -1, -1))
    assert run_body(store + arms.format("", "") + end, [tensor("y", "u32", 32, "out")], 32).kinds[:1] == ["race"]


def test_an_arrival_that_fills_a_barrier_is_shown_as_such() -> None:
    outcome = run_body("bar.arrive 1, 64;" + at("y"), [tensor("y", "u32", 1, "inout")], 64)
    first, last = ("\n".join(thread_program(outcome.program, 0, t, outcome.launch.tensors)) for t in (0, 32))
    assert "arrive at barrier 1" in first and "fills" not in first
    assert "arrive at barrier 1, which fills it: nobody waits" in last


APART = [
    ("P: bar.sync 1, 32; E:", "thread 0 waits at barrier 1"),
    ("P: bar.warp.sync -1; E:", "thread 0 waits in a warp instruction"),
    ("P: barrier.arrive 1, 64; E:", "thread 0 waits at a bar.arrive"),
]


@pytest.mark.parametrize(("arm", "where"), APART)
def test_where_the_others_of_a_warp_are(arm: str, where: str) -> None:
    """Threads 16 to 31 come to barrier 2, the others somewhere else."""
    finding = outcome_of(f"{LOW}@%p1 bra P; bar.sync 2, 32; bra E; {arm}", 32).report.findings[0]
    start = "the threads of a warp have to come to barrier 2 together: thread 16 waits there, "
    assert (finding.kind, finding.message) == ("barrier-divergence", start + where)


def test_one_barrier_in_two_places() -> None:
    finding = outcome_of(f"{LOW}@%p1 bra P; bar.sync 2, 32; bra E; P: bar.sync 2, 32; E:", 32).report.findings[0]
    assert "barrier 2 in different places: thread 0 waits at one bar.sync, thread 16 at another" in finding.message
