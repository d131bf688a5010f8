"""Which inputs are integers, and between which bounds."""

from __future__ import annotations

from collections.abc import Iterable

from volta_pipe.ir.launch import DTYPES
from volta_pipe.ir.parts import Inputs


def integer_inputs(tensors: Iterable[str], scalars: Iterable[str]) -> Inputs:
    """The inputs that are integers, by the dtypes (ir/launch.py) of tensors and scalars."""
    found = {}
    for kind, names in (("leaf", tensors), ("scalar", scalars)):
        for index, name in enumerate(names):
            size, sign = DTYPES[name]
            if sign != "f":
                low = -(1 << (8 * size - 1)) if sign == "s" else 0
                found[kind, index] = low, low + (1 << 8 * size) - 1
    return found
