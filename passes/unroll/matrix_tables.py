"""What an instruction on matrices says to the machine: its fields, and its table behind the operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.tensor import Multiply, describe
from volta_pipe.ir.tensor_memory import Transfer
from volta_pipe.passes.unroll.bytecode import TARGET, variant

Array = np.ndarray[Any, np.dtype[Any]]


class Tables:
    """The tables of a kernel, each once."""

    def __init__(self) -> None:
        self.arrays: list[Array] = []
        self.place: dict[tuple[str, tuple[str, ...], tuple[str, ...]], int] = {}
        self.rows: list[list[int]] = []

    def add(self, mnemonic: str, modifiers: tuple[str, ...], types: tuple[str, ...], row: list[int]) -> None:
        """Notes that a row of bytecode needs the table of this spelling."""
        tensor = describe(mnemonic, modifiers, types)
        if not isinstance(tensor, Multiply | Transfer):
            return
        key = (mnemonic, modifiers, types)
        if key not in self.place:
            self.place[key] = sum(len(array) for array in self.arrays)
            self.arrays.append(tensor.table)
        row[TARGET] = self.place[key]
        self.rows.append(row)

    def behind(self, operands: Array) -> Array:
        """The operands with all tables behind them; TARGET of the noted rows becomes the place of their table there. To be
        called once."""
        for row in self.rows:
            row[TARGET] += len(operands)
        return np.concatenate([operands, *self.arrays])


def fields(mnemonic: str, modifiers: tuple[str, ...], types: tuple[str, ...]) -> tuple[int, int, int, int, int]:
    """Width, sign, second width and sign, variant. Width is that of an access of a transfer, else that of the result registers;
    the second sign is 1 where the layout of fragments is ours (wmma); the variant of a product is its code, of a transfer the
    state space."""
    tensor = describe(mnemonic, modifiers, types)
    if isinstance(tensor, Multiply):
        return tensor.results[0], 2 * (tensor.kinds[0] != "s32"), 0, int(tensor.wmma), tensor.code
    if isinstance(tensor, Transfer):
        return 8 * tensor.size, 0, 0, int(tensor.wmma), variant(Op.LD, mnemonic, modifiers, types)
    return 32, 0, 0, 0, 0
