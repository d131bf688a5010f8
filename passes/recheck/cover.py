"""Whether the classes of a certificate hold every output element of both sides, once."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.recheck.reader import Array, Class


def uncovered(classes: tuple[Class, ...], alone: tuple[int, int], sides: tuple[Conditions, Conditions], chosen: bool) -> str:
    """What is wrong with the members, "" where nothing is. `alone`: elements that one side alone writes, as claimed; `chosen`:
    only what the candidate changes is compared."""
    reference, candidate = sides
    left: dict[int, Array] = {}
    counted = [0, 0]
    for tensor in sorted({*reference.outputs, *candidate.outputs}):
        found = [s.outputs.get(tensor) for s in sides]
        size = max(len(f) for f in found if f is not None)
        x, y = (np.zeros(size, np.int32) if f is None else f for f in found)
        if len(x) != len(y):
            return f"the sides have different sizes of {reference.tensors[tensor]}"
        scope = np.ones(size, np.bool_)
        if chosen:
            g = candidate.graph
            own = (g.op[y] == Node.LEAF) & (g.a[y] == tensor) & (g.b[y] == np.arange(size))
            scope = (y != 0) & ~own
        counted[0] += int((scope & (x != 0) & (y == 0)).sum())
        counted[1] += int((scope & (x == 0) & (y != 0)).sum())
        left[tensor] = (scope & (x != 0) & (y != 0)).astype(np.int64)
    for c in classes:
        for tensor in np.unique(c.tensors).tolist():
            elements = c.elements[c.tensors == tensor]
            if tensor not in left or int(elements.min()) < 0 or int(elements.max()) >= len(left[tensor]):
                return f"a class has an element of tensor {tensor} that is no output"
            left[tensor] -= np.bincount(elements, minlength=len(left[tensor]))
    for tensor, count in left.items():
        for number, words in ((1, "is in no class"), (-1, "is in a class twice, or is not written by both sides")):
            wrong = np.flatnonzero(count >= 1 if number > 0 else count < 0)
            if len(wrong):
                return f"{reference.tensors[tensor]}[{int(wrong[0])}] {words} ({len(wrong):,} such elements)"
    if tuple(counted) != alone:
        return f"{counted[0]:,} and {counted[1]:,} elements are written by one side alone, not {alone[0]:,} and {alone[1]:,}"
    return ""
