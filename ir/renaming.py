"""Which inputs the members of a class have in place of those of its representative, and how that is written in artifacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Int32 = np.ndarray[Any, np.dtype[np.int32]]
_NAMES = ("leaf_tensor", "leaf_element", "leaf_pattern", "shifts")


@dataclass(frozen=True)
class Renaming:
    """Which input stands in a member where the representative has leaf (tensor, element) number i: that of the same tensor at
    element + shifts[pattern[i], member]. tensor, element, pattern: int32 [leaves of both sides], by tensor and element;
    shifts: int32 [patterns, members]."""

    tensor: Int32
    element: Int32
    pattern: Int32
    shifts: Int32


Sizes = tuple[int, int]  # leaves and patterns, -1 where there is no renaming


def written(renamings: Sequence[Renaming | None]) -> tuple[list[list[int]], dict[str, Int32]]:
    """(sizes of each, for an artifact's header; columns)."""
    held = [r for r in renamings if r is not None]
    parts = [[r.tensor for r in held], [r.element for r in held], [r.pattern for r in held], [r.shifts.ravel() for r in held]]
    sizes = [[-1, -1] if r is None else [len(r.tensor), len(r.shifts)] for r in renamings]
    empty = np.zeros(0, np.int32)
    return sizes, {name: np.concatenate([empty, *part]) for name, part in zip(_NAMES, parts, strict=True)}


def read(
    sizes: Sequence[Sequence[int]], members: Sequence[int], columns: dict[str, Any], tensors: int
) -> list[Renaming | None]:
    """The renamings of classes with so many members each. Errors: ValueError, KeyError, TypeError on anything that is not
    well-formed."""
    left: dict[str, Int32] = {name: columns[name] for name in _NAMES}
    if any(c.dtype != np.int32 or c.ndim != 1 for c in left.values()):
        raise ValueError("a column of the renamings has the wrong form")

    def take(name: str, count: int) -> Int32:
        if type(count) is not int or not 0 <= count <= len(left[name]):
            raise ValueError(f"column {name} is too short")
        taken, left[name] = left[name][:count], left[name][count:]
        return taken

    found: list[Renaming | None] = []
    for (leaves, patterns), count in zip(sizes, members, strict=True):
        if leaves == -1 and patterns == -1:
            found.append(None)
            continue
        tensor, element, pattern = (take(name, leaves) for name in _NAMES[:3])
        made = Renaming(tensor, element, pattern, take("shifts", patterns * count).reshape(patterns, count))
        if leaves and not 0 <= int(pattern.min()) <= int(pattern.max()) < patterns:
            raise ValueError("a pattern of a renaming is out of range")
        if leaves and not 0 <= int(tensor.min()) <= int(tensor.max()) < tensors:
            raise ValueError("a renaming names a tensor that does not exist")
        if leaves and int(element.min()) < 0:
            raise ValueError("a renaming names an element that does not exist")
        found.append(made)
    if any(len(c) for c in left.values()):
        raise ValueError("there are columns of no renaming")
    return found
