"""The expression graph: hash-consed nodes in columns, and the verification conditions over it.

Nodes are numbered so that operands come before the node. Nodes 0..5 are fixed (see FIXED). Terms are identified by structure,
never by a hash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volta_pipe.ir import columns
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.launch import DTYPES
from volta_pipe.ir.nodes import ARITY, Node
from volta_pipe.ir.precision import Precision

# Fixed node numbers of every graph.
NONE, ZERO, ONE, NEG_INF, POS_INF, NAN = range(6)
FIXED = 6
_PIECE = 1 << 14  # elements that are looked at together
_SPARSE = 4  # a column of roots is written as places and nodes where at most one in so many has a root
FIXED_CONSTANTS = (0.0, 1.0, float("-inf"), float("inf"), float("nan"))

Int32 = np.ndarray[Any, np.dtype[np.int32]]
Float64 = np.ndarray[Any, np.dtype[np.float64]]
UInt8 = np.ndarray[Any, np.dtype[np.uint8]]
# Operand count by operator code, uint8 [256], for compiled loops.
ARITY_TABLE = np.zeros(256, np.uint8)
for _node, _count in ARITY.items():
    ARITY_TABLE[_node] = _count


# Operators that an artifact holds: the others exist only while `vc` runs.
ARTIFACT_OPS = np.zeros(256, np.bool_)
_INSIDE = (Node.NONE, Node.BITS, Node.ROUND)
ARTIFACT_OPS[[int(n) for n in Node if n not in _INSIDE and not Node.PART <= n <= Node.EITHER]] = True


@dataclass(frozen=True)
class Graph:
    """op: uint8 [n] of Node; a, b, c: int32 [n]; constants: float64 [k] (CONST's a indexes it). Node 0 is absent; 1..5 are
    the constants 0, 1, -inf, +inf, NaN."""

    op: UInt8
    a: Int32
    b: Int32
    c: Int32
    constants: Float64

    def __len__(self) -> int:
        return len(self.op)

    def operands(self, node: int) -> tuple[int, ...]:
        """Operand nodes of `node`, in order."""
        count = int(ARITY_TABLE[self.op[node]])
        return tuple(int(column[node]) for column in (self.a, self.b, self.c)[:count])

    def constant(self, node: int) -> float:
        """Value of a CONST node."""
        return float(self.constants[self.a[node]])


@dataclass(frozen=True)
class Conditions:
    """What one side computes. `outputs`: per out or inout tensor (by index into `tensors`) the root node of each element,
    int32 [size] in row-major order, 0 where nothing was written. `tensors`, `scalars`: names that LEAF's and SCALAR's a index.
    `assumptions`: idealisations that were used. `tensor_types`, `scalar_types`: dtype names (ir/launch.py) of each, which say
    what numbers its elements are; empty where all are reals. `precision`: in which formats the additions behind each output are
    done; it is no part of the artifact, so that what follows does not depend on it."""

    graph: Graph
    outputs: dict[int, Int32]
    tensors: tuple[str, ...]
    scalars: tuple[str, ...]
    assumptions: tuple[str, ...] = field(default=())
    tensor_types: tuple[str, ...] = field(default=())
    scalar_types: tuple[str, ...] = field(default=())
    precision: tuple[Precision, ...] = field(default=())

    KIND = "conditions"
    VERSION = 3

    def encode(self) -> list[bytes | memoryview]:
        g = self.graph
        from volta_pipe.ir.deltas import steps  # compiled code, which reading a verdict does not need

        cols: dict[str, columns.Array] = {"op": g.op, "constants": g.constants}
        for name, column in (("a", g.a), ("b", g.b), ("c", g.c)):
            cols[f"{name}_near"], cols[f"{name}_far"] = steps(column)
        for index, roots in sorted(self.outputs.items()):
            at = rooted(roots)
            if len(at) * _SPARSE < len(roots):
                cols |= {f"at{index}": at, f"out{index}": roots[at]}
            else:
                cols[f"out{index}"] = roots
        meta = {
            "outputs": [[index, len(roots)] for index, roots in sorted(self.outputs.items())],
            "tensors": list(self.tensors),
            "scalars": list(self.scalars),
            "assumptions": list(self.assumptions),
            "tensor_types": list(self.tensor_types),
            "scalar_types": list(self.scalar_types),
        }
        return columns.encode(self.KIND, self.VERSION, meta, cols)

    @staticmethod
    def decode(data: bytes | memoryview) -> Conditions:
        """Reads an artifact; errors: ArtifactError on anything that is not a well-formed graph."""
        from volta_pipe.ir.deltas import numbers

        meta, cols = columns.decode(data, Conditions.KIND, Conditions.VERSION)
        try:
            a, b, c = (numbers(cols[f"{name}_near"], cols[f"{name}_far"]) for name in "abc")
            graph = Graph(cols["op"], a, b, c, cols["constants"])
            outputs = {i: _roots(cols.get(f"at{_whole(i)}"), cols[f"out{i}"], _whole(size)) for i, size in meta["outputs"]}
            keys = ("tensors", "scalars", "assumptions", "tensor_types", "scalar_types")
            names = [tuple(str(s) for s in meta[key]) for key in keys]
        except (KeyError, TypeError, ValueError, OverflowError, MemoryError) as error:
            raise ArtifactError(f"conditions artifact lacks a part: {error}") from error
        if any(index >= len(names[0]) for index in outputs):
            raise ArtifactError("conditions artifact has outputs of a tensor that does not exist")
        validate(graph, list(outputs.values()), len(names[0]), len(names[1]))
        for types, what in ((names[3], names[0]), (names[4], names[1])):
            if types and (len(types) != len(what) or not DTYPES.keys() >= {*types}):
                raise ArtifactError("conditions artifact has dtypes that fit no tensors or scalars")
        return Conditions(graph, outputs, names[0], names[1], names[2], names[3], names[4])


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("something is no number")
    return value


def rooted(roots: columns.Array) -> columns.Array:
    """Which elements have a root (are not 0), int64, ascending. Of a large tensor a few CTAs write a small part: pieces without
    one are passed over."""
    pieces = (roots[i : i + _PIECE] for i in range(0, len(roots), _PIECE))
    found = [np.flatnonzero(piece) + i * _PIECE for i, piece in enumerate(pieces) if piece.any()]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def _roots(at: columns.Array | None, nodes: columns.Array, size: int) -> Int32:
    """The roots of `size` elements, of which those at `at` have one. Errors: ValueError where the columns do not fit."""
    if at is None:
        if nodes.shape != (size,):
            raise ValueError("a column of roots has another size")
        return nodes
    ascending = at.dtype == np.int64 and at.ndim == 1 and bool((np.diff(at) > 0).all())
    if not ascending or nodes.shape != at.shape or nodes.dtype != np.int32 or not 0 <= size < 1 << 33:
        raise ValueError("a column of roots has the wrong form")
    if at.size and not 0 <= int(at[0]) <= int(at[-1]) < size:
        raise ValueError("a root is out of range")
    roots = np.zeros(size, np.int32)
    roots[at] = nodes
    return roots


def validate(graph: Graph, roots: Sequence[Int32], tensors: int = 1 << 31, scalars: int = 1 << 31) -> None:
    """Raises ArtifactError unless columns agree in length and type, operators are ones that an artifact may hold, operands
    precede their node and indices are in range."""
    n = graph.op.size
    if n < FIXED or graph.op.dtype != np.uint8 or graph.constants.dtype != np.float64:
        raise ArtifactError("graph columns have the wrong form")
    if graph.op.ndim != 1 or graph.constants.ndim != 1 or any(column.ndim != 1 for column in roots):
        raise ArtifactError("graph columns have the wrong form")
    for column in (graph.a, graph.b, graph.c):
        if column.dtype != np.int32 or column.shape != (n,):
            raise ArtifactError("graph columns have the wrong form")
    from volta_pipe.ir.graph_faults import FAULTS, first_fault  # compiled code, which reading a verdict does not need

    limits = np.array([tensors, scalars, len(graph.constants)], np.int64)
    fault = int(first_fault(graph.op, graph.a, graph.b, graph.c, ARITY_TABLE, ARTIFACT_OPS, limits))
    if fault:
        raise ArtifactError(FAULTS[fault])
    if int(graph.op[0]) != Node.NONE:
        raise ArtifactError("graph has an operator that an artifact does not hold")
    if not bool((graph.op[1:FIXED] == Node.CONST).all()):
        raise ArtifactError("graph lacks the fixed constants")
    if not np.array_equal(graph.constants[graph.a[1:FIXED]], FIXED_CONSTANTS, equal_nan=True):
        raise ArtifactError("graph has other fixed constants")
    for column in roots:
        if column.dtype != np.int32 or (column.size and (int(column.min()) < 0 or int(column.max()) >= n)):
            raise ArtifactError("graph has a root out of range")
