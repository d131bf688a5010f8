"""The nodes of one expression, ready to be walked many times."""

from __future__ import annotations

from volta_pipe.ir.graph import ARITY_TABLE, Graph
from volta_pipe.ir.nodes import Node

_ARITY = ARITY_TABLE.tolist()
_NESTING = frozenset(int(n) for n in (Node.EX2, Node.EXP, Node.TANH, Node.POW))
_CASES = frozenset(
    int(n) for n in (Node.ABS, Node.MIN, Node.MAX, Node.SAT, Node.SELECT, Node.FLOOR, Node.CEIL, Node.RINT, Node.TRUNC)
)


class Expression:
    """nodes: the nodes under a root, operands first, the root last; ops: their operators; operands: for each node the places
    of its operands in `nodes`. All are lists of plain numbers."""

    def __init__(self, graph: Graph, root: int) -> None:
        op, columns = graph.op.item, (graph.a.item, graph.b.item, graph.c.item)
        below: dict[int, list[int]] = {}
        stack = [root]
        while stack:
            v = stack.pop()
            if v not in below:
                below[v] = found = [column(v) for column in columns[: _ARITY[op(v)]]]
                stack += found
        self.graph = graph
        self.nodes = sorted(below)
        self.ops: list[int] = [op(v) for v in self.nodes]
        place = {v: i for i, v in enumerate(self.nodes)}
        self.operands = [tuple(place[o] for o in below[v]) for v in self.nodes]

    def __len__(self) -> int:
        return len(self.nodes)

    def literals(self) -> set[float]:
        """Absolute values of its constants."""
        return {abs(self.graph.constant(v)) for v, op in zip(self.nodes, self.ops, strict=True) if op == int(Node.CONST)}

    def has_cases(self) -> bool:
        """Whether it is made of pieces: maxima, selects, roundings."""
        return any(op in _CASES for op in self.ops)

    def depth(self) -> int:
        """How deep 2^x stands in the exponent of 2^x: 0 without one."""
        deep: list[int] = []
        for op, places in zip(self.ops, self.operands, strict=True):
            deep.append(max([deep[i] for i in places], default=0) + (op in _NESTING))
        return deep[-1]
