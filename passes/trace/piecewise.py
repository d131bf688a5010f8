"""Functions that choose among values or run a function of the spec on parts of an array."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from volta_pipe.ir.share import share
from volta_pipe.passes.trace.meeting import as_nodes, result_dtype
from volta_pipe.passes.trace.numbers import BOOL
from volta_pipe.passes.trace.structure import gather
from volta_pipe.passes.trace.symbolic import Symbolic, function
from volta_pipe.passes.trace.tape import Tape


@function("select")
def _select(tape: Tape, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """The value of the first condition that holds."""
    if len(condlist) != len(choicelist) or not len(condlist):
        raise ValueError("np.select wants as many conditions as choices")
    for condition in condlist:
        if (condition if isinstance(condition, Symbolic) else np.asarray(condition)).dtype != BOOL:
            raise TypeError("np.select wants conditions of truth values")
    dtype = result_dtype([*choicelist, default])
    shape = np.broadcast_shapes(*map(np.shape, (*condlist, *choicelist)))
    result: Any = Symbolic(tape, as_nodes(tape, default, dtype), dtype)
    for condition, choice in zip(reversed(list(condlist)), reversed(list(choicelist)), strict=True):
        result = np.where(condition, Symbolic(tape, as_nodes(tape, choice, dtype), dtype), result)
    return np.copy(np.broadcast_to(result, shape))


@function("choose")
def _choose(tape: Tape, a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
    if isinstance(a, Symbolic):
        tape.refuse("np.choose by a symbolic index is not supported (np.select and np.where choose by conditions)")
    parts = [choices[i] for i in range(len(choices))]
    dtype = np.result_type(*(part.dtype if isinstance(part, Symbolic) else np.asarray(part).dtype for part in parts))
    nodes: Any = [as_nodes(tape, part, dtype) for part in parts]
    return Symbolic(tape, np.choose(a, nodes, mode=mode), dtype)


@function("piecewise")
def _piecewise(tape: Tape, x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """The last condition that holds decides. Each function is run on all of x, not on a part: which part it is depends on x."""
    if not isinstance(condlist, list | tuple):
        condlist = [condlist]
    if not isinstance(x, Symbolic):
        tape.refuse("np.piecewise of plain values by symbolic conditions is not supported: use np.where")
    if len(funclist) not in (len(condlist), len(condlist) + 1):
        raise ValueError("np.piecewise wants a function for each condition, and perhaps one more")
    rest = funclist[-1] if len(funclist) > len(condlist) else 0
    pieces = [
        _pointwise(tape, x, partial(_given, part, args, kw)) if callable(part) else part
        for part in (rest, *funclist[: len(condlist)])
    ]
    result: Any = Symbolic(tape, np.broadcast_to(as_nodes(tape, pieces[0], x.dtype), x.shape), x.dtype)
    for condition, piece in zip(condlist, pieces[1:], strict=True):
        result = np.where(condition, Symbolic(tape, as_nodes(tape, piece, x.dtype), x.dtype), result)
    return result


def _given(part: Callable[..., Any], args: Any, kw: Any, a: Any) -> Any:
    return part(a, *args, **kw)


def _pointwise(tape: Tape, x: Any, part: Callable[[Any], Any]) -> Any:
    """A function on all of x, after a look at whether it may be: on its first element and on the others it must give the same,
    or what it gives for an element depends on which others are with it (a mean, the first of them, their number)."""
    flat = x.like(x.nodes.reshape(-1).copy())
    if flat.size < 2:
        return part(x.like(x.nodes.copy()))
    whole, *halves = (part(flat[chosen].copy()) for chosen in (slice(None), slice(1), slice(1, None)))
    parts = [
        np.broadcast_to(as_nodes(tape, value, x.dtype), size)
        for value, size in ((whole, flat.size), (halves[0], 1), (halves[1], flat.size - 1))
    ]
    _, shared = share(tape.store, [np.ascontiguousarray(parts[0], np.int32), np.concatenate(parts[1:]).astype(np.int32)])
    if bool((shared[0] != shared[1]).any()):
        tape.refuse("np.piecewise of a function that does not treat each element by itself: which it is given depends on x")
    return np.reshape(Symbolic(tape, np.array(parts[0]), x.dtype), x.shape)


@function("apply_along_axis")
def _apply_along_axis(tape: Tape, func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """The results' axes stand where `axis` was."""
    if not isinstance(arr, Symbolic):
        tape.refuse("np.apply_along_axis of a plain array with symbolic arguments is not supported: write the loop")
    axis = range(arr.ndim)[axis]
    moved: Any = arr.like(np.moveaxis(arr.nodes, axis, -1))
    lead = moved.shape[:-1]
    results = [func1d(moved[place], *args, **kwargs) for place in np.ndindex(*lead)]
    made = gather(tape, results)
    shape = np.shape(made)[1:]
    made = np.reshape(made, lead + shape)
    source = range(len(lead), len(lead) + len(shape))
    return np.copy(np.moveaxis(made, tuple(source), tuple(range(axis, axis + len(shape)))))


@function("apply_over_axes")
def _apply_over_axes(tape: Tape, func: Any, a: Any, axes: Any) -> Any:
    for axis in np.atleast_1d(axes):
        place = range(a.ndim)[int(axis)]
        result = func(a, place)
        a = result if result.ndim == a.ndim else np.expand_dims(result, place)
    return a
