"""Compiled loop: signatures of the shapes of all nodes, and what keeps a node from having a normal form."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry
from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR, _UNINIT = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR), int(Node.UNINIT)
UNDEFINED, NOT_FINITE = 1, 2  # taints of a node
EXPONENT = np.uint64(0x7FF0000000000000)  # of a float64: all bits set in ±inf and NaN


@entry
def signatures(op: Array, a: Array, b: Array, c: Array, bits: Array, arity: Array, sign: Array, taint: Array) -> None:
    """Sets, per node, sign: uint64 [n], a signature of its shape (operators, constants, tensors of leaves, not their elements),
    and taint: uint8 [n] (UNDEFINED: an UNINIT is reachable; NOT_FINITE: NaN or ±inf is). bits: uint64 view of the constants.
    Equal shapes have equal signatures; not the other way."""
    n = len(op)
    k1 = np.uint64(0x9E3779B97F4A7C15)
    k2 = np.uint64(0xBF58476D1CE4E5B9)
    for v in range(n):
        o = op[v]
        h = np.uint64(o) * k1 + k2
        t = 0
        count = arity[o]
        x, y, z = np.uint32(a[v]), np.uint32(b[v]), np.uint32(c[v])  # an index without a sign needs no test
        if o == _CONST:
            h ^= bits[x]
            if bits[x] & EXPONENT == EXPONENT:
                t = NOT_FINITE
        elif o == _LEAF or o == _SCALAR:
            h += np.uint64(x) * k2
        elif o == _UNINIT:
            t = UNDEFINED
        if count > 0:
            h = (h ^ sign[x]) * k1
            h ^= h >> np.uint64(31)
            t |= taint[x]
        if count > 1:
            h = (h + sign[y]) * k2
            h ^= h >> np.uint64(29)
            t |= taint[y]
        if count > 2:
            h = (h ^ sign[z]) * k1
            t |= taint[z]
        h ^= h >> np.uint64(32)
        sign[v] = h * k2
        taint[v] = t
