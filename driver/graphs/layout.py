"""Places for the nodes of a graph, in layers from top to bottom.

Edges over several layers are led through places of their own; nodes move towards their neighbours as far as those beside them
allow. A label of an edge has a place in a layer as a node has, so labels meet neither nodes nor each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from volta_pipe.driver.graphs.layers import (
    GAP,
    LAYER_GAP,
    LINE,
    LOOP,
    PASSES,
    Box,
    label_width,
    node_size,
    ordered,
    port_offset,
    set_layers,
    turned_round,
)
from volta_pipe.driver.graphs.model import Graph


@dataclass
class Layout:
    """boxes: those of the nodes first, in their order; paths: of each edge the points from its source to its target;
    labels: of each edge the place of its label's middle, or None."""

    boxes: list[Box]
    paths: list[list[tuple[float, float]]]
    labels: list[tuple[float, float] | None]
    width: float
    height: float


def layout(graph: Graph) -> Layout:
    """Lays a graph out."""
    number = {node.name: i for i, node in enumerate(graph.nodes)}
    boxes = []
    for node in graph.nodes:
        width, height = node_size(node.lines, node.ports)
        boxes.append(Box(width, height, width))
    ends = [(number[edge.source], number[edge.target]) for edge in graph.edges]
    for edge, (a, b) in zip(graph.edges, ends, strict=True):
        if a == b:
            boxes[a].width = boxes[a].inner + 2 * (LOOP + label_width(edge.label))
    turned = turned_round(len(boxes), ends)
    set_layers(boxes, [(b, a) if back else (a, b) for (a, b), back in zip(ends, turned, strict=True)], graph)
    chains: list[list[int]] = []
    labels: list[int] = []
    for edge, (a, b), back in zip(graph.edges, ends, turned, strict=True):
        top, bottom = (b, a) if back else (a, b)
        count = len(graph.nodes[a].ports)
        offset = port_offset(boxes[a].inner, count, edge.port)
        chain, label = _chain(boxes, top, bottom, edge.label)
        for upper, lower in pairwise(chain):
            boxes[upper].below.append((lower, 0.0 if back and upper == top else offset if upper == a else 0.0))
            boxes[lower].above.append((upper, offset if upper == a and not back else 0.0))
        chains.append(chain[::-1] if back else chain)
        labels.append(label)
    rows = ordered(boxes)
    _across(boxes, rows)
    height = _down(boxes, rows)
    left = min(box.x - box.width / 2 for box in boxes)
    for box in boxes:
        box.x += GAP - left
    width = max(box.x + box.width / 2 for box in boxes) + GAP
    paths = [
        _path(boxes, chain, port_offset(boxes[a].inner, len(graph.nodes[a].ports), edge.port), back)
        for chain, edge, (a, _), back in zip(chains, graph.edges, ends, turned, strict=True)
    ]
    places = [None if label < 0 else (boxes[label].x, boxes[label].y) for label in labels]
    for i, (edge, (a, b)) in enumerate(zip(graph.edges, ends, strict=True)):
        if a == b and edge.label:
            places[i] = (boxes[a].x + boxes[a].inner / 2 + LOOP + label_width(edge.label) / 2, boxes[a].y)
    return Layout(boxes, paths, places, width, height)


def _chain(boxes: list[Box], top: int, bottom: int, label: str) -> tuple[list[int], int]:
    """Boxes from top to bottom of an edge, one in each layer, and that of its label or -1. A loop at one node has none in
    between."""
    chain, found = [top], -1
    first, last = boxes[top].layer + 1, boxes[bottom].layer
    middle = (first + last - 1) // 2 if label else -1
    for layer in range(first, last):
        width = label_width(label) if layer == middle else 2.0
        boxes.append(Box(width, LINE if layer == middle else 2.0, width, layer))
        chain.append(len(boxes) - 1)
        found = len(boxes) - 1 if layer == middle else found
    return [*chain, bottom], found


def _across(boxes: list[Box], rows: list[list[int]]) -> None:
    """The x of each box: towards the mean of its neighbours, those of a layer apart by their widths."""
    for row in rows:
        at = 0.0
        for i in row:
            boxes[i].x = at + boxes[i].width / 2
            at += boxes[i].width + GAP
    for turn in range(4 * PASSES):
        down = turn % 2 == 0
        both = turn >= 3 * PASSES
        for row in rows if down else rows[::-1]:
            wanted = []
            for i in row:
                near = [boxes[n].x + offset for n, offset in boxes[i].above] if down else []
                if both or not near:
                    near += [boxes[n].x - offset for n, offset in boxes[i].below]
                near = near or [boxes[n].x + offset for n, offset in boxes[i].above]
                wanted.append(sum(near) / len(near) if near else boxes[i].x)
            _apart([boxes[i] for i in row], wanted)


def _apart(row: list[Box], wanted: list[float]) -> None:
    """Puts the boxes of a layer at the wanted places, or next to each other where these are too near: neighbours that meet
    become one group, whose place is the mean of what its members want."""
    groups: list[tuple[float, float, list[Box]]] = []  # (sum of wanted places of its start, width, members)
    for box, place in zip(row, wanted, strict=True):
        total, width, members = place - box.width / 2, box.width, [box]
        while groups and groups[-1][0] / len(groups[-1][2]) + groups[-1][1] + GAP > total / len(members):
            before, wide, others = groups.pop()
            total += before - (wide + GAP) * len(members)
            width, members = wide + GAP + width, others + members
        groups.append((total, width, members))
    for total, _, members in groups:
        at = total / len(members)
        for box in members:
            box.x = at + box.width / 2
            at += box.width + GAP


def _down(boxes: list[Box], rows: list[list[int]]) -> float:
    """The y of each box; returns the height of all."""
    at = float(GAP)
    for row in rows:
        height = max(boxes[i].height for i in row)
        for i in row:
            boxes[i].y, boxes[i].row = at + height / 2, height
        crowd = sum(len(boxes[i].below) for i in row)
        at += height + LAYER_GAP + min(2 * crowd, 30)
    return at - LAYER_GAP + GAP


def _path(boxes: list[Box], chain: list[int], offset: float, back: bool) -> list[tuple[float, float]]:
    """The points of an edge: from the lower edge of its source (of one that leads back: the upper) through its bends."""
    first, last = boxes[chain[0]], boxes[chain[-1]]
    if len(chain) == 2 and chain[0] == chain[1]:  # a loop at one node
        right, y = first.x + first.inner / 2, first.y
        return [(right, y + 8), (right + LOOP - 4, y + 8), (right + LOOP - 4, y - 8), (right, y - 8)]
    sign = -1 if back else 1
    start = (first.x + (0.0 if back else offset), first.y + sign * first.height / 2)
    end = (last.x, last.y - sign * last.height / 2)
    # Straight down (or up) through each layer, so that no curve runs into the nodes there.
    bends = [(boxes[i].x, boxes[i].y + turn * sign * boxes[i].row / 2) for i in chain[1:-1] for turn in (-1, 1)]
    leave, enter = (start[0], first.y + sign * first.row / 2), (end[0], last.y - sign * last.row / 2)
    return [start, *([leave] if leave != start else []), *bends, *([enter] if enter != end else []), end]
