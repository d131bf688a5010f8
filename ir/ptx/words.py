"""What the `ptx` dialect has of plain data: type words, special registers, parameters. Nothing here needs xDSL, whose loading
takes longer than lowering a kernel."""

from __future__ import annotations

from dataclasses import dataclass

from volta_pipe.ir.instructions import TYPE_WIDTH

# Type words of instructions that no row of the table has yet: recognised so that an error can name the instruction.
_OTHER = "f16 f16x2 bf16 bf16x2 tf32 e4m3 e5m2 e4m3x2 e5m2x2 e2m1x2 e3m2x2 e2m3x2 ue8m0x2 b4 b8x4 f32x2"
TYPE_WORDS: frozenset[str] = frozenset(TYPE_WIDTH) | frozenset(_OTHER.split())
_AXES = "xyz"
# Special registers that a stage gives a value to (PTX ISA 10), all of 32 bits.
SPECIAL_REGISTERS: frozenset[str] = frozenset(
    [f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in _AXES]
    + ["laneid", "warpid"]
    + [f"lanemask_{relation}" for relation in ("eq", "le", "lt", "ge", "gt")]
)

# Modifiers of loads that are strong operations: they have a place among the accesses of other threads (PTX ISA 8.3, 9.7.9.8).
STRONG: frozenset[str] = frozenset({"volatile", "relaxed", "acquire", "mmio"})


@dataclass(frozen=True)
class Param:
    """A kernel parameter: `type` such as "u64", "f32", or "b8" for a structure; size, align and offset in bytes."""

    name: str
    type: str
    size: int
    align: int
    offset: int


def refusal(opcode: str, reason: str) -> str:
    """What a finding says of an instruction that is not modelled; `reason`: why, or ""."""
    return f"instruction {opcode} is not supported{f' ({reason})' if reason else ''}"
