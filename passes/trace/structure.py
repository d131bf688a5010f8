"""Functions that only move elements: NumPy itself runs them on the node numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.graph import NAN, ONE, ZERO
from volta_pipe.passes.trace.meeting import as_nodes, check_bounds, joined_dtype, result_dtype
from volta_pipe.passes.trace.symbolic import Symbolic, function
from volta_pipe.passes.trace.tape import Tape

# Of one array, the first argument.
_MOVES = (
    "transpose permute_dims matrix_transpose reshape ravel swapaxes moveaxis rollaxis broadcast_to expand_dims squeeze flip "
    "fliplr flipud rot90 roll take take_along_axis repeat tile diagonal split array_split hsplit vsplit dsplit delete copy "
    "sliding_window_view resize unstack"
)
# Of several arrays, in a sequence as the first argument.
_JOINS = "stack concatenate concat hstack vstack dstack column_stack"
# Padding that copies elements or fills with a constant.
_PAD_MODES = frozenset({"constant", "edge", "wrap", "reflect", "symmetric"})


def _numpy(name: str) -> Callable[..., Any] | None:
    found = np.lib.stride_tricks.sliding_window_view if name == "sliding_window_view" else getattr(np, name, None)
    return found if callable(found) else None


def _wrapped(like: Symbolic, nodes: Any) -> Any:
    return [like.like(part) for part in nodes] if isinstance(nodes, list | tuple) else like.like(nodes)


def _register_moves(name: str, run: Callable[..., Any]) -> None:
    @function(name)
    def move(tape: Tape, a: Any, *args: Any, **kwargs: Any) -> Any:
        a = _known_only(tape, name, a, args, kwargs)
        return _wrapped(a, run(a.nodes, *args, **kwargs))


def _register_joins(name: str, run: Callable[..., Any]) -> None:
    @function(name)
    def join(tape: Tape, arrays: Any, *args: Any, **kwargs: Any) -> Symbolic:
        if isinstance(arrays, Symbolic):
            return arrays.like(run(arrays.nodes, *args, **kwargs))
        dtype = kwargs.pop("dtype", None) or joined_dtype(arrays)
        _known_only(tape, name, None, args, kwargs)
        return Symbolic(tape, run([as_nodes(tape, v, dtype) for v in arrays], *args, **kwargs), dtype)


def _known_only(tape: Tape, name: str, a: Any, args: Any, kwargs: Any) -> Any:
    """`a`, after a look at the other arguments, which must be plain."""
    if any(isinstance(v, Symbolic) for v in (*args, *kwargs.values())) or not isinstance(a, Symbolic | None):
        tape.refuse(f"np.{name} with an argument that depends on a symbolic value is not supported")
    if kwargs.get("out") is not None:
        tape.refuse(f"np.{name} with out= is not supported on symbolic arrays")
    return a


for _name in _MOVES.split():
    if (_run := _numpy(_name)) is not None:
        _register_moves(_name, _run)
for _name in _JOINS.split():
    if (_run := _numpy(_name)) is not None:
        _register_joins(_name, _run)


def gather(tape: Tape, values: Any) -> Any:
    """A nested list or tuple of plain and symbolic values as one array."""
    if not isinstance(values, list | tuple):
        return values
    parts = [gather(tape, value) for value in values]
    if not any(isinstance(part, Symbolic) for part in parts):
        return np.asarray(values)
    dtype = joined_dtype(parts)
    return Symbolic(tape, np.stack([as_nodes(tape, part, dtype) for part in parts]), dtype)


@function("pad")
def _pad(tape: Tape, array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Symbolic:
    if mode not in _PAD_MODES or options.get("reflect_type", "even") != "even":
        tape.refuse(f"np.pad with mode {mode} is not supported on symbolic arrays")
    if mode == "constant":
        values = options.get("constant_values", 0)
        if isinstance(values, Symbolic):
            tape.refuse("np.pad with symbolic constant_values is not supported")
        options["constant_values"] = as_nodes(tape, np.asarray(values), array.dtype)
    padded: Symbolic = array.like(np.pad(array.nodes, pad_width, mode, **options))
    return padded


def _triangle(name: str, m: Symbolic, k: int) -> Symbolic:
    mask = np.tri(m.shape[-2], m.shape[-1], k=k if name == "tril" else k - 1, dtype=bool)
    return m.like(np.where(mask if name == "tril" else ~mask, m.nodes, np.int32(ZERO)))


@function("tril")
def _tril(tape: Tape, m: Symbolic, k: int = 0) -> Symbolic:
    return _triangle("tril", m, k)


@function("triu")
def _triu(tape: Tape, m: Symbolic, k: int = 0) -> Symbolic:
    return _triangle("triu", m, k)


@function("diag")
def _diag(tape: Tape, v: Symbolic, k: int = 0) -> Symbolic:
    if v.ndim != 1:
        return v.like(np.diag(v.nodes, k))
    size = v.size + abs(k)
    return v.like(np.where(np.eye(size, k=k, dtype=bool), np.diag(v.nodes, k), np.int32(ZERO)))


def _filled(a: Any, dtype: Any, shape: Any, node: int, value: Any = None) -> Any:
    """A new array in the likeness of `a`: symbolic, to take symbolic values, or plain for integers and truth values."""
    dtype = np.dtype(a.dtype if dtype is None else dtype)
    shape = np.shape(a) if shape is None else shape
    if value is None and dtype.kind != "f":
        return np.full(shape, node == ONE, dtype)
    check_bounds(value, dtype)
    nodes = np.int32(node) if value is None else as_nodes(a.tape, value, dtype)
    return Symbolic(a.tape, np.array(np.broadcast_to(nodes, shape), np.int32), dtype)


@function("zeros_like")
def _zeros_like(tape: Tape, a: Any, dtype: Any = None, *, shape: Any = None, **_: Any) -> Any:
    return _filled(a, dtype, shape, ZERO)


@function("ones_like")
def _ones_like(tape: Tape, a: Any, dtype: Any = None, *, shape: Any = None, **_: Any) -> Any:
    return _filled(a, dtype, shape, ONE)


@function("empty_like")
def _empty_like(tape: Tape, prototype: Any, dtype: Any = None, *, shape: Any = None, **_: Any) -> Any:
    return _filled(prototype, dtype, shape, NAN)


@function("full_like")
def _full_like(tape: Tape, a: Any, fill_value: Any, dtype: Any = None, *, shape: Any = None, **_: Any) -> Any:
    return _filled(a, dtype, shape, ZERO, fill_value)


@function("broadcast_arrays")
def _broadcast_arrays(tape: Tape, *arrays: Any, **_: Any) -> tuple[Any, ...]:
    shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
    return tuple(np.broadcast_to(a, shape) for a in arrays)


@function("copyto")
def _copyto(tape: Tape, dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    if not isinstance(dst, Symbolic):
        tape.refuse("np.copyto of symbolic values into a plain NumPy array: make that array with np.zeros_like(x)")
    source = getattr(src, "dtype", None)  # of a Python number NumPy looks at the value
    if source is not None and not np.can_cast(source, dst.dtype, casting):  # type: ignore[arg-type]
        raise TypeError(f"Cannot cast array data from {source!r} to {dst.dtype!r} according to the rule '{casting}'")
    dst[...] = np.where(where, src, dst)


@function("atleast_1d")
def _atleast_1d(tape: Tape, a: Symbolic) -> Symbolic:
    return a.like(np.atleast_1d(a.nodes))


@function("atleast_2d")
def _atleast_2d(tape: Tape, a: Symbolic) -> Symbolic:
    return a.like(np.atleast_2d(a.nodes))


@function("shape")
def _shape(tape: Tape, a: Symbolic) -> tuple[int, ...]:
    return a.shape


@function("ndim")
def _ndim(tape: Tape, a: Symbolic) -> int:
    return a.ndim


@function("size")
def _size(tape: Tape, a: Symbolic, axis: int | None = None) -> int:
    return a.size if axis is None else a.shape[axis]


@function("result_type")
def _result_type(tape: Tape, *values: Any) -> Any:
    return result_dtype(values)
