"""Which elements of two sides correspond where a tensor has one shape here and another one there: those with equal indices.

Artifacts number elements row by row, so that number 31 is x[1,0] of a tensor of 31 columns and x[0,31] of one of 64. Before
such artifacts are compared, the elements of both are numbered in a shape that has room for either."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from volta_pipe.driver.elements import Shapes
from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]
_MOST = 1 << 26  # elements of a common shape, of which tables are made


@dataclass(frozen=True)
class Numbering:
    """`old`, `new`: the shapes in which each side's elements were numbered; `common`: of each tensor that both have with
    unequal shapes, the one in which they are numbered now; `apart`: tensors of unequal shapes without one (of other ranks,
    or too large together), whose elements still correspond by their numbers."""

    old: Shapes
    new: Shapes
    common: Mapping[str, tuple[int, ...]]
    apart: tuple[str, ...]

    def names(self, which: str) -> Shapes:
        """The shapes by which elements of `old` or `new` are spelled once they are numbered anew."""
        return {**(self.old if which == "old" else self.new), **self.common}

    def moved(self, which: str, tensor: str, elements: Array) -> Array:
        """Elements of a tensor of one side, int [n], by their common numbers."""
        if tensor not in self.common:
            return elements
        shape, common = (self.old if which == "old" else self.new)[tensor], self.common[tensor]
        found = np.zeros(len(elements), np.int64)
        left, scale = np.asarray(elements, np.int64), 1
        for n, wide in zip(shape[:0:-1], common[:0:-1], strict=True):
            found += left % n * scale
            left, scale = left // n, scale * wide
        return found + left * scale

    def conditions(self, which: str, side: Conditions) -> Conditions:
        """Expressions whose leaves and outputs are numbered anew."""
        chosen = [(place, name) for place, name in enumerate(side.tensors) if name in self.common]
        if not chosen:
            return side
        graph, outputs = side.graph, dict(side.outputs)
        b = graph.b.copy()
        for place, name in chosen:
            leaves = (graph.op == Node.LEAF) & (graph.a == place)
            b[leaves] = self.moved(which, name, b[leaves])
            if place in outputs:
                whole = np.zeros(prod(self.common[name]), np.int32)
                whole[self.moved(which, name, np.arange(len(outputs[place])))] = outputs[place]
                outputs[place] = whole
        return replace(side, graph=replace(graph, b=b), outputs=outputs)


def numbering(old: Shapes, new: Shapes) -> Numbering:
    """How the elements of two sides correspond; shapes by tensor."""
    common, apart = {}, []
    for name in old:
        if name not in new or old[name] == new[name]:
            continue
        wide = tuple(map(max, zip(old[name], new[name], strict=False)))
        if len(old[name]) == len(new[name]) and prod(wide) <= _MOST:
            common[name] = wide
        else:
            apart.append(name)
    return Numbering(old, new, common, tuple(apart))
