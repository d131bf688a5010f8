"""Which items of a sequence are still there in another one: the alignment that every comparison of programs rests on.

Items are numbers (equal numbers: equal items). All is done on whole columns; lists of Python objects are made in small windows
only, so hundreds of thousands of items take well under a second."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
_WINDOW = 600  # items of both sides together that difflib gets, whose time is quadratic
_DEPTH = 200  # of nested gaps; behind it nothing in a gap is aligned, which is still a true answer
_SHIFT = 16  # items that are left out at most, on both sides together, to go on where all items repeat
_AHEAD = 4096  # items by which such shifts are compared


class Aligner:
    """`aligned` of many pairs of sequences, of which most repeat each other with other items: the CTAs of a launch, whose rows
    have addresses of their own. What is aligned with what depends only on which items are equal."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bytes], Array] = {}

    def __call__(self, old: Array, new: Array) -> Array:
        """As `aligned`."""
        both = np.concatenate([old, new])
        _, first, place = np.unique(both, return_index=True, return_inverse=True)
        order = np.empty(len(first), np.int64)
        order[np.argsort(first)] = np.arange(len(first))
        items = order[place]  # numbered as they come first
        key = len(old), items.tobytes()
        if key not in self._known:
            self._known[key] = aligned(items[: len(old)], items[len(old) :])
        return self._known[key]


def aligned(old: Array, new: Array) -> Array:
    """For each item of `old` (int64 or uint64 [n]) the place in `new` where it is now, or -1: int64 [n], increasing where it is
    not -1, and new[result] == old there.

    Common items at both ends are taken off; in between, items that occur once on each side are fixed points, and what lies
    between two of these is looked at in the same way. Where all items repeat (a loop that was unrolled), those few are left out
    behind which the most are equal."""
    found = np.full(len(old), -1, np.int64)
    gaps = [(0, len(old), 0, len(new), 0)]
    while gaps:
        low, high, first, last, depth = gaps.pop()
        start = _equal(old[low:high], new[first:last])
        found[low : low + start] = np.arange(first, first + start)
        low, first = low + start, first + start
        end = _equal(old[low:high][::-1], new[first:last][::-1])
        found[high - end : high] = np.arange(last - end, last)
        high, last = high - end, last - end
        if low == high or first == last or depth > _DEPTH:
            continue
        if high - low + last - first <= _WINDOW:
            _small(old[low:high], new[first:last], found[low:high], first)
            continue
        ours, theirs = _anchors(old[low:high], new[first:last])
        if not len(ours):
            a, b = _shift(old[low : low + _AHEAD], new[first : first + _AHEAD])
            gaps += [(low + a, high, first + b, last, depth + 1)] * (a + b > 0)
            continue
        found[low + ours] = first + theirs
        edges = np.concatenate([[-1], ours, [high - low]]) + low
        others = np.concatenate([[-1], theirs, [last - first]]) + first
        open_ = np.flatnonzero((np.diff(edges) > 1) & (np.diff(others) > 1))
        gaps += [(int(edges[k]) + 1, int(edges[k + 1]), int(others[k]) + 1, int(others[k + 1]), depth + 1) for k in open_]
    return found


def _equal(left: Array, right: Array) -> int:
    """How many items at the start of both are equal."""
    count = min(len(left), len(right))
    apart = left[:count] != right[:count]
    return int(apart.argmax()) if apart.any() else count


def _shift(old: Array, new: Array) -> tuple[int, int]:
    """How many items to leave out on each side so that most of those behind are equal; (0, 0) where hardly any are."""
    tried = [(a, total - a) for total in range(1, _SHIFT + 1) for a in range(total + 1)]
    runs = [_equal(old[a:], new[b:]) - a - b for a, b in tried]
    best = max(range(len(tried)), key=runs.__getitem__)
    return tried[best] if runs[best] > 0 else (0, 0)


def _small(old: Array, new: Array, found: Array, first: int) -> None:
    for block in SequenceMatcher(None, old.tolist(), new.tolist(), autojunk=False).get_matching_blocks():
        found[block.a : block.a + block.size] = np.arange(first + block.b, first + block.b + block.size)


def _anchors(old: Array, new: Array) -> tuple[Array, Array]:
    """Places of items that occur once on each side, those left out that have changed places with another."""
    keys, places, counts = np.unique(old, return_index=True, return_counts=True)
    other_keys, other_places, other_counts = np.unique(new, return_index=True, return_counts=True)
    keys, places = keys[counts == 1], places[counts == 1]
    other_keys, other_places = other_keys[other_counts == 1], other_places[other_counts == 1]
    _, mine, its = np.intersect1d(keys, other_keys, assume_unique=True, return_indices=True)
    order = np.argsort(places[mine])
    ours, theirs = places[mine][order], other_places[its][order]
    if not len(ours):
        return ours, theirs
    before = np.concatenate([[-1], np.maximum.accumulate(theirs)[:-1]])
    after = np.concatenate([np.minimum.accumulate(theirs[::-1])[::-1][1:], [len(new)]])
    kept = (theirs > before) & (theirs < after)
    return ours[kept], theirs[kept]


def ragged(start: Array, count: Array) -> Array:
    """The numbers start[i] … start[i] + count[i] - 1 for each i, one after the other: int64."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(start - ends + count, count) + np.arange(total)
