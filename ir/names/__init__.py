"""How types and sets of numbers are called, by the `scta` dialect and by all commands that show rows."""

from __future__ import annotations

from collections.abc import Sequence

# By `signed` of a program's columns (passes/unroll/bytecode.signedness): bits, signed, float, second float of its width.
_KINDS = ("b", "s", "f", "bf")
_PAIRS = (4, 5)
_BYTES = {2: "e4m3", 3: "e5m2"}  # floats of 8 bits are not called after their width
_BYTE = 8


def type_text(width: int, signed: int) -> str:
    """`f32`, `s16`, `b1`, `bf16`, `e5m2`, `f16x2`, `e4m3x2`; `kind9w16` of what has no other name. Each pair has its own.

    width: bits, 0 to 255; signed: as in a program's columns."""
    if signed in _PAIRS and width % 2 == 0 and width:
        return f"{type_text(width // 2, signed - 2)}x2"
    if width == _BYTE and signed in _BYTES:
        return _BYTES[signed]
    return f"{_KINDS[signed]}{width}" if signed < len(_KINDS) else f"kind{signed}w{width}"


def runs(numbers: Sequence[int]) -> list[list[int]]:
    """Increasing numbers as runs [first, last]."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def runs_text(found: Sequence[Sequence[int]], most: int | None = None) -> str:
    """`0..31, 64`; of more than `most` runs the first ones and `…`."""
    shown = [str(low) if low == high else f"{low}..{high}" for low, high in found[:most]]
    return ", ".join([*shown, *["…"] * (len(shown) < len(found))])
