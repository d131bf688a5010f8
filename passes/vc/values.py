"""Reading a node as a float or as a predicate, and concrete bits as nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, append, constant
from volta_pipe.ir.graph import NONE, ONE, ZERO
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.vc.cells_type import Cells

Array = np.ndarray[Any, np.dtype[Any]]

# A node number that says: not supported.
FAIL = int64(-1)
# Float formats of tensors and scalars, for the check that a leaf is read in its own format.
FORMAT_F32, FORMAT_F64, FORMAT_OTHER = 32, 64, 0

_BITS, _LEAF, _SCALAR, _UNINIT, _CONST = (int64(n) for n in (Node.BITS, Node.LEAF, Node.SCALAR, Node.UNINIT, Node.CONST))
_PART, _PACK, _BITSHL, _LT, _NOT = (int64(n) for n in (Node.PART, Node.PACK, Node.BITSHL, Node.LT, Node.NOT))
_WIDE = int64(Node.WIDE)
_ZERO64 = int64(0)


@inner
def bits_node(store: Store, value: int) -> int:
    """A node for concrete bits."""
    return append(store, _BITS, int64(np.int32(value)), int64(np.int32(value >> 32)), _ZERO64)


@inner
def is_bits(store: Store, node: int) -> bool:
    """Whether a node is concrete bits."""
    return bool(store.op[node] == _BITS)


@inner
def bits_of(store: Store, node: int) -> int:
    """The bits of a BITS node."""
    return int64(store.b[node]) << 32 | (int64(store.a[node]) & 0xFFFFFFFF)


@inner
def as_float(store: Store, cells: Cells, node: int, width: int) -> int:
    """The node as a real number of a float32 or float64 register; FAIL where it is something else."""
    op = store.op[node]
    if op == _BITS:
        if width == 32:
            known = store.c[node]
            if known == 0:
                known = constant(store, np.float64(np.int32(store.a[node]).view(np.float32)))
                store.c[node] = known
            return int64(known)
        if width == 64:
            return constant(store, np.int64(bits_of(store, node)).view(np.float64))
        return FAIL
    if op == _WIDE:
        return int64(store.a[node]) if width == 64 else FAIL
    if node == NONE:
        return append(store, _UNINIT, _ZERO64, _ZERO64, _ZERO64)
    if op == _LEAF:
        return int64(node) if cells.formats[store.a[node]] == width else FAIL
    if op == _SCALAR:
        return int64(node) if cells.scalar_formats[store.a[node]] == width else FAIL
    if op == _UNINIT:
        return int64(node)
    if op == _PART or op == _PACK or op == _BITSHL or _LT <= op <= _NOT or width != 32:
        return FAIL
    return int64(node)


@inner
def as_predicate(store: Store, node: int) -> int:
    """The node as a predicate."""
    op = store.op[node]
    if op == _BITS:
        return int64(ONE if store.a[node] & 1 else ZERO)
    if _LT <= op <= _NOT or node == ONE or node == ZERO:
        return int64(node)
    return FAIL


@inner
def in_register(store: Store, node: int, width: int) -> int:
    """A float result as its register holds it: a float64 value is marked, so that it is never read as a float32 one."""
    return append(store, _WIDE, node, _ZERO64, _ZERO64) if width == 64 and node >= 0 else node
