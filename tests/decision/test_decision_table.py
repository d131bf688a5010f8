"""Every pair of the table: equal sides are proved, the third function is refuted, and no gap is one any more."""

from __future__ import annotations

import pytest
from decision_pairs import decided
from decision_table import GAPS, PAIRS


@pytest.mark.parametrize("name", PAIRS)
def test_the_two_sides_are_equal(name: str) -> None:
    p = PAIRS[name]
    d = decided(p, p.right)
    assert (d.verdict == "equivalent") != ((name, "equal") in GAPS), (d.verdict, d.unknown, d.counterexample)
    assert d.verdict != "not-equivalent", d.counterexample


@pytest.mark.parametrize("name", PAIRS)
def test_the_third_function_is_refuted(name: str) -> None:
    p = PAIRS[name]
    d = decided(p, p.wrong)
    assert d.verdict != "equivalent", d.assumptions
    assert (d.verdict == "not-equivalent") != ((name, "wrong") in GAPS), d.unknown


def test_gaps_name_pairs() -> None:
    assert all(name in PAIRS and side in ("equal", "wrong") for name, side in GAPS)
