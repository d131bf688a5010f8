"""A graph as an SVG picture that needs nothing else: no script, no font but the reader's monospaced one."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from volta_pipe.driver.graphs.layers import CHAR, LINE, PAD, Box, label_width, port_offset
from volta_pipe.driver.graphs.layout import layout
from volta_pipe.driver.graphs.model import Graph, Node

_TOP = 44  # pixels for the title
_STYLE = (
    "text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1c2430}"
    ".title{font-weight:bold}.note{fill:#a03c00}.label{font-size:11px;fill:#3b4a5c}"
    "rect{fill:#eef2f7;stroke:#5b6b80}.leaf rect,.end rect{fill:#f3f8ee;stroke:#6d8554}"
    "rect.behind{fill:#fff;stroke:none}"
    ".barrier rect{fill:#fff4df;stroke:#a9812f}.note rect{fill:none;stroke:none}"
    "path{fill:none;stroke:#5b6b80;stroke-width:1.2}.head{fill:#5b6b80;stroke:none}line{stroke:#5b6b80}"
)


def svg(graph: Graph) -> str:
    """The picture as text."""
    placed = layout(graph)
    heads = [graph.title, *([graph.note] if graph.note else [])]
    width = max(placed.width, max(len(line) for line in heads) * (CHAR + 0.5) + 2 * PAD)
    top = _TOP if len(heads) > 1 else _TOP - LINE
    height = placed.height + top
    shift = (width - placed.width) / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{escape(graph.title)}</title><style>{_STYLE}</style>",
        '<rect width="100%" height="100%" class="behind"/>',
        *(_text(PAD, 20 + LINE * i, line, "title" if i == 0 else "note") for i, line in enumerate(heads)),
        f'<g transform="translate({shift:.1f} {top})">',
    ]
    for points in placed.paths:
        parts += _edge(points)
    for place, edge in zip(placed.labels, graph.edges, strict=True):
        if place is not None:
            parts += _label(place, edge.label)
    for node, box in zip(graph.nodes, placed.boxes, strict=False):
        parts += _node(node, box)
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, look: str = "", anchor: str = "start") -> str:
    style = f' class="{look}"' if look else ""
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{style}{place} xml:space="preserve">{escape(text)}</text>'


def _edge(points: list[tuple[float, float]]) -> Iterator[str]:
    """A smooth line through the points, vertical at each, and a head at its end."""
    (x, y), *rest = points
    loop = len(points) == 4 and points[0][0] == points[-1][0] and points[1][0] == points[2][0] != points[0][0]
    path = f"M{x:.1f} {y:.1f}"
    end, before = points[-1], points[-2]
    down = 1 if end[1] >= before[1] else -1
    tip = (end[0] + 8, end[1]) if loop else (end[0], end[1] - 8 * down)
    for place, (nx, ny) in enumerate(rest):
        if place == len(rest) - 1:
            nx, ny = tip
        bend = (ny - y) / 2
        path += f" L{nx:.1f} {ny:.1f}" if loop else f" C{x:.1f} {y + bend:.1f} {nx:.1f} {ny - bend:.1f} {nx:.1f} {ny:.1f}"
        x, y = nx, ny
    yield f'<path d="{path}"/>'
    if loop:
        yield f'<path class="head" d="M{end[0]:.1f} {end[1]:.1f} l8 -4 v8 z"/>'
    else:
        yield f'<path class="head" d="M{end[0]:.1f} {end[1]:.1f} l-4 {-8 * down} h8 z"/>'


def _label(place: tuple[float, float], text: str) -> Iterator[str]:
    x, y = place
    width = label_width(text) - 2
    yield _box(x - width / 2, y - LINE / 2, width, LINE, 'class="behind"')
    yield _text(x, y + 4, text, "label", "middle")


def _box(x: float, y: float, width: float, height: float, more: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" {more}/>'


def _node(node: Node, box: Box) -> Iterator[str]:
    left, top = box.x - box.inner / 2, box.y - box.height / 2
    round_ = 9 if node.kind in ("leaf", "end") else 2
    yield f'<g class="{node.kind}">' + _box(left, top, box.inner, box.height, f'rx="{round_}"')
    centred = len(node.lines) == 1
    for i, line in enumerate(node.lines):
        x, anchor = (box.x, "middle") if centred else (left + PAD, "start")
        yield _text(x, top + PAD + LINE * i + 11, line, "", anchor)
    if node.ports:
        y = top + box.height - LINE - PAD
        yield f'<line x1="{left:.1f}" x2="{left + box.inner:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        for i, port in enumerate(node.ports):
            x = box.x + port_offset(box.inner, len(node.ports), i)
            yield _text(x, y + 16, port, "label", "middle")
            if i:
                edge = left + box.inner * i / len(node.ports)
                yield f'<line x1="{edge:.1f}" x2="{edge:.1f}" y1="{y:.1f}" y2="{top + box.height:.1f}"/>'
    yield "</g>"
