"""Barriers that not all threads take part in: two-level clocks where they are exact, vector clocks elsewhere."""

from __future__ import annotations

import pytest
from handmade import Handmade, check, f32, shared, tensor

from volta_pipe.passes.check import SafetyReport

ALL = range(64)
FIRST_WARP = range(32)
SCRATCH = [f32("g", "scratch", 64)]


def report(program: Handmade) -> SafetyReport:
    return check(program.program(), program.launch())


def racy(program: Handmade) -> bool:
    return "race" in [finding.kind for finding in report(program).findings]


@pytest.mark.parametrize("acts", [True, False])
def test_threads_that_left_are_not_ordered_by_a_later_barrier(acts: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    if acts:
        program.st({63: shared(0)})  # then it returns
    program.bar(range(63))
    program.ld({0: shared(0)})
    assert racy(program) == acts
    assert report(program).clocked == acts


@pytest.mark.parametrize(("late", "expected"), [(63, True), (62, False)])
def test_a_thread_that_misses_a_barrier_and_acts_later(late: int, expected: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({0: shared(0)})
    program.bar(range(63))
    program.ld({late: shared(0)})
    assert racy(program) == expected


@pytest.mark.parametrize(("late", "expected"), [(20, True), (15, False)])
def test_a_lane_that_misses_a_warp_barrier_and_acts_later(late: int, expected: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({5: shared(0)})
    program.warpsync(range(16))
    program.ld({late: shared(0)})
    assert racy(program) == expected


def test_what_a_thread_did_before_an_earlier_barrier_is_ordered() -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({63: shared(0)})
    program.bar()
    program.bar(range(63))
    program.ld({0: shared(0)})
    assert not racy(program) and report(program).clocked == 0


@pytest.mark.parametrize("listens", [True, False])
def test_a_warp_barrier_before_leaving_carries_order_on(listens: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({31: shared(0)})
    if listens:
        program.warpsync(FIRST_WARP)
    program.bar([t for t in ALL if t != 31])
    program.ld({40: shared(0)})
    assert racy(program) == (not listens)


def test_named_barriers_of_two_groups() -> None:
    for other, expected in ((8, False), (20, True)):
        program = Handmade(tensors=SCRATCH)
        program.st({t: shared(4 * t) for t in ALL if t < 32})
        program.bar([*range(16), *range(32, 48)], number=1)
        program.ld({32: shared(4 * other)})
        assert racy(program) == expected


@pytest.mark.parametrize("chain", [True, False])
def test_order_is_transitive(chain: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({0: shared(0)})
    program.bar([0, 1], number=1)
    if chain:
        program.bar([1, 40], number=2)
    program.bar([40, 50], number=3)
    program.ld({50: shared(0)})
    assert racy(program) == (not chain)
    assert report(program).clocked == 1


@pytest.mark.parametrize(("reader", "expected"), [(3, False), (20, True)])
def test_half_a_warp(reader: int, expected: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({t: shared(4 * t) for t in FIRST_WARP})
    program.warpsync(range(16))
    program.ld({reader: shared(4 * 5)})
    assert racy(program) == expected


def test_lanes_that_do_nothing_may_miss_a_warp_barrier() -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({t: shared(4 * t) for t in range(16)})
    program.warpsync(range(16))
    program.ld({t: shared(4 * (t ^ 1)) for t in range(16)})
    program.bar()
    program.ld({t: shared(0) for t in ALL})
    assert not racy(program) and report(program).clocked == 0


def test_a_mask_over_two_warps_orders_each_on_its_own() -> None:
    for reader, expected in ((7, False), (40, True)):
        program = Handmade(tensors=SCRATCH)
        program.st({1: shared(0), 33: shared(4)})
        program.warpsync([*range(8), *range(32, 48)])
        program.ld({2: shared(64)})
        program.st({20: shared(128)})
        program.ld({reader: shared(0)})
        assert racy(program) == expected


@pytest.mark.parametrize("barrier", [True, False])
def test_many_readers_and_a_writer_with_vector_clocks(barrier: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({63: shared(200)})
    program.bar(range(8), number=1)  # vector clocks from the start
    program.ld({t: shared(0) for t in ALL})
    program.bar(ALL if barrier else range(63), number=2)
    program.st({5: shared(0)})
    assert racy(program) == (not barrier)
    program.bar()
    program.st({6: shared(0)})
    assert len(report(program).findings) == (0 if barrier else 1)


def test_many_vectors_grow() -> None:
    program = Handmade(tensors=[f32("g", "scratch", 4096)])
    program.st({9: shared(0)})
    program.bar(range(8), number=1)
    for i in range(300):
        program.ld({t: tensor(0, 4 * i) for t in range(4)})
    program.bar(range(4), number=1)
    for i in range(300):
        program.st({0: tensor(0, 4 * i)})
    result = report(program)
    assert result.clocked == 1 and result.findings == ()
    program.st({7: tensor(0, 4 * 299)})
    assert racy(program)


def test_ctas_meet_with_vector_clocks() -> None:
    for offset in (0, 4):
        program = Handmade(tensors=SCRATCH)
        program.ld({t: tensor(0, 0) for t in range(4)})
        program.st({9: shared(0)})
        program.bar(range(8))
        program.cta()
        program.st({9: shared(0)})
        program.bar(range(8))
        program.st({0: tensor(0, offset)})
        assert racy(program) == (offset == 0)
        assert report(program).clocked == 2


def test_a_full_block_of_1024_threads_with_vector_clocks() -> None:
    program = Handmade(threads=1024, tensors=SCRATCH)
    program.st({t: shared(t % 64 * 4) for t in range(64)})
    program.bar(range(1000))
    program.ld({999: shared(0)})
    assert not racy(program)
    program.ld({1000: shared(0)})
    assert racy(program)
