"""Which values are live where, by the classical backward iteration, and what is defined while what is live."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Block, Operation, Region, SSAValue

from volta_pipe.ir.ptx import BranchOp, CondBranchOp, ConstantOp


def is_constant(value: SSAValue) -> bool:
    """Whether a value is an immediate, which needs no register."""
    return isinstance(value.owner, ConstantOp)


def edges(block: Block) -> Iterator[tuple[Block, tuple[SSAValue, ...]]]:
    """The successors of a block, with what is passed to each."""
    last = block.last_op
    if isinstance(last, BranchOp):
        yield last.target, tuple(last.arguments)
    elif isinstance(last, CondBranchOp):
        yield last.then, tuple(last.then_arguments)
        yield last.els, tuple(last.else_arguments)


def reads(op: Operation) -> list[SSAValue]:
    """What an operation reads from registers, without what it passes to other blocks."""
    if isinstance(op, BranchOp):
        return []
    operands = [op.condition] if isinstance(op, CondBranchOp) else op.operands
    return [value for value in operands if not is_constant(value)]


@dataclass
class Definitions:
    """All definitions at one place: their values, what is live behind them, and what is read there."""

    values: list[SSAValue]
    live: set[SSAValue]
    op: Operation | None


def definitions(region: Region) -> Iterator[Definitions]:
    """The places of a region where registers are written, last ones of each block first. Do not change what is yielded."""
    live_in = _live_in(region)
    for block in region.blocks:
        live = _live_out(block, live_in)
        for op in reversed(list(block.ops)):
            if op.results and not isinstance(op, ConstantOp):
                live.difference_update(op.results)
                yield Definitions(list(op.results), live, op)
            live.update(reads(op))
        if block.args:
            live.difference_update(block.args)
            yield Definitions(list(block.args), live, None)


def _live_out(block: Block, live_in: dict[Block, set[SSAValue]]) -> set[SSAValue]:
    live: set[SSAValue] = set()
    for successor, values in edges(block):
        live |= live_in[successor]
        live.update(value for value in values if not is_constant(value))
    return live


def _live_in(region: Region) -> dict[Block, set[SSAValue]]:
    """Per block the values that are live at its head, without its arguments."""
    blocks = list(region.blocks)
    predecessors: dict[Block, list[Block]] = {block: [] for block in blocks}
    used: dict[Block, set[SSAValue]] = {}
    defined: dict[Block, set[SSAValue]] = {}
    for block in blocks:
        for successor, _ in edges(block):
            predecessors[successor].append(block)
        made: set[SSAValue] = set(block.args)
        needed: set[SSAValue] = set()
        for op in block.ops:
            needed.update(value for value in reads(op) if value not in made)
            made.update(op.results)
        used[block], defined[block] = needed, made
    live_in = {block: set(used[block]) for block in blocks}
    todo = set(blocks)
    order = list(reversed(blocks))
    while todo:
        for block in order:
            if block not in todo:
                continue
            todo.discard(block)
            new = used[block] | (_live_out(block, live_in) - defined[block])
            if len(new) > len(live_in[block]):
                live_in[block] = new
                todo.update(predecessors[block])
    return live_in
