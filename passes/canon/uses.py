"""Compiled loop: with how many terms the form of each node gets a name."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry
from volta_pipe.ir.graph import ARITY_TABLE, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon.classes import read_only
from volta_pipe.passes.canon.names import LONG

Array = np.ndarray[Any, np.dtype[Any]]
_DIV, _RCP = int(Node.DIV), int(Node.RCP)
_DIVISOR = 2  # terms from which what is divided by gets one
_ONCE = 255


def terms_to_name(graph: Graph) -> Array:
    """uint8 [n]: few terms where a node is divided by, LONG where it is an operand more than once; 0 where it gets no name."""
    limit = np.zeros(len(graph), np.uint8)
    limits: Any = _limits  # mypy does not see the arguments
    limits(*(read_only(x) for x in (graph.op, graph.a, graph.b, graph.c, ARITY_TABLE)), limit)
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
        if limit[v] == _ONCE:
            limit[v] = 0
