"""Compiled loop: signatures of the two expressions of elements, in which inputs are told apart by where they are met first.

A renaming of the inputs, one to one, leaves them as they are, and so does how nodes are shared: two elements of one class have
equal signatures. Elements of equal signatures need not be of one class: this is a filter."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry, inner, uint64
from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR)


@inner
def _mixed(h: Any, x: Any) -> Any:
    h = (h ^ x) * np.uint64(0x9E3779B97F4A7C15)
    h ^= h >> np.uint64(32)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(29))


@inner
def _expression(
    op: Array, a: Array, b: Array, c: Array, bits: Array, arity: Array, leaf: Array,
    root: int, turn: int, opened: Array, done: Array, sign: Array, stack: Array, met: Array, number: Array, count: int,
) -> int:  # fmt: skip
    """Sets `sign` of the nodes under `root`; gives how many inputs have a number now, `count` of them before."""
    stack[0] = root
    depth = 1
    while depth > 0:
        v: Any = np.uint32(stack[depth - 1])
        o = op[v]
        operands = arity[o]
        if done[v] == turn:
            depth -= 1
            continue
        waits = False
        if opened[v] != turn:
            opened[v] = turn
            for place in range(operands - 1, -1, -1):  # the first operand on top
                x: Any = np.uint32(a[v] if place == 0 else b[v] if place == 1 else c[v])
                if done[x] != turn:
                    stack[depth] = x
                    depth += 1
                    waits = True
        if waits:
            continue
        h: Any = uint64(o) + np.uint64(1)
        if o == _CONST:
            h = _mixed(h, bits[np.uint32(a[v])])
        elif o == _SCALAR:
            h = _mixed(h, uint64(a[v]))
        elif o == _LEAF:
            k: Any = np.uint32(leaf[v])
            if met[k] != turn:
                met[k] = turn
                number[k] = count
                count += 1
            h = _mixed(_mixed(h, uint64(a[v])), uint64(number[k]))
        if operands > 0:
            h = _mixed(h, sign[np.uint32(a[v])])
        if operands > 1:
            h = _mixed(h, sign[np.uint32(b[v])])
        if operands > 2:
            h = _mixed(h, sign[np.uint32(c[v])])
        sign[v] = h
        done[v] = turn
        depth -= 1
    return count


@entry
def trees(
    op: Array, a: Array, b: Array, c: Array, bits: Array, leaf: Array, roots: Array,
    opened: Array, done: Array, sign: Array, stack: Array,
    op2: Array, a2: Array, b2: Array, c2: Array, bits2: Array, leaf2: Array, roots2: Array,
    opened2: Array, done2: Array, sign2: Array, stack2: Array,
    arity: Array, met: Array, number: Array, found: Array,
) -> None:  # fmt: skip
    """Sets found: uint64 [R] of the elements with these roots, int32 [R] on each side. leaf: int32, per LEAF node the number of
    its input, alike on both sides; the rest is scratch: opened, done: int32 of 0, sign: uint64, stack: int32, of 1, 1, 1 and 3
    times the graph's nodes; met, number: int32 of 0, one an input."""
    for e in range(len(roots)):
        count = _expression(
            op, a, b, c, bits, arity, leaf, roots[e], e + 1, opened, done, sign, stack, met, number, 0
        )  # fmt: skip
        _expression(
            op2, a2, b2, c2, bits2, arity, leaf2, roots2[e], e + 1, opened2, done2, sign2, stack2, met, number, count
        )  # fmt: skip
        found[e] = _mixed(sign[roots[e]], sign2[roots2[e]])
