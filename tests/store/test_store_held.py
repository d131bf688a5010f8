"""Values that a process holds: those of the objects that are there, up to a limit, the ones used last."""

from __future__ import annotations

from volta_pipe.driver.held import Held
from volta_pipe.driver.records import Stamped


def stamped(name: str, time: int = 1) -> Stamped:
    return Stamped(name, 10, time)


def test_a_value_is_given_for_its_stamp_alone() -> None:
    held = Held(100)
    held.put(stamped("a"), "value", 10)
    assert held.get(stamped("a")) == "value"
    assert held.get(stamped("b")) is None
    assert held.get(stamped("a", 2)) is None  # written again: it may hold anything
    assert held.get(stamped("a")) is None


def test_what_was_used_longest_ago_goes_first() -> None:
    held = Held(100)
    for name in "abc":
        held.put(stamped(name), name, 30)
    assert held.get(stamped("a")) == "a"
    held.put(stamped("d"), "d", 30)
    assert [held.get(stamped(name)) for name in "abcd"] == ["a", None, "c", "d"]


def test_the_limit_holds_where_a_value_comes_twice() -> None:
    held = Held(100)
    for _ in range(9):
        held.put(stamped("a"), "a", 40)
    held.put(stamped("b"), "b", 40)
    assert [held.get(stamped(name)) for name in "ab"] == ["a", "b"]


def test_one_that_is_too_large_is_not_held() -> None:
    held = Held(100)
    held.put(stamped("a"), "a", 51)
    assert held.get(stamped("a")) is None
    held.put(stamped("a"), "a", 50)
    held.clear()
    assert held.get(stamped("a")) is None
    held.put(stamped("a"), "a", 50)
    assert held.get(stamped("a")) == "a"
