"""What is wrong with the columns of a graph, in one pass: an artifact may hold anything, and a graph has millions of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import allocating, int64
from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR = int64(Node.CONST), int64(Node.LEAF), int64(Node.SCALAR)
_OPERATOR, _ORDER, _ELEMENT, _NAME, _CONSTANT = (int64(fault) for fault in range(1, 6))
FAULTS = {
    int(_OPERATOR): "graph has an operator that an artifact does not hold",
    int(_ORDER): "graph has an operand out of order",
    int(_ELEMENT): "graph names an element that does not exist",
    int(_NAME): "graph names a tensor or scalar that does not exist",
    int(_CONSTANT): "graph has a constant out of range",
}


@allocating
def first_fault(op: Array, a: Array, b: Array, c: Array, arity: Array, allowed: Array, limits: Array) -> int:
    """Which of FAULTS the first node after number 0 that has one has; 0 where none has. op: uint8 [n]; a, b, c: int32 [n];
    arity, allowed: by operator, uint8 and bool [256]; limits: int64 [3], how many tensors, scalars and constants there are."""
    for i in range(np.uint64(1), np.uint64(len(op))):
        code = op[i]
        if not allowed[code]:
            return _OPERATOR
        x, y, z, node = int64(a[i]), int64(b[i]), int64(c[i]), int64(i)
        operands = arity[code]
        if operands > 0 and not 0 < x < node:
            return _ORDER
        if operands > 1 and not 0 < y < node:
            return _ORDER
        if operands > 2 and not 0 < z < node:
            return _ORDER
        if code == _LEAF:
            if y < 0:
                return _ELEMENT
            if not 0 <= x < limits[0]:
                return _NAME
        elif code == _SCALAR:
            if not 0 <= x < limits[1]:
                return _NAME
        elif code == _CONST and not 0 <= x < limits[2]:
            return _CONSTANT
    return int64(0)
