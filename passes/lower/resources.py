"""What a kernel asks of the machine, as its PTX says: shared memory, registers, and the directives that bound a launch.

Registers are those of the compiler that comes after PTX; what is alive at once here is an estimate of how many it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, SSAValue

from volta_pipe.ir.ptx import ConstantOp, UndefOp, type_width
from volta_pipe.ir.ptx.structure import KernelOp, VariableOp
from volta_pipe.passes.lower.lexer import Lexer, parse_integer
from volta_pipe.passes.lower.syntax import Function

# PTX ISA 11.4 and 11.5, those with numbers.
_DIRECTIVES = ("maxntid", "reqntid", "maxnreg", "minnctapersm", "maxnctapersm", "reqnctapercluster", "maxclusterrank")
_FLAGS = ("explicitcluster", "blocksareclusters")


@dataclass(frozen=True)
class Resources:
    """`target` as the PTX has it; `shared`: bytes of the static shared variables that the kernel mentions, where they lie one
    behind the other with their alignment; `registers`: the most registers of 32 bits that are alive at once; `directives`:
    (name without the dot, numbers, line of the PTX)."""

    target: str
    shared: int
    registers: int
    directives: tuple[tuple[str, tuple[int, ...], int], ...]


def resources_of(function: Function, lexer: Lexer, kernel: KernelOp, variables: Sequence[VariableOp]) -> Resources:
    """Of the entry `function`, which became `kernel`; `lexer` is of its file."""
    end = 0
    for variable in variables:
        if variable.space.data == "shared" and variable.extern is None:
            end = -(-end // variable.byte_align) * variable.byte_align + variable.byte_size
    found = []
    for one in function.limits:
        name = one.word[1:]
        if name in _DIRECTIVES or name in _FLAGS:
            numbers = tuple(parse_integer(token, lexer) for token in one.tokens if token != ",")
            found.append((name, numbers, lexer.place(one.offset).line))
    return Resources(kernel.target.data, end, live_registers(kernel), tuple(found))


def live_registers(kernel: KernelOp) -> int:
    """The most registers of 32 bits that hold, at some point between two instructions, a value which is still needed: one of 64
    bits takes two, a predicate none (they have registers of their own), nor does a constant (it is part of an instruction)."""
    blocks = list(kernel.body.blocks)
    ends = _live_at_ends(blocks)
    most = 0
    for block, end in zip(blocks, ends, strict=True):
        live = set(end)
        count = sum(map(_words, live))
        most = max(most, count)
        for op in reversed(list(block.ops)):
            dead = sum(_words(result) for result in op.results if result not in live)
            most = max(most, count + dead)  # a result that nobody reads has a register, too
            for result in op.results:
                if result in live:
                    live.remove(result)
                    count -= _words(result)
            for operand in op.operands:
                if operand not in live:
                    live.add(operand)
                    count += _words(operand)
            most = max(most, count)
    return most


def _live_at_ends(blocks: Sequence[Block]) -> list[set[SSAValue]]:
    """The values that are needed after the end of each block. What a branch hands over is an operand of its own."""
    number = {id(block): place for place, block in enumerate(blocks)}
    made: list[set[SSAValue]] = []
    live_in: list[set[SSAValue]] = []
    for block in blocks:
        own: set[SSAValue] = set(block.args)
        read: set[SSAValue] = set()
        for op in block.ops:
            read.update(operand for operand in op.operands if operand not in own)
            own.update(op.results)
        made.append(own)
        live_in.append(read)
    next_of = [[number[id(b)] for b in block.last_op.successors] if block.last_op else [] for block in blocks]
    ends: list[set[SSAValue]] = [set() for _ in blocks]
    before: list[list[int]] = [[] for _ in blocks]
    for place, following in enumerate(next_of):
        for one in following:
            before[one].append(place)
    todo = set(range(len(blocks)))
    while todo:
        place = max(todo)  # later blocks first
        todo.discard(place)
        end = set().union(*(live_in[one] for one in next_of[place]))
        ends[place] = end
        new = (end - made[place]) | live_in[place]
        if new != live_in[place]:
            live_in[place] = new
            todo.update(before[place])
    return ends


def _words(value: SSAValue) -> int:
    if isinstance(value.owner, ConstantOp | UndefOp):
        return 0
    width = type_width(value.type)
    return 0 if width == 1 else -(-width // 32)
