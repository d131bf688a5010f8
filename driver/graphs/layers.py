"""The layers of a drawing: which node is in which, and in which order, so that edges lead down and few of them cross.

Edges that close a cycle are turned round; each node gets the layer behind its latest predecessor; the order in a layer is that
of the mean places of neighbours, over some passes (Sugiyama, Tagawa and Toda, 1981)."""

from __future__ import annotations

from dataclasses import dataclass, field

from volta_pipe.driver.graphs.model import Graph

CHAR, LINE, PAD = 7.3, 15, 9  # pixels: width and height of a monospaced letter of 12 px, space around a label
GAP, LAYER_GAP = 26, 34  # between nodes of a layer, and between layers
LOOP = 22  # how far a loop at a node reaches out
PASSES = 12


@dataclass
class Box:
    """A node, the label of an edge, or a bend: size (a loop at a node needs room beside it, which `inner`, the width of the
    node itself, leaves out), layer, place of its centre."""

    width: float
    height: float
    inner: float
    layer: int = 0
    row: float = 0.0  # height of its layer
    x: float = 0.0
    y: float = 0.0
    above: list[tuple[int, float]] = field(default_factory=list)  # (box, offset of the port there from its centre)
    below: list[tuple[int, float]] = field(default_factory=list)


def node_size(lines: tuple[str, ...], ports: tuple[str, ...]) -> tuple[float, float]:
    """Width and height of a node's box."""
    width = max(len(line) for line in lines) * CHAR + 2 * PAD
    cells = sum(len(port) * CHAR + 2 * PAD for port in ports)
    return max(width, cells, 34.0), len(lines) * LINE + 2 * PAD + (LINE + PAD if ports else 0)


def label_width(label: str) -> float:
    """Of the label of an edge, which is a little smaller than those of nodes."""
    return len(label) * (CHAR - 0.6) + 8 if label else 2.0


def port_offset(width: float, ports: int, port: int) -> float:
    """Where the middle of a cell lies, from the middle of its node."""
    return 0.0 if port < 0 or not ports else width * ((port + 0.5) / ports - 0.5)


def turned_round(count: int, ends: list[tuple[int, int]]) -> list[bool]:
    """Which edges lead back to a node on the way to them, by a depth-first walk with a stack of its own."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    for i, (a, _) in enumerate(ends):
        leaving[a].append(i)
    state, turned = [0] * count, [False] * len(ends)
    for start in range(count):
        stack = [(start, 0)] if not state[start] else []
        state[start] = state[start] or 1
        while stack:
            node, place = stack.pop()
            if place == len(leaving[node]):
                state[node] = 2
                continue
            stack.append((node, place + 1))
            target = ends[leaving[node][place]][1]
            if state[target] == 1:
                turned[leaving[node][place]] = True
            elif not state[target]:
                state[target] = 1
                stack.append((target, 0))
    return turned


def set_layers(boxes: list[Box], ends: list[tuple[int, int]], graph: Graph) -> None:
    """The layer of each node: one more than that of the last node before it, or two, where an edge in between has a label."""
    waiting = [0] * len(boxes)
    leaving: list[list[tuple[int, int]]] = [[] for _ in boxes]
    for (a, b), edge in zip(ends, graph.edges, strict=True):
        if a != b:
            waiting[b] += 1
            leaving[a].append((b, 2 if edge.label else 1))
    ready = [i for i, count in enumerate(waiting) if not count]
    for node in ready:
        for target, length in leaving[node]:
            boxes[target].layer = max(boxes[target].layer, boxes[node].layer + length)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)


def ordered(boxes: list[Box]) -> list[list[int]]:
    """The boxes of each layer from left to right, so that few edges cross."""
    rows: list[list[int]] = [[] for _ in range(max(box.layer for box in boxes) + 1)]
    for i, box in enumerate(boxes):
        rows[box.layer].append(i)
    best, fewest = [list(row) for row in rows], _crossings(boxes, rows)
    place = {n: p for row in rows for p, n in enumerate(row)}

    def mean(i: int, down: bool) -> float:
        near = boxes[i].above if down else boxes[i].below
        at = [place[n] + (offset / boxes[n].width if down else 0.0) for n, offset in near]
        return sum(at) / len(at) if at else float(place[i])

    for turn in range(2 * PASSES):
        down = turn % 2 == 0
        for row in rows[1:] if down else rows[-2::-1]:
            row.sort(key=lambda i, down=down: mean(i, down))  # type: ignore[misc]
            place.update((n, p) for p, n in enumerate(row))
        crossings = _crossings(boxes, rows)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _crossings(boxes: list[Box], rows: list[list[int]]) -> int:
    """How many pairs of edges between neighbouring layers cross."""
    total = 0
    for row in rows[:-1]:
        place = {n: p for p, n in enumerate(rows[boxes[row[0]].layer + 1])}
        ends = [
            (p + offset / (boxes[i].width), place[n]) for p, i in enumerate(row) for n, offset in boxes[i].below if n in place
        ]
        ends.sort()
        total += sum(b > d for k, (a, b) in enumerate(ends) for c, d in ends[k + 1 :] if c > a)
    return total
