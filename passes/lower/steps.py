"""Instructions that are matched against the table, ready to be built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from volta_pipe.passes.lower.tree import Instruction, Reg, Register, Special, Variable


@dataclass(frozen=True, slots=True)
class Constant:
    """An immediate operand as bits."""

    bits: int
    width: int


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a variable plus a constant."""

    variable: Variable
    offset: int
    width: int


Input = Reg | Constant | Special | Address


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction, ready to be built. `targets`: destination registers (None: sink) and `widths`: theirs in bits;
    `offset`, `offset2`: of memory operands; `param`: byte offset in the parameter buffer when it is an `ld.param`. `reason`:
    None for an instruction of the table, else why it is not modelled; `text` then spells its operands."""

    instruction: Instruction
    modifiers: tuple[str, ...]
    types: tuple[str, ...]
    targets: tuple[Register | None, ...]
    widths: tuple[int, ...]
    inputs: tuple[Input, ...]
    offset: int | None = None
    param: int | None = None
    offset2: int | None = None
    reason: str | None = None
    text: str = ""

    def reads(self) -> Iterator[int]:
        """Indices of the registers that are read, the old values of guarded destinations included."""
        for operand in self.inputs:
            if isinstance(operand, Reg):
                yield operand.register.index
        if self.instruction.guard is not None:
            yield self.instruction.guard.register.index
            for target in self.targets:
                if target is not None:
                    yield target.index

    def writes(self) -> Iterator[int]:
        """Indices of the registers that are written."""
        for target in self.targets:
            if target is not None:
                yield target.index
