"""The values of a graph's nodes at one point, each computed once, whichever root asks: representatives of many classes share
most of what they are made of."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

from flint import arb, ctx

from volta_pipe.ir.graph import Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon.balls import Ball, Open, Outside, combined

Inputs = Mapping[tuple[str, int], tuple[int, int]]
_MOST = 200_000  # nodes whose values are kept; some 100 bytes each
_STEP = 1_000_003  # between the seeds of tensors


class Spot:
    """A point at which roots of one graph are evaluated, with literals as they are. turn: which point; inputs: of the integers
    among the tensors and scalars their bounds; bits: of precision."""

    def __init__(self, graph: Graph, inputs: Inputs, turn: int, bits: int) -> None:
        self._graph, self._inputs, self._turn, self._bits = graph, inputs, turn, bits
        self._values: dict[int, Ball | Exception] = {}

    def value(self, root: int) -> Ball:
        """The ball of a root. Errors: Open, Outside."""
        if len(self._values) > _MOST:
            self._values.clear()
        values, graph = self._values, self._graph
        stack = [root]
        with ctx.workprec(self._bits):
            while stack:
                node = stack[-1]
                if node in values:
                    stack.pop()
                    continue
                operands = graph.operands(node)
                missing = [operand for operand in operands if operand not in values]
                if missing:
                    stack += missing
                    continue
                stack.pop()
                try:
                    values[node] = self._ball(node, [values[operand] for operand in operands])
                except (Open, Outside) as reason:
                    values[node] = reason
        last = values[root]
        if isinstance(last, Exception):
            raise last
        return last

    def _ball(self, node: int, operands: list[Any]) -> Ball:
        graph = self._graph
        op = int(graph.op[node])
        if op == Node.LEAF:
            return self._input(int(graph.a[node]), int(graph.b[node]))
        if op == Node.SCALAR:
            return self._input(-1, int(graph.a[node]))
        if op == Node.CONST:
            number = graph.constant(node)
            if not math.isfinite(number):
                raise Outside("it holds NaN or an infinity")
            return arb(number)
        return combined(op, operands)

    def _input(self, tensor: int, element: int) -> Ball:
        """The number of an input: all of them positive at the first point, and integers where they must be."""
        rng = random.Random((self._turn * _STEP + tensor + 1) * _STEP + element)
        eighths = rng.randint(1, 40) * rng.choice((1, 1, -1) if self._turn else (1,))
        bounds = self._inputs.get(("leaf", tensor) if tensor >= 0 else ("scalar", element))
        if bounds is not None:
            return arb(min(max(bounds[0], eighths), bounds[1]))
        return arb(eighths) / 8
