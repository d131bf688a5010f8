"""An output element's expression as a formula: shared parts are named, nothing recurses, and the size is limited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.driver.elements import Shapes, element_name, indexed
from volta_pipe.ir.errors import InputError

MOST_NODES = 400
_INFIX = {"ADD": "+", "SUB": "-", "MUL": "*", "DIV": "/", "LT": "<", "LE": "<=", "EQ": "==", "NE": "!="}
_INFIX |= {"AND": "&", "OR": "|", "XOR": "^"}
_WIDEST = 60  # characters of a part that is written in place; longer ones get a name
_ELEMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*\[\s*([0-9]+(?:\s*,\s*[0-9]+)*)?\s*\]\s*")


def parse_element(text: str) -> tuple[str, tuple[int, ...]]:
    """("y", (3, 5)) of `y[3,5]`. Errors: InputError."""
    match = _ELEMENT.fullmatch(text)
    if match is None or len(text) > 200:
        raise InputError(f"'{text[:50]}' names no element (such as y[3,5])")
    numbers = match.group(2) or ""
    return match.group(1), tuple(int(n) for n in numbers.split(",") if n.strip())


def number_of(conditions: Any, shapes: Mapping[str, tuple[int, ...]], tensor: str, index: tuple[int, ...]) -> tuple[int, int]:
    """(tensor, row-major element number) of an output element. Errors: InputError on one that is not there."""
    if tensor not in conditions.tensors or conditions.tensors.index(tensor) not in conditions.outputs:
        outputs = [conditions.tensors[place] for place in conditions.outputs]
        raise InputError(f"'{tensor}' is no output (outputs: {', '.join(outputs)})")
    shape = shapes[tensor]
    if len(index) != len(shape) or any(not 0 <= i < n for i, n in zip(index, shape, strict=True)):
        raise InputError(f"{tensor} has shape {list(shape)}, there is no element {list(index)}")
    flat = 0
    for i, n in zip(index, shape, strict=True):
        flat = flat * n + i
    return conditions.tensors.index(tensor), flat


def written(conditions: Any, shapes: Shapes) -> Iterator[str]:
    """The first element of each output that is written, by its index."""
    for place, roots in conditions.outputs.items():
        first = next((number for number, root in enumerate(roots) if root), None)
        if first is not None:
            yield element_name(conditions.tensors[place], first, shapes)


def formula(conditions: Any, shapes: Shapes, tensor: str, index: tuple[int, ...]) -> Iterator[str]:
    """Lines `t1 = …` for shared or long parts, then `y[3,5] = …`. Errors: InputError on an element that is not there."""
    place, flat = number_of(conditions, shapes, tensor, index)
    yield from formula_of(conditions, shapes, int(conditions.outputs[place][flat]), indexed(tensor, index))


def formula_of(conditions: Any, shapes: Shapes, root: int, name: str, most: int = MOST_NODES) -> Iterator[str]:
    """Lines `t1 = …` for shared or long parts of a node, then `name = …` (without a name, the expression alone); `most`: nodes
    that are shown."""
    if root == 0:
        yield f"{name} is not written"
        return
    nodes, whole = _reachable(conditions.graph, root, most)
    texts: dict[int, str] = {}
    named = 0
    for node, uses in nodes:
        text = _text(conditions, shapes, node, texts)
        if node != root and (len(text) > _WIDEST or (uses > 1 and len(text) > 12)):
            named += 1
            yield f"t{named} = {text}"
            text = f"t{named}"
        texts[node] = text
    yield f"{name} = {texts[root]}" if name else texts[root]
    if not whole:
        yield f"(cut after {most} nodes; … stands for the rest)"


def _reachable(graph: Any, root: int, most: int) -> tuple[list[tuple[int, int]], bool]:
    """(node, uses) reachable from `root`, operands first, at most `most` nearest to it; whether that is all."""
    uses = {root: 1}
    queue = [root]
    whole = True
    for node in queue:
        for operand in graph.operands(node):
            if operand in uses:
                uses[operand] += 1
            elif len(uses) < most:
                uses[operand] = 1
                queue.append(operand)
            else:
                whole = False
    return sorted(uses.items()), whole


def _text(conditions: Any, shapes: Shapes, node: int, texts: dict[int, str]) -> str:
    from volta_pipe.ir.nodes import Node

    graph = conditions.graph
    kind = Node(int(graph.op[node])).name
    if kind == "CONST":
        return f"{graph.constant(node):.9g}"
    if kind == "LEAF":
        return element_name(conditions.tensors[int(graph.a[node])], int(graph.b[node]), shapes)
    if kind == "SCALAR":
        return str(conditions.scalars[int(graph.a[node])])
    operands = [texts.get(operand, "…") for operand in graph.operands(node)]
    if kind in _INFIX and len(operands) == 2:
        return f"({operands[0]} {_INFIX[kind]} {operands[1]})"
    return f"{kind.lower()}({', '.join(operands)})"
