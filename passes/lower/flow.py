"""Control flow: cuts the flat list of instructions into basic blocks in text order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.ir.instructions import find_form
from volta_pipe.passes.lower.tree import Instruction, Kernel, Reg, Sym

# How a block ends.
BRANCH, CONDITION, RETURN, TRAP = "branch", "condition", "return", "trap"
_ENDS = {"bra": BRANCH, "ret": RETURN, "exit": RETURN, "trap": TRAP}


@dataclass
class Block:
    """Instructions without the one that ends the block; `successors` are indices: of a condition (true, false)."""

    instructions: list[Instruction]
    kind: str = BRANCH
    end: Instruction | None = None
    condition: Reg | None = None
    successors: tuple[int, ...] = ()
    predecessors: list[int] = field(default_factory=list)


def _end(instruction: Instruction) -> str:
    """How an instruction ends a block; "" where it does not, as when its form is not known (executing it is refused)."""
    kind = _ENDS.get(instruction.mnemonic, "")
    if not kind or (instruction.reason and kind != TRAP):
        return ""
    words = instruction.words
    if kind == BRANCH:
        return kind if words in ([], ["uni"]) else ""
    known = find_form(instruction.mnemonic, words, []) is not None
    return kind if known and not instruction.operands else ""


def _target(instruction: Instruction, place: Callable[[int], Place]) -> int:
    """Index of the instruction that a `bra` jumps to."""
    operand = instruction.operands[0] if len(instruction.operands) == 1 else None
    if not isinstance(operand, Sym) or operand.offset:
        raise InputError("a branch needs one label", place(instruction.offset))
    index = instruction.scope.find_label(operand.name)
    if index is None:
        raise InputError(f"label {operand.name} is not declared", place(instruction.offset))
    return index


def build_blocks(kernel: Kernel, place: Callable[[int], Place]) -> list[Block]:
    """All blocks in text order, the entry first, without their predecessors."""
    instructions = kernel.instructions
    count = len(instructions)
    ends = {i: kind for i, one in enumerate(instructions) if (kind := _end(one))}
    targets = {i: _target(instructions[i], place) for i, kind in ends.items() if kind == BRANCH}
    leaders = {0, count, *targets.values()} | {i + 1 for i in ends}
    starts = sorted(leaders)
    blocks: list[Block] = []
    block_at: dict[int, int] = {}
    # Each range gives one block, and one more when it ends in a guarded `ret` or `trap`: that one follows at once.
    for start, stop in zip(starts, [*starts[1:], count], strict=True):
        block_at[start] = len(blocks)
        body = instructions[start:stop]
        last = body[-1] if stop - 1 in ends and stop > start else None
        block = Block(body[:-1] if last else body, end=last)
        blocks.append(block)
        if last is None:
            continue
        kind = ends[stop - 1]
        block.condition = last.guard
        if last.guard is None:
            block.kind = kind
        else:
            block.kind = CONDITION
            if kind != BRANCH:
                blocks.append(Block([], kind, last))
    for start, stop in zip(starts, [*starts[1:], count], strict=True):
        _connect(blocks, block_at, start, stop, targets)
    # Behind the last instruction a kernel returns.
    blocks[block_at[count]].kind = RETURN
    blocks[block_at[count]].successors = ()
    return blocks


def _connect(blocks: list[Block], block_at: dict[int, int], start: int, stop: int, targets: dict[int, int]) -> None:
    """Set the successors of the block that begins at `start`."""
    index = block_at[start]
    block = blocks[index]
    after = block_at[stop]
    if block.end is None:
        block.successors = (after,)
        return
    jump = block_at[targets[stop - 1]] if stop - 1 in targets else index + 1
    if block.kind == BRANCH:
        block.successors = (jump,)
    elif block.kind == CONDITION:
        negated = block.condition is not None and block.condition.negated
        block.successors = (after, jump) if negated else (jump, after)
