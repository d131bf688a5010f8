"""Whether the same threads meet at a barrier on every schedule."""

from __future__ import annotations

from handmade import Handmade, check, f32, shared

from volta_pipe.passes.check.faults import MEETING, R_ADDRESS, R_KIND, R_THREAD
from volta_pipe.passes.check.run import run


def chances(made: Handmade) -> list[tuple[int, int]]:
    """(barrier, thread) of the arrivals that may count in an earlier round: the first of each two instructions."""
    raw = run(made.program(), made.launch()).raw
    return [(int(entry[R_ADDRESS]), int(entry[R_THREAD])) for entry in raw if entry[R_KIND] == MEETING]


def warps(*numbers: int) -> list[int]:
    return [32 * w + lane for w in numbers for lane in range(32)]


def kernel() -> Handmade:
    return Handmade(128, tensors=[f32("g", "scratch", 4)])


def test_others_at_a_barrier_that_nothing_holds_back() -> None:
    made = kernel()
    made.bar(warps(0, 1), 1)
    made.bar(warps(2, 3), 2)
    made.bar(warps(2, 3), 1)  # warp 2 could have met warp 0
    assert chances(made) == [(1, 64)]


def test_a_barrier_of_all_between() -> None:
    made = kernel()
    made.bar(warps(0, 1), 1)
    made.bar()
    made.bar(warps(2, 3), 1)
    assert chances(made) == []


def test_those_who_were_there_come_again() -> None:
    made = kernel()
    for _ in range(3):
        made.bar(warps(0, 1), 1)
        made.bar(warps(2, 3), 2)
    assert chances(made) == []


def test_word_of_the_round_reaches_one_warp_only() -> None:
    made = kernel()
    made.bar(warps(0, 1), 1)
    made.bar(warps(1, 2), 2)
    made.bar(warps(2, 3), 1)
    assert chances(made) == [(1, 96)]
    made = kernel()
    made.bar(warps(0, 1), 1)
    made.bar(warps(1, 2), 2)
    made.bar(warps(2, 3), 3)
    made.bar(warps(2, 3), 1)
    assert chances(made) == []


def test_an_arrival_without_waiting() -> None:
    made = kernel()
    made.arrive(warps(0), 1)
    made.bar(warps(1), 1)
    made.arrive(warps(0), 1)  # before warp 1 has come, perhaps
    made.bar(warps(1), 1)
    assert chances(made) == [(1, 0)]
    made = kernel()
    for _ in range(3):
        made.arrive(warps(0), 1)
        made.bar(warps(1), 1)
        made.arrive(warps(1), 2)
        made.bar(warps(0), 2)
    assert chances(made) == []


def test_rounds_of_one_warp_change_places() -> None:
    made = kernel()
    for w in range(4):
        made.bar(warps(w), 1)
    assert chances(made) == []
    made.bar(warps(0, 1), 1)  # warp 0 may come before warp 3 has been there alone
    assert chances(made) == [(1, 0), (1, 32)]
    made = kernel()
    made.bar(warps(0, 1), 1)
    made.bar(warps(2), 1)
    assert chances(made) == [(1, 64)]


def test_each_of_the_rounds_of_one_warp_counts() -> None:
    for again in (0, 1):
        made = kernel()
        for w in (0, 1, 0)[: 2 + again]:
            made.bar(warps(w), 1)
        made.bar(warps(1, 2), 2)
        made.bar(warps(1, 2), 1)  # warp 0 may not have been there yet
        assert chances(made) == [(1, 32)]
    for again in (0, 1):
        made = kernel()
        made.bar(warps(0), 1)
        made.bar(warps(0, 1), 2)
        if again:
            made.bar(warps(0), 1)
        made.bar(warps(1, 2), 3)
        made.bar(warps(1, 2), 1)  # of warp 0's last time they know nothing
        assert chances(made) == [(1, 32)] * again


def test_a_barrier_of_all_that_one_warp_opens_has_its_turn() -> None:
    """Without a thread count it opens because others have returned, not because one warp fills it."""
    made = Handmade(32, tensors=[f32("g", "scratch", 4)])
    for _ in range(3):
        made.bar()
    assert chances(made) == []
    made = kernel()
    made.bar(warps(0), 1)
    made.bar(warps(1), 1)
    made.static[1] = (*made.static[1][:3], 1)
    assert chances(made) == [(1, 32)]


def test_arrivals_alone_fill_a_barrier() -> None:
    """All of them have to be known, as nobody waits for the last."""

    def filled() -> Handmade:
        made = kernel()
        made.arrive(warps(0, 1), 1)
        made.arrive(warps(2), 1, fills=True)
        return made

    made = filled()
    made.bar(warps(0, 1), 2)
    made.bar(warps(0, 1), 1)  # warp 2 may not have been there yet
    assert chances(made) == [(1, 0)]
    made = filled()
    made.bar(warps(0, 1, 2), 2)
    made.bar(warps(2, 3), 3)
    made.bar(warps(0, 3), 1)
    assert chances(made) == []
    made = filled()
    made.bar(warps(0, 3), 2)
    made.bar(warps(1, 3), 3)
    made.arrive(warps(2), 4)
    made.bar(warps(3), 4)
    made.arrive(warps(3), 1)  # heard of each from another
    assert chances(made) == []


def test_an_arrival_fills_a_barrier_of_one_warp() -> None:
    made = kernel()
    for w in range(3):
        made.arrive(warps(w), 1, fills=True)
    made.bar(warps(0), 1)
    assert chances(made) == []
    made.bar(warps(0, 1), 1)
    assert chances(made) == [(1, 0), (1, 32)]


def test_what_was_told_at_a_barrier_that_arrivals_filled_is_not_heard() -> None:
    made = kernel()
    made.bar(warps(0, 1), 2)
    made.arrive(warps(0), 1)  # tells of barrier 2, and nobody listens
    made.arrive(warps(2), 1, fills=True)
    made.arrive(warps(2), 1)
    made.bar(warps(3), 1)
    made.bar(warps(3), 2)
    assert (2, 96) in chances(made)


def test_each_cta_begins_anew() -> None:
    made = kernel()
    made.bar(warps(0, 1), 1)
    made.cta()
    made.bar(warps(2, 3), 1)
    assert chances(made) == []


def test_nobody_hears_of_what_was_before_an_arrival_of_another_round() -> None:
    for fills in (False, True):
        made = kernel()
        made.st({0: shared(0)})
        made.arrive(warps(0), 1, fills=fills)
        made.bar(warps(1, 2), 1)
        made.ld({32: shared(0)})
        assert [finding.kind for finding in check(made.program(), made.launch()).findings] == ["race"] * fills
