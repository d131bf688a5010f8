"""Graphs as DOT and SVG: the right nodes and edges, well-formed text, and pictures in which nothing lies on anything else."""

from __future__ import annotations

import random
import re
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from volta_pipe.driver.graphs.dot import dot
from volta_pipe.driver.graphs.layers import LINE, label_width
from volta_pipe.driver.graphs.layout import Layout, layout
from volta_pipe.driver.graphs.model import Edge, Graph, Node
from volta_pipe.driver.graphs.svg import svg

AXPY, TREE = "examples/axpy/volta.toml", "examples/reduce-tree/volta.toml"


def drawn(volta: Any, *arguments: str) -> str:
    assert volta("inspect", *arguments) == 0, volta.err
    text: str = volta.out
    return text


def edges(text: str) -> list[tuple[str, str, str]]:
    """(source, target, label) of DOT text."""
    return re.findall(r'^  "(\w+)"(?::p\d)? -> "(\w+)"(?: \[label="([^"]*)"\])?;$', text, re.MULTILINE)


def test_control_flow_of_a_guarded_body(volta: Any) -> None:
    text = drawn(volta, "lower", "--contract", AXPY, "--side", "reference", "--graph", "cfg")
    assert edges(text) == [("bb0", "bb2", "true"), ("bb0", "bb1", "false"), ("bb1", "bb2", "")]
    assert '"bb1" [label="bb1: 10 operations\\laxpy.cu:6 and 8\\lld global.f32 ×2, st global.f32\\l"];' in text
    assert '"bb2" [label="bb2: 1 operation\\laxpy.cu:10\\lret\\l", shape=box, style=rounded];' in text


def test_a_loop_leads_back(volta: Any) -> None:
    text = drawn(volta, "lower", "--contract", AXPY, "--graph", "cfg")
    assert ("bb3", "bb3", "true") in edges(text) and ("bb6", "bb6", "true") in edges(text)


def test_barriers_in_order(volta: Any) -> None:
    """One behind the first sums, and one in each of the eight steps of the tree: all eight warps meet nine times."""
    text = drawn(volta, "unroll", "--contract", TREE, "--side", "reference", "--graph", "barriers")
    found = edges(text)
    assert len(found) == 10 and {label for *_, label in found} == {"warps 0..7"}
    assert [a for a, *_ in found[1:]] == [b for _, b, _ in found[:-1]] and (found[0][0], found[-1][1]) == ("start", "end")
    assert "row 4: barrier 0\\lwarps 0..7\\lreduce_tree.cu:13" in text


def test_a_deadlock_says_who_waits_where(volta: Any) -> None:
    contract = "tests/kernels/barriers/crossed_barriers.toml"
    assert volta("inspect", "unroll", "--contract", contract, "--graph", "barriers") == 0
    assert "stopped: deadlock" in volta.out and "threads 32-63 wait at barrier 2" in volta.out


def test_an_expression(volta: Any) -> None:
    text = drawn(volta, "vc", "--contract", AXPY, "--graph", "expression", "--element", "y[3]")
    labels = dict(re.findall(r'"(\w+)" \[.*?label="([^"]*)"', text))
    (root,) = [b for a, b, _ in edges(text) if a == "element"]
    assert labels[root] == "{fma|{<p0> ×|<p1> ×|<p2> +}}"
    assert [labels[b] for a, b, _ in edges(text) if a == root] == ["x[3]", "a", "y[3]"]


def test_a_large_expression_is_cut_and_says_so(volta: Any) -> None:
    text = drawn(volta, "vc", "--contract", TREE, "--graph", "expression", "--element", "y[0]")
    assert re.search(r"cut: the \d+ nodes nearest to y\[0\]; … stands for the rest", volta.err)
    assert 60 <= len(re.findall(r"^  \"n\w+\" \[", text, re.MULTILINE)) < 200 and 'label="…", shape=plaintext' in text


