"""Functions that are made of others: each says what it is in terms of sums, products and slices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from volta_pipe.ir.graph import NAN, NEG_INF, POS_INF
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace.meeting import as_nodes
from volta_pipe.passes.trace.structure import gather
from volta_pipe.passes.trace.symbolic import Symbolic, function
from volta_pipe.passes.trace.tape import Tape


@function("average")
def _average(
    tape: Tape, a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False
) -> Any:
    if returned:
        tape.refuse("np.average with returned= is not supported on symbolic arrays")
    keepdims = keepdims is True
    if weights is None:
        return np.mean(a, axis=axis, keepdims=keepdims)
    weights = weights if isinstance(weights, Symbolic) else np.asarray(weights)
    if np.shape(weights) != np.shape(a):
        if axis is None or isinstance(axis, tuple) or np.ndim(weights) != 1:
            tape.refuse("np.average with weights of another shape than a needs one axis and weights of one dim")
        weights = np.reshape(weights, [-1 if place == range(np.ndim(a))[axis] else 1 for place in range(np.ndim(a))])
    a = a if isinstance(a, Symbolic) else np.asarray(a)
    whole = np.broadcast_to(weights, np.shape(a))
    # Integers are multiplied as float64, so that nothing wraps.
    dtype = np.result_type(a.dtype, weights.dtype, *[np.float64] * (a.dtype.kind != "f"))
    products = np.multiply(a, weights, dtype=dtype)
    return np.sum(products, axis=axis, keepdims=keepdims) / np.sum(whole, axis=axis, keepdims=keepdims, dtype=dtype)


@function("ptp")
def _ptp(tape: Tape, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    keepdims = keepdims is True
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


@function("diff")
def _diff(tape: Tape, a: Any, n: int = 1, axis: int = -1, prepend: Any = np._NoValue, append: Any = np._NoValue) -> Any:
    parts = [gather(tape, value) for value in (prepend, a, append) if value is not np._NoValue]
    shape = list(np.shape(a))
    shape[axis] = 1
    parts = [np.broadcast_to(part, shape) if np.ndim(part) == 0 else part for part in parts]
    whole = np.moveaxis(np.concatenate(parts, axis=axis) if len(parts) > 1 else a, axis, -1)
    if n < 0:
        raise ValueError("np.diff wants an order of at least 0")
    for _ in range(n):
        whole = np.not_equal(whole[..., 1:], whole[..., :-1]) if whole.dtype == bool else whole[..., 1:] - whole[..., :-1]
    return np.moveaxis(whole, -1, axis)


@function("ediff1d")
def _ediff1d(tape: Tape, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    flat = np.ravel(ary)
    middle = flat[1:] - flat[:-1]
    ends = [None if part is None else np.ravel(gather(tape, part)) for part in (to_begin, to_end)]
    parts = [part for part in (ends[0], middle, ends[1]) if part is not None]
    whole = np.concatenate(parts) if len(parts) > 1 else middle
    return whole.astype(middle.dtype)


@function("trace")
def _trace(tape: Tape, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


@function("kron")
def _kron(tape: Tape, a: Any, b: Any) -> Any:
    ndim = max(np.ndim(a), np.ndim(b))
    left, right = ((1,) * (ndim - np.ndim(v)) + np.shape(v) for v in (a, b))
    wide = np.reshape(a, [size for pair in zip(left, (1,) * ndim, strict=True) for size in pair])
    tall = np.reshape(b, [size for pair in zip((1,) * ndim, right, strict=True) for size in pair])
    return np.reshape(np.multiply(wide, tall), [x * y for x, y in zip(left, right, strict=True)])


@function("linalg.norm")
def _norm(tape: Tape, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Of vectors with any order but 0, of matrices Frobenius', the largest row and column sums."""
    if not isinstance(x, Symbolic):
        tape.refuse("np.linalg.norm with symbolic options is not supported")
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int | np.integer) else tuple(axis)
    if ord in (None, "fro") or (ord == 2 and len(axes) == 1):
        if ord == "fro" and len(axes) != 2:
            raise ValueError("Frobenius' norm is one of matrices")
        return np.sqrt(np.sum(x * x, axis=axes, keepdims=keepdims))
    size = np.abs(x)
    if len(axes) == 1 and isinstance(ord, int | float) and ord != 0:
        if math.isinf(ord):
            return (np.max if ord > 0 else np.min)(size, axis=axes[0], keepdims=keepdims)
        if ord == 1:
            return np.sum(size, axis=axes[0], keepdims=keepdims)
        total = np.sum(size**ord, axis=axes[0], keepdims=keepdims)
        exponent = tape.emit(Node.DIV, *(as_nodes(tape, value, x.dtype) for value in (1, ord)))
        return Symbolic(tape, tape.emit(Node.POW, total.nodes, exponent), x.dtype)
    if len(axes) == 2 and ord in (1, -1, math.inf, -math.inf):
        summed, kept = (axes[0], axes[1]) if abs(ord) == 1 else (axes[1], axes[0])
        sums = np.sum(size, axis=summed, keepdims=True)
        found = (np.max if ord > 0 else np.min)(sums, axis=kept, keepdims=True)
        return found if keepdims else np.squeeze(found, axis=axes)
    return tape.refuse(f"np.linalg.norm of order {ord} over {len(axes)} axes is not supported on symbolic arrays")


