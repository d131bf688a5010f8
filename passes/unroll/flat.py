"""A kernel of the `ptx` dialect with numbers in place of SSA values: what the assembler goes over, made in one walk.

xDSL's accessors of operands and results cost more than all else in assembling a large kernel, so each is asked once."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Block, Operation

from volta_pipe.ir.ptx import BranchOp, CondBranchOp, InstructionOp, KernelOp


class FlatOp(NamedTuple):
    """An operation. results, inputs, old: numbers of values; guard: that of its guard, or -1. An operation that is no
    instruction has all of its operands in `inputs`."""

    op: Operation
    results: list[int]
    inputs: list[int]
    guard: int
    old: list[int]


@dataclass(frozen=True)
class FlatBlock:
    """A block. arguments: numbers of its arguments; edges: its successors with the values for their arguments."""

    arguments: range
    ops: list[FlatOp]
    edges: list[tuple[int, list[int]]]


@lru_cache(maxsize=256)
def _sizes(data: bytes) -> tuple[int, int]:
    inputs, guards, _ = struct.unpack("<3i", data)
    return inputs, guards


def _edges(op: Operation, places: dict[Block, int], numbers: dict[int, int]) -> list[tuple[int, list[int]]]:
    """The successors of a terminator with the values for their arguments."""
    if isinstance(op, BranchOp):
        ways = [(op.target, op.arguments)]
    elif isinstance(op, CondBranchOp):
        ways = [(op.then, op.then_arguments), (op.els, op.else_arguments)]
    else:
        return []
    return [(places[target], [numbers[id(value)] for value in values]) for target, values in ways]


def flatten(kernel: KernelOp) -> tuple[list[FlatBlock], int]:
    """(the blocks in order, how many values there are). Values are numbered as they are defined."""
    numbers: dict[int, int] = {}  # by identity: hashing a value is a call in Python
    places: dict[Block, int] = {}
    raw: list[tuple[range, list[tuple[Operation, list[int]]]]] = []
    count = 0
    for block in kernel.body.blocks:
        places[block] = len(places)
        first = count
        for value in block.args:
            numbers[id(value)] = count
            count += 1
        arguments, ops = range(first, count), []
        for op in block.ops:
            first = count
            for value in op.results:
                numbers[id(value)] = count
                count += 1
            ops.append((op, list(range(first, count))))
        raw.append((arguments, ops))
    blocks: list[FlatBlock] = []
    for arguments, ops in raw:
        flat = [_flat(op, results, [numbers[id(value)] for value in op.operands[:]]) for op, results in ops]
        blocks.append(FlatBlock(arguments, flat, _edges(ops[-1][0], places, numbers) if ops else []))
    return blocks, count


def _flat(op: Operation, results: list[int], operands: list[int]) -> FlatOp:
    if not isinstance(op, InstructionOp):
        return FlatOp(op, results, operands, -1, [])
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    inputs, guards = _sizes(sizes.data.data)
    if not guards and len(operands) == inputs:
        return FlatOp(op, results, operands, -1, [])
    guard = operands[inputs] if guards else -1
    return FlatOp(op, results, operands[:inputs], guard, operands[inputs + guards :])
