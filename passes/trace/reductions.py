"""Reductions and scans: one element after the other, left to right along the reduced axes (several: flattened row-major)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from volta_pipe.ir.graph import ONE, ZERO, Int32
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace.integers import congruent, is_integer, wrap
from volta_pipe.passes.trace.meeting import as_nodes, check_bounds
from volta_pipe.passes.trace.numbers import BOOL
from volta_pipe.passes.trace.symbolic import Symbolic, function
from volta_pipe.passes.trace.tape import Tape

_NO_VALUE = np._NoValue
_EMPTY = {Node.ADD: ZERO, Node.MUL: ONE, Node.AND: ONE, Node.OR: ZERO}


def _given(value: Any) -> bool:
    return value is not None and value is not _NO_VALUE


def _reduce(tape: Tape, name: str, op: Node, a: Symbolic, axis: Any, **options: Any) -> Symbolic:
    """`a` reduced over `axis` (None, an axis or several). Options as NumPy's: keepdims and initial; others are refused."""
    keepdims, initial, where = (options.pop(option, None) for option in ("keepdims", "initial", "where"))
    for option, value in options.items():
        if _given(value):
            tape.refuse(f"np.{name} with {option}= is not supported on symbolic arrays")
    axes = _axes(a, axis)
    if _given(where) and where is not True:
        a = _chosen(tape, name, op, a, where, initial)
    rows = _last(a.nodes, axes)
    if _given(initial):
        check_bounds(initial, a.dtype)
        start = np.broadcast_to(as_nodes(tape, initial, a.dtype), (*rows.shape[:-1], 1))
        rows = np.concatenate([start, rows], axis=-1)
    if rows.shape[-1]:
        nodes = np.array(tape.chain(op, rows)[..., -1])
    elif op in _EMPTY:
        nodes = np.full(rows.shape[:-1], _EMPTY[op], np.int32)
    else:
        raise ValueError(f"np.{name} of no elements has no value")
    return a.like(np.expand_dims(nodes, axes) if _given(keepdims) and keepdims else nodes)


def _chosen(tape: Tape, name: str, op: Node, a: Symbolic, where: Any, initial: Any) -> Symbolic:
    """`a` with what changes no result where a mask does not hold: of a maximum its `initial`, which NumPy wants, too."""
    if op not in _EMPTY and not _given(initial):
        raise ValueError(f"np.{name} with where= needs an initial value")
    neutral = np.int32(_EMPTY[op]) if op in _EMPTY else as_nodes(tape, initial, a.dtype)
    mask = as_nodes(tape, where, BOOL)
    return a.like(tape.emit(Node.SELECT, np.broadcast_to(mask, a.shape), a.nodes, neutral))


def _axes(a: Symbolic, axis: Any) -> tuple[int, ...]:
    return tuple(sorted(normalize_axis_tuple(range(a.ndim) if axis is None else axis, a.ndim)))


def _count(a: Symbolic, axis: Any) -> int:
    """How many elements each result is made of."""
    return int(np.prod([a.shape[i] for i in _axes(a, axis)], dtype=np.int64))


def _last(nodes: Int32, axes: tuple[int, ...]) -> Int32:
    """The reduced axes as one, the last, row-major in their order in the array."""
    kept = [axis for axis in range(nodes.ndim) if axis not in axes]
    count = int(np.prod([nodes.shape[axis] for axis in axes], dtype=np.int64))
    return nodes.transpose(*kept, *axes).reshape(*(nodes.shape[axis] for axis in kept), count)


def _operand(tape: Tape, name: str, a: Symbolic, dtype: Any, promote: bool = False) -> Symbolic:
    """The operand of a sum, after a cast to `dtype`; without one integers become those of 64 bits, as in NumPy, or float64 with
    `promote` (np.mean). Of integers the nodes are only congruent: the result has to be wrapped."""
    if not _given(dtype):
        small = np.dtype(np.uint64 if a.dtype.kind == "u" else np.int64)
        dtype = a.dtype if a.dtype.kind == "f" else np.dtype(np.float64) if promote else np.result_type(a.dtype, small)
    dtype = np.dtype(dtype)
    if dtype.kind not in "fiu":
        tape.refuse(f"np.{name} into {dtype} is not supported on symbolic arrays")
    a = a.cast(dtype)
    return a.like(congruent(tape, a.nodes, dtype)) if is_integer(dtype) else a


def _wrapped(tape: Tape, total: Symbolic) -> Symbolic:
    return total.like(wrap(tape, total.nodes, total.dtype)) if is_integer(total.dtype) else total


@function("sum")
def _sum(tape: Tape, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, **options: Any) -> Symbolic:
    return _wrapped(tape, _reduce(tape, "sum", Node.ADD, _operand(tape, "sum", a, dtype), axis, out=out, **options))


@function("prod")
def _prod(tape: Tape, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, **options: Any) -> Symbolic:
    return _wrapped(tape, _reduce(tape, "prod", Node.MUL, _operand(tape, "prod", a, dtype), axis, out=out, **options))


@function("max", "amax")
def _max(tape: Tape, a: Any, axis: Any = None, out: Any = None, **options: Any) -> Symbolic:
    return _reduce(tape, "max", Node.OR if a.dtype == BOOL else Node.MAX, a, axis, out=out, **options)