@function("linalg.matrix_power")
def _matrix_power(tape: Tape, a: Any, n: int) -> Any:
    if n < 1:
        tape.refuse("np.linalg.matrix_power with an exponent below 1 is not supported on symbolic arrays")
    power = a
    for _ in range(n - 1):
        power = power @ a
    return power


@function("linalg.multi_dot")
def _multi_dot(tape: Tape, arrays: Any, *, out: Any = None) -> Any:
    total = arrays[0]
    for part in arrays[1:]:
        total = np.dot(total, part)
    return total


@function("cross", "linalg.cross")
def _cross(tape: Tape, a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    axisa, axisb, axisc = (axis,) * 3 if axis is not None else (axisa, axisb, axisc)
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    if np.shape(a)[-1] != 3 or np.shape(b)[-1] != 3:
        tape.refuse("np.cross is supported on symbolic vectors of three elements only")
    parts = [a[..., (i + 1) % 3] * b[..., (i + 2) % 3] - a[..., (i + 2) % 3] * b[..., (i + 1) % 3] for i in range(3)]
    return np.stack(parts, axis=axisc)


@function("convolve")
def _convolve(tape: Tape, a: Any, v: Any, mode: str = "full") -> Any:
    return _correlated(tape, "convolve", a, np.asarray(v)[::-1] if not isinstance(v, Symbolic) else v[::-1], mode)


@function("correlate")
def _correlate(tape: Tape, a: Any, v: Any, mode: str = "valid") -> Any:
    return _correlated(tape, "correlate", a, v, mode)


def _correlated(tape: Tape, name: str, a: Any, v: Any, mode: str) -> Any:
    """c[k] = Σ a[n + k] v[n], `same` being the middle part of the longer operand's length."""
    if np.ndim(a) != 1 or np.ndim(v) != 1 or mode not in ("full", "same", "valid"):
        tape.refuse(f"np.{name} wants two symbolic vectors, and full, same or valid")
    m, n = np.shape(a)[0], np.shape(v)[0]
    if n > m:  # c[k] of the exchanged operands stands at -k
        return _correlated(tape, name, v, a, mode)[::-1]
    padded = np.pad(a, n - 1)
    whole = np.stack([np.dot(padded[k : k + n], v) for k in range(m + n - 1)])
    start = {"full": 0, "same": (n - 1) // 2, "valid": n - 1}[mode]
    return whole[start : start + {"full": m + n - 1, "same": m, "valid": m - n + 1}[mode]]


@function("trapezoid")
def _trapezoid(tape: Tape, y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = np.moveaxis(gather(tape, y), axis, -1)
    steps = dx
    if x is not None:
        x = gather(tape, x)
        steps = np.diff(x) if np.ndim(x) == 1 else np.moveaxis(np.diff(x, axis=axis), axis, -1)
    return np.sum(steps * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


@function("polyval")
def _polyval(tape: Tape, p: Any, x: Any) -> Any:
    x = gather(tape, x)
    x = x if isinstance(x, Symbolic) else np.asarray(x)
    p = gather(tape, p)
    total: Any = np.zeros_like(x)
    for coefficient in p if isinstance(p, Symbolic) else np.asarray(p):  # of the array's dtype, which Python numbers lack
        total = total * x + coefficient
    return total


@function("vander")
def _vander(tape: Tape, x: Any, N: int | None = None, increasing: bool = False) -> Any:
    count = len(x) if N is None else N
    x = x.astype(np.promote_types(x.dtype, int))
    powers = [np.ones_like(x)]
    for _ in range(count - 1):
        powers.append(powers[-1] * x)
    return np.stack(powers[:count] if increasing else powers[:count][::-1], axis=1)


@function("nan_to_num")
def _nan_to_num(tape: Tape, x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Known infinities are replaced; inputs are real numbers; whether what was computed is infinite is not followed."""
    if not isinstance(x, Symbolic) or not copy:
        tape.refuse("np.nan_to_num with copy=False or symbolic options is not supported")
    op = tape.store.op[x.nodes]
    if not bool(np.isin(op, (Node.LEAF, Node.SCALAR, Node.CONST)).all()):
        tape.refuse("np.nan_to_num: whether a computed value is infinite or NaN is not followed")
    nodes = x.nodes.copy()
    if x.dtype.kind == "f":
        limits = np.finfo(x.dtype)
        for node, value in ((NAN, nan), (POS_INF, limits.max if posinf is None else posinf),
                            (NEG_INF, limits.min if neginf is None else neginf)):  # fmt: skip
            if bool((nodes == node).any()):
                nodes[nodes == node] = as_nodes(tape, value, x.dtype)
    return x.like(nodes)


@function("real", "real_if_close")
def _real(tape: Tape, val: Any) -> Any:
    return val[...]
