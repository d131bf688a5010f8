"""When `run --watch` begins a turn: on snapshots that are made up, with a clock that only counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from volta_pipe.driver.watching.files import ABSENT, EMPTY, Snapshot
from volta_pipe.driver.watching.turns import EVERY, LONGEST, PATIENCE, SETTLE, turns

A, B = Path("a"), Path("b")


class Made:
    """Snapshots in order, the last one for ever; ends the loop when nothing has happened for a while."""

    def __init__(self, *snapshots: Snapshot) -> None:
        self.left = list(snapshots)
        self.slept: list[float] = []

    def look(self) -> Snapshot:
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if self.slept[-8:] == [EVERY] * 8:
            raise KeyboardInterrupt

    def turns(self) -> list[list[str]]:
        found: list[list[str]] = []
        with pytest.raises(KeyboardInterrupt):
            for paths in turns(self.look, sleep=self.sleep):
                found.append([str(path) for path in paths])
        return found


def held(a: str, b: str = "b") -> Snapshot:
    return {A: a, B: b}


def test_the_first_turn_comes_at_once_and_then_nothing_without_a_change() -> None:
    made = Made(held("1"))
    assert made.turns() == [[]]
    assert set(made.slept) == {EVERY}


def test_a_change_is_a_turn_once_it_is_the_same_twice() -> None:
    made = Made(held("1"), held("1"), held("2"), held("2"))
    assert made.turns() == [[], ["a"]]
    assert made.slept[:2] == [EVERY, SETTLE]


def test_a_file_that_is_being_written_is_one_turn() -> None:
    made = Made(held("1"), held("2"), held("23"), held("234"), held("234", "c"), held("234", "c"))
    assert made.turns() == [[], ["a", "b"]]
    assert made.slept[:4] == [SETTLE] * 4


def test_what_is_taken_back_at_once_is_no_turn() -> None:
    assert Made(held("1"), held("2"), held("1"), held("1")).turns() == [[]]


def test_a_revert_is_a_turn() -> None:
    made = Made(held("1"), held("2"), held("2"), held("1"), held("1"))
    assert made.turns() == [[], ["a"], ["a"]]


@pytest.mark.parametrize("gone", [ABSENT, EMPTY, f"{EMPTY} newer"])
def test_a_file_that_is_gone_for_a_moment_is_waited_for(gone: str) -> None:
    made = Made(held("1"), *[held(gone)] * 4, held("2"))
    assert made.turns() == [[], ["a"]]
    assert made.slept.count(SETTLE) == 5  # gone four times, and then the same twice
    assert Made(held("1"), *[held(gone)] * 4, held("1")).turns() == [[]]


def test_a_file_that_stays_away_is_a_turn_in_the_end() -> None:
    made = Made(held("1"), held(ABSENT))
    assert made.turns() == [[], ["a"]]
    assert made.slept.count(SETTLE) == pytest.approx(PATIENCE / SETTLE, abs=1)


def test_a_file_that_was_never_there_is_not_waited_for() -> None:
    made = Made(held(ABSENT), held(ABSENT, "c"), held(ABSENT, "c"))
    assert made.turns() == [[], ["b"]]
    assert made.slept.count(SETTLE) == 1


def test_a_file_that_is_written_all_the_time_is_taken_as_it_is() -> None:
    made = Made(held("0"), *(held(str(number)) for number in range(1, 200)))
    looks = iter(turns(made.look, sleep=made.sleep))
    assert next(looks) == [] and next(looks) == [A]
    assert sum(made.slept) == pytest.approx(LONGEST, abs=2 * SETTLE)


def test_a_change_while_a_turn_goes_on_is_the_next_one() -> None:
    made = Made(held("1"))
    looks = iter(turns(made.look, sleep=made.sleep))
    assert next(looks) == []
    made.left = [held("2")]  # while the caller is at work
    assert next(looks) == [A]
    assert made.slept == [SETTLE]


def test_files_that_come_in_and_go_out_are_no_change_of_their_own() -> None:
    only: Snapshot = {A: "1"}
    assert Made(only, held("1"), held("1")).turns() == [[]]
    assert Made(held("1"), only, only).turns() == [[]]
    assert Made(only, held("1"), held("1"), held("1", "c"), held("1", "c")).turns() == [[], ["b"]]


def test_a_file_that_becomes_known_in_a_turn_counts_from_then_on() -> None:
    read: Snapshot = {}
    made = Made({A: "1"})
    looks = iter(turns(made.look, read, made.sleep))
    assert next(looks) == []
    read[B] = "b"
    made.left = [held("1", "c")]  # it changed after it was read
    assert next(looks) == [B]