def test_a_file_and_standard_output_are_the_same(volta: Any, tmp_path: Path) -> None:
    picture = ("lower", "--contract", TREE, "--graph", "cfg", "--format", "svg")
    text = drawn(volta, *picture)
    assert drawn(volta, *picture, "-o", str(tmp_path / "k.svg")) == "" and (tmp_path / "k.svg").read_text() == text
    root = ElementTree.fromstring(text)
    said = "".join(root.itertext())
    assert root.tag.endswith("svg") and "bb0: 17 operations" in said and "reduce_shuffle.cu:2, 5, 6, 8 and 12" in said
    assert volta("inspect", *picture, "-o", str(tmp_path / "none" / "k.svg")) == 2
    assert "cannot be written: No such file or directory" in volta.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--graph", "cfg"], "--graph does not apply to check; it is for lower, unroll, vc and trace"),
        (["lower", "--graph", "barriers"], "--graph: 'barriers' is no graph of lower, which has cfg"),
        (["lower", "--graph", "cfg", "--format", "png"], "--format: 'png' is neither of dot, svg"),
        (["vc", "--graph", "expression"], "--graph expression is of one element: --element 'y[0]'"),
        (["vc", "--graph", "expression", "--element", "y[100]"], "y has shape [100], there is no element [100]"),
        (["lower", "-o", "x.svg"], "-o is for --graph KIND, which is missing"),
        (["unroll", "--graph", "barriers", "--cta", "9"], "--cta: there are 2 CTAs, counted from 0"),
        (["unroll", "--graph", "barriers", "--json"], "--json and --graph show different things"),
    ],
)
def test_graphs_that_there_are_not(volta: Any, arguments: list[str], message: str) -> None:
    assert volta("inspect", *arguments, "--contract", AXPY) == 2
    assert volta.out == "" and message in volta.err and len(volta.err.splitlines()) == 1


def random_graph(seed: int) -> Graph:
    """Nodes of all sizes, with cycles, loops at nodes, double edges and labels."""
    draw = random.Random(seed)
    count = draw.randrange(1, 25)
    names = [f"n{i}" for i in range(count)]
    graph = Graph("g")
    for name in names:
        lines = tuple("x" * draw.randrange(1, 30) for _ in range(draw.randrange(1, 4)))
        ports = ("a", "bb", "ccc")[: draw.choice([0, 0, 2, 3])]
        graph.nodes.append(Node(name, lines, ports=ports))
    for _ in range(draw.randrange(2 * count)):
        node = draw.choice(graph.nodes)
        port = draw.randrange(len(node.ports)) if node.ports else -1
        graph.edges.append(Edge(node.name, draw.choice(names), draw.choice(["", "", "true", "warps 0..7"]), port))
    return graph


def areas(graph: Graph, found: Layout) -> list[tuple[float, float, float, float]]:
    """(left, top, right, bottom) of all nodes and labels."""
    nodes = [(b.x, b.y, b.inner, b.height) for b, _ in zip(found.boxes, graph.nodes, strict=False)]
    labels = [(*p, label_width(e.label), LINE) for p, e in zip(found.labels, graph.edges, strict=True) if p is not None]
    return [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for x, y, w, h in [*nodes, *labels]]


@pytest.mark.parametrize("seed", range(40))
def test_nothing_lies_on_anything_else(seed: int) -> None:
    graph = random_graph(seed)
    found = layout(graph)
    places = areas(graph, found)
    labelled = [edge for edge in graph.edges if edge.label and edge.source != edge.target]
    assert sum(label is not None for label in found.labels) >= len(labelled)
    loops = [e for e in graph.edges if e.source == e.target]
    if len({e.source for e in loops}) == len(loops):  # several loops at one node share their place
        for (a, b, c, d), (left, top, right, bottom) in combinations(places, 2):
            assert c <= left + 0.01 or right <= a + 0.01 or d <= top + 0.01 or bottom <= b + 0.01
    for left, top, right, bottom in places:
        assert left >= 0 and top >= 0 and right <= found.width + 0.01 and bottom <= found.height + 0.01
    # Between layers, edges are curves whose ends are on the edges of layers: none runs through a node.
    for edge, points in zip(graph.edges, found.paths, strict=True):
        if edge.source == edge.target:
            continue
        for (x, y), (x2, y2) in pairwise(points):
            for left, top, right, bottom in areas(graph, found)[: len(graph.nodes)]:
                inside = max(min(x, x2), left + 0.1) < min(max(x, x2), right - 0.1) or (x == x2 and left < x < right)
                assert not (inside and max(min(y, y2), top + 0.1) < min(max(y, y2), bottom - 0.1))


@pytest.mark.parametrize("seed", range(5))
def test_texts_are_well_formed(seed: int) -> None:
    graph = random_graph(seed)
    graph.nodes.append(Node("odd", ('a "quoted" <b> & {c|d}\\',), ports=("<", "|")))
    ElementTree.fromstring(svg(graph))
    text = dot(graph)
    assert text.count("{") - text.count("\\{") == text.count("}") - text.count("\\}")
    assert re.sub(r"\\.", "", text).count('"') % 2 == 0


def test_an_empty_expression_graph_is_one_node() -> None:
    ElementTree.fromstring(svg(Graph("one", [Node("a", ("a",))])))


def test_constants_are_no_barriers(volta: Any) -> None:
    """A kernel with more constant rows than static code behind them, and no barrier but the one at its end."""
    contract = "tests/kernels/precision/wmma_float.toml"
    found = edges(drawn(volta, "unroll", "--contract", contract, "--graph", "barriers"))
    assert found and found[0][0] == "start" and found[-1][1] == "end"
