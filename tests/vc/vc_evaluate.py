"""Evaluates an expression graph in float64 or in exact rationals: the meaning of each operator, written from ir/nodes.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]


class UninitError(Exception):
    """An element depends on memory that was never written."""


def _guard(function: Callable[[float], float]) -> Callable[[float], float]:
    def safe(x: float) -> float:
        try:
            return function(x)
        except (ValueError, OverflowError, ZeroDivisionError):
            return float("nan")

    return safe


UNARY: dict[Node, Callable[[float], float]] = {
    Node.NEG: lambda x: -x,
    Node.ABS: abs,
    Node.RCP: _guard(lambda x: 1 / x),
    Node.SQRT: _guard(math.sqrt),
    Node.RSQRT: _guard(lambda x: 1 / math.sqrt(x)),
    Node.EX2: _guard(lambda x: 2.0**x),
    Node.EXP: _guard(math.exp),
    Node.LG2: _guard(math.log2),
    Node.LOG: _guard(math.log),
    Node.SIN: _guard(math.sin),
    Node.COS: _guard(math.cos),
    Node.TANH: math.tanh,
    Node.ERF: math.erf,
    Node.FLOOR: _guard(math.floor),
    Node.CEIL: _guard(math.ceil),
    Node.RINT: _guard(round),
    Node.TRUNC: _guard(math.trunc),
    Node.SAT: lambda x: min(max(x, 0.0), 1.0),
    Node.NOT: lambda x: 1.0 - x,
}
BINARY: dict[Node, Callable[[float, float], float]] = {
    Node.ADD: lambda x, y: x + y,
    Node.SUB: lambda x, y: x - y,
    Node.MUL: lambda x, y: x * y,
    Node.DIV: lambda x, y: x / y if y else float("nan"),
    Node.MIN: min,
    Node.MAX: max,
    Node.POW: lambda x, y: x**y,
    Node.LT: lambda x, y: float(x < y),
    Node.LE: lambda x, y: float(x <= y),
    Node.EQ: lambda x, y: float(x == y),
    Node.NE: lambda x, y: float(x != y),
    Node.AND: lambda x, y: x * y,
    Node.OR: max,
    Node.XOR: lambda x, y: abs(x - y),
}


def evaluate(
    conditions: Conditions, inputs: Mapping[str, Array], scalars: Mapping[str, float] | None = None, *, exact: bool = False
) -> dict[str, Array]:
    """The outputs (flat, NaN where nothing was written) for these input elements, by name and in row-major order; with `exact`
    computed in rationals (no transcendental functions then), as objects."""
    graph = conditions.graph
    number: Any = Fraction if exact else float
    flat = {name: [number(v) for v in np.asarray(values).reshape(-1).tolist()] for name, values in inputs.items()}
    values: list[Any] = [None] * len(graph)
    for node in range(1, len(graph)):
        op = Node(int(graph.op[node]))
        if op is Node.CONST:
            value = graph.constant(node)
            values[node] = number(value) if math.isfinite(value) else value
        elif op is Node.LEAF:
            values[node] = flat[conditions.tensors[int(graph.a[node])]][int(graph.b[node])]
        elif op is Node.SCALAR:
            values[node] = (scalars or {})[conditions.scalars[int(graph.a[node])]]
        elif op is not Node.UNINIT:
            operands = [values[k] for k in graph.operands(node)]
            if op is Node.SELECT:
                values[node] = operands[1] if operands[0] else operands[2]
                continue
            known = [x for x in operands if x is not None]
            if len(known) < len(operands):
                continue
            if op is Node.FMA:
                values[node] = known[0] * known[1] + known[2]
            else:
                values[node] = UNARY[op](known[0]) if len(known) == 1 else BINARY[op](known[0], known[1])
    outputs: dict[str, Array] = {}
    for index, roots in conditions.outputs.items():
        found = [float("nan") if root == 0 else values[int(root)] for root in roots]
        if any(value is None for value in found):
            raise UninitError(conditions.tensors[index])
        outputs[conditions.tensors[index]] = np.array(found, object if exact else np.float64)
    return outputs
