"""Signs that go on above contents (SIGNED and SIGNS of contents.py): made where an instruction extends what is not known."""

from __future__ import annotations

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, append
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.contents import low_part
from volta_pipe.passes.vc.values import bits_node, bits_of, width_of

_PART, _UNINIT, _BITS = (int64(n) for n in (Node.PART, Node.UNINIT, Node.BITS))
_SIGNED, _SIGNS, _MASK = int64(Node.SIGNED), int64(Node.SIGNS), int64(Node.MASK)
_W64, _NO = int64(64), int64(0)


@inner
def extended(store: Store, cells: Cells, node: int, bits: int) -> int:
    """The low `bits` bits of contents, with their sign above them as far as a register goes."""
    node = low_part(store, cells, node, bits)
    op = store.op[node]
    if op == _BITS:
        return bits_node(store, bits_of(store, node) << (64 - bits) >> (64 - bits))
    if bits == 64 or op == _UNINIT or node == 0 or width_of(store, cells, node) < bits:
        return node
    if _SIGNED <= op <= _MASK:
        return append(store, int64(op), int64(store.a[node]), int64(store.b[node]), _W64)
    return append(store, _SIGNED, node, bits, _W64)


@inner
def signs_of(store: Store, cells: Cells, byte: int) -> int:
    """Eight times the sign of a byte: of what it is the topmost part of, where that is known."""
    op = store.op[byte]
    if op == _BITS:
        return bits_node(store, int64(255) if bits_of(store, byte) & 128 else _NO)
    if op == _UNINIT or op == _SIGNS or op == _MASK:
        return byte
    bits = int64(8)
    while store.op[byte] == _PART and store.b[byte] == 1:
        whole = int64(store.c[byte]) if store.c[byte] else _W64
        if width_of(store, cells, int64(store.a[byte])) != whole:
            break
        byte, bits = int64(store.a[byte]), whole
    return append(store, _SIGNS, byte, bits, int64(8))
