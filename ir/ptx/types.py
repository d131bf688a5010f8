"""Types of PTX as the dialect uses them: widths of instruction types, and the builtin integer type of a register."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue

from volta_pipe.ir.instructions import TYPE_WIDTH

# Type words of instructions that no row of the table has yet: recognised so that an error can name the instruction.
_OTHER = "f16 f16x2 bf16 bf16x2 tf32 e4m3 e5m2 e4m3x2 e5m2x2 e2m1x2 e3m2x2 e2m3x2 ue8m0x2 b4 b8x4 f32x2"
TYPE_WORDS: frozenset[str] = frozenset(TYPE_WIDTH) | frozenset(_OTHER.split())

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
