"""Executes a lowered module of the instructions that lower_programs.py writes, one value after the other."""

from __future__ import annotations

from lower_programs import Event, cell, compute
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from volta_pipe.ir.ptx import (
    BranchOp,
    CondBranchOp,
    ConstantOp,
    InstructionOp,
    LoadParamOp,
    ReturnOp,
    SpecialOp,
    UndefOp,
    kernel_of,
)
from volta_pipe.ir.ptx.flatten import flatten, numbered
from volta_pipe.passes.unroll.registers import assign_registers

_LIMIT = 400  # blocks


def execute(module: ModuleOp, parameters: list[int], *, in_registers: bool) -> tuple[list[Event], bool]:
    """What lower_programs.run says of the kernel. in_registers: values that the machine keeps in one register are one cell, and
    branches hand over nothing."""
    kernel = kernel_of(module)
    flat = flatten(module)
    registers = assign_registers(flat.blocks, len(flat.widths))[0]
    place = {value: registers[one] if in_registers else one for value, one in numbered(kernel).items()}
    return _Run(place, parameters, in_registers).all(kernel.body.blocks[0])


class _Run:
    def __init__(self, place: dict[SSAValue, int], parameters: list[int], in_registers: bool) -> None:
        self.place, self.parameters, self.in_registers = place, parameters, in_registers
        self.state: dict[int, int] = {}
        self.memory: dict[int, int] = {}
        self.events: list[Event] = []
        self.loads: list[int] = []

    def of(self, value: SSAValue) -> int:
        # A constant is an operand; the machine loads it once, and nothing overwrites it.
        return self.state[self.place[value]]

    def all(self, block: Block) -> tuple[list[Event], bool]:
        for _ in range(_LIMIT):
            for op in block.ops:
                if isinstance(op, ReturnOp):
                    return [*self.events, ("end", tuple(sorted(self.loads)))], True
                if isinstance(op, BranchOp):
                    block = self.jump(op.target, op.arguments)
                elif isinstance(op, CondBranchOp):
                    taken = self.of(op.condition)
                    block = self.jump(op.then, op.then_arguments) if taken else self.jump(op.els, op.else_arguments)
                else:
                    self.one(op)
        return self.events, False

    def jump(self, block: Block, values: tuple[SSAValue, ...]) -> Block:
        if not self.in_registers:
            fresh = [self.of(value) for value in values]
            self.state.update(zip([self.place[one] for one in block.args], fresh, strict=True))
        return block

    def one(self, op: Operation) -> None:
        if isinstance(op, InstructionOp):
            if op.guard is not None and bool(self.of(op.guard)) is (op.negated is not None):
                for result, old in zip(op.res, op.old, strict=True):
                    self.state[self.place[result]] = self.of(old)
                return
            value = self.instruction(op, [self.of(value) for value in op.inputs])
        elif isinstance(op, ConstantOp):
            value = op.bits
        elif isinstance(op, LoadParamOp):
            value = self.parameters[op.byte_offset // 4]
        else:
            assert isinstance(op, SpecialOp | UndefOp)
            value = 7 if isinstance(op, SpecialOp) else 0
        for result in op.results:
            self.state[self.place[result]] = value

    def instruction(self, op: InstructionOp, values: list[int]) -> int:
        if op.mnemonic == "ld":
            self.loads.append(values[0])
            return self.memory.get(values[0], cell(values[0]))
        if op.mnemonic in ("st", "bar"):
            self.events.append((op.mnemonic, *(values if op.mnemonic == "st" else ()), tuple(sorted(self.loads))))
            self.loads = []
            if op.mnemonic == "st":
                self.memory[values[0]] = values[1]
            return 0
        if op.mnemonic == "shl":
            return values[0] << values[1] & 2**32 - 1
        name = next((word for word in op.modifier_names if word in ("lt", "eq")), op.mnemonic)
        return compute(name, values)
