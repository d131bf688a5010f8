"""mma and wmma.mma on nodes: each element of D is C plus the products along k in order, as fused multiply-adds."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, drop, emit
from volta_pipe.ir.graph import ONE, ZERO
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.small_floats import F16
from volta_pipe.ir.tensor import (
    BATCH,
    FORMAT,
    FORMAT_A,
    FORMAT_B,
    FORMAT_C,
    FORMAT_D,
    MULTIPLY_HEAD,
    SATURATE,
    START_B,
    START_C,
    K,
    M,
    N,
)
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, RESULTS, TABLE
from volta_pipe.passes.vc.contents import half_of, join32, quarter_of
from volta_pipe.passes.vc.integers import as_integer
from volta_pipe.passes.vc.residues import contents_of, residue
from volta_pipe.passes.vc.values import as_float, in_register, kept

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _MUL, _FMA = (int64(n) for n in (Node.CONST, Node.MUL, Node.FMA))
_FIRST_FLOAT, _S8, _S32 = int64(FORMAT["e4m3"]), int64(FORMAT["s8"]), int64(FORMAT["s32"])
_NONE = int64(0)
_REGISTER, _PART, _LANE = 8, 7, 31  # of a place (ir/fragments.py)
# Nodes of a product per lane at most: 4096 fused multiply-adds that each fold into four nodes, and the elements.
ROOM = 4 * 4096 // 32 + 256
# Nodes that are kept at once: the elements of A, B and D of the largest shapes.
SCRATCH = 512 + 512 + 256


@inner
def multiply(
    store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lanes: Array, s: int, n: int, scratch: Array
) -> int:
    """One product by each warp of lanes[s : s+n]; -1, or a lane whose operand is no such float. scratch: int64 [SCRATCH]."""
    table = code[TABLE]
    m, columns, k = operands[table + M], operands[table + N], operands[table + K]
    if operands[table + SATURATE] and operands[table + FORMAT_A] < _FIRST_FLOAT:
        return int64(lanes[s])
    places_a = table + MULTIPLY_HEAD
    places_b = places_a + m * k
    places_c = places_b + k * columns
    places_d = places_c + m * columns
    inputs = code[FIRST] + code[RESULTS]
    a, b, d = scratch[: m * k], scratch[m * k : (m + columns) * k], scratch[(m + columns) * k : (m + columns) * k + m * columns]
    for w in range(s, s + n, 32):
        for q in range(operands[table + BATCH]):
            base = lanes[w] + 4 * q
            if not _gather(store, cells, operands, inputs, places_a, reg, base, operands[table + FORMAT_A], a):
                return int64(base)
            start = inputs + operands[table + START_B]
            if not _gather(store, cells, operands, start, places_b, reg, base, operands[table + FORMAT_B], b):
                return int64(base)
            start = inputs + operands[table + START_C]
            if not _gather(store, cells, operands, start, places_c, reg, base, operands[table + FORMAT_C], d):
                return int64(base)
            _sums(store, a, b, d, k, columns)
            _scatter(store, cells, operands, code[FIRST], places_d, reg, base, operands[table + FORMAT_D], d)
    return int64(-1)


@inner
def _gather(
    store: Store, cells: Cells, operands: Array, start: int, places: int, reg: Array, base: int, format: int, out: Array
) -> bool:
    """The elements of a fragment as real numbers."""
    for e in range(len(out)):
        p = operands[places + e]
        node = int64(reg[operands[start + (p >> _REGISTER)], base + (p & _LANE)])
        node = _element(store, cells, node, (p >> 5) & _PART, format)
        if node < 0:
            return False
        out[e] = node
    return True


@inner
def _element(store: Store, cells: Cells, node: int, part: int, format: int) -> int:
    """One element of a register as a real number, or FAIL; of an accumulator of integers one that is congruent to it."""
    if format == _S32:
        return residue(store, cells, node, int64(32))
    if format < 16:
        node = quarter_of(store, cells, node, part)
    elif format < 32:
        node = half_of(store, cells, node, part)
    if format < _FIRST_FLOAT:
        return as_integer(store, cells, node, int64(8), format == _S8)
    return as_float(store, cells, node, format)


@inner
def _sums(store: Store, a: Array, b: Array, d: Array, k: int, columns: int) -> None:
    """d[i, j] += sum over x of a[i, x] b[x, j]. Nodes that no fold applies to are appended here: a call for each would pass all
    arrays of the store, which costs more than the node."""
    op, left, right, third = store.op, store.a, store.b, store.c
    for e in range(len(d)):
        i, j = e // columns, e % columns
        total = d[e]
        for x in range(k):
            u, v = a[i * k + x], b[x * columns + j]
            plain = op[u] != _CONST and op[v] != _CONST
            if plain and (total == ZERO or op[total] != _CONST):
                at = store.n[0]
                op[at] = _MUL if total == ZERO else _FMA
                left[at] = u
                right[at] = v
                third[at] = 0 if total == ZERO else total
                store.n[0] = at + 1
                total = at
            elif (u == ZERO and (op[v] != _CONST or v == ZERO or v == ONE)) or (v == ZERO and (op[u] != _CONST or u == ONE)):
                drop(store, v if u == ZERO else u)
                continue  # nothing is added: no infinity or NaN stands on the other side
            else:
                total = emit(store, _FMA, u, v, total)
        d[e] = total


@inner
def _rounded(store: Store, cells: Cells, node: int, format: int) -> int:
    """An element of D in its register; one of f16 may have been computed in f32."""
    return in_register(store, cells, kept(store, node, format) if format == F16 else node, format)


@inner
def _scatter(
    store: Store, cells: Cells, operands: Array, start: int, places: int, reg: Array, base: int, format: int, d: Array
) -> None:
    """Puts the elements of D into its registers, which hold one or, of 16 bits, two."""
    for e in range(len(d)):
        p = operands[places + e]
        if (p >> 5) & _PART == 0:
            node = contents_of(store, d[e], int64(32)) if format == _S32 else _rounded(store, cells, d[e], format)
            reg[operands[start + (p >> _REGISTER)], base + (p & _LANE)] = node
    if format >= 32 or format == _S32:
        return
    for e in range(len(d)):
        p = operands[places + e]
        if (p >> 5) & _PART:
            r, l = operands[start + (p >> _REGISTER)], base + (p & _LANE)
            reg[r, l] = join32(store, cells, int64(reg[r, l]), _rounded(store, cells, d[e], format))
