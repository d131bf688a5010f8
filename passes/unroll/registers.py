"""Out of SSA: which register each value lives in.

The `ptx` dialect is made from register code without any optimisation, so values that meet in a block argument, or in the old
value of a guarded instruction, can share one register and no copies are needed. That is checked here, by liveness, and a module
where it does not hold (because something optimised it) is refused rather than miscompiled."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Block, Operation, SSAValue

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.ptx import BranchOp, CondBranchOp, InstructionOp, KernelOp


class _Classes:
    """Union-find over value numbers."""

    def __init__(self, count: int) -> None:
        self.parent = list(range(count))

    def find(self, x: int) -> int:
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, x: int, y: int) -> None:
        self.parent[self.find(x)] = self.find(y)


def _edges(op: Operation) -> Iterable[tuple[Block, Iterable[SSAValue]]]:
    """The successors of a terminator with the values for their arguments."""
    if isinstance(op, BranchOp):
        yield op.target, op.arguments
    elif isinstance(op, CondBranchOp):
        yield op.then, op.then_arguments
        yield op.els, op.else_arguments


def segments(op: InstructionOp) -> tuple[Sequence[SSAValue], SSAValue | None, Sequence[SSAValue]]:
    """(inputs, guard, old) of an instruction: the three accessors in one, which is most of the time of a large kernel."""
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    inputs, guards = _sizes(sizes.data.data)
    operands = op.operands[:]
    if not guards and len(operands) == inputs:
        return operands, None, ()
    return operands[:inputs], operands[inputs] if guards else None, operands[inputs + guards :]


@lru_cache(maxsize=256)
def _sizes(data: bytes) -> tuple[int, int]:
    inputs, guards, _ = struct.unpack("<3i", data)
    return inputs, guards


def _number(kernel: KernelOp) -> dict[SSAValue, int]:
    numbers: dict[SSAValue, int] = {}
    for block in kernel.body.blocks:
        for argument in block.args:
            numbers[argument] = len(numbers)
        for op in block.ops:
            for result in op.results:
                numbers[result] = len(numbers)
    return numbers


def assign_registers(kernel: KernelOp) -> tuple[dict[SSAValue, int], list[int]]:
    """(register of each value, how many values share each register).

    Errors: UnsupportedError when two values that are live at once would share a register."""
    numbers = _number(kernel)
    classes = _Classes(len(numbers))
    for block in kernel.body.blocks:
        if block.last_op is not None:
            for target, values in _edges(block.last_op):
                for argument, value in zip(target.args, values, strict=True):
                    classes.union(numbers[argument], numbers[value])
        for op in block.ops:
            if isinstance(op, InstructionOp):
                _, guard, previous = segments(op)
                for result, old in zip(op.results, previous, strict=True) if guard is not None else ():
                    classes.union(numbers[result], numbers[old])
    members: dict[int, list[int]] = {}
    for number in numbers.values():
        members.setdefault(classes.find(number), []).append(number)
    _check_interference(kernel, numbers, classes, members)
    register_of_root: dict[int, int] = {}
    registers: dict[SSAValue, int] = {}
    for value, number in numbers.items():
        root = classes.find(number)
        registers[value] = register_of_root.setdefault(root, len(register_of_root))
    sizes = [0] * len(register_of_root)
    for register in registers.values():
        sizes[register] += 1
    return registers, sizes


def _check_interference(
    kernel: KernelOp, numbers: dict[SSAValue, int], classes: _Classes, members: dict[int, list[int]]
) -> None:
    """Backward liveness with sets as integers, over values that share registers; a definition must not find another member of
    its class alive after it."""
    mates = {n: sum(1 << m for m in group if m != n) for group in members.values() if len(group) > 1 for n in group}
    if not mates:
        return
    blocks = list(kernel.body.blocks)
    events = {block: _events(block, numbers, mates) for block in blocks}
    uses, definitions = {}, {}
    for block in blocks:
        used = defined = 0
        for is_use, number in events[block]:
            if is_use:
                used |= 1 << number
            else:
                used &= ~(1 << number)
                defined |= 1 << number
        uses[block], definitions[block] = used, defined
    successors = {block: [t for t, _ in _edges(block.last_op)] if block.last_op is not None else [] for block in blocks}
    live_in: dict[Block, int] = dict.fromkeys(blocks, 0)
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            live = 0
            for target in successors[block]:
                live |= live_in[target]
            live = uses[block] | live & ~definitions[block]
            if live != live_in[block]:
                live_in[block] = live
                changed = True
    for block in blocks:
        live = 0
        for target in successors[block]:
            live |= live_in[target]
        for is_use, number in events[block]:
            if is_use:
                live |= 1 << number
                continue
            if live & mates[number]:
                raise UnsupportedError(
                    "the module is not in the form that `lower` makes: two values that are alive at once share a register"
                )
            live &= ~(1 << number)


def _events(block: Block, numbers: dict[SSAValue, int], mates: dict[int, int]) -> list[tuple[bool, int]]:
    """Uses (True) and definitions (False) of values that share registers, from the end of a block to its start."""
    events: list[tuple[bool, int]] = []
    for op in reversed(list(block.ops)):
        events += [(False, numbers[result]) for result in op.results if numbers[result] in mates]
        events += [(True, numbers[operand]) for operand in op.operands if numbers[operand] in mates]
    events += [(False, numbers[argument]) for argument in block.args if numbers[argument] in mates]
    return events
