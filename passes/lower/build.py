"""Building the operations of a kernel from its nodes."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block as IrBlock
from xdsl.ir import Operation, Region, SSAValue

from volta_pipe.ir.ptx import (
    INSTRUCTIONS,
    AddressOp,
    BranchOp,
    CondBranchOp,
    ConstantOp,
    KernelOp,
    LoadParamOp,
    ReturnOp,
    SpecialOp,
    TrapOp,
    UndefOp,
    UnmodelledOp,
    VariableOp,
    register_type,
)
from volta_pipe.passes.lower.flow import BRANCH, TRAP
from volta_pipe.passes.lower.nodes import Flow, FlowBlock, Kind, Node
from volta_pipe.passes.lower.tree import Variable
from volta_pipe.passes.lower.write import Heading


def build_module(flow: Flow, heading: Heading, variables: Mapping[Variable, str]) -> ModuleOp:
    """The module of a kernel with the variables that it mentions, each with its name in the module."""
    made = [
        VariableOp.make(name, one.space, align=one.align, size=one.size, extern=one.extern, init=one.init)
        for one, name in variables.items()
    ]
    kernel = KernelOp.make(
        heading.name,
        heading.params,
        _Builder(flow).region,
        version=heading.version,
        target=heading.target,
        address_size=heading.address_size,
        limits=dict(heading.limits),
    )
    return ModuleOp([*made, kernel])


class _Builder:
    """Builds the `region` of a kernel."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.values: list[SSAValue | None] = [None] * len(flow.widths)
        self.targets: list[IrBlock] = []
        for block in flow.blocks:
            target = IrBlock(arg_types=[register_type(flow.widths[value]) for value in block.arguments])
            self.targets.append(target)
            for value, argument in zip(block.arguments, target.args, strict=True):
                self.values[value] = argument
        ops: list[Operation] = []
        for value in flow.constants_read():
            width, bits = flow.constants[value]
            ops.append(ConstantOp.make(bits, width))
            self.values[value] = ops[-1].results[0]
        for block, target in zip(flow.blocks, self.targets, strict=True):
            ops += [self._built(node) for node in block.nodes]
            ops.append(self._end(block))
            target.add_ops(ops)
            ops = []
        self.region = Region(self.targets)

    def _values(self, numbers: list[int]) -> list[SSAValue]:
        """Values of operands: each comes before what reads it."""
        found = []
        for number in numbers:
            value = self.values[number]
            assert value is not None
            found.append(value)
        return found

    def _built(self, node: Node) -> Operation:
        op = self._operation(node)
        for number, value in zip(node.results, op.results, strict=True):
            self.values[number] = value
        return op

    def _operation(self, node: Node) -> Operation:
        kind, what, step = node.kind, node.what, node.step
        if kind in (Kind.UNDEF, Kind.SINK):
            assert isinstance(what, int)
            return UndefOp.make(what)
        if kind is Kind.SPECIAL:
            assert isinstance(what, str)
            return SpecialOp.make(what)
        if kind is Kind.ADDRESS:
            assert isinstance(what, tuple)
            return AddressOp.make(*what)
        types = [register_type(self.flow.widths[value]) for value in node.results]
        operands = self._values(node.operands)
        inputs, rest = operands[: node.inputs], operands[node.inputs :]
        if kind is Kind.NOT:
            return INSTRUCTIONS["not"].make([], ["pred"], inputs, types)
        assert step is not None
        if kind is Kind.PARAM:
            assert step.param is not None
            return LoadParamOp.make(step.param, step.types[0], types)
        guard, old, negated = None, rest[1:], False
        if node.guard is not None:
            guard, negated = rest[0], node.guard.negated
        if kind is Kind.MOVED:
            words = [f"b{self.flow.widths[node.results.start]}"]
            return INSTRUCTIONS["mov"].make([], words, inputs, types, guard=guard, negated=negated, old=old)
        one = step.instruction
        if kind is Kind.REFUSED:
            reason = step.reason or ""
            return UnmodelledOp.build_op(one.opcode, step.text, reason, inputs, types, guard=guard, negated=negated, old=old)
        make = INSTRUCTIONS[one.mnemonic].make
        places = {"offset": step.offset, "offset2": step.offset2}
        return make(step.modifiers, step.types, inputs, types, guard=guard, negated=negated, old=old, **places)

    def _end(self, block: FlowBlock) -> Operation:
        """The terminator."""
        targets = [self.targets[successor] for successor in block.successors]
        passed = [self._values(values) for values in block.passed]
        if block.condition >= 0:
            condition = self._values([block.condition])[0]
            return CondBranchOp.make(condition, targets[0], passed[0], targets[1], passed[1])
        if block.kind == BRANCH:
            return BranchOp.make(targets[0], passed[0])
        reason = block.end.reason if block.end is not None else ""
        return TrapOp.make(reason) if block.kind == TRAP else ReturnOp.create()
