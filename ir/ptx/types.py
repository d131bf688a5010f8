"""The builtin integer type of a register."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue

# A register is bits: its SSA type is the signless integer of its width, whatever the PTX type was.
_REGISTER_TYPES = {width: IntegerType(width) for width in (1, 8, 16, 32, 64, 128)}

TYPE_NAMES: dict[str, Attribute] = {f"i{width}": kind for width, kind in _REGISTER_TYPES.items()}


def register_type(width: int) -> IntegerType:
    """The SSA type of a register of `width` bits."""
    return _REGISTER_TYPES[width]


def type_width(attribute: Attribute) -> int:
    """Width in bits of an SSA type, 0 when it is no integer type."""
    return attribute.width.data if isinstance(attribute, IntegerType) else 0


def value_width(value: SSAValue) -> int:
    """Width in bits of an SSA value, 0 when it is no integer."""
    return type_width(value.type)
