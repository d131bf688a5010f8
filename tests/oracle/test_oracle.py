"""Random tiny programs: race, deadlock and final state by all schedules, against the checker. `make oracle` compares 20,000."""

from __future__ import annotations

from dataclasses import replace

import pytest
from oracle_compare import disagreement
from oracle_gaps import GAPS, Gap, closed
from oracle_program import INITIAL, Op, Program
from oracle_ptx import Answer, answer
from oracle_random import program
from oracle_run import compare, told
from oracle_schedules import explore

COUNT, PART = 500, 50


@pytest.mark.parametrize("first", range(0, COUNT, PART))
def test_the_checker_says_what_the_schedules_do(first: int) -> None:
    tally = compare(range(first, first + PART))
    assert not tally.wrong, told(tally.wrong[0][0])


def test_the_programs_do_everything_often_enough() -> None:
    outcomes = [(explore(made), made) for made in map(program, range(COUNT))]
    clean = [made for outcome, made in outcomes if outcome.finals]
    assert len(clean) >= COUNT // 5
    assert sum(any(op.kind == "copy" for ops in made.threads for op in ops) for made in clean) >= COUNT // 100
    assert sum(bool(outcome.groups) for outcome, made in outcomes if outcome.finals) >= COUNT // 8  # they synchronise
    assert sum(any(map(made.arrives, outcome.groups)) for outcome, made in outcomes if outcome.finals) >= COUNT // 100
    for word, least in (("races", 5), ("deadlocks", 5), ("orders", 50), ("undefined", 20), ("ambiguous", 30)):
        assert sum(bool(getattr(outcome, word)) for outcome, _ in outcomes) >= COUNT // least, word


def test_gaps_are_still_there() -> None:
    assert [closed(gap) for gap in GAPS if closed(gap)] == []
    right = two((st(0), sync(1)), (sync(2), ld(3)))
    made_up = Gap("none", "", lambda made: made == right, right, ("unsupported",))
    assert closed(made_up) == "none is answered otherwise (rightly)"


def st(static: int, at: int = 0, size: int = 4) -> Op:
    return Op("st", static, at, size, 7)


def ld(static: int, at: int = 0, size: int = 4) -> Op:
    return Op("ld", static, at, size)


def sync(static: int, count: int = 64, number: int = 1) -> Op:
    return Op("sync", static, number=number, count=count)


def arrive(static: int, count: int = 64, number: int = 1) -> Op:
    return Op("arrive", static, number=number, count=count)


def two(*threads: tuple[Op, ...]) -> Program:
    return Program(tuple(32 * t for t in range(len(threads))), threads)


def test_schedules_by_hand() -> None:
    """Programs whose outcome can be told by looking at them."""
    ordered = explore(two((st(0), sync(1)), (sync(2), ld(3))))
    assert not ordered.races and not ordered.deadlocks and not ordered.ambiguous
    assert ordered.finals == {((7, 0, 0, 0, *INITIAL[4:]), (7,))}
    assert explore(two((sync(0), st(1)), (sync(2), ld(3)))).races == {((0, 1), (1, 1))}
    assert explore(two((st(0, 0, 1), sync(1)), (ld(2, 1, 1), sync(3)))).finals == {
        ((7, *INITIAL[1:]), (INITIAL[1],)),
    }
    crossed = explore(two((sync(0), sync(1, number=2)), (sync(2, number=2), sync(3))))
    assert crossed.deadlocks == {(0, 0)}
    produced = explore(two((st(0), arrive(1), st(2, 4)), (sync(3), ld(4))))
    assert not produced.races and not produced.deadlocks
    assert explore(two((st(0), arrive(1), st(2)), (sync(3), ld(4)))).races == {((0, 2), (1, 1))}
    assert explore(two((st(0), sync(1)), (arrive(2), ld(3)))).races == {((0, 0), (1, 1))}
    assert explore(two((sync(0, 96),), (sync(1, 96),))).deadlocks == {(0, 0)}
    three = two((st(0), sync(1)), (sync(2), sync(3, number=2)), (sync(4, number=2), ld(5)))
    assert not explore(three).races and len(explore(three).finals) == 1
    meet = explore(two((sync(0),), (sync(1),), (sync(2),)))
    assert meet.ambiguous and meet.deadlocks
    assert explore(two((sync(0, 64),), (sync(1, 96),))).undefined


