"""The inputs that a mismatch needs: all others become 0, groups of them at a time, as long as the element stays wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from volta_pipe.passes.replay import from_numbers, to_numbers
from volta_pipe.passes.replay.formats import FORMATS

Array = np.ndarray[Any, np.dtype[Any]]
Contents = Mapping[str, Array]
Input = tuple[str, int]
# Whether the element is still wrong on each of these contents.
Wrong = Callable[[Sequence[Contents]], list[bool]]
_GROUPS = 12  # that are tried together


def minimise(
    contents: Contents, dtypes: Mapping[str, str], zeros: Contents, wrong: Wrong, rounds: int
) -> tuple[Contents, bool]:
    """(contents with as many inputs at 0 as could be found, whether each of the others was seen to be needed).

    contents: where the element is wrong; zeros: of each tensor the value nearest to 0 that it may have; rounds: calls of
    `wrong`, each with at most a dozen of trials."""
    left = [(name, int(i)) for name in sorted(contents) for i in np.flatnonzero(_differs(contents[name], zeros[name]))]
    sure: set[Input] = set()  # inputs without which, alone, the element is right
    most = len(left)
    while rounds > 1 and (open_ := [one for one in left if one not in sure]):
        size = min(most, -(-len(open_) // _GROUPS))
        groups = [open_[start : start + size] for start in range(0, len(open_), size)][:_GROUPS]
        outcome = wrong([_without(contents, zeros, group) for group in groups])
        rounds -= 1
        free = [group for group, still in zip(groups, outcome, strict=True) if still]
        if not free:
            sure.update(one for group in groups for one in group if size == 1)
            most = max(1, size // 4)
            continue
        if len(free) > 1:  # each is not needed while the others are there: how many can go together?
            unions = [[one for group in free[: place + 1] for one in group] for place in range(len(free))]
            still = wrong([_without(contents, zeros, union) for union in unions])
            rounds -= 1
            free = [union for union, wrongly in zip(unions, still, strict=True) if wrongly][-1:] or free[:1]
        contents = _without(contents, zeros, free[0])
        gone = set(free[0])
        left = [one for one in left if one not in gone]
        sure.clear()
        most = max(1, len(left))
    small = _simpler(contents, dtypes, zeros, left, wrong) if left and rounds > 0 else contents
    return small, len(sure) == len(left)


def listed(contents: Contents, dtypes: Mapping[str, str], zeros: Contents) -> tuple[tuple[str, int, str], ...]:
    """(name, row-major element, exact number) of all inputs that are not at their zero; NaN and infinities by name."""
    found = []
    for name in sorted(contents):
        numbers = to_numbers(contents[name], dtypes[name]).reshape(-1)
        for flat in np.flatnonzero(_differs(contents[name], zeros[name])).tolist():
            value = numbers[flat].item()
            exact = str(Fraction(value)) if np.isfinite(value) else str(value)
            found.append((name, flat if contents[name].size > 1 or contents[name].ndim else -1, exact))
    return tuple(found)


def _simpler(contents: Contents, dtypes: Mapping[str, str], zeros: Contents, left: Sequence[Input], wrong: Wrong) -> Contents:
    """What is left as 1, all at once or each by itself, where that is still wrong."""
    ones = {name: from_numbers(np.ones(1), dtypes[name])[0] for name in contents}
    choices = [list(left), *([one] for one in left[: _GROUPS - 1])]
    tried = []
    for choice in choices:
        changed = {name: array.copy() for name, array in contents.items()}
        for name, flat in choice:
            changed[name].reshape(-1)[flat] = ones[name]
        tried.append(changed)
    return next((changed for changed, still in zip(tried, wrong(tried), strict=True) if still), contents)


def _without(contents: Contents, zeros: Contents, inputs: Sequence[Input]) -> Contents:
    changed = dict(contents)
    for name in {name for name, _ in inputs}:
        places = [flat for other, flat in inputs if other == name]
        copy = contents[name].copy()
        copy.reshape(-1)[places] = zeros[name].reshape(-1)[places]
        changed[name] = copy
    return changed


def _differs(left: Array, right: Array) -> Array:
    """By their bits, as a NaN is no zero, and −0 is one."""
    differs: Array = left.reshape(-1).view(f"u{left.itemsize}") != right.reshape(-1).view(f"u{left.itemsize}")
    if left.dtype.kind == "f":
        differs &= ~((left.reshape(-1) == 0) & (right.reshape(-1) == 0))
    return differs


def zeros_of(contents: Contents, dtypes: Mapping[str, str], ranges: Mapping[str, tuple[float, float]]) -> dict[str, Array]:
    """Of each tensor and scalar the contents with the number nearest to 0 that its range has."""
    found = {}
    for name, array in contents.items():
        low, high = ranges.get(name, (-np.inf, np.inf))
        nearest = float(np.clip(0.0, low, high))
        if dtypes[name] not in FORMATS:
            nearest = np.ceil(nearest) if nearest > 0 else np.floor(nearest)
        zero = from_numbers(np.full(array.shape, nearest if dtypes[name] in FORMATS else int(nearest)), dtypes[name])
        found[name] = zero
    return found
