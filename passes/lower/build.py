"""Building the operations of a kernel: renames registers to SSA values along the dominator tree."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block as IrBlock
from xdsl.ir import Operation, Region, SSAValue

from volta_pipe.ir.ptx import (
    INSTRUCTIONS,
    AddressOp,
    BranchOp,
    CondBranchOp,
    ConstantOp,
    LoadParamOp,
    ReturnOp,
    SpecialOp,
    TrapOp,
    UndefOp,
    UnmodelledOp,
    register_type,
    value_width,
)
from volta_pipe.passes.lower.flow import BRANCH, CONDITION, TRAP, Block
from volta_pipe.passes.lower.ssa import Ssa, bits_of
from volta_pipe.passes.lower.steps import Address, Constant, Input, Step
from volta_pipe.passes.lower.tree import Instruction, Reg, Register, Special, Variable


class Builder:
    """Builds the region of a kernel. `region` and `walk` (the instruction that each operation came from) are the result.

    Every value stems from one register: no copy is folded, constants are operands but never branch operands, and each
    undefined register has its own `ptx.undef`. So the way back from SSA never needs a copy."""

    def __init__(
        self,
        blocks: Sequence[Block],
        steps: Sequence[Sequence[Step]],
        ssa: Ssa,
        *,
        registers: dict[int, Register],
        names: dict[Variable, str],
    ) -> None:
        self.blocks = blocks
        self.steps = steps
        self.ssa = ssa
        self.registers = registers
        self.names = names
        self.targets = [
            IrBlock(arg_types=[register_type(registers[index].width) for index in arguments]) for arguments in ssa.arguments
        ]
        self.ops: list[list[Operation]] = [[] for _ in blocks]
        self.origins: list[list[Instruction | None]] = [[] for _ in blocks]
        self.constants: dict[tuple[int, int], ConstantOp] = {}
        self._current = 0
        self._origin: Instruction | None = None
        self._build()
        self.region = Region(self.targets)
        self.walk = [origin for origins in self.origins for origin in origins]

    def _build(self) -> None:
        undefined = {index: UndefOp.make(self.registers[index].width) for index in bits_of(self.ssa.live_in[0])}
        for op in undefined.values():
            self._add(op)
        entry: dict[int, SSAValue] = {index: op.results[0] for index, op in undefined.items()}
        todo: list[tuple[int, dict[int, SSAValue]]] = [(0, entry)]
        while todo:
            index, values = todo.pop()
            self._build_block(index, values)
            for child in self.ssa.children[index]:
                arguments = self.ssa.arguments[child]
                inherited = {one: values[one] for one in bits_of(self.ssa.live_in[child]) if one in values}
                inherited.update(zip(arguments, self.targets[child].args, strict=True))
                todo.append((child, inherited))
        constants = [self.constants[key] for key in sorted(self.constants)]
        self.ops[0][:0] = constants
        self.origins[0][:0] = [None] * len(constants)
        for target, ops in zip(self.targets, self.ops, strict=True):
            target.add_ops(ops)

    def _add(self, op: Operation) -> None:
        self.ops[self._current].append(op)
        self.origins[self._current].append(self._origin)

    def _build_block(self, index: int, values: dict[int, SSAValue]) -> None:
        self._current = index
        for step in self.steps[index]:
            self._origin = step.instruction
            self._build_step(step, values)
        block = self.blocks[index]
        self._origin = block.end
        passed = [[values[register] for register in self.ssa.arguments[successor]] for successor in block.successors]
        following = [self.targets[successor] for successor in block.successors]
        if block.kind == CONDITION and block.condition is not None:
            condition = values[block.condition.register.index]
            self._add(CondBranchOp.make(condition, following[0], passed[0], following[1], passed[1]))
        elif block.kind == BRANCH:
            self._add(BranchOp.make(following[0], passed[0]))
        else:
            reason = block.end.reason if block.end is not None else ""
            self._add(TrapOp.make(reason) if block.kind == TRAP else ReturnOp.create())
        self._origin = None

    def _build_step(self, step: Step, values: dict[int, SSAValue]) -> None:
        results = self._results(step, values)
        for target, result in zip(step.targets, results, strict=True):
            if target is not None:
                values[target.index] = result

    def _results(self, step: Step, values: dict[int, SSAValue]) -> Sequence[SSAValue]:
        """Build the operations of a step and return the new values of its destinations."""
        one = step.instruction
        types = [register_type(width) for width in step.widths]
        if step.reason is not None:
            sources = [self._value(operand, values) for operand in step.inputs]
            guard, negated, old = self._guard(step, values)
            refused = UnmodelledOp.build_op(
                one.opcode, step.text, step.reason, sources, types, guard=guard, negated=negated, old=old
            )
            self._add(refused)
            return refused.results
        if step.param is not None:
            load = LoadParamOp.make(step.param, step.types[0], types)
            self._add(load)
            return self._select(step, load.results, values)
        if one.mnemonic == "mov" and one.guard is None and len(step.inputs) == 1:
            direct = step.inputs[0]
            if isinstance(direct, Special | Address):
                return [self._value(direct, values)]
        inputs = [self._value(operand, values) for operand in step.inputs]
        guard, negated, old = self._guard(step, values)
        kind = INSTRUCTIONS[one.mnemonic]
        offset, offset2 = step.offset, step.offset2
        op = kind.make(
            step.modifiers, step.types, inputs, types, guard=guard, negated=negated, old=old, offset=offset, offset2=offset2
        )
        self._add(op)
        return op.results

    def _select(self, step: Step, loaded: Sequence[SSAValue], values: dict[int, SSAValue]) -> Sequence[SSAValue]:
        """Of a guarded `ld.param`: the load has no effect, so it is done always and moved under the guard."""
        guard, negated, old = self._guard(step, values)
        if guard is None:
            return loaded
        moved: list[SSAValue] = []
        for value, before in zip(loaded, old, strict=True):
            kind = f"b{value_width(value)}"
            op = INSTRUCTIONS["mov"].make([], [kind], [value], [value.type], guard=guard, negated=negated, old=[before])
            self._add(op)
            moved.append(op.results[0])
        return moved

    def _guard(self, step: Step, values: dict[int, SSAValue]) -> tuple[SSAValue | None, bool, list[SSAValue]]:
        """The guard, whether it is negated, and the old values of the destinations."""
        guard = step.instruction.guard
        if guard is None:
            return None, False, []
        old: list[SSAValue] = []
        for target, width in zip(step.targets, step.widths, strict=True):
            if target is None:  # a sink: nobody reads what it holds
                sink = UndefOp.make(width)
                self._add(sink)
                old.append(sink.results[0])
            else:
                old.append(values[target.index])
        return values[guard.register.index], guard.negated, old

    def _value(self, operand: Input, values: dict[int, SSAValue]) -> SSAValue:
        """The SSA value of a source operand; adds the operations that it needs."""
        op: Operation
        if isinstance(operand, Reg):
            value = values[operand.register.index]
            if not operand.negated:
                return value
            op = INSTRUCTIONS["not"].make([], ["pred"], [value], [value.type])
        elif isinstance(operand, Constant):
            key = (operand.width, operand.bits)
            if key not in self.constants:
                self.constants[key] = ConstantOp.make(operand.bits, operand.width)
            return self.constants[key].results[0]
        elif isinstance(operand, Special):
            op = SpecialOp.make(operand.name)
        else:
            op = AddressOp.make(self.names[operand.variable], operand.offset, operand.width)
        self._add(op)
        return op.results[0]
