"""A directed graph that is to be drawn."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Node:
    """name: unique in its graph; lines: its label; kind: how it looks (block, operator, leaf, barrier, end, note); ports:
    labels of cells in its lower edge, from which edges leave, or empty."""

    name: str
    lines: tuple[str, ...]
    kind: str = "block"
    ports: tuple[str, ...] = ()


@dataclass(frozen=True)
class Edge:
    """From a node, or one of its ports (-1: from the whole node), to a node; `label`: at most a line."""

    source: str
    target: str
    label: str = ""
    port: int = -1


@dataclass
class Graph:
    """title: of the whole; nodes in the order in which they should come, the first one at the top; edges. `note`: what was
    left out, or ""."""

    title: str
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    note: str = ""
