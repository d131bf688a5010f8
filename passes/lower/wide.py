"""Registers of 128 bits are two of 64: what moves, loads and stores of `.b128` become (PTX ISA 9.7.9.2 to 9.7.9.4, 8, 11)."""

from __future__ import annotations

from volta_pipe.passes.lower.bind import Binder
from volta_pipe.passes.lower.operands import Frame
from volta_pipe.passes.lower.syntax import Instruction as Written
from volta_pipe.passes.lower.tree import Operand, Reg, Sink, Vec


def expand_wide(binder: Binder, frame: Frame, one: Written) -> bool:
    """Emit what stands for an instruction of this type; False where it is none of these, and then it is not modelled."""
    mnemonic, *words = one.opcode.split(".")
    operands = tuple(binder.operand(frame, term, one.offset) for term in one.operands)
    guard = binder.guard(frame, one)
    if mnemonic == "mov" and words == ["b128"] and len(operands) == 2:
        halves = [_halves(operand) for operand in operands]
        if not all(halves):
            return False
        # All is read before anything is written.
        between = [Reg(binder.registers.make("half", 64)) for _ in halves[1]]
        for half, value in zip(between, halves[1], strict=True):
            binder.emit(frame, "mov.b64", (half, value), offset=one.offset)
        for target, half in zip(halves[0], between, strict=True):
            if not isinstance(target, Sink):
                binder.emit(frame, "mov.b64", (target, half), guard, offset=one.offset)
        return True
    plain = not {"v2", "v4", "v8", "param"} & {word.partition("::")[0] for word in words}
    if mnemonic in ("ld", "st", "ldu") and plain and len(operands) >= 2 and _halves(operands[mnemonic == "st"]):
        place = words.index("b128")
        words[place : place + 1] = ["v2", "b64"]
        binder.emit(frame, ".".join([mnemonic, *words]), operands, guard, offset=one.offset)
        return True
    return False


def _halves(operand: Operand) -> tuple[Operand, ...]:
    """The two halves of a register of 128 bits, or `{a, b}`; nothing where it is something else."""
    if not isinstance(operand, Vec) or len(operand.items) != 2:
        return ()
    fits = all(isinstance(item, Sink) or (isinstance(item, Reg) and item.register.width == 64) for item in operand.items)
    return operand.items if fits else ()
