"""What registers and words hold besides whole floats: halves and bytes, taken apart and put together exactly.

Contents of fewer bits than their register have zeros above. PACK (a low, b high; c: bits of the whole, 0 for 64) joins two
halves, PART (a whole, b: 0 low or 1 high, c as in PACK) is a half of what has no halves of its own.

Contents may be filled up with bits that are all the same: SIGNED (a, of b bits, and its sign above, c in all), SIGNS (c times
the sign of a, of b bits) and MASK (c times a predicate). A register holds SIGNED of 64 bits whatever its width is: whoever
reads a type's width of it cuts it first. RESIDUE (c bits of the integer a) is what integer instructions compute
(residues.py), EITHER a choice of known bits (either.py)."""

from __future__ import annotations

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, append
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.values import bits_node, bits_of, is_bits, width_of

_PART, _PACK, _UNINIT, _BITS = (int64(n) for n in (Node.PART, Node.PACK, Node.UNINIT, Node.BITS))
_SIGNED, _SIGNS, _MASK = int64(Node.SIGNED), int64(Node.SIGNS), int64(Node.MASK)
_RESIDUE, _EITHER = int64(Node.RESIDUE), int64(Node.EITHER)
_W16, _W32, _NO = int64(16), int64(32), int64(0)


@inner
def _is_zero(store: Store, node: int) -> bool:
    return bool(store.op[node] == _BITS and store.a[node] == 0 and store.b[node] == 0)


@inner
def same(store: Store, x: int, y: int) -> bool:
    """Whether two contents are surely the same: one node, or the same part of one node."""
    if x == y:
        return True
    if store.op[x] == _RESIDUE:
        return bool(store.op[y] == _RESIDUE and store.a[x] == store.a[y] and store.c[x] == store.c[y])
    if store.op[x] != _PART or store.op[y] != _PART or store.b[x] != store.b[y] or store.c[x] != store.c[y]:
        return False
    x, y = int64(store.a[x]), int64(store.a[y])
    return bool(
        x == y
        or (
            store.op[x] == _PART
            and store.op[y] == _PART
            and store.a[x] == store.a[y]
            and store.b[x] == store.b[y]
            and store.c[x] == store.c[y]
        )
    )


@inner
def either_of(store: Store, node: int, start: int, bits: int) -> int:
    """`bits` bits from `start` on of a choice between known bits; of a choice of choices nothing is cut."""
    x, y = int64(store.b[node]), int64(store.c[node])
    if bits >= 32 or store.op[x] != _BITS or store.op[y] != _BITS:
        return node
    ones = (int64(1) << bits) - 1
    p, q = (bits_of(store, x) >> start) & ones, (bits_of(store, y) >> start) & ones
    first = bits_node(store, p)
    return first if p == q else append(store, _EITHER, int64(store.a[node]), first, bits_node(store, q))


@inner
def _cut(store: Store, node: int, bits: int) -> int:
    """The low bits of contents that are filled up; others, and those that are no wider, stay as they are."""
    op = store.op[node]
    if op == _EITHER:
        return either_of(store, node, _NO, bits)
    if op < _SIGNED or op > _RESIDUE or store.c[node] <= bits:
        return node
    if op == _RESIDUE:
        return append(store, op, int64(store.a[node]), _NO, bits)
    if op != _SIGNED or store.b[node] < bits:
        return append(store, op, int64(store.a[node]), int64(store.b[node]), bits)
    width, node = int64(store.b[node]), int64(store.a[node])
    if store.op[node] == _RESIDUE:
        return append(store, _RESIDUE, int64(store.a[node]), _NO, bits)
    if store.op[node] == _EITHER:
        return either_of(store, node, _NO, bits)
    while width > bits:
        node = append(store, _PART, node, _NO, width if width < 64 else _NO)
        width = width >> 1
    return node


