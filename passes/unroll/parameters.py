"""What the parameters of a kernel hold when it starts: the bits of pointers and numbers."""

from __future__ import annotations

import struct

from volta_pipe.ir.instructions import WIDTH
from volta_pipe.ir.launch import Argument, Launch
from volta_pipe.passes.unroll.memory import Layout


def scalar_bits(number: float | int, dtype: str) -> int:
    """The bits of a number in a parameter of that dtype, as an unsigned integer."""
    if dtype == "f32":
        return int(struct.unpack("<I", struct.pack("<f", number))[0])
    if dtype == "f64":
        return int(struct.unpack("<Q", struct.pack("<d", number))[0])
    return int(number) & ((1 << WIDTH[dtype]) - 1)


def sign_extended(bits: int, width: int) -> int:
    """The canonical register contents: two's complement of `width` bits (a predicate is 0 or 1)."""
    bits &= (1 << width) - 1
    return bits - (1 << width) if width > 1 and bits >> (width - 1) else bits


def argument_bits(launch: Launch, layout: Layout, argument: Argument, kind: str) -> int:
    """The bits that an argument of known value puts into a parameter of PTX type `kind`, as an unsigned integer."""
    if argument.kind == "null":
        return 0
    if argument.kind == "pointer":
        return layout.base_of[argument.index] + argument.offset
    if argument.kind == "scalar":
        scalar = launch.scalars[argument.index]
        assert scalar.value is not None
        return scalar_bits(scalar.value, scalar.dtype if kind[0] == "b" else kind)
    return scalar_bits(argument.number, kind if kind[0] != "b" else f"u{WIDTH[kind]}")
