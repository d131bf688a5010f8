"""From registers to values: goes down the dominator tree and makes the nodes of a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from volta_pipe.ir.instructions import Op, find_form
from volta_pipe.ir.ptx.pure import COMPUTES
from volta_pipe.ir.ptx.words import STRONG
from volta_pipe.passes.lower.commuting import is_exchangeable
from volta_pipe.passes.lower.flow import Block
from volta_pipe.passes.lower.nodes import Flow, FlowBlock, Kind, Move, Node
from volta_pipe.passes.lower.ssa import Ssa, bits_of
from volta_pipe.passes.lower.steps import Address, Constant, Input, Step
from volta_pipe.passes.lower.tree import Instruction, Reg, Register, Special, Variable

_CARRYING = frozenset({"addc", "subc", "madc"})


@lru_cache(maxsize=4096)
def _traits(mnemonic: str, modifiers: tuple[str, ...], types: tuple[str, ...]) -> tuple[Move, bool, bool]:
    """Of an instruction of the table: where it may stand, whether its first operands may change places, and whether it takes or
    gives the carry."""
    form = find_form(mnemonic, modifiers, types)
    carries = "cc" in modifiers or mnemonic in _CARRYING
    if form is None:
        return Move.EFFECT, False, carries
    if form.op in COMPUTES:
        return Move.PURE, is_exchangeable(form.op, mnemonic, modifiers, types), carries
    return (Move.LOAD if form.op is Op.LD and STRONG.isdisjoint(modifiers) else Move.EFFECT), False, carries


class Renamer:
    """Makes `flow`.

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
        self.blocks, self.steps, self.ssa = blocks, steps, ssa
        self.registers, self.names = registers, names
        self.flow = Flow([FlowBlock([], block.kind, block.end, block.successors) for block in blocks])
        self._constants: dict[tuple[int, int], int] = {}
        self._nodes: list[Node] = []  # of the present block
        self._origin: Instruction | None = None
        for index, (block, arguments) in enumerate(zip(self.flow.blocks, ssa.arguments, strict=True)):
            for place, register in enumerate(arguments):
                self.flow.places.append((index, place))
                self.flow.things.append(None)
                block.arguments += self._values(len(self.flow.places), [registers[register].width])
        self._rename()

    def _values(self, owner: int, widths: Sequence[int]) -> range:
        """New values of one thing."""
        flow = self.flow
        first = len(flow.widths)
        flow.widths += widths
        flow.owner += [owner] * len(widths)
        return range(first, first + len(widths))

    def _rename(self) -> None:
        self._nodes = self.flow.blocks[0].nodes
        undefined = {index: self._undefined(Kind.UNDEF, self.registers[index].width) for index in bits_of(self.ssa.live_in[0])}
        todo = [(0, undefined)]
        while todo:
            index, values = todo.pop()
            self._block(index, values)
            for child in self.ssa.children[index]:
                inherited = {one: values[one] for one in bits_of(self.ssa.live_in[child]) if one in values}
                inherited.update(zip(self.ssa.arguments[child], self.flow.blocks[child].arguments, strict=True))
                todo.append((child, inherited))

    def _block(self, index: int, values: dict[int, int]) -> None:
        made, block = self.flow.blocks[index], self.blocks[index]
        self._nodes = made.nodes
        for step in self.steps[index]:
            self._origin = step.instruction
            self._step(step, values)
        self._origin = None
        made.passed = [[values[register] for register in self.ssa.arguments[one]] for one in block.successors]
        if block.condition is not None and len(block.successors) == 2:
            made.condition = values[block.condition.register.index]

    def _leaf(self, kind: Kind, what: object, width: int) -> int:
        """The value of an operation without operands."""
        number = len(self.flow.things)
        node = Node(number, kind, None, self._origin, what, [], 0, self._values(number, (width,)))
        self.flow.things.append(node)
        self._nodes.append(node)
        return node.results.start

    def _undefined(self, kind: Kind, width: int) -> int:
        return self._leaf(kind, width, width)

    def _node(self, node: Node, widths: Sequence[int]) -> range:
        """Appends a node with its results."""
        node.number = len(self.flow.things)
        node.results = self._values(node.number, widths)
        self.flow.things.append(node)
        self._nodes.append(node)
        return node.results

    def _step(self, step: Step, values: dict[int, int]) -> None:
        one = step.instruction
        if step.param is not None:
            results = self._node(Node(0, Kind.PARAM, step, one, None, [], 0, _NONE), step.widths)
            if one.guard is not None:
                # The load has no effect, so it is done always and moved under the guard.
                results = self._moved(step, results, values)
        elif step.reason is None and _is_direct(step):
            results = range(value := self._value(step.inputs[0], values), value + 1)
        else:
            operands = [self._value(operand, values) for operand in step.inputs]
            inputs = len(operands)
            if one.guard is not None:
                operands += self._guarded(step, values)
            kind, traits = Kind.REFUSED, (Move.EFFECT, False, True)
            if step.reason is None:
                kind, traits = Kind.INSTRUCTION, _traits(one.mnemonic, step.modifiers, step.types)
            results = self._node(
                Node(0, kind, step, one, None, operands, inputs, _NONE, traits[0], one.guard, *traits[1:]), step.widths
            )
        for target, value in zip(step.targets, results, strict=True):
            if target is not None:
                values[target.index] = value

    def _moved(self, step: Step, loaded: range, values: dict[int, int]) -> range:
        guard, *old = self._guarded(step, values)
        first = len(self.flow.widths)
        for value, before in zip(loaded, old, strict=True):
            node = Node(
                0, Kind.MOVED, step, step.instruction, None, [value, guard, before], 1, _NONE, guard=step.instruction.guard
            )
            self._node(node, (self.flow.widths[value],))
        return range(first, len(self.flow.widths))

    def _guarded(self, step: Step, values: dict[int, int]) -> list[int]:
        """The guard and the old values of the destinations."""
        guard = step.instruction.guard
        assert guard is not None
        found = [values[guard.register.index]]
        for target, width in zip(step.targets, step.widths, strict=True):
            # Of a sink nobody reads what it holds.
            found.append(values[target.index] if target is not None else self._undefined(Kind.SINK, width))
        return found

    def _value(self, operand: Input, values: dict[int, int]) -> int:
        """The value of a source operand; adds the nodes that it needs."""
        if isinstance(operand, Reg):
            value = values[operand.register.index]
            if not operand.negated:
                return value
            return self._node(Node(0, Kind.NOT, None, self._origin, None, [value], 1, _NONE), (1,)).start
        if isinstance(operand, Constant):
            key = (operand.width, operand.bits)
            if key not in self._constants:
                value = self._constants[key] = self._values(0, (operand.width,)).start
                self.flow.constants[value] = key
            return self._constants[key]
        if isinstance(operand, Special):
            return self._leaf(Kind.SPECIAL, operand.name, 32)
        return self._leaf(Kind.ADDRESS, (self.names[operand.variable], operand.offset, operand.width), operand.width)


_NONE = range(0)


def _is_direct(step: Step) -> bool:
    """Whether a move only names what it moves: a special register, or the address of a variable."""
    one = step.instruction
    if one.mnemonic != "mov" or one.guard is not None or len(step.inputs) != 1:
        return False
    return isinstance(step.inputs[0], Special | Address)
