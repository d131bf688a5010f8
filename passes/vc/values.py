"""Reading a node as a float or as a predicate, and concrete bits as nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, append, constant, emit
from volta_pipe.ir.graph import NONE, ONE, ZERO
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.small_floats import BF16, E5M2, F16, F32, F64, decode
from volta_pipe.passes.vc.cells_type import Cells

Array = np.ndarray[Any, np.dtype[Any]]

# A node number that says: not supported.
FAIL = int64(-1)
_BITS, _LEAF, _SCALAR, _UNINIT = (int64(n) for n in (Node.BITS, Node.LEAF, Node.SCALAR, Node.UNINIT))
_PART, _PACK, _BITSHL, _LT, _NOT = (int64(n) for n in (Node.PART, Node.PACK, Node.BITSHL, Node.LT, Node.NOT))
_WIDE, _NARROW, _SELECT = int64(Node.WIDE), int64(Node.NARROW), int64(Node.SELECT)
_ADD, _ROUND = int64(Node.ADD), int64(Node.ROUND)
_SIGNED, _MASK = int64(Node.SIGNED), int64(Node.MASK)  # and SIGNS between them
_RESIDUE, _EITHER = int64(Node.RESIDUE), int64(Node.EITHER)
_ZERO64 = int64(0)
# What format_of says of contents that are no float, and of those that may be any.
NO_FLOAT, ANY_FLOAT = int64(-1), int64(0)


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
def width_of(store: Store, cells: Cells, node: int) -> int:
    """How many bits contents have; of concrete bits and uninitialised ones 8, because they can be cut anywhere."""
    op = store.op[node]
    if op == _BITS or op == _UNINIT or node == NONE:
        return int64(8)
    if op == _LEAF:
        return int64(8 * cells.itemsize[store.a[node]])
    if op == _SCALAR:
        format = int64(cells.scalar_formats[store.a[node]])
        return format & ~1 if format else int64(64)
    if op == _NARROW:
        return int64(store.b[node] & ~1)
    if op == _PART:
        return int64(store.c[node] >> 1) if store.c[node] else int64(32)
    if op == _PACK:
        return int64(store.c[node]) if store.c[node] else int64(64)
    if _SIGNED <= op <= _RESIDUE:
        return int64(store.c[node])
    return int64(64) if op == _WIDE else int64(1) if _LT <= op <= _NOT else int64(32)


@inner
def format_of(store: Store, cells: Cells, node: int) -> int:
    """The float format of contents, ANY_FLOAT for bits and uninitialised ones, NO_FLOAT for what is no float as it stands."""
    op = store.op[node]
    if op == _BITS or op == _UNINIT or op == _EITHER or node == NONE:
        return ANY_FLOAT
    if op == _LEAF or op == _SCALAR:
        format = cells.formats[store.a[node]] if op == _LEAF else cells.scalar_formats[store.a[node]]
        return int64(format) if format else NO_FLOAT
    if op == _NARROW:
        return int64(store.b[node])
    if op == _PART or op == _PACK or op == _BITSHL or _LT <= op <= _NOT or _SIGNED <= op <= _RESIDUE:
        return NO_FLOAT
    return F64 if op == _WIDE else F32


@inner
def _known_float(store: Store, node: int, format: int) -> int:
    """Concrete bits as a float."""
    if format != F32:
        return constant(store, decode(bits_of(store, node), format))
    known = store.c[node]
    if known == 0:
        known = constant(store, decode(int64(store.a[node]), F32))
        store.c[node] = known
    return int64(known)


@inner
def _either_float(store: Store, node: int, format: int) -> int:
    """A choice of known bits, or known bits, as a float."""
    if store.op[node] == _BITS:
        return _known_float(store, node, format)
    x, y = _known_float(store, int64(store.b[node]), format), _known_float(store, int64(store.c[node]), format)
    return emit(store, _SELECT, int64(store.a[node]), x, y)


@inner
def _chosen_float(store: Store, node: int, format: int) -> int:
    """A choice of choices of known bits as a float."""
    x, y = _either_float(store, int64(store.b[node]), format), _either_float(store, int64(store.c[node]), format)
    return emit(store, _SELECT, int64(store.a[node]), x, y)


@inner
def as_float(store: Store, cells: Cells, node: int, format: int) -> int:
    """Contents as a real number of that format (see ir/small_floats.py); FAIL where they are something else."""
    op = store.op[node]
    if op == _BITS:
        return _known_float(store, node, format)
    if op == _EITHER:
        return _chosen_float(store, node, format)
    if node == NONE:
        return append(store, _UNINIT, _ZERO64, _ZERO64, _ZERO64)
    if op == _UNINIT:
        return int64(node)
    if op == _SIGNED and store.b[node] == format & ~1:  # a load with a sign into a register that has no room for one
        node = int64(store.a[node])
        op = store.op[node]
    if op == _PACK and format == F16 and store.c[node] == 16 and _is_zero(store, store.a[node]):
        node, format = int64(store.b[node]), E5M2  # an e5m2 is the upper byte of a binary16
        op = store.op[node]
    if op == _PACK and format == F32 and store.c[node] == 32 and _is_zero(store, store.a[node]):
        node, format = int64(store.b[node]), BF16  # a bfloat16 is the upper half of a float32
        op = store.op[node]
    if op == _PART and format == BF16 and store.b[node] == 1 and store.c[node] == 32:
        # The upper half of a float32 is the number, rounded.
        node = int64(store.a[node])
        if format_of(store, cells, node) != F32:
            return FAIL
        return kept(store, int64(store.a[node]) if store.op[node] == _NARROW else node, BF16)
    if format_of(store, cells, node) != format:
        return FAIL
    return int64(store.a[node]) if store.op[node] == _WIDE or store.op[node] == _NARROW else int64(node)


@inner
def _is_zero(store: Store, node: int) -> bool:
    return bool(store.op[node] == _BITS and store.a[node] == 0 and store.b[node] == 0)


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
def kept(store: Store, node: int, format: int) -> int:
    """A number that is rounded to a format: the same over the reals, but marked where something was computed, so that
    precision.py sees what is kept in fewer bits than it was computed in."""
    return append(store, _ROUND, node, format, _ZERO64) if _ADD <= store.op[node] <= _SELECT else int64(node)


@inner
def in_register(store: Store, cells: Cells, node: int, format: int) -> int:
    """A float result as its register holds it: all but float32 are marked, so that they are never read in another format.
    An input element stands for itself only in the format of its tensor."""
    if node < 0 or (format == F32 and format_of(store, cells, node) == F32):
        return node
    if format == F64:
        return append(store, _WIDE, node, _ZERO64, _ZERO64)
    return append(store, _NARROW, node, format, _ZERO64)
