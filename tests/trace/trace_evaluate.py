"""A small evaluator of graphs in float64, independent of the stages: one Python step a node."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.graph import Graph
from volta_pipe.ir.nodes import Node

_RULES: dict[int, Callable[..., Any]] = {
    Node.ADD: lambda x, y: x + y, Node.SUB: lambda x, y: x - y, Node.MUL: lambda x, y: x * y, Node.DIV: lambda x, y: x / y,
    Node.FMA: lambda x, y, z: x * y + z, Node.NEG: lambda x: -x, Node.ABS: abs, Node.MIN: min, Node.MAX: max,
    Node.RCP: lambda x: 1 / x, Node.SQRT: np.sqrt, Node.EX2: lambda x: 2.0**x, Node.EXP: np.exp, Node.LG2: np.log2,
    Node.LOG: np.log, Node.SIN: np.sin, Node.COS: np.cos, Node.TANH: np.tanh, Node.ERF: math.erf, Node.POW: lambda x, y: x**y,
    Node.FLOOR: np.floor, Node.CEIL: np.ceil, Node.RINT: np.rint, Node.TRUNC: math.trunc,
    Node.SELECT: lambda x, y, z: y if x else z,
    Node.LT: lambda x, y: x < y, Node.LE: lambda x, y: x <= y, Node.EQ: lambda x, y: x == y, Node.NE: lambda x, y: x != y,
    Node.AND: lambda x, y: x * y, Node.OR: max, Node.XOR: lambda x, y: x != y, Node.NOT: lambda x: not x,
}  # fmt: skip


def evaluate(graph: Graph, roots: Any, tensors: Sequence[Any], scalars: Sequence[float] = ()) -> Any:
    """Values of `roots` (any shape) where LEAF's a indexes `tensors` (arrays) and SCALAR's a `scalars`."""
    values = np.full(len(graph.op), np.nan)
    with np.errstate(all="ignore"):
        for node in range(1, len(values)):
            op = int(graph.op[node])
            if op == Node.CONST:
                values[node] = graph.constant(node)
            elif op == Node.LEAF:
                values[node] = tensors[graph.a[node]].reshape(-1)[graph.b[node]]
            elif op == Node.SCALAR:
                values[node] = scalars[graph.a[node]]
            else:
                values[node] = float(_RULES[op](*(values[x] for x in graph.operands(node))))
    return values[np.asarray(roots)]
