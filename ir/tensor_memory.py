"""Matrices between memory and the registers of a warp: ldmatrix, stmatrix, wmma.load and wmma.store as tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from volta_pipe.ir.fragments import LANES, wmma_fragment, wmma_shapes

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int, int, int]
ASSUMPTION_ROWS = (
    "rows of wmma tiles may start at any multiple of 16 bytes (CUDA C++ guide), not of a fragment's size (PTX ISA)"
)
# Types of C and D by the types of A and B.
ACCUMULATORS = {
    "f16": ("f16", "f32"), "f8": ("f16", "f32"), "bf16": ("f32",), "tf32": ("f32",), "f64": ("f64",), "s8": ("s32",),
}  # fmt: skip
# Places in the table of a transfer: its head, then for each micro-row what each lane gets (32 numbers: lane whose address is
# used | leading index << 8 | byte offset << 16), then room for a pattern hint for each.
(MICRO, PARTS, SIZE, GIVERS, ALIGN, STRIDE, LOOSE, UNIFORM) = range(8)
TRANSFER_HEAD = 8


@dataclass(frozen=True)
class Transfer:
    """A matrix between memory and registers, as accesses of `size` bytes a lane: micro-rows, one for each part of a register.

    load: to registers; registers: how many, of `width` bits; parts: micro-rows a register; givers: the first so many lanes have
    an address; align: of each given address; stride: the leading dimension where none is given (0: it has none); loose: the
    alignment of a row that is met with an assumption only; entries: int64 [registers * parts, 32]."""

    load: bool
    wmma: bool
    registers: int
    width: int
    size: int
    givers: int
    align: int
    stride: int
    loose: int
    entries: tuple[tuple[int, ...], ...]

    @property
    def parts(self) -> int:
        """Micro-rows a register."""
        return len(self.entries) // self.registers

    @cached_property
    def table(self) -> Array:
        """int64: the head, entries, and hints (-1)."""
        micro = len(self.entries)
        head = [micro, self.parts, self.size, self.givers, self.align, self.stride, self.loose, int(self.wmma)]
        entries = np.array(self.entries, np.int64).ravel()
        return np.concatenate([np.array(head, np.int64), entries, np.full(micro, -1, np.int64)])

    @property
    def results(self) -> tuple[int, ...]:
        """Widths of the result registers."""
        return (self.width,) * self.registers if self.load else ()

    @property
    def operands(self) -> tuple[int, ...]:
        """Widths of the operands: the address (0), stored registers; a stride may follow."""
        return (0,) if self.load else (0, *(self.width,) * self.registers)


def matrix_transfer(load: bool, words: frozenset[str], types: tuple[str, ...]) -> Transfer | str:
    """ldmatrix and stmatrix of 8x8 matrices of b16 (PTX ISA 9.7.14.5.15 and 16): lane 8 i + r gives the address of row r of
    matrix i; lane l holds in register i the elements 2 (l % 4) and the next of row l // 4, with .trans of column l // 4."""
    counts = words & {"x1", "x2", "x4"}
    if types == ("b8",) and not load:
        return _bytes_transfer(counts, words)
    if types != ("b16",) or "m8n8" not in words or len(counts) != 1 or len(words & {"shared", "shared::cta"}) > 1:
        return "needs the type b16, the shape m8n8 and one of: x1 x2 x4"
    count = int(min(counts)[1:])
    lane = np.arange(LANES)
    rows: list[Array] = []
    for matrix in range(count):
        if "trans" in words:
            rows += [8 * matrix + 2 * (lane % 4) + part | (2 * (lane // 4)) << 16 for part in range(2)]
        else:
            rows.append(8 * matrix + lane // 4 | (4 * (lane % 4)) << 16)
    size = 2 if "trans" in words else 4
    return Transfer(load, False, count, 32, size, 8 * count, 16, 0, 0, tuple(tuple(int(x) for x in row) for row in rows))


def _bytes_transfer(counts: frozenset[str], words: frozenset[str]) -> Transfer | str:
    """stmatrix of 16x8 matrices of b8 (PTX ISA 9.7.14.5.16), which are always transposed: lane 8 i + c gives the address of
    the 16 bytes of column c of matrix i. Byte j of register i of lane l is row l // 4 + 8 (j // 2), column 2 (l % 4) + j % 2,
    as in the fragment of an accumulator."""
    if not words >= {"m16n8", "trans"} or len(counts) != 1 or len(words & {"shared", "shared::cta"}) > 1:
        return "needs the shape m16n8, .trans and one of: x1 x2 x4"
    count = int(min(counts)[1:])
    lane = np.arange(LANES)
    rows = [
        8 * matrix + 2 * (lane % 4) + part % 2 | (lane // 4 + 8 * (part // 2)) << 16
        for matrix in range(count)
        for part in range(4)
    ]
    return Transfer(False, False, count, 32, 1, 8 * count, 16, 0, 0, tuple(tuple(int(x) for x in row) for row in rows))


def wmma_transfer(words: frozenset[str], shape: Shape, types: tuple[str, ...]) -> Transfer | str:
    """wmma.load and wmma.store (PTX ISA 9.7.14.4.3 and 5): all lanes give one address; stride in elements between rows (columns
    of a column-major matrix)."""
    operands, layouts = words & {"a", "b", "c", "d"}, words & {"row", "col"}
    load = "load" in words
    if len(types) != 1 or len(operands) != 1 or len(layouts) != 1 or len(words & {"global", "shared", "shared::cta"}) > 1:
        return "needs a matrix, a layout and a type"
    kind, operand, layout = types[0], min(operands), min(layouts)
    if load == (operand == "d"):
        return "no such matrix"
    multiplicands = [a for a in ("f16", "bf16", "tf32", "f64", "s8") if shape in wmma_shapes(a)]
    if operand in "ab":
        if shape not in wmma_shapes(kind):
            return "no such shape for this type"
        fragment = wmma_fragment(operand, shape, kind, layout)
    else:
        if not any(kind in ACCUMULATORS[a] for a in multiplicands):
            return "no such shape for this type"
        fragment = wmma_fragment("c", shape, kind, "row")
    size, parts = fragment.bits // 8, fragment.parts
    lead, minor = (fragment.row, fragment.column) if layout == "row" else (fragment.column, fragment.row)
    entries = lead << 8 | (minor * size) << 16
    whole = fragment.registers * fragment.width // 8
    stride = fragment.columns if layout == "row" else fragment.rows
    rows = tuple(tuple(int(x) for x in entries[:, value]) for value in range(fragment.registers * parts))
    return Transfer(load, True, fragment.registers, fragment.width, size, LANES, whole, stride, min(whole, 16), rows)
