"""Results that go into an array that is there: `out=`, `where=` and `ufunc.at`."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.passes.trace.known import check_writable
from volta_pipe.passes.trace.meeting import as_nodes
from volta_pipe.passes.trace.symbolic import Symbolic
from volta_pipe.passes.trace.tape import Tape

_PLAIN_OUT = (
    "the result is symbolic but goes into a plain NumPy array: make that array with np.zeros_like(x), or write a = a + x (an "
    "array of integers or truth values, one made by another function than np.zeros, empty, ones, full and array is plain)"
)


def store_into(tape: Tape, out: Any, result: Any) -> Any:
    """A result as what `out=` holds from now on."""
    target = out[0] if isinstance(out, tuple) else out
    if not isinstance(target, Symbolic):
        tape.refuse(_PLAIN_OUT)
    if not isinstance(result, Symbolic):
        result = np.asarray(result)
        if target.scalar:
            return Symbolic(tape, as_nodes(tape, result, result.dtype), result.dtype)
    if target.scalar:
        return result
    if not np.can_cast(result.dtype, target.dtype, "same_kind"):
        tape.refuse(f"a {result.dtype} result cannot go into a {target.dtype} array")
    if np.broadcast_shapes(result.shape, target.shape) != target.shape:
        tape.refuse(f"a result of shape {result.shape} does not fit into an array of shape {target.shape}")
    check_writable(target)
    target.nodes[...] = as_nodes(tape, result, target.dtype)
    return target


def where_only(tape: Tape, ufunc: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any], where: Any, out: Any) -> Any:
    """`ufunc(…, out=out, where=where)`: other elements keep what `out` holds. Where the mask is known, nothing is computed for
    them, so that they may be such as have no value."""
    target = out[0] if isinstance(out, tuple) else out
    if not isinstance(target, Symbolic):
        tape.refuse(f"np.{ufunc.__name__} with where= needs an out= that was made with np.zeros_like(x), np.full_like(x, …), …")
    if isinstance(where, Symbolic):
        return np.where(where, ufunc(*inputs, **kwargs), target)
    mask = np.broadcast_to(np.asarray(where, bool), target.shape)
    chosen = tuple(np.broadcast_to(value, target.shape)[mask] for value in inputs)
    result = target.like(target.nodes.copy())
    result[mask] = ufunc(*chosen, **kwargs)
    return result


def scatter(tape: Tape, ufunc: Any, target: Any, index: Any, *values: Any) -> None:
    """`ufunc.at`: one after the other, so that an index that comes twice counts twice. Each round takes the next use of every
    index."""
    if not isinstance(target, Symbolic):
        tape.refuse(_PLAIN_OUT)
    from volta_pipe.passes.trace.structure import gather

    places = np.arange(target.size).reshape(target.shape)[target.known_key(index)]
    flat = places.reshape(-1)
    order = np.argsort(flat, kind="stable")
    starts = np.flatnonzero(np.diff(flat[order], prepend=-1))
    turn = np.empty(len(flat), np.int64)
    turn[order] = np.arange(len(flat)) - np.repeat(starts, np.diff(starts, append=len(flat)))
    parts = [np.reshape(np.broadcast_to(gather(tape, value), places.shape), -1) for value in values]
    nodes = target.nodes.reshape(-1).copy()
    for number in range(int(turn.max(initial=-1)) + 1):
        now = turn == number
        result = ufunc(target.like(nodes[flat[now]]), *(part[now] for part in parts))
        if not np.can_cast(result.dtype, target.dtype, "same_kind"):
            tape.refuse(f"a {result.dtype} result cannot go into a {target.dtype} array")
        nodes[flat[now]] = as_nodes(tape, result, target.dtype)
    target.nodes[...] = nodes.reshape(target.shape)
