"""Static instructions as words: their types, their meaning, and the name that each of their rows repeats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.names import type_text
from volta_pipe.ir.nodes import Node

# Of these the column `node` says how they order memory.
_ORDERING = frozenset({Op.LD, Op.ST, Op.FENCE})
_ORDERS = ("none", "synchronizes", "noncoherent")
_NODES = {node.name.lower(): int(node) for node in Node}
_NODE_NAMES = {number: name for name, number in _NODES.items()}


@cache
def _types() -> dict[str, tuple[int, int]]:
    return {type_text(width, signed): (width, signed) for width in range(256) for signed in range(256)}


def type_numbers(text: str) -> tuple[int, int]:
    """(width, signed) of what `type_text` makes. Errors: VerifyException."""
    found = _types().get(text)
    if found is None:
        raise VerifyException(f"'{text[:40]}' is no type (such as f32, s16, b1, f16x2)")
    return found


def node_text(op: Op, number: int) -> str:
    """The column `node` as a word; a number where it has none."""
    if op in _ORDERING:
        return _ORDERS[number] if number < len(_ORDERS) else str(number)
    return _NODE_NAMES.get(number, str(number))


def node_number(op: Op, text: str) -> int:
    """The number of such a word. Errors: VerifyException."""
    if op in _ORDERING:
        found = _ORDERS.index(text) if text in _ORDERS else -1
    else:
        found = _NODES.get(text, -1)
    if found < 0 and re.fullmatch(r"0|[1-9]\d{0,2}", text):
        found = int(text)
    if not 0 <= found < 256 or node_text(op, found) != text:
        raise VerifyException(f"'{text[:40]}' is no meaning of {op.name.lower()}")
    return found


def region_labels(regions: Sequence[tuple[str, int]]) -> list[str]:
    """What rows call regions of these names and numbers: the name, with the number where that alone does not tell (a tensor may
    be called `shared`)."""
    names = Counter(name for name, _ in regions)
    return [name if name and names[name] == 1 else f"{name}#{number}" for name, number in regions]


def code_name(op: Op, node: str, type_: str) -> str:
    """What a row of an instruction is called: `fma.f32`, `ld.f32`, `bar`."""
    first = node if op == Op.VALUE else op.name.lower()
    return first if type_ == "b0" else f"{first}.{type_}"
