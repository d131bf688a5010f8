"""The expression of one output element: a node an operator, shared where it is used several times; inputs and constants stand
at each of their uses."""

from __future__ import annotations

from typing import Any

from volta_pipe.driver.elements import Shapes, element_name
from volta_pipe.driver.graphs.model import Edge, Graph, Node
from volta_pipe.ir.errors import InputError
from volta_pipe.ir.nodes import Node as Kind

MOST_NODES = 60
_SIGNS = {Kind.ADD: "+", Kind.MUL: "×", Kind.EQ: "=", Kind.NE: "≠", Kind.AND: "and", Kind.OR: "or", Kind.XOR: "xor"}
# Operators whose operands mean different things: cells for them.
_CELLS = {
    Kind.SUB: ("−", ("from", "take")), Kind.DIV: ("÷", ("over", "under")), Kind.FMA: ("fma", ("×", "×", "+")),
    Kind.POW: ("pow", ("base", "exponent")), Kind.SELECT: ("select", ("if", "then", "else")),
    Kind.LT: ("<", ("left", "right")), Kind.LE: ("≤", ("left", "right")),
}  # fmt: skip


def expression(conditions: Any, root: int, name: str, shapes: Shapes, title: str) -> Graph:
    """The graph of node `root`, the nodes nearest to it where there are too many; `note` says so. Errors: InputError where the
    element is not written."""
    if root == 0:
        raise InputError(f"{name} is not written, so it has no expression")
    graph, drawn = conditions.graph, Graph(title)
    queue, known, count, cut = [root], {root}, 1, 0
    drawn.nodes.append(Node("element", (name,), "end"))
    drawn.edges.append(Edge("element", f"n{root}"))
    if not graph.operands(root):
        drawn.nodes.append(Node(f"n{root}", (_leaf(conditions, root, shapes),), "leaf"))
        return drawn
    for node in queue:
        kind = Kind(int(graph.op[node]))
        sign, cells = _CELLS.get(kind, (_SIGNS.get(kind, kind.name.lower()), ()))
        drawn.nodes.append(Node(f"n{node}", (sign,), "operator", cells))
        for place, operand in enumerate(graph.operands(node)):
            port = place if cells else -1
            target = f"n{operand}"
            if not graph.operands(operand):
                target = f"n{node}_{place}"
                drawn.nodes.append(Node(target, (_leaf(conditions, operand, shapes),), "leaf"))
                count += 1
            elif operand not in known:
                if count >= MOST_NODES:
                    cut += 1
                    target = f"n{node}_{place}"
                    drawn.nodes.append(Node(target, ("…",), "note"))
                else:
                    known.add(operand)
                    queue.append(operand)
                    count += 1
            drawn.edges.append(Edge(f"n{node}", target, "", port))
    if cut:
        drawn.note = f"cut: the {count} nodes nearest to {name}; … stands for the rest"
    return drawn


def _leaf(conditions: Any, node: int, shapes: Shapes) -> str:
    graph = conditions.graph
    kind = Kind(int(graph.op[node]))
    if kind == Kind.CONST:
        return f"{graph.constant(node):.9g}"
    if kind == Kind.LEAF:
        return element_name(conditions.tensors[int(graph.a[node])], int(graph.b[node]), shapes)
    return str(conditions.scalars[int(graph.a[node])]) if kind == Kind.SCALAR else kind.name.lower()
