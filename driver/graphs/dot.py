"""A graph in the DOT language of Graphviz (https://graphviz.org/doc/info/lang.html)."""

from __future__ import annotations

from collections.abc import Iterator

from volta_pipe.driver.graphs.model import Graph, Node

_SHAPES = {"leaf": "box, style=rounded", "end": "box, style=rounded", "note": "plaintext"}
_SPECIAL = str.maketrans({c: f"\\{c}" for c in '{}|<>"\\'})
_QUOTED = str.maketrans({'"': '\\"', "\\": "\\\\"})


def dot(graph: Graph) -> str:
    """The text of a digraph; the note of what was left out is a comment and a label."""
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Graph) -> Iterator[str]:
    yield f'digraph "{graph.title.translate(_QUOTED)}" {{'
    label = graph.title + (f"\\n{graph.note.translate(_QUOTED)}" if graph.note else "")
    yield f'  graph [label="{label}", labelloc=t, fontname="monospace"];'
    yield '  node [shape=box, fontname="monospace", fontsize=11]; edge [fontname="monospace", fontsize=10];'
    yield from (f'  "{node.name}" [{_node(node)}];' for node in graph.nodes)
    for edge in graph.edges:
        port = f":p{edge.port}" if edge.port >= 0 else ""
        said = f' [label="{edge.label.translate(_QUOTED)}"]' if edge.label else ""
        yield f'  "{edge.source}"{port} -> "{edge.target}"{said};'
    yield "}"


def _node(node: Node) -> str:
    if node.ports:
        cells = "|".join(f"<p{i}> {port.translate(_SPECIAL)}" for i, port in enumerate(node.ports))
        return f'shape=record, label="{{{_record(node)}|{{{cells}}}}}"'
    label = "\\l".join(line.translate(_QUOTED) for line in node.lines) + ("\\l" if len(node.lines) > 1 else "")
    return f'label="{label}"' + (f", shape={_SHAPES[node.kind]}" if node.kind in _SHAPES else "")


def _record(node: Node) -> str:
    return "\\n".join(line.translate(_SPECIAL) for line in node.lines)
