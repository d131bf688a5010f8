"""Matrix products of all kinds: sums of products over shared axes, as one product and a chain of fma's, the index rising."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from volta_pipe.ir.graph import ZERO, Int32
from volta_pipe.passes.trace.integers import congruent, is_integer, wrap
from volta_pipe.passes.trace.meeting import as_nodes, result_dtype
from volta_pipe.passes.trace.symbolic import Symbolic, function
from volta_pipe.passes.trace.tape import Tape


def _operands(tape: Tape, name: str, *values: Any) -> tuple[list[Int32], Any]:
    """Nodes of the operands in NumPy's common dtype; of integers what is congruent to them: `_result` wraps."""
    values = tuple(v if isinstance(v, Symbolic) else np.asarray(v) for v in values)
    dtype = result_dtype(values)
    if dtype.kind not in "fiu":
        tape.refuse(f"np.{name} of {dtype} arrays is not supported on symbolic arrays")
    nodes = [as_nodes(tape, v, dtype) for v in values]
    return [congruent(tape, x, dtype) for x in nodes] if is_integer(dtype) else nodes, dtype


def _result(tape: Tape, nodes: Int32, dtype: Any) -> Symbolic:
    return Symbolic(tape, wrap(tape, nodes, dtype) if is_integer(dtype) else nodes, dtype)


def contract(tape: Tape, x: Int32, y: Int32, letters: tuple[str, str, str]) -> Int32:
    """Einstein's sum of two operands. `letters` name the axes of x, y and the result, each at most once; those that are not in
    the result are summed over in the order of x's axes, then y's."""
    left, right, out = letters
    sizes = dict(zip(left + right, x.shape + y.shape, strict=True))
    for letter, size in zip(left, x.shape, strict=True):
        if letter in right and size != sizes[letter]:
            raise ValueError(f"operands of shapes {x.shape} and {y.shape} do not fit: {size} against {sizes[letter]}")
    summed = [letter for letter in dict.fromkeys(left + right) if letter not in out]
    batch = [letter for letter in out if letter in left and letter in right]
    rows = [letter for letter in out if letter in left and letter not in right]
    columns = [letter for letter in out if letter in right and letter not in left]
    parts = [_block(x, left, sizes, (batch, rows, summed)), _block(y, right, sizes, (batch, columns, summed))]
    if parts[0].shape[2] == 0:
        nodes = np.full((parts[0].shape[0], parts[0].shape[1], parts[1].shape[1]), ZERO, np.int32)
    else:
        nodes = tape.products(*parts)
    order = batch + rows + columns
    return nodes.reshape([sizes[letter] for letter in order]).transpose([order.index(letter) for letter in out])


def _block(nodes: Int32, letters: str, sizes: dict[str, int], groups: tuple[list[str], ...]) -> Int32:
    """`nodes` as [groups…], each group flattened; an axis that the operand lacks is repeated."""
    wanted = [letter for group in groups for letter in group]
    present = [letter for letter in wanted if letter in letters]
    nodes = nodes.transpose([letters.index(letter) for letter in present])
    nodes = nodes.reshape([sizes[letter] if letter in letters else 1 for letter in wanted])
    nodes = np.broadcast_to(nodes, [sizes[letter] for letter in wanted])
    return nodes.reshape([int(np.prod([sizes[letter] for letter in group], dtype=np.int64)) for group in groups])


@function("matmul")
def _matmul(tape: Tape, a: Any, b: Any) -> Symbolic:
    (x, y), dtype = _operands(tape, "matmul", a, b)
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError("matmul needs operands with at least one dim")
    rows, columns = x.ndim > 1, y.ndim > 1
    x = x if rows else x[None, :]
    y = y if columns else y[:, None]
    if x.shape[-1] != y.shape[-2]:
        raise ValueError(f"matmul of shapes {np.shape(a)} and {np.shape(b)}: {x.shape[-1]} against {y.shape[-2]}")
    lead = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    x, y = np.broadcast_to(x, lead + x.shape[-2:]), np.broadcast_to(y, lead + y.shape[-2:])
    batch = string.ascii_uppercase[: len(lead)]
    nodes = contract(tape, x, y, (batch + "mk", batch + "kn", batch + "mn"))
    nodes = nodes if columns else nodes[..., 0]
    return _result(tape, nodes if rows else (nodes[..., 0, :] if columns else nodes[..., 0]), dtype)


@function("vecdot")
def _vecdot(tape: Tape, a: Any, b: Any) -> Symbolic:
    (x, y), dtype = _operands(tape, "vecdot", a, b)
    x, y = np.broadcast_arrays(x, y)
    batch = string.ascii_uppercase[: x.ndim - 1]
    return _result(tape, contract(tape, x, y, (batch + "k", batch + "k", batch)), dtype)


@function("matvec")
def _matvec(tape: Tape, a: Any, b: Any) -> Any:
    return np.matmul(a, np.expand_dims(b, -1))[..., 0]


@function("vecmat")
def _vecmat(tape: Tape, a: Any, b: Any) -> Any:
    return np.matmul(np.expand_dims(a, -2), b)[..., 0, :]


@function("dot")
def _dot(tape: Tape, a: Any, b: Any, out: Any = None) -> Any:
    if out is not None:
        tape.refuse("np.dot with out= is not supported on symbolic arrays")
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.multiply(a, b)
    return _tensordot(tape, a, b, ((np.ndim(a) - 1,), (max(np.ndim(b) - 2, 0),)))


