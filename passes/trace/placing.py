"""Functions that put elements into an array or arrays side by side, at places that are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.graph import Int32
from volta_pipe.passes.trace.known import freeze
from volta_pipe.passes.trace.meeting import as_nodes, joined_dtype
from volta_pipe.passes.trace.symbolic import Symbolic, function
from volta_pipe.passes.trace.tape import Tape

_INTO = "into a plain NumPy array: make that array with np.zeros, np.array or np.zeros_like(x)"


def _target(tape: Tape, name: str, a: Any, *places: Any) -> Symbolic:
    if not isinstance(a, Symbolic):
        tape.refuse(f"np.{name} of symbolic values {_INTO}")
    if any(isinstance(place, Symbolic) for place in places):
        tape.refuse(f"np.{name} at places that depend on a symbolic value is not supported")
    return a


@function("fill_diagonal")
def _fill_diagonal(tape: Tape, a: Any, val: Any, wrap: bool = False) -> None:
    target = _target(tape, "fill_diagonal", a)
    mark = np.zeros(target.shape, bool)
    np.fill_diagonal(mark, True, wrap)
    values = as_nodes(tape, val, target.dtype).reshape(-1)
    target.nodes[mark] = np.resize(values, int(mark.sum()))


@function("put")
def _put(tape: Tape, a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    target = _target(tape, "put", a, ind)
    np.put(target.nodes, ind, as_nodes(tape, v, target.dtype), mode)


@function("put_along_axis")
def _put_along_axis(tape: Tape, arr: Any, indices: Any, values: Any, axis: int | None = -1) -> None:
    target = _target(tape, "put_along_axis", arr, indices)
    np.put_along_axis(target.nodes, indices, as_nodes(tape, values, target.dtype), axis)


@function("append")
def _append(tape: Tape, arr: Any, values: Any, axis: int | None = None) -> Any:
    if axis is None:
        return np.concatenate([np.ravel(arr), np.ravel(_as_array(tape, values))])
    return np.concatenate([arr, values], axis=axis)


@function("insert")
def _insert(tape: Tape, arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """The elements are of the array's dtype, as in NumPy."""
    a = _as_array(tape, arr)
    _target(tape, "insert", a, obj)
    return a.like(np.insert(a.nodes, obj, as_nodes(tape, values, a.dtype), axis))


@function("meshgrid")
def _meshgrid(tape: Tape, *xi: Any, copy: bool = True, sparse: bool = False, indexing: Any = "xy") -> tuple[Any, ...]:
    parts = [_as_array(tape, x) for x in xi]
    grids = []
    for place, part in enumerate(parts):
        if not isinstance(part, Symbolic):
            flat: list[Any] = [np.arange(np.size(x)) for x in parts]
            flat[place] = np.reshape(part, -1)
            grids.append(np.meshgrid(*flat, sparse=sparse, indexing=indexing)[place])
            continue
        shapes: list[Any] = [np.zeros(np.size(x), np.int32) for x in parts]
        shapes[place] = part.nodes.reshape(-1)
        grids.append(part.like(np.meshgrid(*shapes, sparse=sparse, indexing=indexing)[place]))
        if not copy:
            freeze(part)
            freeze(grids[-1])
    return tuple(grids)


@function("block")
def _block(tape: Tape, arrays: Any) -> Symbolic:
    leaves: list[Any] = []
    nodes = _leaves(arrays, leaves)
    dtype = joined_dtype(leaves)
    return Symbolic(tape, np.block(_nodes(tape, nodes, dtype)), dtype)


def _leaves(arrays: Any, leaves: list[Any]) -> Any:
    if isinstance(arrays, list):
        return [_leaves(part, leaves) for part in arrays]
    leaves.append(arrays)
    return arrays


def _nodes(tape: Tape, arrays: Any, dtype: Any) -> Any:
    if isinstance(arrays, list):
        return [_nodes(tape, part, dtype) for part in arrays]
    found: Int32 = as_nodes(tape, arrays, dtype)
    return found


def _as_array(tape: Tape, value: Any) -> Any:
    from volta_pipe.passes.trace.structure import gather

    gathered = gather(tape, value)
    return gathered if isinstance(gathered, Symbolic) else np.asarray(gathered)
