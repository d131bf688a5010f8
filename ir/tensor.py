"""What the warp's matrix instructions mean: shapes, registers and tables of mma and wmma (transfers: ir/tensor_memory.py).

One description of an instruction from its words, for the verifier (how many registers), for `unroll` (which bytes, which lanes)
and for `vc` (which elements). Tables are flat int64 arrays, since compiled code reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from volta_pipe.ir.fragments import Fragment, mma_fragment, wmma_fragment, wmma_shapes
from volta_pipe.ir.tensor_memory import ACCUMULATORS, Shape, Transfer, matrix_transfer, wmma_transfer

Array = np.ndarray[Any, np.dtype[Any]]
ASSUMPTION = "results do not depend on which element of its matrix a register of a wmma fragment holds"
LAYOUTS = ("row_row", "row_col", "col_row", "col_col")

# Codes of element types in tables: floats by the format numbers of `vc`, integers below 8.
FORMAT = {"s8": 1, "u8": 2, "s32": 3, "e4m3": 8, "e5m2": 9, "f16": 16, "bf16": 17, "tf32": 32, "f32": 32, "f64": 64}
_KINDS = ("s8", "u8", "s32", "e4m3", "e5m2", "f16", "bf16", "tf32", "f32", "f64")
# Places in the table of a product: its head, then the places of A, B, C and D (fragments.Fragment.places), row-major.
# START_B, START_C: where the registers of B and C start among the operands.
(M, N, K, BATCH, FORMAT_A, FORMAT_B, FORMAT_C, FORMAT_D, SATURATE, START_B, START_C) = range(11)
MULTIPLY_HEAD = 11

_MMA_SHAPES: dict[str, tuple[Shape, ...]] = {
    "f16": ((8, 8, 4), (16, 8, 8), (16, 8, 16)), "bf16": ((16, 8, 8), (16, 8, 16)), "tf32": ((16, 8, 4), (16, 8, 8)),
    "f64": ((8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)), "f8": ((16, 8, 16), (16, 8, 32)),
    "s8": ((8, 8, 16), (16, 8, 16), (16, 8, 32)),
}  # fmt: skip
_FAMILY = {"e4m3": "f8", "e5m2": "f8", "u8": "s8"}
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")


@dataclass(frozen=True)
class Multiply:
    """D = A B + C by a warp. kinds: types of D, A, B, C; layouts of A and B; wmma: fragments in our own layout, else the ISA's;
    saturate: integer sums stop at the ends of their range."""

    wmma: bool
    shape: Shape
    layouts: tuple[str, str]
    kinds: tuple[str, str, str, str]
    saturate: bool = False

    @property
    def batch(self) -> int:
        """Products at once: m8n8k4 with f16 has four, each in its own lanes."""
        return 4 if not self.wmma and self.shape == (8, 8, 4) and self.kinds[1] == "f16" else 1

    @cached_property
    def fragments(self) -> tuple[Fragment, Fragment, Fragment, Fragment]:
        """Of A, B, C and D."""
        d, a, b, c = self.kinds
        fragment = wmma_fragment if self.wmma else mma_fragment
        first, second = self.layouts
        return (
            fragment("a", self.shape, a, first),
            fragment("b", self.shape, b, second),
            fragment("c", self.shape, c, "row"),
            fragment("c", self.shape, d, "row"),
        )

    @property
    def code(self) -> int:
        """A number of 30 bits that says all of it (`of_code`)."""
        number = int(self.wmma) | int(self.saturate) << 1 | (self.layouts[0] == "col") << 2 | (self.layouts[1] == "col") << 3
        for place, size in enumerate(self.shape):
            number |= (size.bit_length() - 1) << (4 + 3 * place)
        for place, kind in enumerate(self.kinds):
            number |= _KINDS.index(kind) << (13 + 4 * place)
        return number

    @staticmethod
    @lru_cache(maxsize=256)
    def of_code(code: int) -> Multiply:
        """The inverse of `code`."""
        sizes = [1 << (code >> (4 + 3 * place) & 7) for place in range(3)]
        kinds = [_KINDS[code >> (13 + 4 * place) & 15] for place in range(4)]
        layouts = ("col" if code & 4 else "row", "col" if code & 8 else "row")
        return Multiply(
            bool(code & 1), (sizes[0], sizes[1], sizes[2]), layouts, (kinds[0], kinds[1], kinds[2], kinds[3]), bool(code & 2)
        )

    @cached_property
    def table(self) -> Array:
        """int64: the head and the places of A, B, C, D."""
        d, a, b, c = (FORMAT[kind] for kind in self.kinds)
        start_b = self.fragments[0].registers
        start_c = start_b + self.fragments[1].registers
        head = [*self.shape, self.batch, a, b, c, d, int(self.saturate), start_b, start_c]
        return np.concatenate([np.array(head, np.int64), *(fragment.places() for fragment in self.fragments)])

    @property
    def results(self) -> tuple[int, ...]:
        """Widths of the result registers."""
        return (self.fragments[3].width,) * self.fragments[3].registers

    @property
    def operands(self) -> tuple[int, ...]:
        """Widths of the operand registers."""
        return tuple(fragment.width for fragment in self.fragments[:3] for _ in range(fragment.registers))


@dataclass(frozen=True)
class Transpose:
    """movmatrix: an 8x8 matrix of 16-bit elements, transposed in registers."""

    results = operands = (32,)


Tensor = Multiply | Transfer | Transpose


def describe(mnemonic: str, modifiers: Sequence[str], types: Sequence[str]) -> Tensor | str:
    """What an instruction is, or why it is none. The layouts of A and B are one modifier (`row_col`)."""
    return _describe(mnemonic, frozenset(modifiers), tuple(types))


@lru_cache(maxsize=1024)
def _describe(mnemonic: str, words: frozenset[str], types: tuple[str, ...]) -> Tensor | str:
    if mnemonic == "movmatrix":
        return Transpose() if types == ("b16",) else "needs the type b16"
    if mnemonic in ("ldmatrix", "stmatrix"):
        return matrix_transfer(mnemonic == "ldmatrix", words, types)
    shapes = [tuple(int(size) for size in found.groups()) for word in words if (found := _SHAPE.fullmatch(word))]
    if len(shapes) != 1:
        return "needs one shape"
    shape: Shape = shapes[0]  # type: ignore[assignment]
    if mnemonic == "wmma" and "mma" not in words:
        return wmma_transfer(words, shape, types)
    return _multiply(mnemonic == "wmma", words, shape, types)


def _multiply(wmma: bool, words: frozenset[str], shape: Shape, types: tuple[str, ...]) -> Multiply | str:
    if wmma and len(types) == 2:  # f16 multiplicands are not named
        types = (types[0], "f16", "f16", types[1])
    layouts = [word for word in LAYOUTS if word in words]
    if len(types) != 4 or len(layouts) != 1:
        return "needs the types of D, A, B and C, and two layouts"
    d, a, b, c = types
    family = _FAMILY.get(a, a)
    integers = family == "s8"
    if _FAMILY.get(b, b) != family or (a != b and not integers and family != "f8"):
        return "A and B have different types"
    if family not in ACCUMULATORS or not {d, c} <= set(ACCUMULATORS[family]):
        return "no such combination of types"
    if shape not in (wmma_shapes(a) if wmma else _MMA_SHAPES[family]) or (wmma and family == "f8"):
        return "no such shape for these types"
    if not wmma and layouts != ["row_col"] and (shape, a) != ((8, 8, 4), "f16"):
        return "needs the layouts row and col"
    if ("satfinite" in words and not integers) or (words & {"rn", "rz", "rm", "rp"} and a != "f64"):
        return "a modifier does not go with these types"
    if "kind::f8f6f4" in words and (shape, family) != ((16, 8, 32), "f8"):
        return "the kind does not go with this shape and types"
    first, _, second = layouts[0].partition("_")
    return Multiply(wmma, shape, (first, second), (d, a, b, c), "satfinite" in words)