@inner
def _filled(store: Store, node: int, half: int) -> int:
    """The upper half of 2 · half bits that _cut gave; for contents of no more than `half` bits see width_of."""
    op = _SIGNS if store.op[node] == _SIGNED else int64(store.op[node])
    return append(store, op, int64(store.a[node]), int64(store.b[node]), half)


@inner
def _joined_fill(store: Store, cells: Cells, low: int, high: int, half: int) -> int:
    """Two halves whose upper one fills up the lower one, as one; -1 where it does not."""
    op, other = store.op[high], store.op[low]
    if (op != _SIGNS and op != _MASK) or store.c[high] != half:
        return int64(-1)
    a, b = int64(store.a[high]), int64(store.b[high])
    if op == _SIGNS and b == half and width_of(store, cells, low) == half and same(store, low, a):
        return append(store, _SIGNED, a, b, 2 * half)
    if other != op and not (op == _SIGNS and other == _SIGNED):
        return int64(-1)
    if store.c[low] != half or store.b[low] != b or not same(store, int64(store.a[low]), a):
        return int64(-1)
    return append(store, int64(other), a, b, 2 * half)


@inner
def _halves(store: Store, low: int, high: int, whole: int) -> bool:
    """Whether two contents are the low and the high half of one whole."""
    if store.op[low] == _RESIDUE and store.op[high] == _PART and store.b[high] == 1 and store.c[high] == whole:
        bits, both = whole if whole else int64(64), int64(store.a[high])
        same_number = store.op[both] == _RESIDUE and store.a[both] == store.a[low] and store.c[both] == bits
        return bool(same_number and store.c[low] == bits >> 1)
    if store.op[low] != _PART or store.op[high] != _PART or store.c[low] != whole or store.c[high] != whole:
        return False
    return bool(store.b[low] == 0 and store.b[high] == 1 and same(store, int64(store.a[low]), int64(store.a[high])))


@inner
def _half(store: Store, cells: Cells, node: int, i: int, whole: int) -> int:
    """Half i of contents of `whole` bits (16 or 32)."""
    half = whole >> 1
    if node == 0:
        return append(store, _UNINIT, _NO, _NO, _NO)
    node = _cut(store, node, whole)
    op = store.op[node]
    if op == _UNINIT:
        return node
    if op == _BITS:
        return bits_node(store, (bits_of(store, node) >> (half * i)) & ((int64(1) << half) - 1))
    if op == _PACK and store.c[node] == whole:
        return int64(store.b[node] if i else store.a[node])
    if op == _EITHER:
        part = either_of(store, node, half * i, half)
        return append(store, _PART, node, i, whole) if part == node else part
    if width_of(store, cells, node) <= half:
        return bits_node(store, _NO) if i else node
    if op == _RESIDUE and i == 0:
        return _cut(store, node, half)
    if _SIGNED <= op <= _MASK:
        return _filled(store, node, half) if i else _cut(store, node, half)
    return append(store, _PART, node, i, whole)


@inner
def half_of(store: Store, cells: Cells, node: int, i: int) -> int:
    """The 16 bits at place i (0 low, 1 high) of 32 bits."""
    return _half(store, cells, node, i, _W32)


@inner
def byte_of(store: Store, cells: Cells, node: int, i: int) -> int:
    """Byte i of 16 bits."""
    return _half(store, cells, node, i, _W16)


@inner
def quarter_of(store: Store, cells: Cells, node: int, i: int) -> int:
    """Byte i of 32 bits."""
    return _half(store, cells, _half(store, cells, node, i >> 1, _W32), i & 1, _W16)


@inner
def _join(store: Store, cells: Cells, low: int, high: int, whole: int) -> int:
    half = whole >> 1
    if is_bits(store, low) and is_bits(store, high):
        m = (int64(1) << half) - 1
        v = (bits_of(store, low) & m) | (bits_of(store, high) & m) << half
        return bits_node(store, v)
    if _halves(store, low, high, whole):
        return int64(store.a[high])
    low, high = _cut(store, low, half), _cut(store, high, half)
    filled = _joined_fill(store, cells, low, high, half)
    if filled >= 0:
        return filled
    if _is_zero(store, high) and width_of(store, cells, low) <= half and store.op[low] != _UNINIT:
        return low
    return append(store, _PACK, low, high, whole)


