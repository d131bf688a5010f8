"""A unit: the expressions of some classes, cut out of both graphs, with all else that decides how they compare."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from volta_pipe.ir import columns
from volta_pipe.ir.graph import ARITY_TABLE, FIXED, Graph
from volta_pipe.ir.graph_order import ordered
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.parts import Inputs
from volta_pipe.passes.canon import walk
from volta_pipe.passes.canon.sides import Array
from volta_pipe.passes.values import read_only

_loops: Any = walk  # compiled functions: mypy does not see their arguments
Roots = tuple[int, int]  # of the reference's and the candidate's expression
_KIND, _VERSION = "unit", 1


@dataclass(frozen=True)
class Unit:
    """graphs: of both sides; roots: of each class; inputs: those of the graphs that are integers; named: whether literals may
    stand for real numbers; max_terms: terms made per class and attempt; kept: whether its solution is worth being kept."""

    graphs: tuple[Graph, Graph]
    roots: tuple[Roots, ...]
    inputs: Inputs
    named: bool
    max_terms: int
    kept: bool = False

    @cached_property
    def digest(self) -> str:
        """sha256 of all that its solution depends on, but for the effort."""
        bounds = sorted([kind, index, low, high] for (kind, index), (low, high) in self.inputs.items())
        meta = {"roots": [list(r) for r in self.roots], "inputs": bounds, "named": self.named, "max_terms": self.max_terms}
        held: dict[str, Array] = {}
        for side, graph in zip("rc", self.graphs, strict=True):
            held |= {f"{side}_{name}": getattr(graph, name) for name in ("op", "a", "b", "c", "constants")}
        sha = hashlib.sha256()
        for chunk in columns.encode(_KIND, _VERSION, meta, held):
            sha.update(chunk)
        return sha.hexdigest()

    @cached_property
    def atoms(self) -> frozenset[tuple[Any, ...]]:
        """Its inputs as atoms of a table: ("leaf", tensor, element) and ("scalar", scalar)."""
        found: set[tuple[Any, ...]] = set()
        for graph in self.graphs:
            leaf, scalar = graph.op == Node.LEAF, graph.op == Node.SCALAR
            found |= {("leaf", t, e) for t, e in zip(graph.a[leaf].tolist(), graph.b[leaf].tolist(), strict=True)}
            found |= {("scalar", s) for s in graph.a[scalar].tolist()}
        return frozenset(found)


class Cutter:
    """Cuts units out of two graphs. inputs: all that are integers."""

    def __init__(self, graphs: tuple[Graph, Graph], inputs: Inputs, *, named: bool, max_terms: int) -> None:
        self._graphs, self._inputs, self._named, self._max_terms = graphs, inputs, named, max_terms
        self._below = [Below(graph) for graph in graphs]

    def cut(self, roots: Sequence[Roots], *, kept: bool = False) -> Unit:
        """The unit of classes with these roots. It depends on what is under the roots alone, as far as graphs are canonical."""
        graphs, renumbered = [], []
        inputs: dict[tuple[str, int], tuple[int, int]] = {}
        for side in (0, 1):
            graph, tops = self._below[side].cut(np.array([r[side] for r in roots], np.int32))
            graphs.append(graph)
            renumbered.append(tops.tolist())
            for kind, op in (("leaf", Node.LEAF), ("scalar", Node.SCALAR)):
                there = np.unique(graph.a[graph.op == op]).tolist()
                inputs |= {(kind, i): self._inputs[kind, i] for i in there if (kind, i) in self._inputs}
        pairs = tuple(zip(*renumbered, strict=True))
        return Unit((graphs[0], graphs[1]), pairs, inputs, self._named, self._max_terms, kept)


class Below:
    """What is under roots of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.columns = tuple(read_only(x) for x in (graph.op, graph.a, graph.b, graph.c, ARITY_TABLE))
        self._number, self._found = np.full(len(graph), -1, np.int32), np.empty(len(graph), np.int32)

    def nodes(self, roots: Array) -> Array:
        """The nodes under the roots, ascending (operands first)."""
        order = self._marked(roots)
        self._number[order] = -1
        return order

    def _marked(self, roots: Array) -> Array:
        count = _loops.gather(*self.columns, read_only(roots), self._number, self._found)
        return np.sort(self._found[:count])

    def cut(self, roots: Array) -> tuple[Graph, Array]:
        """The graph of what is under the roots, in canonical order, and the roots renumbered."""
        g = self.graph
        order = self._marked(roots)
        self._number[order] = -1
        order = np.concatenate([np.arange(FIXED, dtype=np.int32), order[order >= FIXED]])
        number = self._number
        number[order] = np.arange(len(order), dtype=np.int32)
        op = g.op[order]
        arity = ARITY_TABLE[op]
        moved = [column[order] for column in (g.a, g.b, g.c)]
        for place, column in enumerate(moved):
            inside = arity > place
            column[inside] = number[column[inside]]
        tops = number[roots]
        number[order] = -1
        const = op == Node.CONST
        used, moved[0][const] = np.unique(moved[0][const], return_inverse=True)
        made, (tops,) = ordered(Graph(op, moved[0], moved[1], moved[2], g.constants[used]), [tops])
        return made, tops
