"""From a module of xDSL to plain data (flat.py), in one walk.

xDSL's accessors of operands and results cost more than all else in assembling a large kernel, so each is asked once."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from volta_pipe.ir.ptx.control import BranchOp, CondBranchOp, ReturnOp, TrapOp
from volta_pipe.ir.ptx.flat import FlatBlock, FlatKernel, FlatOp, FlatVariable, Spelling
from volta_pipe.ir.ptx.instruction import InstructionOp
from volta_pipe.ir.ptx.leaves import AddressOp, ConstantOp, LoadParamOp, SpecialOp, UndefOp
from volta_pipe.ir.ptx.structure import KernelOp
from volta_pipe.ir.ptx.text import kernel_of, variables_of
from volta_pipe.ir.ptx.types import type_width
from volta_pipe.ir.ptx.unmodelled import UnmodelledOp

# What has a meaning besides instructions; another operation keeps its full name, by which it is refused.
_KNOWN = (ConstantOp, SpecialOp, AddressOp, UndefOp, LoadParamOp, BranchOp, CondBranchOp, ReturnOp, TrapOp)


def flatten(module: ModuleOp) -> FlatKernel:
    """The kernel of a module. Errors: ArtifactError when there is not exactly one."""
    kernel = kernel_of(module)
    variables = tuple(
        FlatVariable(op.sym_name.data, op.space.data, op.byte_align, op.byte_size, op.extern is not None, op.init_bytes)
        for op in variables_of(module)
    )
    numbers: dict[int, int] = {}  # by identity: hashing a value is a call in Python
    widths: list[int] = []
    places: dict[Block, int] = {}
    raw: list[tuple[range, list[tuple[Operation, range]]]] = []

    def define(values: tuple[SSAValue, ...]) -> range:
        first = len(widths)
        for value in values:
            numbers[id(value)] = len(widths)
            widths.append(type_width(value.type))
        return range(first, len(widths))

    for block in kernel.body.blocks:
        places[block] = len(places)
        raw.append((define(tuple(block.args)), [(op, define(tuple(op.results))) for op in block.ops]))
    blocks: list[FlatBlock] = []
    spellings: dict[tuple[int, int, int], Spelling] = {}
    for arguments, ops in raw:
        flat = [_flat(op, results, [numbers[id(value)] for value in op.operands[:]], spellings) for op, results in ops]
        blocks.append(FlatBlock(arguments, flat, _edges(ops[-1][0], places, numbers) if ops else []))
    limits = _sizes_of(kernel.maxntid), _sizes_of(kernel.reqntid)
    return FlatKernel(kernel.sym_name.data, kernel.parameters, *limits, variables, blocks, widths)


def numbered(kernel: KernelOp) -> dict[SSAValue, int]:
    """The number of each value of a kernel."""
    found: dict[SSAValue, int] = {}
    for block in kernel.body.blocks:
        for value in (*block.args, *(result for op in block.ops for result in op.results)):
            found[value] = len(found)
    return found


def _sizes_of(limit: ArrayAttr[Any] | None) -> tuple[int, ...] | None:
    return None if limit is None else tuple(int(size.value.data) for size in limit.data)


def _edges(op: Operation, places: dict[Block, int], numbers: dict[int, int]) -> list[tuple[int, list[int]]]:
    """The successors of a terminator with the values for their arguments."""
    if isinstance(op, BranchOp):
        ways = [(op.target, op.arguments)]
    elif isinstance(op, CondBranchOp):
        ways = [(op.then, op.then_arguments), (op.els, op.else_arguments)]
    else:
        return []
    return [(places[target], [numbers[id(value)] for value in values]) for target, values in ways]


def _flat(op: Operation, results: range, operands: list[int], spellings: dict[tuple[int, int, int], Spelling]) -> FlatOp:
    if isinstance(op, InstructionOp):
        return _instruction(op, results, operands, spellings)
    name, number, word = op.name, 0, None
    if isinstance(op, _KNOWN):
        name = name.removeprefix("ptx.")
    if isinstance(op, ConstantOp):
        number = op.bits
    elif isinstance(op, SpecialOp):
        word = op.register.data
    elif isinstance(op, AddressOp):
        number, word = op.byte_offset, op.variable
    elif isinstance(op, LoadParamOp):
        number, word = op.byte_offset, op.type_name
    elif isinstance(op, TrapOp) and op.reason is not None:
        word = op.reason.data
    return FlatOp(name, results, operands, number=number, word=word)


def _instruction(
    op: InstructionOp, results: range, operands: list[int], spellings: dict[tuple[int, int, int], Spelling]
) -> FlatOp:
    """`spellings` has those met so far, by the identity of class and words, which `lower` shares."""
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    inputs, guards = _sizes(sizes.data.data)
    guard = operands[inputs] if guards else -1
    place = guard, operands[inputs + guards :], op.negated is not None
    if isinstance(op, UnmodelledOp):
        return FlatOp("unmodelled", results, operands[:inputs], *place, word=op.message)
    shared = (id(type(op)), id(op.properties["modifiers"]), id(op.properties["types"]))
    found = spellings.get(shared)
    if found is None:
        found = spellings[shared] = (op.mnemonic, op.modifier_names, op.type_names)
    return FlatOp(found[0], results, operands[:inputs], *place, found, op.byte_offset, op.second_offset)


@lru_cache(maxsize=256)
def _sizes(data: bytes) -> tuple[int, int]:
    inputs, guards, _ = struct.unpack("<3i", data)
    return inputs, guards