@inner
def join32(store: Store, cells: Cells, low: int, high: int) -> int:
    """32 bits out of two contents of 16."""
    return _join(store, cells, low, high, _W32)


@inner
def join16(store: Store, cells: Cells, low: int, high: int) -> int:
    """16 bits out of two bytes."""
    return _join(store, cells, low, high, _W16)


@inner
def join4(store: Store, cells: Cells, b0: int, b1: int, b2: int, b3: int) -> int:
    """32 bits out of four bytes."""
    return _join(store, cells, _join(store, cells, b0, b1, _W16), _join(store, cells, b2, b3, _W16), _W32)


@inner
def pack64(store: Store, cells: Cells, low: int, high: int) -> int:
    """64 bits out of two registers of 32."""
    if is_bits(store, low) and is_bits(store, high):
        return bits_node(store, (bits_of(store, low) & 0xFFFFFFFF) | bits_of(store, high) << 32)
    if _halves(store, low, high, _NO):
        return int64(store.a[high])
    low, high = _cut(store, low, _W32), _cut(store, high, _W32)
    filled = _joined_fill(store, cells, low, high, _W32)
    if filled >= 0:
        return filled
    if _is_zero(store, high) and store.op[low] != _UNINIT and low != 0:
        return low
    return append(store, _PACK, low, high, _NO)


@inner
def half64(store: Store, cells: Cells, node: int, i: int) -> int:
    """One of the two 32-bit halves of 64 bits."""
    if node == 0 or store.op[node] == _UNINIT:
        return append(store, _UNINIT, _NO, _NO, _NO)
    if is_bits(store, node):
        return bits_node(store, (bits_of(store, node) >> (32 * i)) & 0xFFFFFFFF)
    if width_of(store, cells, node) <= 32:
        return bits_node(store, _NO) if i else node
    if store.op[node] == _PACK:
        return int64(store.b[node] if i else store.a[node])
    if _SIGNED <= store.op[node] <= _MASK:
        return _filled(store, node, _W32) if i else _cut(store, node, _W32)
    if store.op[node] == _RESIDUE and i == 0:
        return _cut(store, node, _W32)
    return append(store, _PART, node, i, _NO)


@inner
def part_of(store: Store, cells: Cells, node: int, i: int, whole: int) -> int:
    """Half i of contents of 64, 32 or 16 bits."""
    return half64(store, cells, node, i) if whole == 64 else _half(store, cells, node, i, whole)


@inner
def join(store: Store, cells: Cells, low: int, high: int, whole: int) -> int:
    """Contents of 64, 32 or 16 bits out of two halves."""
    return pack64(store, cells, low, high) if whole == 64 else _join(store, cells, low, high, whole)


@inner
def low_part(store: Store, cells: Cells, node: int, bits: int) -> int:
    """The low 8, 16 or 32 bits of contents; those that are no wider stay as they are."""
    if is_bits(store, node):
        return bits_node(store, bits_of(store, node) & ((int64(1) << bits) - 1)) if bits < 64 else node
    if store.op[node] == _SIGNED and store.b[node] >= bits:
        node = int64(store.a[node])
    node = _cut(store, node, bits)
    width = width_of(store, cells, node)
    if width > 32 and bits <= 32:
        node = half64(store, cells, node, _NO)
        width = width_of(store, cells, node)
    if width > 16 and bits <= 16:
        node = _half(store, cells, node, _NO, _W32)
        width = width_of(store, cells, node)
    if width > 8 and bits <= 8:
        node = _half(store, cells, node, _NO, _W16)
    return node
