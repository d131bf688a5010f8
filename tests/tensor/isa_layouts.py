"""Fragments of mma as the PTX ISA (9.7.14.5, "matrix fragments") prints their formulas: lane and element to row and column.

Written from the ISA's cases one by one, apart from ir/fragments.py, which the tests compare with these."""

from __future__ import annotations

from collections.abc import Callable

Shape = tuple[int, int, int]
Place = Callable[[int, int], tuple[int, int]]
HALF, WORD, DOUBLE, BYTE = "half", "word", "double", "byte"


def _group(lane: int) -> int:
    return lane >> 2


def _thread(lane: int) -> int:
    return lane % 4


# (shape, width of an element): how many elements a lane has, and where they lie.
A: dict[tuple[Shape, str], tuple[int, Place]] = {
    ((16, 8, 16), HALF): (
        8,
        lambda lane, i: (
            _group(lane) if 0 <= i < 2 or 4 <= i < 6 else _group(lane) + 8,
            _thread(lane) * 2 + (i & 1) if i < 4 else _thread(lane) * 2 + (i & 1) + 8,
        ),
    ),
    ((16, 8, 8), HALF): (4, lambda lane, i: (_group(lane) if i < 2 else _group(lane) + 8, _thread(lane) * 2 + (i & 1))),
    ((16, 8, 8), WORD): (
        4,
        lambda lane, i: (_group(lane) if i in (0, 2) else _group(lane) + 8, _thread(lane) if i < 2 else _thread(lane) + 4),
    ),
    ((16, 8, 4), WORD): (2, lambda lane, i: (_group(lane) if i == 0 else _group(lane) + 8, _thread(lane))),
    ((8, 8, 4), DOUBLE): (1, lambda lane, i: (_group(lane), _thread(lane))),
    ((16, 8, 4), DOUBLE): (2, lambda lane, i: (_group(lane) if i == 0 else _group(lane) + 8, _thread(lane))),
    ((16, 8, 8), DOUBLE): (
        4,
        lambda lane, i: (_group(lane) if i in (0, 2) else _group(lane) + 8, _thread(lane) if i < 2 else _thread(lane) + 4),
    ),
    ((16, 8, 16), DOUBLE): (
        8,
        lambda lane, i: (
            _group(lane) if i % 2 == 0 else _group(lane) + 8,
            i * 2 + _thread(lane) if i % 2 == 0 else i * 2 - 2 + _thread(lane),
        ),
    ),
    ((8, 8, 16), BYTE): (4, lambda lane, i: (_group(lane), _thread(lane) * 4 + i)),
    ((16, 8, 16), BYTE): (8, lambda lane, i: (_group(lane) if i < 4 else _group(lane) + 8, _thread(lane) * 4 + (i & 3))),
    ((16, 8, 32), BYTE): (
        16,
        lambda lane, i: (
            _group(lane) if 0 <= i < 4 or 8 <= i < 12 else _group(lane) + 8,
            _thread(lane) * 4 + (i & 3) if i < 8 else _thread(lane) * 4 + (i & 3) + 16,
        ),
    ),
}
B: dict[tuple[Shape, str], tuple[int, Place]] = {
    ((16, 8, 16), HALF): (4, lambda lane, i: (_thread(lane) * 2 + (i & 1) + (0 if i < 2 else 8), _group(lane))),
    ((16, 8, 8), HALF): (2, lambda lane, i: (_thread(lane) * 2 + i, _group(lane))),
    ((16, 8, 8), WORD): (2, lambda lane, i: (_thread(lane) if i == 0 else _thread(lane) + 4, _group(lane))),
    ((16, 8, 4), WORD): (1, lambda lane, i: (_thread(lane), _group(lane))),
    ((8, 8, 4), DOUBLE): (1, lambda lane, i: (_thread(lane), _group(lane))),
    ((16, 8, 4), DOUBLE): (1, lambda lane, i: (_thread(lane), _group(lane))),
    ((16, 8, 8), DOUBLE): (2, lambda lane, i: (_thread(lane) if i == 0 else _thread(lane) + 4, _group(lane))),
    ((16, 8, 16), DOUBLE): (4, lambda lane, i: (_thread(lane) + i * 4, _group(lane))),
    ((8, 8, 16), BYTE): (4, lambda lane, i: (_thread(lane) * 4 + i, _group(lane))),
    ((16, 8, 16), BYTE): (4, lambda lane, i: (_thread(lane) * 4 + i, _group(lane))),
    ((16, 8, 32), BYTE): (8, lambda lane, i: (_thread(lane) * 4 + (i & 3) + (0 if i < 4 else 16), _group(lane))),
}


def accumulators(rows: int) -> tuple[int, Place]:
    """C and D of 16 or 8 rows and 8 columns."""
    if rows == 16:
        return 4, lambda lane, i: (_group(lane) if i < 2 else _group(lane) + 8, _thread(lane) * 2 + (i & 1))
    return 2, lambda lane, i: (_group(lane), _thread(lane) * 2 + i)


# m8n8k4 with f16: (lane within its product's eight, as the number in the warp), for row- and column-major operands.
QUAD_A: dict[str, Place] = {
    "row": lambda lane, i: (lane % 4 if lane < 16 else lane % 4 + 4, i),
    "col": lambda lane, i: (i % 4 if lane < 16 else i % 4 + 4, lane % 4),
}
QUAD_B: dict[str, Place] = {
    "row": lambda lane, i: (lane % 4, i if lane < 16 else i + 4),
    "col": lambda lane, i: (i, lane % 4 if lane < 16 else lane % 4 + 4),
}
QUAD_C: dict[str, Place] = {
    "f16": lambda lane, i: (lane % 4 if lane < 16 else lane % 4 + 4, i),
    "f32": lambda lane, i: (
        (lane & 0b1) + (i & 0b10) + (0 if lane < 16 else 4),
        (i & 0b100) + (lane & 0b10) + (i & 0b1),
    ),
}
