"""Arrays that a spec made out of plain numbers and that hold nothing symbolic yet: NumPy computes on their values.

`np.zeros((n, m))` in a spec gives an array that can take symbolic values (making.py). Until it does, it is what it is without a
trace: it can be a bound of a loop, a condition, an argument of any NumPy function, and it is rounded as NumPy rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.nodes import Node

# Where the sign of a zero counts, which a made array does not hold.
_SIGNED = frozenset(
    {"divide", "floor_divide", "remainder", "reciprocal", "copysign", "signbit", "arctan2", "power", "float_power"}
)


class _UnknownError(Exception):
    """An argument depends on symbolic values."""


def known(a: Any) -> Any:
    """The values of an array, a new array of its dtype, or None if one of them is symbolic or the spec did not make it."""
    if not a.made:
        return None
    nodes = a.nodes.reshape(-1)
    store = a.tape.store
    if len(nodes) and (store.op[nodes[0]] != Node.CONST or bool((store.op[nodes] != Node.CONST).any())):
        return None
    return store.values[store.a[nodes]].reshape(a.nodes.shape).astype(a.dtype)


def known_inputs(name: str, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """A ufunc's operands with known arrays as plain ones."""
    from volta_pipe.passes.trace.symbolic import Symbolic

    plain = []
    for value in inputs:
        values = known(value) if isinstance(value, Symbolic) else None
        if values is None or (name in _SIGNED and bool((values == 0).any())):
            plain.append(value)
        else:
            plain.append(values if values.ndim or not value.scalar else values[()])
    return tuple(plain)


def known_only(args: Any, kwargs: Any) -> tuple[Any, Any] | None:
    """A call's arguments with known arrays as plain ones, or None if something in them is symbolic."""
    try:
        return _plain(args), _plain(kwargs)
    except _UnknownError:
        return None


def _plain(value: Any) -> Any:
    from volta_pipe.passes.trace.symbolic import Symbolic

    if isinstance(value, Symbolic):
        values = known(value)
        if values is None:
            raise _UnknownError
        return values if values.ndim or not value.scalar else values[()]
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_plain(part) for part in value)
    return value


def freeze_views(result: Any, before: Any, after: Any) -> None:
    """Where NumPy gave a view of an argument, here of a copy of its values, neither can be written to from now on. before,
    after: the arguments as they were and as they were handed on."""
    from volta_pipe.passes.trace.symbolic import Symbolic

    if isinstance(before, dict):
        before, after = list(before.values()), list(after.values())
    if type(before) in (list, tuple):
        for one, other in zip(before, after, strict=True):
            freeze_views(result, one, other)
    elif isinstance(before, Symbolic) and isinstance(after, np.ndarray):
        for part in result if isinstance(result, list | tuple) else [result]:
            if isinstance(part, np.ndarray) and np.may_share_memory(part, after):
                part.flags.writeable = False
                freeze(before)


def freeze(a: Any) -> None:
    """Neither the array nor what it is a view of can be written to from now on."""
    nodes: Any = a.nodes
    while isinstance(nodes, np.ndarray):
        nodes.flags.writeable = False
        nodes = nodes.base


def check_writable(a: Any) -> None:
    """Errors: ValueError, as NumPy raises for an array that it does not write to, with the reason for ours."""
    if isinstance(a.nodes, np.ndarray) and not a.nodes.flags.writeable:
        raise ValueError(
            "assignment destination is read-only: after reshape, ravel or a plain function saw an array, neither it nor the "
            "result can be written to (whether they share memory is not traced); write to x.copy()"
        )