def test_barriers_at_which_others_could_meet_are_not_decided() -> None:
    """Warps 2 and 3 come to barrier 1 after one of their own, which holds them back from nothing of warps 0 and 1."""
    last = ((sync(4, number=2), sync(5)), (sync(6, number=2), sync(7)))
    chance = two((st(0), sync(1)), (sync(2), ld(3)), *last)
    assert explore(chance).ambiguous and explore(chance).races
    assert answer(chance).kinds == {"unsupported-instruction"}
    both = [(sync(8 + t, 128, 3), *last[t]) for t in (0, 1)]
    held = two((st(0), sync(1), sync(10, 128, 3)), (sync(2), ld(3), sync(11, 128, 3)), *both)
    assert not explore(held).ambiguous and not explore(held).races
    assert answer(held).kinds == set()


def test_arrivals_alone_fill_a_barrier() -> None:
    """It begins anew, and orders nothing; who comes next to it has to be held back until then."""
    both = (arrive(0), sync(1, number=2), st(2), sync(3)), (arrive(4), sync(5, number=2), sync(6), ld(7))
    assert not explore(two(*both)).ambiguous and not explore(two(*both)).races
    assert answer(two(*both)).kinds == set()
    nothing = two((st(0), arrive(1)), (arrive(2), ld(3)))
    assert explore(nothing).races == {((0, 0), (1, 1))} and answer(nothing).kinds == {"race"}
    late = two((arrive(0),), (arrive(1),), (sync(2),), (sync(3),))
    assert explore(late).ambiguous and answer(late).kinds == {"unsupported-instruction"}
    missed = two((arrive(0), sync(1, number=2), arrive(2)), (arrive(3), sync(4, number=2)), (sync(5),))
    assert explore(missed).ambiguous and answer(missed).kinds == {"unsupported-instruction"}
    after = two((arrive(0), sync(1, number=2), sync(2)), (arrive(3), sync(4, number=2)))
    assert explore(after).deadlocks == {(2, 2)} and answer(after).kinds == {"deadlock"}


def test_one_warp_fills_a_barrier_of_its_size_at_any_time() -> None:
    """Such rounds change places with each other, and with no others."""
    for made in (two((sync(0, 32),), (arrive(1, 32),)), two((arrive(0, 32), arrive(1, 32)), (sync(2, 32), arrive(3, 32)))):
        assert not explore(made).ambiguous and not explore(made).undefined and not explore(made).by_exit
        assert answer(made).kinds == set()
    pair = (sync(1, 32), sync(2, number=2), sync(3)), (sync(4, number=2), sync(5))
    for first in (sync, arrive):  # it may come when one of the two waits with the other count
        assert explore(two((first(0, 32),), *pair)).undefined
        assert answer(two((first(0, 32),), *pair)).kinds == {"unsupported-instruction"}
    everybody = two((sync(0, 32),), (sync(1, number=2), sync(2, 0)), (sync(3, number=2),))
    assert explore(everybody).undefined and answer(everybody).kinds == {"unsupported-instruction"}


def test_exits_open_barriers_and_order_nothing() -> None:
    """A barrier for all threads does not wait for those that have exited; what they did before is not ordered by it."""
    left = explore(two((sync(0, 0), ld(1)), (st(2),)))
    assert not left.deadlocks and left.races == {((0, 1), (1, 0))}
    assert explore(two((sync(0, 64),), ())).deadlocks == {(0, 0)}


def test_rounds_that_only_an_exit_keeps_apart_are_not_decided() -> None:
    """A thread comes to barrier 1 again when the other, which it waits for at barrier 2, has exited behind barrier 1."""
    whole = Op("sync", 1, number=2, aligned=False)
    parted = two((arrive(0), whole, arrive(2)), (sync(3),))
    assert explore(parted).by_exit and not explore(parted).ambiguous
    assert answer(parted).kinds == {"unsupported-instruction"}
    met = two((arrive(0), whole, arrive(2)), (sync(3), replace(whole, static=4)))
    assert not explore(met).by_exit and not explore(met).ambiguous
    assert answer(met).kinds == set()


