"""How the elements of a matrix are spread over the registers of a warp: the fragments of mma, wmma and ldmatrix as tables.

Those of mma are the formulas of the PTX ISA (9.7.14.5, "matrix fragments"), written as there: from lane and element to row and
column. Those of wmma are not specified by the ISA (9.7.14.4.1); the layout here is one of our own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
LANES = 32
# Bits of an element of each type.
BITS = {"f64": 64, "f32": 32, "tf32": 32, "s32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8}


@dataclass(frozen=True, eq=False)
class Fragment:
    """A matrix in a warp's registers. rows, columns: its shape; bits: of an element. row, column: int64 [32, elements], which
    element of the matrix each lane's i-th value is, values of a register counted from its low bits, registers in order.
    An element may lie in several places, which then hold the same."""

    rows: int
    columns: int
    bits: int
    row: Array
    column: Array

    @property
    def width(self) -> int:
        """Bits of a register."""
        return max(32, self.bits)

    @property
    def parts(self) -> int:
        """Elements in a register."""
        return self.width // self.bits

    @property
    def registers(self) -> int:
        """Registers of each lane."""
        return int(self.row.shape[1]) // self.parts

    def places(self) -> Array:
        """int64 [rows * columns], row-major: lane | part << 5 | register << 8 of the first place of each element."""
        found = np.full(self.rows * self.columns, -1, np.int64)
        lane, value = np.meshgrid(np.arange(LANES), np.arange(self.row.shape[1]), indexing="ij")
        place = lane | (value % self.parts) << 5 | (value // self.parts) << 8
        element = (self.row * self.columns + self.column).ravel()
        found[element[::-1]] = place.ravel()[::-1]
        if int(found.min()) < 0:
            raise AssertionError("a fragment misses an element")
        return found


def _grid(count: int) -> tuple[Array, Array]:
    """(lane, i), both [32, count]: a thread's values are called a_i, b_i, c_i in the ISA."""
    lane, i = np.meshgrid(np.arange(LANES, dtype=np.int64), np.arange(count, dtype=np.int64), indexing="ij")
    return lane, i


@lru_cache(maxsize=256)
def mma_fragment(operand: str, shape: tuple[int, int, int], kind: str, layout: str) -> Fragment:
    """The fragment of operand "a", "b" or "c" (accumulators, C and D) of an mma of shape (m, n, k). `layout`: "row" or "col",
    of which only m8n8k4 with f16 has a choice."""
    m, n, k = shape
    bits = BITS[kind]
    if shape == (8, 8, 4) and kind != "f64":
        return _quad_pairs(operand, bits, layout)
    per = max(1, 32 // bits)  # elements of a register
    if operand == "a":
        lane, i = _grid(m * k // LANES)
        register, part = i // per, i % per
        high = register % (m // 8)  # rows come in blocks of 8: groupID, groupID + 8
        return Fragment(m, k, bits, (lane >> 2) + 8 * high, lane % 4 * per + part + 4 * per * (register // (m // 8)))
    if operand == "b":
        lane, i = _grid(k * n // LANES)
        register, part = i // per, i % per
        return Fragment(k, n, bits, lane % 4 * per + part + 4 * per * register, lane >> 2)
    lane, i = _grid(m * n // LANES)
    return Fragment(m, n, bits, (lane >> 2) + 8 * (i // 2), lane % 4 * 2 + i % 2)


def _quad_pairs(operand: str, bits: int, layout: str) -> Fragment:
    """m8n8k4 with f16 inputs: four products at once, each by four lanes of the lower half of the warp and four of the upper;
    those of product q lie 4 q lanes further than the first one's."""
    lane, i = _grid(4 if operand != "c" else 8)
    high = 4 * (lane >= 16)
    if operand == "a":
        row, column = (lane % 4 + high, i) if layout == "row" else (i + high, lane % 4)
        return Fragment(8, 4, bits, row + 0 * i, column + 0 * lane)
    if operand == "b":
        row, column = (lane % 4, i + high) if layout == "row" else (i, lane % 4 + high)
        return Fragment(4, 8, bits, row + 0 * i, column + 0 * i)
    if bits == 16:
        return Fragment(8, 8, bits, lane % 4 + high + 0 * i, i)
    return Fragment(8, 8, bits, (lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1))


# wmma: registers of A and of B by shape (PTX ISA 9.7.14.4.1); accumulators hold each element once.
_WMMA = {
    ("f16", (16, 16, 16)): (8, 8), ("f16", (8, 32, 16)): (8, 8), ("f16", (32, 8, 16)): (8, 8),
    ("bf16", (16, 16, 16)): (4, 4), ("bf16", (8, 32, 16)): (2, 8), ("bf16", (32, 8, 16)): (8, 2),
    ("s8", (16, 16, 16)): (2, 2), ("s8", (8, 32, 16)): (1, 4), ("s8", (32, 8, 16)): (4, 1),
    ("tf32", (16, 16, 8)): (4, 4), ("f64", (8, 8, 4)): (1, 1),
}  # fmt: skip


def wmma_shapes(kind: str) -> tuple[tuple[int, int, int], ...]:
    """The shapes of wmma with multiplicands of a type."""
    return tuple(shape for name, shape in _WMMA if name == ("s8" if kind == "u8" else kind))


@lru_cache(maxsize=256)
def wmma_fragment(operand: str, shape: tuple[int, int, int], kind: str, layout: str) -> Fragment:
    """The fragment of "a", "b" or "c" of a wmma. Elements lie in the order of `layout`, so that a fragment that is loaded with
    one layout and multiplied with the other gives something else, as it may on a device; accumulators have none ("row")."""
    m, n, k = shape
    rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n)}[operand]
    bits = BITS[kind]
    per = max(1, 32 // bits)
    if operand == "c":
        count = rows * columns // LANES
    else:
        count = per * _WMMA["s8" if kind == "u8" else kind, shape][operand == "b"]
    lane, i = _grid(count)
    element = (lane * count + i) % (rows * columns)
    if layout == "row":
        return Fragment(rows, columns, bits, element // columns, element % columns)
    return Fragment(rows, columns, bits, element % rows, element // rows)
