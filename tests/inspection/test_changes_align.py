"""The alignment under all differences: it keeps order, pairs equal items only, and finds small edits of long sequences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volta_pipe.driver.changes import align
from volta_pipe.driver.changes.align import Aligner, aligned, ragged

ITEMS = st.lists(st.integers(0, 5), max_size=60)


@settings(max_examples=150, deadline=None)
@given(ITEMS, ITEMS, st.sampled_from([0, 8, 600]))
def test_pairs_are_equal_and_in_order(old: list[int], new: list[int], window: int) -> None:
    before, align._WINDOW = align._WINDOW, window  # all ways through it, on sequences that fit a test
    try:
        found = aligned(np.array(old, np.int64), np.array(new, np.int64))
    finally:
        align._WINDOW = before
    kept = found[found >= 0]
    assert all(old[i] == new[j] for i, j in enumerate(found.tolist()) if j >= 0)
    assert (np.diff(kept) > 0).all()
    same_start = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    assert found[:same_start].tolist() == list(range(same_start))


@settings(max_examples=100, deadline=None)
@given(ITEMS, ITEMS, st.permutations(range(6)))
def test_what_is_aligned_depends_on_which_items_are_equal(old: list[int], new: list[int], other: list[int]) -> None:
    """So the alignment of sequences is that of the same ones with other items, and is looked up."""
    align_ = Aligner()
    for names in (range(6), other, [10**12 * (one + 1) for one in other]):
        left, right = (np.array([names[item] for item in side], np.int64) for side in (old, new))
        assert align_(left, right).tolist() == aligned(left, right).tolist()
    assert len(align_._known) == 1
    assert align_(np.append(left, 5), right).tolist()[: len(old)] == aligned(np.append(left, 5), right).tolist()[: len(old)]


@pytest.mark.parametrize("period", [7, 100_000])
def test_one_insertion_and_one_deletion_in_a_long_sequence(period: int) -> None:
    """Items that repeat, as the rows of a loop do, and items that are all different."""
    old = np.arange(200_000) % period
    new = np.insert(np.delete(old, 150_000), 1_000, -5)
    found = aligned(old, new)
    assert (found < 0).sum() <= 1
    assert len(new) - len(np.unique(found[found >= 0])) <= 1


def test_items_that_changed_places_are_no_anchors() -> None:
    old = np.arange(5_000)
    new = old.copy()
    new[[700, 4_100]] = new[[4_100, 700]]
    found = aligned(old, new)
    assert np.flatnonzero(found < 0).tolist() == [700, 4_100]


def test_ragged_numbers() -> None:
    assert ragged(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]
    assert ragged(np.zeros(0, np.int64), np.zeros(0, np.int64)).tolist() == []