def test_warps_by_hand() -> None:
    """bar.warp.sync: masks must agree, lanes that have exited do not count."""

    def lanes(*threads: tuple[Op, ...]) -> Program:
        return Program(tuple(range(len(threads))), threads)

    def wait(static: int, mask: int) -> Op:
        return Op("warpsync", static, mask=mask)

    assert not explore(lanes((st(0), wait(1, 3)), (wait(1, 3), ld(2)))).races
    assert explore(lanes((st(0), wait(1, 1)), (wait(1, 2), ld(2)))).races
    assert explore(lanes((wait(0, 3),), (wait(0, 2),))).deadlocks == set()  # the second exits, and is then not waited for
    assert explore(lanes((wait(0, 3),), (wait(0, 2), sync(1, 64)))).deadlocks == {(0, 1)}
    assert not explore(lanes((wait(0, 0xFFFFFFFF),), ())).deadlocks


def test_atomics_by_hand() -> None:
    def atomic(kind: str, static: int) -> Op:
        return Op(kind, static, 0, 4, 5)

    both = explore(two((atomic("add", 0),), (atomic("add", 1),)))
    assert not both.races and not both.orders and len(both.finals) == 1
    assert explore(two((atomic("add", 0),), (atomic("max", 1),))).orders
    assert explore(two((atomic("add", 0),), (ld(1, 0, 1),))).races


def test_copies_by_hand() -> None:
    """A copy is under way from its issue to the wait that covers its group."""

    def copy(static: int) -> Op:
        return Op("copy", static, 0, 4, source=8)

    def wait(static: int, pending: int) -> Op:
        return Op("wait", static, count=pending)

    commit = Op("commit", 99)
    done = explore(two((copy(0), commit, wait(1, 0), sync(2)), (sync(3), ld(4))))
    assert not done.races and done.finals == {
        ((*INITIAL[8:12], *INITIAL[4:]), (int.from_bytes(bytes(INITIAL[8:12]), "little"),))
    }
    assert explore(two((copy(0), commit, wait(1, 1), sync(2)), (sync(3), ld(4)))).races == {((0, 0), (1, 1))}
    assert explore(two((copy(0), wait(1, 0), sync(2)), (sync(3), ld(4)))).races == {((0, 0), (1, 1))}
    assert not explore(two((copy(0), wait(1, -1), sync(2)), (sync(3), ld(4)))).races
    assert explore(two((copy(0), commit, ld(1), wait(2, 0)))).races == {((0, 0), (0, 2))}
    assert not explore(two((st(0), copy(1), commit, wait(2, 0), ld(3)))).races
    assert explore(two((copy(0), commit, copy(1), commit, wait(2, 0)))).races == {((0, 0), (0, 2))}
    assert explore(two((copy(0), st(1, 8), wait(2, -1)))).races == {((0, 0), (0, 1))}


def test_wrong_answers_are_noticed() -> None:
    """The comparison itself: each wrong answer to a program that races, and to one that is clean."""
    race = explore(two((st(0),), (ld(1),)))
    clean = explore(two((st(0), sync(1)), (sync(2), ld(3))))
    said = {kind: Answer(frozenset({kind})) for kind in ("race", "deadlock", "barrier-divergence", "unsupported-instruction")}
    assert disagreement(race, said["race"]) == ""
    assert all(disagreement(race, said[kind]) for kind in said if kind != "race")
    assert disagreement(race, Answer(frozenset())) and disagreement(race, Answer(frozenset({"race", "deadlock"})))
    memory = (7, 0, 0, 0, *INITIAL[4:])
    assert disagreement(clean, Answer(frozenset(), (), memory, (7,))) == ""
    assert disagreement(clean, Answer(frozenset(), (), (*[None] * 8, *memory[8:]), (7,))) == ""
    assert disagreement(clean, Answer(frozenset(), (), memory, (8,)))
    assert disagreement(clean, Answer(frozenset(), (), INITIAL, (7,)))
    assert all(disagreement(clean, one) for one in said.values())
