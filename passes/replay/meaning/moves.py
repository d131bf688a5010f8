"""Moves: whole registers, packing and unpacking (PTX ISA 9.7.9.3, 9.7.9.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.instructions import WIDTH
from volta_pipe.passes.replay.bits import U64, masked
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]


@meaning_for("mov", lambda kind: kind in WIDTH)
def _move(s: Spelling) -> Function:
    """`mov` of a register; with `pack` {a, b, …} to one register, a lowest; with `unpack` the reverse (2 or 4 parts)."""
    width = WIDTH[s.type]
    if s.flag("pack"):

        def pack(*parts: Array) -> tuple[Array, ...]:
            size = width // len(parts)
            out = masked(parts[0], size)
            for place, part in enumerate(parts[1:], 1):
                out = out | masked(part, size) << U64(place * size)
            return (out,)

        return pack
    if s.flag("unpack"):

        def unpack(whole: Array) -> tuple[Array, ...]:
            # How many results there are is not in the spelling: a caller takes the first two of halves, or asks for quarters.
            half = width // 2
            return masked(whole, half), masked(whole >> U64(half), half)

        return unpack
    return lambda a: (masked(a, width),)


def unpack_parts(whole: Array, width: int, parts: int) -> tuple[Array, ...]:
    """`mov {…}, a` with any number of parts, the lowest first."""
    size = width // parts
    return tuple(masked(whole >> U64(place * size), size) for place in range(parts))