@function("inner")
def _inner(tape: Tape, a: Any, b: Any) -> Any:
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.multiply(a, b)
    return _tensordot(tape, a, b, ((np.ndim(a) - 1,), (np.ndim(b) - 1,)))


@function("vdot")
def _vdot(tape: Tape, a: Any, b: Any) -> Any:
    return _tensordot(tape, np.ravel(a), np.ravel(b), 1)


@function("outer")
def _outer(tape: Tape, a: Any, b: Any, out: Any = None) -> Any:
    if out is not None:
        tape.refuse("np.outer with out= is not supported on symbolic arrays")
    return np.multiply(np.ravel(a)[:, None], np.ravel(b)[None, :])


@function("tensordot")
def _tensordot(tape: Tape, a: Any, b: Any, axes: Any = 2) -> Symbolic:
    (x, y), dtype = _operands(tape, "tensordot", a, b)
    if isinstance(axes, int | np.integer):
        pairs = [list(range(x.ndim - int(axes), x.ndim)), list(range(int(axes)))]
    else:
        pairs = [[int(p)] if isinstance(p, int | np.integer) else [int(i) for i in p] for p in axes]
    left = list(string.ascii_lowercase[: x.ndim])
    right = list(string.ascii_uppercase[: y.ndim])
    if len(pairs[0]) != len(pairs[1]):
        raise ValueError("tensordot sums over as many axes of one operand as of the other")
    for i, j in zip(*pairs, strict=True):
        right[j] = left[i]
    # Summed in the order that `axes` lists them, as NumPy does.
    summed = [left[i] for i in pairs[0]]
    kept = [letter for letter in left if letter not in summed]
    x = x.transpose([left.index(letter) for letter in kept + summed])
    out = "".join(kept + [letter for letter in right if letter not in summed])
    return _result(tape, contract(tape, x, y, ("".join(kept + summed), "".join(right), out)), dtype)


def _spelled(text: str, ndims: list[int]) -> str:
    """Subscripts with letters in place of each ellipsis, which the last axes of the operands share."""
    if "..." not in text:
        return text
    inputs, arrow, result = text.partition("->")
    free = [letter for letter in string.ascii_uppercase + string.ascii_lowercase if letter not in text]
    names = inputs.split(",")
    if len(names) != len(ndims):
        raise ValueError(f"einsum subscripts {text} do not fit {len(ndims)} operands")
    counts = [ndim - len(name.replace("...", "")) if "..." in name else 0 for name, ndim in zip(names, ndims, strict=True)]
    wide = max(counts)
    if min(counts) < 0 or wide > len(free):
        raise ValueError(f"einsum subscripts {text} do not fit the operands' dims")
    letters = "".join(free[:wide])
    spelled = [name.replace("...", letters[wide - count :]) for name, count in zip(names, counts, strict=True)]
    if not arrow:
        named = inputs.replace(",", "").replace(".", "")
        result = "..." + "".join(sorted(letter for letter in set(named) if named.count(letter) == 1))
    return ",".join(spelled) + "->" + result.replace("...", letters)


@function("einsum")
def _einsum(tape: Tape, subscripts: Any, *values: Any, out: Any = None, **options: Any) -> Symbolic:
    options.pop("optimize", None)
    if not isinstance(subscripts, str) or out is not None or options:
        tape.refuse("np.einsum is supported on symbolic arrays with subscripts in a text: no lists, no dtype=")
    text = _spelled(subscripts.replace(" ", ""), [np.ndim(value) for value in values])
    inputs, arrow, result = text.partition("->")
    names = inputs.split(",")
    if not arrow:
        result = "".join(sorted(letter for letter in set(inputs) - {","} if inputs.count(letter) == 1))
    nodes, dtype = _operands(tape, "einsum", *values)
    if len(names) != len(nodes) or any(len(n) != x.ndim for n, x in zip(names, nodes, strict=True)):
        raise ValueError(f"einsum subscripts {text} do not fit the operands' dims")
    if not set(result) <= set(inputs) or len(set(result)) != len(result):
        raise ValueError(f"einsum subscripts {text}: the output names an index twice or one that no operand has")
    # A letter that an operand repeats is its diagonal.
    unique = ["".join(dict.fromkeys(name)) for name in names]
    nodes = [np.einsum(f"{n}->{u}", x) for n, u, x in zip(names, unique, nodes, strict=True)]
    letters, total = unique[0], nodes[0]
    for place in range(1, len(nodes)):
        later = set("".join(unique[place + 1 :])) | set(result)
        last = place == len(nodes) - 1
        kept = result if last else "".join(u for u in dict.fromkeys(letters + unique[place]) if u in later)
        total = contract(tape, total, nodes[place], (letters, unique[place], kept))
        letters = kept
    if len(nodes) == 1:
        axes = tuple(i for i, letter in enumerate(letters) if letter not in result)
        summed: Any = Symbolic(tape, total, dtype)
        summed = np.sum(summed, axis=axes, dtype=dtype) if axes else summed
        kept = "".join(letter for letter in letters if letter in result)
        total = summed.nodes.transpose([kept.index(letter) for letter in result])
    return _result(tape, total, dtype)
