"""What is allowed, with numbers by hand."""

from __future__ import annotations

import numpy as np
import pytest

from volta_pipe.passes.dynamic.compare import Comparison, Rules, compare

ALL = np.ones(2, np.bool_)
NAN, INF = np.nan, np.inf


def judged(found: list[float], wanted: list[float], rules: Rules, near: list[list[float]] | None = None) -> Comparison:
    nearby = [np.array(one) for one in near or [wanted]]
    return compare(np.array(found), ALL, np.array(wanted), ALL, nearby, ("f32",), rules)


@pytest.mark.parametrize(
    ("found", "bad"),
    [
        ([4.0, 1.0], [False, False]),
        ([4.0, 1.00039], [False, False]),  # 1e-4 of the largest number, 4, is 0.0004
        ([4.0, 1.00041], [False, True]),
        ([4.0, NAN], [False, True]),
        ([4.0, INF], [False, True]),
    ],
)
def test_by_the_largest_number_of_the_output(found: list[float], bad: list[bool]) -> None:
    assert judged(found, [4.0, 1.0], Rules("f32")).bad.tolist() == bad


def test_rtol_and_atol_of_the_contract_are_those_of_each_element() -> None:
    """|found - wanted| <= atol + rtol |wanted|: 0.01 + 0.1 · 4 and 0.01 + 0.1 · 1."""
    rules = Rules("f32", 0.1, 0.01)
    assert judged([4.40, 1.10], [4.0, 1.0], rules).bad.tolist() == [False, False]
    assert judged([4.42, 1.12], [4.0, 1.0], rules).bad.tolist() == [True, True]
    assert judged([4.0, 1.005], [4.0, 1.0], Rules("f32", atol=0.01)).bad.tolist() == [False, False]
    assert judged([4.0, 1.0], [4.0, 1.0], Rules("f32", 0.0, 0.0)).bad.tolist() == [False, False]
    assert judged([4.0, np.nextafter(1.0, 2.0)], [4.0, 1.0], Rules("f32", 0.0, 0.0)).bad.tolist() == [False, True]


def test_underflow_is_allowed_whatever_the_tolerance() -> None:
    """x² of a small x is 0 in f32: the difference is below its least normal number, 2^-126."""
    assert not judged([0.0, 1.0], [2.0**-130, 1.0], Rules("f32", 0.0, 0.0)).bad.any()
    assert judged([0.0, 1.0], [2.0**-124, 1.0], Rules("f32", 0.0, 0.0)).bad.tolist() == [True, False]


def test_no_kernel_can_be_better_than_its_problem() -> None:
    """A reference that changes by 0.5 in the last places of its inputs: 8 times that is allowed, to all of its row."""
    near = [[4.0, 1.5], [4.0, 0.7]]
    assert judged([4.0, 4.9], [4.0, 1.0], Rules("f32"), near).bad.tolist() == [False, False]
    assert judged([4.0, 5.1], [4.0, 1.0], Rules("f32"), near).bad.tolist() == [False, True]
    assert judged([7.9, 1.0], [4.0, 1.0], Rules("f32"), near).bad.tolist() == [False, False]
    assert judged([4.0, 4.9], [4.0, 1.0], Rules("f32", 0.0, 1.0), near).bad.tolist() == [False, True]  # the contract's own


@pytest.mark.parametrize(
    ("found", "wanted", "ignore", "ieee"),
    [
        (1.0, NAN, False, True),
        (NAN, NAN, False, False),
        (INF, INF, False, False),
        (-INF, INF, False, True),
        (1.0, INF, False, True),
        (NAN, 1.0, True, True),
        (65504.0, 70000.0, False, False),  # beyond f16: an infinity, or the largest number
        (INF, 70000.0, False, False),
        (-INF, 70000.0, False, True),
        (60000.0, 70000.0, False, True),
        (INF, 60000.0, True, True),
    ],
)
def test_infinities_and_nan(found: float, wanted: float, ignore: bool, ieee: bool) -> None:
    """Of an f16, whose largest number is 65504; the other element is 1 on both sides."""
    for mode, bad in ((False, ignore), (True, ieee)):
        one = judged([1.0, found], [1.0, wanted], Rules("f16", ieee=mode))
        assert one.bad.tolist() == [False, bad]


def test_what_is_not_compared_is_not_counted() -> None:
    assert judged([1.0, 2.0], [1.0, NAN], Rules("f32")).compared == 1
    assert judged([1.0, 2.0], [1.0, NAN], Rules("f32", ieee=True)).compared == 2


def test_an_element_without_a_value_is_wrong_whatever_it_holds() -> None:
    written = np.array([True, False])
    wanted = np.array([1.0, NAN])
    one = compare(np.array([1.0, NAN]), written, wanted, ALL, [wanted], (), Rules("f32"))
    assert one.bad.tolist() == [False, True] and one.worst == INF and one.element == 1
    both = compare(np.array([1.0, 5.0]), written, wanted, written, [wanted], (), Rules("f32"))
    assert not both.bad.any() and both.compared == 1


def test_integers_are_exact_but_for_a_step_of_the_reference_s_own() -> None:
    found, wanted = np.array([3, 8], np.int8), np.array([3, 7], np.int8)
    assert compare(found, ALL, wanted, ALL, [wanted], (), Rules("s8")).bad.tolist() == [False, True]
    near = [np.array([3, 8], np.int8)]
    assert not compare(found, ALL, wanted, ALL, near, (), Rules("s8")).bad.any()
    wide = np.array([0, 255], np.uint8), np.array([0, 0], np.uint8)  # 255 - 0 is 255, not -1
    assert compare(wide[0], ALL, wide[1], ALL, [wide[1]], (), Rules("u8", atol=254.0)).bad.tolist() == [False, True]
    assert not compare(wide[0], ALL, wide[1], ALL, [wide[1]], (), Rules("u8", atol=255.0)).bad.any()
