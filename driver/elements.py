"""How elements of tensors are spelled in everything that people read: `y[3,5]`, by the tensor's declared shape.

`decide` numbers elements row by row and `check` writes `y[3, 5]`; both become the one spelling here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod

Shapes = Mapping[str, tuple[int, ...]]
_FLAT = re.compile(r"(?<![\w.$%])([A-Za-z_]\w*)\[(\d+)\]")
_SPACED = re.compile(r"(?<=\w)\[\d+(?:, \d+)+\]")
_ZEROS = re.compile(r"(?<![\w.])(\d+\.\d*?)0+(?![\w.])")


def unravel(flat: int, shape: Sequence[int]) -> list[int]:
    """The index of a row-major element number."""
    index: list[int] = []
    for n in reversed(shape):
        index.insert(0, flat % n)
        flat //= n
    return index


def element_name(tensor: str, flat: int, shapes: Shapes) -> str:
    """`y[3,5]` of a row-major element number; a scalar has no index. Without any shapes the number is the index."""
    if flat < 0 or (shapes and tensor not in shapes):
        return tensor
    if tensor not in shapes:
        return indexed(tensor, [flat])
    return indexed(tensor, unravel(flat, shapes[tensor]))


def indexed(tensor: str, index: Sequence[int]) -> str:
    """`y[3,5]`."""
    return f"{tensor}[{','.join(map(str, index))}]"


def by_shape(text: str, shapes: Shapes) -> str:
    """A text of `decide`, in which `y[5]` is element number 5 of y, with all elements by index."""

    def spelled(match: re.Match[str]) -> str:
        name, flat = match[1], int(match[2])
        return element_name(name, flat, shapes) if name in shapes and flat < prod(shapes[name]) else match[0]

    return _FLAT.sub(spelled, text)


def tight(text: str) -> str:
    """Indices without spaces: `y[3, 5]` becomes `y[3,5]`."""
    return _SPACED.sub(lambda match: match[0].replace(" ", ""), text)


def short(number: str) -> str:
    """A decimal without zeros at its end, which is the same number: `1.7500` becomes `1.75`; others stay."""
    return _ZEROS.sub(lambda match: match[1].rstrip("."), number)
