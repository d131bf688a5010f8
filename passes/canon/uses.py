"""Compiled loops: nodes in the order in which forms are made, how often each is used, and which forms get names."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry
from volta_pipe.ir.graph import ARITY_TABLE, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon.names import LONG
from volta_pipe.passes.values import read_only

Array = np.ndarray[Any, np.dtype[Any]]
_DIV, _RCP, _EX2, _EXP = int(Node.DIV), int(Node.RCP), int(Node.EX2), int(Node.EXP)
_MUL, _CONST = int(Node.MUL), int(Node.CONST)
_DIVISOR = 2  # terms from which what is divided by gets one
_ONCE = 255
_view: Any = memoryview  # mypy does not take an array for a buffer


class Order:
    """Nodes of one graph in the order in which forms are made. has: uint8 [n], the nodes that have one; uses: int32 [n], how
    often nodes are still used by nodes that have none, 0 between two orders; views whose elements are plain integers."""

    def __init__(self, graph: Graph) -> None:
        self._columns = tuple(read_only(x) for x in (graph.op, graph.a, graph.b, graph.c, ARITY_TABLE))
        self._found = np.empty(len(graph), np.int32)
        self.forget()

    def forget(self) -> None:
        """No node has a form, none is used."""
        self._has, self._uses = np.zeros(len(self._found), np.uint8), np.zeros(len(self._found), np.int32)
        self.has, self.uses = _view(self._has), _view(self._uses)

    def unused(self) -> None:
        """An order was gone through, or given up."""
        self._uses = np.zeros(len(self._found), np.int32)
        self.uses = _view(self._uses)

    def under(self, root: int) -> Array:
        """The nodes without a form under a root, operands first, int32; sets `uses`."""
        if self.has[root]:
            return self._found[:0]
        count = _loops["collect"](*self._columns, root, self._has, self._uses, self._found)
        return np.sort(self._found[:count])

    def without(self, root: int, order: Array, taken: Array) -> Array:
        """The same again, when some of the nodes got forms."""
        _loops["uncount"](*self._columns, order, self._uses)
        self._has[taken] = 1
        return self.under(root)


def terms_to_name(graph: Graph) -> Array:
    """uint8 [n]: few terms where a node is divided by, LONG where it is an operand more than once or c · node is the argument
    of an exponential: one side may use a score of attention once, the other one for a maximum, too. 0: it gets no name."""
    limit = np.zeros(len(graph), np.uint8)
    _loops["limits"](*(read_only(x) for x in (graph.op, graph.a, graph.b, graph.c, ARITY_TABLE)), limit)
    return limit


@entry
def _limits(op: Array, a: Array, b: Array, c: Array, arity: Array, limit: Array) -> None:
    for v in range(len(op)):
        o = op[v]
        for place in range(arity[o]):
            x = a[v] if place == 0 else b[v] if place == 1 else c[v]
            if (o == _DIV and place == 1) or o == _RCP:
                limit[x] = _DIVISOR
            elif limit[x] == 0:
                limit[x] = _ONCE
            elif limit[x] == _ONCE:
                limit[x] = LONG
    for v in range(len(op)):
        if op[v] == _EX2 or op[v] == _EXP:
            x = a[v]
            while op[x] == _MUL and (op[a[x]] == _CONST or op[b[x]] == _CONST):
                x = b[x] if op[a[x]] == _CONST else a[x]
            if limit[x] == _ONCE:
                limit[x] = LONG
    for v in range(len(op)):
        if limit[v] == _ONCE:
            limit[v] = 0


@entry
def _collect(
    op: Array, a: Array, b: Array, c: Array, arity: Array, root: int, made: Array, uses: Array, found: Array
) -> int:  # fmt: skip
    """Collects `root` and the nodes under it that are not `made` (uint8 [n]), nor only reached through such, in `found` (int32
    [n]) and gives their number. uses: int32 [n] of 0; set to how often they use each node, 1 for the root."""
    found[0] = root
    uses[root] = 1
    n = 1
    k = 0
    while k < n:
        v = found[k]
        k += 1
        for place in range(arity[op[v]]):
            x = a[v] if place == 0 else b[v] if place == 1 else c[v]
            uses[x] += 1
            if uses[x] == 1 and made[x] == 0:
                found[n] = x
                n += 1
    return n


@entry
def _uncount(op: Array, a: Array, b: Array, c: Array, arity: Array, order: Array, uses: Array) -> None:
    """Sets `uses` to 0 again, where `_collect` counted for these nodes."""
    for v in order:
        uses[v] = 0
        for place in range(arity[op[v]]):
            uses[a[v] if place == 0 else b[v] if place == 1 else c[v]] = 0


# Compiled functions: mypy does not see their arguments.
_loops: dict[str, Any] = {"limits": _limits, "collect": _collect, "uncount": _uncount}
