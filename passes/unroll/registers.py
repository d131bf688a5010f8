"""Out of SSA: which register each value lives in.

The `ptx` dialect is made from register code without any optimisation, so values that meet in a block argument, or in the old
value of a guarded instruction, can share one register and no copies are needed. That is checked here, by liveness, and a module
where it does not hold (because something optimised it) is refused rather than miscompiled."""

from __future__ import annotations

from collections.abc import Iterable

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
        for op in block.ops:
            for target, values in _edges(op):
                for argument, value in zip(target.args, values, strict=True):
                    classes.union(numbers[argument], numbers[value])
            if isinstance(op, InstructionOp) and op.guard is not None:
                for result, old in zip(op.res, op.old, strict=True):
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
    """Backward liveness with sets as integers; a definition must not find another member of its class alive after it."""
    mates = {n: sum(1 << m for m in group if m != n) for group in members.values() if len(group) > 1 for n in group}
    shared = sum(1 << n for n in mates)
    blocks = list(kernel.body.blocks)
    live_in: dict[Block, int] = dict.fromkeys(blocks, 0)
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            live = _live_through(block, live_in, numbers, shared)
            if live != live_in[block]:
                live_in[block] = live
                changed = True
    for block in blocks:
        _live_through(block, live_in, numbers, shared, mates)


def _live_through(
    block: Block, live_in: dict[Block, int], numbers: dict[SSAValue, int], shared: int, mates: dict[int, int] | None = None
) -> int:
    """What is live at the start of a block; with `mates`, refuses a definition whose mates are alive."""
    live = 0
    last = block.last_op
    if last is not None:
        for target, _ in _edges(last):
            live |= live_in[target]
    ops = list(block.ops)
    for op in reversed(ops):
        for result in op.results:
            _define(numbers[result], live, mates)
            live &= ~(1 << numbers[result])
        for operand in op.operands:
            live |= 1 << numbers[operand]
        live &= shared
    for argument in block.args:
        _define(numbers[argument], live, mates)
    for argument in block.args:
        live &= ~(1 << numbers[argument])
    return live


def _define(number: int, live: int, mates: dict[int, int] | None) -> None:
    if mates and live & mates.get(number, 0):
        raise UnsupportedError(
            "the module is not in the form that `lower` makes: two values that are alive at once share a register"
        )