@function("min", "amin")
def _min(tape: Tape, a: Any, axis: Any = None, out: Any = None, **options: Any) -> Symbolic:
    return _reduce(tape, "min", Node.AND if a.dtype == BOOL else Node.MIN, a, axis, out=out, **options)


@function("any")
def _any(tape: Tape, a: Any, axis: Any = None, out: Any = None, **options: Any) -> Symbolic:
    return _reduce(tape, "any", Node.OR, a.cast(BOOL), axis, out=out, **options)


@function("all")
def _all(tape: Tape, a: Any, axis: Any = None, out: Any = None, **options: Any) -> Symbolic:
    return _reduce(tape, "all", Node.AND, a.cast(BOOL), axis, out=out, **options)


def _float(tape: Tape, name: str, a: Symbolic, dtype: Any) -> Symbolic:
    """The operand of a mean, which is of floats."""
    a = _operand(tape, name, a, dtype, promote=True)
    if a.dtype.kind != "f":
        tape.refuse(f"np.{name} into {a.dtype} is not supported on symbolic arrays")
    return a


def _counted(tape: Tape, a: Symbolic, axis: Any, options: dict[str, Any]) -> Int32:
    """How many elements each result is made of, with where= and keepdims=."""
    where, keepdims = options.get("where"), options.get("keepdims")
    if not _given(where) or where is True:
        return tape.constants(float(_count(a, axis)))
    ones = a.like(np.full(a.shape, ONE, np.int32))
    return _reduce(tape, "mean", Node.ADD, ones, axis, where=where, keepdims=keepdims).nodes


def _divided(tape: Tape, total: Symbolic, count: Int32) -> Symbolic:
    return total.like(tape.emit(Node.DIV, total.nodes, count))


@function("mean")
def _mean(tape: Tape, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, **options: Any) -> Symbolic:
    a = _float(tape, "mean", a, dtype)
    count = _counted(tape, a, axis, options)
    return _divided(tape, _reduce(tape, "mean", Node.ADD, a, axis, out=out, **options), count)


@function("var")
def _var(tape: Tape, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, **options: Any) -> Symbolic:
    ddof, correction = options.pop("ddof", 0), options.pop("correction", None)
    ddof = correction if _given(correction) else ddof
    a = _float(tape, "var", a, dtype)
    given = options.get("mean")
    options = {key: value for key, value in options.items() if key != "mean"}
    chosen = {"where": options["where"]} if _given(options.get("where")) else {}
    centre = (
        Symbolic(tape, as_nodes(tape, given, a.dtype), a.dtype)
        if _given(given)
        else _mean(tape, a, axis, keepdims=True, **chosen)
    )
    apart = tape.emit(Node.SUB, a.nodes, as_nodes(tape, centre, a.dtype))
    squares = a.like(tape.emit(Node.MUL, apart, apart))
    total = _reduce(tape, "var", Node.ADD, squares, axis, out=out, **options)
    count = tape.emit(Node.SUB, _counted(tape, a, axis, options), tape.constants(float(ddof)))
    return _divided(tape, total, tape.emit(Node.MAX, count, ZERO))


@function("std")
def _std(tape: Tape, *args: Any, **kwargs: Any) -> Symbolic:
    variance: Any = _var(tape, *args, **kwargs)
    return Symbolic(tape, tape.emit(Node.SQRT, variance.nodes), variance.dtype)


def _scan(tape: Tape, op: Node, a: Symbolic, axis: Any) -> Symbolic:
    nodes, axis = (a.nodes.reshape(-1), 0) if axis is None else (a.nodes, axis)
    return a.like(np.moveaxis(tape.chain(op, np.moveaxis(nodes, axis, -1)), -1, axis))


@function("cumsum")
def _cumsum(tape: Tape, a: Any, axis: Any = None, dtype: Any = None) -> Symbolic:
    return _wrapped(tape, _scan(tape, Node.ADD, _operand(tape, "cumsum", a, dtype), axis))


@function("cumprod")
def _cumprod(tape: Tape, a: Any, axis: Any = None, dtype: Any = None) -> Symbolic:
    return _wrapped(tape, _scan(tape, Node.MUL, _operand(tape, "cumprod", a, dtype), axis))


@function("cumulative_sum")
def _cumulative_sum(tape: Tape, x: Any, axis: Any = None, dtype: Any = None, include_initial: bool = False) -> Symbolic:
    if include_initial or (axis is None and x.ndim != 1):
        tape.refuse("np.cumulative_sum is supported on symbolic arrays with an axis and without include_initial")
    total: Symbolic = _cumsum(tape, x, axis, dtype)
    return total


@function("running maximum")
def _maximum_accumulate(tape: Tape, a: Any, axis: Any = 0) -> Symbolic:
    return _scan(tape, Node.OR if a.dtype == BOOL else Node.MAX, a, axis)


@function("running minimum")
def _minimum_accumulate(tape: Tape, a: Any, axis: Any = 0) -> Symbolic:
    return _scan(tape, Node.AND if a.dtype == BOOL else Node.MIN, a, axis)


@function("count_nonzero")
def _count_nonzero(tape: Tape, a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return np.sum(a.cast(BOOL), axis=axis, keepdims=keepdims)
