"""Evaluates an expression graph at one point in float64, written from ir/nodes.py: all nodes of one depth and one operator at a
time, each node once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from volta_pipe.ir.graph import Conditions, Graph
from volta_pipe.ir.nodes import ARITY, Node

Array = np.ndarray[Any, np.dtype[Any]]
_erf = np.vectorize(math.erf, otypes=[np.float64])

_RULES: dict[Node, Callable[..., Any]] = {
    Node.ADD: np.add, Node.SUB: np.subtract, Node.MUL: np.multiply, Node.DIV: np.divide, Node.FMA: lambda x, y, z: x * y + z,
    Node.NEG: np.negative, Node.ABS: np.abs, Node.MIN: np.minimum, Node.MAX: np.maximum,
    Node.RCP: lambda x: 1 / x, Node.SQRT: np.sqrt, Node.RSQRT: lambda x: 1 / np.sqrt(x), Node.EX2: np.exp2, Node.EXP: np.exp,
    Node.LG2: np.log2, Node.LOG: np.log, Node.SIN: np.sin, Node.COS: np.cos, Node.TANH: np.tanh, Node.ERF: _erf,
    Node.POW: np.power, Node.FLOOR: np.floor, Node.CEIL: np.ceil, Node.RINT: np.rint, Node.TRUNC: np.trunc,
    Node.SAT: lambda x: np.clip(x, 0, 1), Node.SELECT: lambda x, y, z: np.where(x != 0, y, z),
    Node.LT: np.less, Node.LE: np.less_equal, Node.EQ: np.equal, Node.NE: np.not_equal,
    Node.AND: np.logical_and, Node.OR: np.logical_or, Node.XOR: lambda x, y: (x != 0) != (y != 0), Node.NOT: np.logical_not,
}  # fmt: skip
_COUNT = np.array([ARITY.get(op, 0) if op in set(Node) else 0 for op in range(256)])


def evaluate(conditions: Conditions, inputs: Mapping[str, Array]) -> dict[str, tuple[Array, Array]]:
    """By name of each output its numbers, float64 [size] in row-major order, and which elements have one. `inputs`: the numbers
    of tensors and scalars by name."""
    graph = conditions.graph
    values = np.full(len(graph), np.nan)
    op, a, b = graph.op, graph.a, graph.b
    chosen = np.flatnonzero(op == Node.CONST)
    values[chosen] = graph.constants[a[chosen]]
    for kind, names in ((Node.LEAF, conditions.tensors), (Node.SCALAR, conditions.scalars)):
        for index, name in enumerate(names):
            chosen = np.flatnonzero((op == kind) & (a == index))
            if chosen.size:
                numbers = np.asarray(inputs[name], np.float64).reshape(-1)
                values[chosen] = numbers[b[chosen]] if kind == Node.LEAF else numbers[0]
    with np.errstate(all="ignore"):
        for nodes in _alike(graph):
            rule = _RULES[Node(int(op[nodes[0]]))]
            columns = (graph.a, graph.b, graph.c)[: _COUNT[op[nodes[0]]]]
            values[nodes] = rule(*(values[column[nodes]] for column in columns))
    return {conditions.tensors[index]: (values[roots], roots != 0) for index, roots in conditions.outputs.items()}


def _alike(graph: Graph) -> list[Array]:
    """The nodes that have operands, in groups of one depth and operator, operands first."""
    count = _COUNT[graph.op]
    operands = [np.where(count > place, column, 0).tolist() for place, column in enumerate((graph.a, graph.b, graph.c))]
    depth = [0] * len(graph)
    for node, some in enumerate(zip(*operands, strict=True)):
        if any(some):
            depth[node] = 1 + max(depth[some[0]], depth[some[1]], depth[some[2]])
    nodes = np.flatnonzero(count)
    key = np.array(depth)[nodes] * 256 + graph.op[nodes]
    order = np.argsort(key, kind="stable")
    return np.split(nodes[order], np.flatnonzero(np.diff(key[order])) + 1) if len(nodes) else []
